//! Handlers under the methods and paths of their `#[utoipa::path]` attributes.
//!
//! In: handlers. Out: a router; in tests, also their OpenAPI description.
//! Never: a description built by the program, which would carry half a megabyte of schema code; it embeds `openapi.json`.

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter};
use utoipa::openapi::HttpMethod;

use crate::app_state::AppState;

/// A router of the API.
#[derive(Default)]
pub struct ApiRouter {
    pub router: Router<Arc<AppState>>,
    #[cfg(test)]
    pub description: utoipa::openapi::OpenApi,
}

/// What `#[utoipa::path]` says of a handler.
pub trait Endpoint: utoipa::Path + utoipa::__dev::Tags<'static> + utoipa::__dev::SchemaReferences {}

impl<T: utoipa::Path + utoipa::__dev::Tags<'static> + utoipa::__dev::SchemaReferences> Endpoint for T {}

impl ApiRouter {
    /// Adds a handler.
    pub fn handler<E: Endpoint, H: Handler<T, Arc<AppState>>, T: 'static>(mut self, handler: H) -> Self {
        let routes = E::methods()
            .into_iter()
            .fold(MethodRouter::new(), |routes, method| routes.on(filter(method), handler.clone()));
        self.router = self.router.route(&E::path(), routes);
        #[cfg(test)]
        self.describe::<E>();
        self
    }

    /// Adds the routes of another router.
    pub fn merge(mut self, other: Self) -> Self {
        self.router = self.router.merge(other.router);
        #[cfg(test)]
        self.description.merge(other.description);
        self
    }

    #[cfg(test)]
    fn describe<E: Endpoint>(&mut self) {
        let mut operation = E::operation();
        let tags = E::tags();
        if !tags.is_empty() {
            operation.tags.get_or_insert_default().extend(tags.into_iter().map(str::to_string));
        }
        self.description.paths.add_path_operation(E::path(), E::methods(), operation);
        let mut schemas = Vec::new();
        E::schemas(&mut schemas);
        self.description.components.get_or_insert_default().schemas.extend(schemas);
    }
}

fn filter(method: HttpMethod) -> MethodFilter {
    match method {
        HttpMethod::Get => MethodFilter::GET,
        HttpMethod::Post => MethodFilter::POST,
        HttpMethod::Put => MethodFilter::PUT,
        HttpMethod::Delete => MethodFilter::DELETE,
        HttpMethod::Options => MethodFilter::OPTIONS,
        HttpMethod::Head => MethodFilter::HEAD,
        HttpMethod::Patch => MethodFilter::PATCH,
        HttpMethod::Trace => MethodFilter::TRACE,
    }
}

/// A router of handlers, found by the types that `#[utoipa::path]` makes.
macro_rules! routes {
    ($($handler:ident),+ $(,)?) => {
        pastey::paste! {
            $crate::api::router::ApiRouter::default()$(.handler::<[<__path_ $handler>], _, _>($handler))+
        }
    };
}

pub(crate) use routes;
