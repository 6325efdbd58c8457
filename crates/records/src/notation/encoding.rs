//! Encoding detection: UTF-8 with or without a BOM, UTF-16 with one, Shift_JIS, EUC-JP, Windows-1252.
//!
//! In: the first bytes of a file. Out: an encoding, and text. Never: an error; invalid bytes become `�`.

use encoding_rs::{EUC_JP, Encoding, SHIFT_JIS, UTF_8, WINDOWS_1252};

use super::Format;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextEncoding(&'static Encoding);

impl TextEncoding {
    /// Detects the encoding from the start of a file. Valid UTF-8 is taken for UTF-8.
    pub fn guess(start: &[u8], format: Option<Format>) -> TextEncoding {
        if is_utf8(start) {
            return TextEncoding(UTF_8);
        }
        let japanese = match format {
            Some(Format::Pgn) => return TextEncoding(WINDOWS_1252),
            Some(Format::Csa | Format::Kif | Format::Ki2 | Format::Jkf | Format::Usi | Format::Table)
            | None => [SHIFT_JIS, EUC_JP],
        };
        let best = japanese.into_iter().min_by_key(|encoding| unlikelihood(encoding, start));
        TextEncoding(best.unwrap_or(SHIFT_JIS))
    }

    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Appends a line as text. An invalid line of a UTF-8 file is read as Windows-1252: files are often concatenated
    /// from several sources.
    pub fn decode_into(self, bytes: &[u8], out: &mut String) {
        if self.0 == UTF_8 {
            match std::str::from_utf8(bytes) {
                Ok(text) => out.push_str(text),
                Err(_) => out.push_str(&WINDOWS_1252.decode_without_bom_handling(bytes).0),
            }
            return;
        }
        out.push_str(&self.0.decode_without_bom_handling(bytes).0);
    }
}

/// Whether a text is UTF-8, ignoring a character cut off at the end of `start`.
fn is_utf8(start: &[u8]) -> bool {
    match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

/// Scores how unlikely an encoding is: invalid characters, and letters that records hardly have. EUC-JP read as
/// Shift_JIS looks like half-width kana.
fn unlikelihood(encoding: &'static Encoding, start: &[u8]) -> usize {
    let (text, _) = encoding.decode_without_bom_handling(start);
    let weight = |c: char| match c {
        '\u{FFFD}' => 10,
        '\u{FF61}'..='\u{FF9F}' => 1,
        _ => 0,
    };
    text.chars().map(weight).sum()
}
