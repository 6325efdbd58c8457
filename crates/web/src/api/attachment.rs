//! Answers that browsers save as files.

use axum::http::HeaderName;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};

/// The headers of a file with this name and of this kind.
pub fn attachment(name: &str, kind: &str) -> [(HeaderName, String); 2] {
    let disposition = format!("attachment; filename*=UTF-8''{}", percent(name));
    [(CONTENT_TYPE, kind.to_string()), (CONTENT_DISPOSITION, disposition)]
}

/// A file's name as headers hold it.
fn percent(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain_in_headers() {
        assert_eq!(percent("a-b_1.csv"), "a-b_1.csv");
        assert_eq!(percent("定 \"x\"\r\n.pgn"), "%E5%AE%9A%20%22x%22%0D%0A.pgn");
    }
}
