//! Who may ask: our own page, and scripts of whoever sits at this machine or has the token.
//!
//! In: the head of a request. Out: a refusal, or the request passed on, its answer with headers that fence the page in.
//! Never: an answer to another site's page, under its own name or one that it made lead here.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, AUTHORIZATION, CONTENT_SECURITY_POLICY, COOKIE, HOST, ORIGIN, SET_COOKIE};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Redirect, Response};

use crate::connections::client_of;
use crate::failure::Refusal;
use crate::headers::fence_in;

/// Who may ask.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Where the server listens.
    pub listen: SocketAddr,
    /// What must be known from elsewhere.
    pub token: Option<String>,
}

const COOKIE_NAME: &str = "ashta-token";
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The page that asks for the token: words and a form, and nothing else.
const DOOR_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);

/// Passes on what may be asked.
pub async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    if let Err(refusal) = guard.admit(request.headers(), request.uri().path()) {
        return refusal.into_response();
    }
    if let Some(token) = &guard.token {
        let query = request.uri().query().unwrap_or_default();
        let is_in_query =
            query.split('&').any(|part| part.strip_prefix("token=").is_some_and(|sent| same(sent, token)));
        if is_in_query {
            return take_in(token);
        }
        if !knows(request.headers(), token) {
            return ask_for_token(&request);
        }
    }
    if let Some(client) = client_of(request.extensions()) {
        client.mark_admitted();
    }
    let mut response = next.run(request).await;
    fence_in(response.headers_mut());
    response
}

/// Keeps the token in a cookie and takes it out of the address.
fn take_in(token: &str) -> Response {
    let cookie = format!("{COOKIE_NAME}={token}; HttpOnly; SameSite=Strict; Path=/");
    ([(SET_COOKIE, cookie)], Redirect::to("/")).into_response()
}

/// A person is asked for the token, a script is told of it.
fn ask_for_token(request: &Request) -> Response {
    let accepted =
        request.headers().get(ACCEPT).and_then(|accepted| accepted.to_str().ok()).unwrap_or_default();
    if accepted.contains("text/html") && !request.uri().path().starts_with("/api/") {
        return (
            StatusCode::FORBIDDEN,
            [(CONTENT_SECURITY_POLICY, DOOR_POLICY)],
            Html(include_str!("door.html")),
        )
            .into_response();
    }
    let refusal = Refusal::forbidden("the token of this laboratory is wanted");
    refusal
        .hint("open the address that was printed when it started; scripts send `Authorization: Bearer TOKEN`")
        .into_response()
}

fn knows(headers: &HeaderMap, token: &str) -> bool {
    let text =
        |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).unwrap_or_default();
    let bearer = text(AUTHORIZATION).strip_prefix("Bearer ").is_some_and(|sent| same(sent, token));
    let in_cookie = |part: &str| {
        part.trim()
            .strip_prefix(COOKIE_NAME)
            .and_then(|rest| rest.strip_prefix('='))
            .is_some_and(|sent| same(sent, token))
    };
    bearer || text(COOKIE).split(';').any(in_cookie)
}

/// Compares without telling by the time taken how much was right.
fn same(sent: &str, token: &str) -> bool {
    let differing = sent.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    sent.len() == token.len() && differing == 0
}

impl Guard {
    fn admit(&self, headers: &HeaderMap, path: &str) -> Result<(), Refusal> {
        let host = headers
            .get(HOST)
            .and_then(|host| host.to_str().ok())
            .and_then(|host| host.parse::<Authority>().ok());
        let host = host.filter(|host| self.is_ours(host)).ok_or_else(|| {
            let refusal = Refusal::forbidden("this laboratory has no such name");
            refusal.hint(format!("it answers at http://{}", self.listen))
        })?;
        if let Some(origin) = headers.get(ORIGIN) {
            let is_ours = origin.to_str().is_ok_and(|origin| origin == format!("http://{host}"));
            if !is_ours {
                return Err(Refusal::forbidden("another site's page may not ask here"));
            }
        }
        let site = headers.get(SEC_FETCH_SITE).map(HeaderValue::as_bytes);
        match site {
            None | Some(b"same-origin" | b"none") => Ok(()),
            // A link to the page may be anywhere; what it shows is asked for by the page itself.
            Some(_) if !path.starts_with("/api/") => Ok(()),
            Some(_) => Err(Refusal::forbidden("another site's page may not ask here")),
        }
    }

    /// Names that lead to us and to nobody else: addresses as numbers, and `localhost`.
    fn is_ours(&self, host: &Authority) -> bool {
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
        let guard = Guard { listen: listen.parse().expect("an address"), token: None };
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().expect("a header"));
        origin.map(|origin| headers.insert(ORIGIN, origin.parse().expect("a header")));
        site.map(|site| headers.insert(SEC_FETCH_SITE, site.parse().expect("a header")));
        guard.admit(&headers, "/api/games").is_ok()
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

    #[test]
    fn a_token_is_known_by_header_and_by_cookie() {
        let with = |name: HeaderName, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().expect("a header"));
            knows(&headers, "secret")
        };
        assert!(with(AUTHORIZATION, "Bearer secret"));
        assert!(with(COOKIE, "a=b; ashta-token=secret"));
        assert!(!with(COOKIE, "ashta-token=secret2"));
        assert!(!with(COOKIE, "ashta-token="));
        assert!(!with(AUTHORIZATION, "Bearer "));
    }
}
