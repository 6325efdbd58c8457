//! Sessions of browsers that showed the token: a cookie each; only its SHA-256 is stored.
//!
//! Stored in the data folder, so that an open page survives a restart; discarded with the token.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use serde::{Deserialize, Serialize};

use super::throttle::{Throttle, TooManyAttempts};
use super::token::{Fingerprint, Token, constant_time_eq, fingerprint, random_text};
use crate::data_folder::DataFolder;
use ashta_records::write_private;

/// How long a browser is remembered.
const LIFETIME_S: u64 = 30 * 24 * 3600;
/// Browsers that are remembered; the oldest are forgotten first.
const MAX_SESSIONS: usize = 256;

/// Who has shown the token.
#[derive(Debug)]
pub struct Sessions {
    token: Fingerprint,
    throttle: Throttle,
    cookie: String,
    path: PathBuf,
    /// By the fingerprint of the cookie, when it was given, in seconds since 1970.
    issued: Mutex<BTreeMap<Fingerprint, u64>>,
}

/// The file on disk.
#[derive(Serialize, Deserialize, Default)]
struct SessionsFile {
    token: String,
    sessions: BTreeMap<String, u64>,
}

impl Sessions {
    /// Those that are remembered of this token; none where the file cannot be read.
    pub fn open(token: &Token, folder: &DataFolder, port: u16) -> Sessions {
        let (token, path) = (token.fingerprint(), folder.sessions());
        let saved: SessionsFile =
            fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let is_same_token = saved.token == hex(&token);
        let known = saved.sessions.iter().filter(|_| is_same_token);
        let issued = known.filter_map(|(text, issued)| Some((from_hex(text)?, *issued))).collect();
        // Browsers send a cookie to every port of a host: two servers must not take each other's for their own.
        let cookie = format!("ashta-{port}");
        Sessions { token, throttle: Throttle::default(), cookie, path, issued: Mutex::new(issued) }
    }

    fn issued(&self) -> MutexGuard<'_, BTreeMap<Fingerprint, u64>> {
        self.issued.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compares a token; wrong ones are throttled.
    pub async fn is_token(&self, sent: &str) -> Result<bool, TooManyAttempts> {
        let sent = fingerprint(sent);
        self.throttle.check(|| constant_time_eq(&sent, &self.token)).await
    }

    /// Whether a request has a cookie that was given here.
    pub fn has_session(&self, headers: &HeaderMap) -> bool {
        let now = now_s();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut sent = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| {
            let (name, value) = cookie.trim().split_once('=')?;
            (name == self.cookie).then(|| fingerprint(value))
        });
        let issued = self.issued();
        sent.any(|sent| issued.get(&sent).is_some_and(|issued| now.saturating_sub(*issued) < LIFETIME_S))
    }

    /// A new session: the header that gives its cookie.
    pub fn start_session(&self) -> io::Result<String> {
        let secret = random_text()?;
        let mut issued = self.issued();
        let now = now_s();
        issued.retain(|_, issued| now.saturating_sub(*issued) < LIFETIME_S);
        while issued.len() >= MAX_SESSIONS {
            let oldest = issued.iter().min_by_key(|(_, issued)| **issued).map(|(key, _)| *key);
            oldest.and_then(|key| issued.remove(&key));
        }
        issued.insert(fingerprint(&secret), now);
        let sessions = issued.iter().map(|(key, issued)| (hex(key), *issued)).collect();
        let saved = SessionsFile { token: hex(&self.token), sessions };
        write_private(&self.path, serde_json::to_vec(&saved)?)?;
        Ok(format!("{}={secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age={LIFETIME_S}", self.cookie))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Fingerprint> {
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(at * 2..at * 2 + 2)?, 16).ok()?;
    }
    (text.len() == 64).then_some(bytes)
}

/// Seconds since 1970.
fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(cookie: &str) -> HeaderMap {
        let cookie = cookie.split(';').next().unwrap_or_default();
        HeaderMap::from_iter([(COOKIE, format!("other=1; {cookie}").parse().expect("a header"))])
    }

    #[test]
    fn a_cookie_is_not_the_token_and_outlives_the_server() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = DataFolder::open(place.path()).expect("opened");
        let token = Token::read("0123456789abcdef").expect("a token");
        let sessions = Sessions::open(&token, &folder, 6464);
        let cookie = sessions.start_session().expect("begun");
        assert!(
            cookie.starts_with("ashta-6464=") && cookie.contains("HttpOnly; SameSite=Strict"),
            "{cookie}"
        );
        assert!(!cookie.contains(token.as_str()));
        assert!(sessions.has_session(&headers(&cookie)));
        assert!(!sessions.has_session(&headers("ashta-6464=0123456789abcdef")), "the token is no cookie");
        assert!(!sessions.has_session(&headers("ashta-6464=")));
        assert!(
            !Sessions::open(&token, &folder, 6465).has_session(&headers(&cookie)),
            "of another server's port"
        );
        assert!(Sessions::open(&token, &folder, 6464).has_session(&headers(&cookie)), "after a restart");
        let secret = cookie.split(['=', ';']).nth(1).expect("a value");
        let file = fs::read_to_string(folder.sessions()).expect("kept");
        assert!(
            !file.contains(secret) && !file.contains(token.as_str()),
            "only fingerprints are kept: {file}"
        );
        let other = Token::read("another-0123456789").expect("a token");
        assert!(!Sessions::open(&other, &folder, 6464).has_session(&headers(&cookie)), "of another token");
    }

    #[test]
    fn the_oldest_sessions_are_forgotten() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = DataFolder::open(place.path()).expect("opened");
        let sessions = Sessions::open(&Token::read("0123456789abcdef").expect("a token"), &folder, 1);
        for _ in 0..MAX_SESSIONS + 3 {
            sessions.start_session().expect("begun");
        }
        assert_eq!(sessions.issued().len(), MAX_SESSIONS);
        let old = now_s() - LIFETIME_S;
        sessions.issued().insert(fingerprint("old"), old);
        assert!(!sessions.has_session(&headers("ashta-1=old")));
    }
}
