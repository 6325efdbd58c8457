//! Browsers that showed the token: each has a cookie of its own, of which only the fingerprint is kept.
//!
//! Kept in the data folder, so that an open page goes on when the server is started again; forgotten with the token.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use serde::{Deserialize, Serialize};

use super::throttle::{Throttle, TooMany};
use super::token::{Fingerprint, Token, fingerprint, random_text, same};
use crate::data_folder::DataFolder;
use ashta_records::write_private;

/// How long a browser is remembered.
const LIFETIME_S: u64 = 30 * 24 * 3600;
/// Browsers that are remembered; the oldest are forgotten first.
const MOST_SESSIONS: usize = 256;

/// Who has shown the token.
#[derive(Debug)]
pub struct Sessions {
    token: Fingerprint,
    throttle: Throttle,
    cookie: String,
    path: PathBuf,
    /// By the fingerprint of the cookie, when it was given, in seconds since 1970.
    given: Mutex<BTreeMap<Fingerprint, u64>>,
}

/// As it is kept on disk.
#[derive(Serialize, Deserialize, Default)]
struct Kept {
    token: String,
    sessions: BTreeMap<String, u64>,
}

impl Sessions {
    /// Those that are remembered of this token; none where the file cannot be read.
    pub fn open(token: &Token, folder: &DataFolder, port: u16) -> Sessions {
        let (token, path) = (token.fingerprint(), folder.sessions());
        let kept: Kept =
            fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let is_same_token = kept.token == hex(&token);
        let known = kept.sessions.iter().filter(|_| is_same_token);
        let given = known.filter_map(|(text, given)| Some((from_hex(text)?, *given))).collect();
        // Browsers send a cookie to every port of a host: two servers must not take each other's for their own.
        let cookie = format!("ashta-{port}");
        Sessions { token, throttle: Throttle::default(), cookie, path, given: Mutex::new(given) }
    }

    fn given(&self) -> MutexGuard<'_, BTreeMap<Fingerprint, u64>> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is the token. Wrong ones make whoever comes next wait.
    pub async fn is_token(&self, sent: &str) -> Result<bool, TooMany> {
        let sent = fingerprint(sent);
        self.throttle.check(|| same(&sent, &self.token)).await
    }

    /// Whether a request has a cookie that was given here.
    pub fn knows(&self, headers: &HeaderMap) -> bool {
        let now = now_s();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut sent = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| {
            let (name, value) = cookie.trim().split_once('=')?;
            (name == self.cookie).then(|| fingerprint(value))
        });
        let given = self.given();
        sent.any(|sent| given.get(&sent).is_some_and(|given| now.saturating_sub(*given) < LIFETIME_S))
    }

    /// A new session: the header that gives its cookie.
    pub fn begin(&self) -> io::Result<String> {
        let secret = random_text()?;
        let mut given = self.given();
        let now = now_s();
        given.retain(|_, given| now.saturating_sub(*given) < LIFETIME_S);
        while given.len() >= MOST_SESSIONS {
            let oldest = given.iter().min_by_key(|(_, given)| **given).map(|(key, _)| *key);
            oldest.and_then(|key| given.remove(&key));
        }
        given.insert(fingerprint(&secret), now);
        let sessions = given.iter().map(|(key, given)| (hex(key), *given)).collect();
        let kept = Kept { token: hex(&self.token), sessions };
        write_private(&self.path, serde_json::to_vec(&kept)?)?;
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
        let cookie = sessions.begin().expect("begun");
        assert!(
            cookie.starts_with("ashta-6464=") && cookie.contains("HttpOnly; SameSite=Strict"),
            "{cookie}"
        );
        assert!(!cookie.contains(token.as_str()));
        assert!(sessions.knows(&headers(&cookie)));
        assert!(!sessions.knows(&headers("ashta-6464=0123456789abcdef")), "the token is no cookie");
        assert!(!sessions.knows(&headers("ashta-6464=")));
        assert!(!Sessions::open(&token, &folder, 6465).knows(&headers(&cookie)), "of another server's port");
        assert!(Sessions::open(&token, &folder, 6464).knows(&headers(&cookie)), "after a restart");
        let secret = cookie.split(['=', ';']).nth(1).expect("a value");
        let file = fs::read_to_string(folder.sessions()).expect("kept");
        assert!(
            !file.contains(secret) && !file.contains(token.as_str()),
            "only fingerprints are kept: {file}"
        );
        let other = Token::read("another-0123456789").expect("a token");
        assert!(!Sessions::open(&other, &folder, 6464).knows(&headers(&cookie)), "of another token");
    }

    #[test]
    fn the_oldest_sessions_are_forgotten() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = DataFolder::open(place.path()).expect("opened");
        let sessions = Sessions::open(&Token::read("0123456789abcdef").expect("a token"), &folder, 1);
        for _ in 0..MOST_SESSIONS + 3 {
            sessions.begin().expect("begun");
        }
        assert_eq!(sessions.given().len(), MOST_SESSIONS);
        let old = now_s() - LIFETIME_S;
        sessions.given().insert(fingerprint("old"), old);
        assert!(!sessions.knows(&headers("ashta-1=old")));
    }
}
