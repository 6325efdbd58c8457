//! The JSON API, one file per subject; the OpenAPI description is generated from the handlers.
//!
//! In: JSON. Out: JSON or an error. Never: a feature of the page that scripts cannot use.

mod attachment;
mod catalogue;
mod contest;
mod contest_view;
mod engine_player;
mod explain;
mod extract;
mod game_descriptor;
mod game_record;
mod games;
mod job_games;
mod job_parts;
mod jobs;
mod lineage;
mod move_tree;
mod own_games;
mod perft;
mod pieces;
mod play;
mod position;
mod position_fields;
mod position_view;
mod records;
mod study;

use std::sync::Arc;

use ashta_messages::message;
use axum::routing::get;
use axum::{Json, Router};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, ResponseBuilder};
use utoipa::{OpenApi, PartialSchema, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::api_error::{ApiError, ErrorBody, ProblemBody};
use crate::app_state::AppState;

type SharedState = axum::extract::State<Arc<AppState>>;

#[derive(OpenApi)]
#[openapi(info(
    title = "Ashtapada",
    description = "A laboratory for the chess family of games. Bodies and answers are JSON; an error has `error`, `code`, `args` and often `hint`, in the language of `Accept-Language` (en, ja)."
))]
struct Description;

fn documented_routes() -> OpenApiRouter<Arc<AppState>> {
    OpenApiRouter::with_openapi(Description::openapi())
        .merge(catalogue::routes())
        .merge(contest::routes())
        .merge(explain::routes())
        .merge(games::routes())
        .merge(job_games::routes())
        .merge(job_parts::routes())
        .merge(jobs::routes())
        .merge(lineage::routes())
        .merge(own_games::routes())
        .merge(perft::routes())
        .merge(play::routes())
        .merge(position::routes())
        .merge(records::routes())
        .merge(game_record::routes())
        .merge(study::routes())
}

/// All routes of the API.
pub fn routes() -> Router<Arc<AppState>> {
    let (router, description) = documented_routes().split_for_parts();
    let description = with_common_responses(description);
    router
        .route("/api/openapi.json", get(async move || Json(description)))
        .route(
            "/api/{*rest}",
            get(unknown_address).post(unknown_address).put(unknown_address).delete(unknown_address),
        )
        .method_not_allowed_fallback(wrong_method)
}

/// The description as text.
pub fn description() -> String {
    with_common_responses(documented_routes().split_for_parts().1).to_pretty_json().unwrap_or_default()
}

/// Adds what all operations share: the token and the error response.
fn with_common_responses(mut description: utoipa::openapi::OpenApi) -> utoipa::openapi::OpenApi {
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let components = description.components.get_or_insert_default();
    components.add_security_scheme("token", token);
    let (name, schema) = (ErrorBody::name(), ErrorBody::schema());
    components.schemas.insert(name.to_string(), schema);
    components.schemas.insert(ProblemBody::name().to_string(), ProblemBody::schema());
    description.security = Some(vec![SecurityRequirement::new("token", Vec::<String>::new())]);
    let api_error = ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build();
    let error_response = ResponseBuilder::new()
        .description("What is wrong, and what to do")
        .content("application/json", api_error);
    let error_response = RefOr::T(error_response.build());
    let operations = description.paths.paths.values_mut().flat_map(|path| {
        [&mut path.get, &mut path.post, &mut path.put, &mut path.delete].into_iter().flatten()
    });
    for operation in operations {
        operation.responses.responses.entry("default".to_string()).or_insert(error_response.clone());
    }
    description
}

async fn wrong_method() -> ApiError {
    ApiError::method_not_allowed(message!("web.method-not-allowed")).hint(message!("web.no-endpoint.hint"))
}

async fn unknown_address() -> ApiError {
    ApiError::not_found(message!("web.no-endpoint")).hint(message!("web.no-endpoint.hint"))
}
