//! Tracks one request of a client: body received, answered or aborted.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::response::Response;
use hyper::Request;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use hyper::service::Service;
use tower_service::Service as _;

use super::Client;

/// Passes a client's requests to the router.
#[derive(Debug)]
pub struct ClientService {
    pub routes: Router,
    pub client: Arc<Client>,
}

impl Service<Request<Incoming>> for ClientService {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let guard = RequestGuard(self.client.clone());
        if request.body().is_end_stream() {
            self.client.mark_body_received();
        }
        let mut request = request.map(|body| Body::new(RequestBody { body, client: self.client.clone() }));
        request.extensions_mut().insert(self.client.clone());
        let serve_connection = self.routes.clone().call(request);
        Box::pin(async move {
            let serve_connection = serve_connection.await?;
            Ok(serve_connection.map(|body| Body::new(ResponseBody { body, _guard: guard })))
        })
    }
}

/// Marks the request as finished on drop.
struct RequestGuard(Arc<Client>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.finish_request();
    }
}

/// Tracks the end of the body.
struct RequestBody {
    body: Incoming,
    client: Arc<Client>,
}

impl hyper::body::Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if matches!(frame, Poll::Ready(None)) || self.body.is_end_stream() {
            self.client.mark_body_received();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Keeps the guard until the response is sent.
struct ResponseBody {
    body: Body,
    _guard: RequestGuard,
}

impl hyper::body::Body for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
