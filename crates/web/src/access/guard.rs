//! The guard: checks the host, the origin and the token or cookie of every request.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use ashta_messages::{Message, message};
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_SECURITY_POLICY, HOST, ORIGIN, SET_COOKIE, WWW_AUTHENTICATE,
};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Redirect, Response};

use super::sessions::Sessions;
use super::throttle::TooManyAttempts;
use super::token::random_text;
use crate::api_error::ApiError;
use crate::assets::is_page_file;
use crate::connections::client_from;
use crate::security_headers::add_security_headers;

#[derive(Clone, Debug)]
pub struct Guard {
    /// Where the server listens.
    listen: SocketAddr,
    /// Who has shown the token; nothing where none is asked for.
    sessions: Option<Arc<Sessions>>,
}

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Content security policy of the token page: text and a form.
const TOKEN_PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);
const TOKEN_PAGE: &str = include_str!("log-in.html");

/// Query parameter of the entry page.
const ENTRY_PARAM: &str = "enter";

/// Middleware: checks every request, adds security headers to every response.
pub async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let decision = guard.decide(&head).await;
    if let (Decision::Admitted, Some(client)) = (&decision, client_from(&head.extensions)) {
        client.mark_admitted();
    }
    let mut response = match decision {
        Decision::Respond(answer) => answer,
        Decision::Admitted | Decision::Public => next.run(Request::from_parts(head, body)).await,
    };
    add_security_headers(response.headers_mut());
    response
}

enum Decision {
    /// Answered by the guard.
    Respond(Response),
    /// Passed on, authenticated.
    Admitted,
    /// Passed on without authentication: files of the page are public. A page whose session has expired can then
    /// still report it.
    Public,
}

