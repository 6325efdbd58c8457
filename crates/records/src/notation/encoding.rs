//! Which encoding a text is in: UTF-8 with or without a mark, UTF-16 with one, Shift_JIS, EUC-JP, Windows-1252.
//!
//! In: the first bytes of a file. Out: an encoding, and text. Never: a refusal; bytes that mean nothing become `�`.

use encoding_rs::{EUC_JP, Encoding, SHIFT_JIS, UTF_8, WINDOWS_1252};

use super::Format;

/// The encoding of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextEncoding(&'static Encoding);

impl TextEncoding {
    /// Guesses from the start of a file. Text that reads as UTF-8 is taken for it.
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

    /// The encoding's name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Appends a line as text. A line of a UTF-8 file that is not UTF-8 is read as Windows-1252: files are put together
    /// from pieces of different origin.
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

/// Whether a text is UTF-8, save for a character that the end of `start` cuts in two.
fn is_utf8(start: &[u8]) -> bool {
    match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

/// How unlike a record a text looks: characters that mean nothing, and letters that records hardly have. Half-width kana
/// are what EUC-JP looks like when it is read as Shift_JIS.
fn unlikelihood(encoding: &'static Encoding, start: &[u8]) -> usize {
    let (text, _) = encoding.decode_without_bom_handling(start);
    let weight = |c: char| match c {
        '\u{FFFD}' => 10,
        '\u{FF61}'..='\u{FF9F}' => 1,
        _ => 0,
    };
    text.chars().map(weight).sum()
}
