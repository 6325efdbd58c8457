//! The access token.

use std::fmt;
use std::fs;
use std::io;

use ashta_messages::Tell;
use sha2::{Digest, Sha256};

use crate::data_folder::DataFolder;
use ashta_records::write_private;

/// Fewest and most characters of a token.
const LEAST: usize = 16;
const MOST: usize = 256;

/// A secret of at least 16 characters that can stand in an address and in a header.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// A text that cannot be a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Tell)]
#[code("web.token-format")]
pub struct TokenError {
    least: usize,
    most: usize,
}

/// SHA-256 of a secret; only this is stored and compared.
pub type Fingerprint = [u8; 32];

impl Token {
    pub fn read(text: &str) -> Result<Token, TokenError> {
        let text = text.trim();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
        let is_good = (LEAST..=MOST).contains(&text.len()) && text.chars().all(is_plain);
        if is_good { Ok(Token(text.to_string())) } else { Err(TokenError { least: LEAST, most: MOST }) }
    }

    /// The token of a data folder; generated at random when missing.
    pub fn of_folder(folder: &DataFolder) -> io::Result<Token> {
        let saved = fs::read_to_string(folder.token()).ok().and_then(|text| Token::read(&text).ok());
        if let Some(token) = saved {
            return Ok(token);
        }
        let token = Token(random_text()?);
        write_private(&folder.token(), format!("{}\n", token.0))?;
        Ok(token)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn fingerprint(&self) -> Fingerprint {
        fingerprint(&self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(...)")
    }
}

/// 128 random bits, as hex.
pub fn random_text() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

pub fn fingerprint(secret: &str) -> Fingerprint {
    Sha256::digest(secret.as_bytes()).into()
}

/// Constant-time comparison.
pub fn constant_time_eq(a: &Fingerprint, b: &Fingerprint) -> bool {
    a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_plain() {
        assert!(Token::read("0123456789abcdef\n").is_ok());
        for bad in
            ["", "secret", "0123456789abcde", "0123456789abcde&", "0123456789abcde\u{e9}", &"x".repeat(257)]
        {
            assert_eq!(Token::read(bad), Err(TokenError { least: LEAST, most: MOST }), "{bad:?}");
        }
        let shown = format!("{:?}", Token::read("0123456789abcdef"));
        assert!(!shown.contains("0123"), "{shown}");
    }

    #[test]
    fn a_folder_keeps_its_token_to_its_owner() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = DataFolder::open(&place.path().join("data")).expect("opened");
        let token = Token::of_folder(&folder).expect("made");
        assert_eq!(Token::of_folder(&folder).expect("kept"), token);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
            assert_eq!((mode(folder.token()), mode(folder.path().to_path_buf())), (0o600, 0o700));
        }
    }
}