/// Navigates to the page by script: with `SameSite=Strict` a browser that follows a link of another site sends no cookie,
/// even after a redirect.
fn entry_page() -> Result<Response, ApiError> {
    let nonce = random_text()?;
    let policy =
        format!("default-src 'none'; script-src 'nonce-{nonce}'; frame-ancestors 'none'; base-uri 'none'");
    let page = include_str!("enter.html").replace("NONCE", &nonce);
    Ok(([(CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response())
}

/// The page that asks for the token.
fn token_page(problem: &str) -> Response {
    let page = TOKEN_PAGE.replace("<!-- problem -->", problem);
    (StatusCode::UNAUTHORIZED, [(CONTENT_SECURITY_POLICY, TOKEN_PAGE_POLICY)], Html(page)).into_response()
}

const WRONG_TOKEN: &str = "<p role=\"alert\">That is not the token of this laboratory. \
    <span lang=\"ja\">この研究室のトークンではありません。</span></p>";

fn unauthorised(what: Message) -> Response {
    let api_error = ApiError::unauthorized(what);
    let api_error = api_error.hint(message!("web.token.hint"));
    ([(WWW_AUTHENTICATE, "Bearer")], api_error).into_response()
}

fn too_many(_: TooManyAttempts) -> Response {
    ApiError::too_many_requests(message!("web.too-many-attempts")).hint(message!("web.retry")).into_response()
}

/// The value of a query parameter.
fn query_value<'a>(head: &'a Parts, name: &str) -> Option<&'a str> {
    let query = head.uri.query().unwrap_or_default();
    query.split('&').find_map(|part| match part.split_once('=') {
        Some((key, value)) => (key == name).then_some(value),
        None => (part == name).then_some(""),
    })
}

fn header_text(headers: &HeaderMap, name: HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

impl Guard {
    pub fn new(listen: SocketAddr, sessions: Option<Sessions>) -> Guard {
        Guard { listen, sessions: sessions.map(Arc::new) }
    }

    async fn decide(&self, head: &Parts) -> Decision {
        let (headers, path) = (&head.headers, head.uri.path());
        if let Err(api_error) = self.check_origin(headers, path) {
            return Decision::Respond(api_error.into_response());
        }
        let Some(sessions) = &self.sessions else { return Decision::Admitted };
        let is_page = !path.starts_with("/api/") && head.method == Method::GET;
        if let Some(token) = query_value(head, "token").filter(|_| is_page) {
            return Decision::Respond(self.log_in_with_token(sessions, headers, token).await);
        }
        if is_page && query_value(head, ENTRY_PARAM).is_some() {
            return Decision::Respond(entry_page().unwrap_or_else(IntoResponse::into_response));
        }
        if sessions.has_session(headers) {
            return Decision::Admitted;
        }
        if let Some(sent) = header_text(headers, AUTHORIZATION).strip_prefix("Bearer ") {
            return match sessions.is_token(sent).await {
                Ok(true) => Decision::Admitted,
                Ok(false) => Decision::Respond(unauthorised(message!("web.wrong-token"))),
                Err(error) => Decision::Respond(too_many(error)),
            };
        }
        match is_page && header_text(headers, ACCEPT).contains("text/html") {
            true if self.is_cross_site(headers) => {
                Decision::Respond(Redirect::to(&format!("/?{ENTRY_PARAM}")).into_response())
            }
            true => Decision::Respond(token_page("")),
            false if is_page && is_page_file(path) => Decision::Public,
            false => Decision::Respond(unauthorised(message!("web.no-token"))),
        }
    }

    /// Starts a session for a browser that sent the token.
    async fn log_in_with_token(&self, sessions: &Sessions, headers: &HeaderMap, token: &str) -> Response {
        match sessions.is_token(token).await {
            Err(error) => too_many(error),
            Ok(false) => token_page(WRONG_TOKEN),
            Ok(true) if sessions.has_session(headers) => {
                entry_page().unwrap_or_else(IntoResponse::into_response)
            }
            Ok(true) => {
                let started = sessions.start_session().map_err(ApiError::from);
                let entered =
                    started.and_then(|cookie| Ok(([(SET_COOKIE, cookie)], entry_page()?).into_response()));
                entered.unwrap_or_else(IntoResponse::into_response)
            }
        }
    }

    fn is_cross_site(&self, headers: &HeaderMap) -> bool {
        matches!(header_text(headers, SEC_FETCH_SITE), "cross-site" | "same-site")
    }

    fn check_origin(&self, headers: &HeaderMap, path: &str) -> Result<(), ApiError> {
        let host = headers
            .get(HOST)
            .and_then(|host| host.to_str().ok())
            .and_then(|host| host.parse::<Authority>().ok());
        let host = host.filter(|host| self.is_own_host(host)).ok_or_else(|| {
            let api_error = ApiError::forbidden(message!("web.unknown-host"));
            api_error.hint(message!("web.unknown-host.hint", address = self.listen))
        })?;
        if let Some(origin) = headers.get(ORIGIN) {
            let is_own_host = origin.to_str().is_ok_and(|origin| origin == format!("http://{host}"));
            if !is_own_host {
                return Err(ApiError::forbidden(message!("web.cross-origin")));
            }
        }
        let site = headers.get(SEC_FETCH_SITE).map(HeaderValue::as_bytes);
        match site {
            None | Some(b"same-origin" | b"none") => Ok(()),
            // Links to the page are allowed from any site; its data is not.
            Some(_) if !path.starts_with("/api/") => Ok(()),
            Some(_) => Err(ApiError::forbidden(message!("web.cross-origin"))),
        }
    }

    /// Hosts that cannot be rebound by DNS: IP addresses and `localhost`.
    fn is_own_host(&self, host: &Authority) -> bool {
        let name = host.host().trim_start_matches('[').trim_end_matches(']');
        let is_here = match name.parse::<IpAddr>() {
            Ok(address) => !self.listen.ip().is_loopback() || address.is_loopback(),
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        };
        is_here && host.port_u16().unwrap_or(80) == self.listen.port()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(listen: &str, host: &str, origin: Option<&str>, site: Option<&str>) -> bool {
        let guard = Guard::new(listen.parse().expect("an address"), None);
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().expect("a header"));
        origin.map(|origin| headers.insert(ORIGIN, origin.parse().expect("a header")));
        site.map(|site| headers.insert(SEC_FETCH_SITE, site.parse().expect("a header")));
        guard.check_origin(&headers, "/api/games").is_ok()
    }

    #[test]
    fn only_our_own_names_and_our_own_page() {
        let here = "127.0.0.1:8800";
        assert!(check(here, "127.0.0.1:8800", None, None));
        assert!(check(here, "localhost:8800", Some("http://localhost:8800"), Some("same-origin")));
        assert!(!check(here, "localhost:80", None, None), "another port");
        assert!(!check(here, "evil.example:8800", None, None), "a name that was made to lead here");
        assert!(!check(here, "127.0.0.1.evil.example:8800", None, None));
        assert!(!check(here, "192.168.1.2:8800", None, None), "a LAN address of a loopback server");
        assert!(!check(here, "127.0.0.1:8800", Some("http://evil.example"), None));
        assert!(!check(here, "127.0.0.1:8800", Some("https://127.0.0.1:8800"), None));
        assert!(!check(here, "127.0.0.1:8800", Some("null"), None));
        assert!(!check(here, "127.0.0.1:8800", None, Some("cross-site")));
        assert!(!check(here, "127.0.0.1:8800", None, Some("same-site")), "another port of this machine");
        assert!(check("0.0.0.0:8800", "192.168.1.2:8800", None, None));
        assert!(!check("0.0.0.0:8800", "evil.example:8800", None, None));
    }
}
