//! Lines of a book's file, each with a checksum: a bit that changed is found, and its line named.
//!
//! In: bytes of a file, or the text of a line. Out: lines, each whole or damaged; sealed text. Never: what a line means.
//!
//! Format 2 has the XXH3 of every line before it, in hexadecimal; the first line alone has none. Format 1 has no
//! checksums. A last line without its end is what a kill left of an edit under way: it is no line yet.

use xxhash_rust::xxh3::xxh3_64;

/// What every book begins with, before the number of its format.
const FIRST_WORDS: &str = "ashta opening book ";

/// Digits of a checksum.
const DIGITS: usize = 16;

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// Plain lines.
    Plain,
    /// A checksum before every line.
    Sealed,
}

/// Why the first line is not that of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FirstLineError {
    /// It is another sort of file.
    NotABook,
    /// A later program wrote it.
    Format(u32),
}

/// A line.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    /// Where it ends in the file, with its line feed.
    pub end: usize,
    /// Its text without the checksum; `None` if it fails that, or is not UTF-8.
    pub text: Option<&'t str>,
    /// As it stands in the file, without the line feed.
    pub raw: &'t [u8],
}

/// The first line of a new file.
pub fn first_line() -> String {
    format!("{FIRST_WORDS}2\n")
}

/// The version that a first line tells.
pub fn version_of(first: &[u8]) -> Result<Version, FirstLineError> {
    let number = std::str::from_utf8(first).ok().and_then(|line| line.strip_prefix(FIRST_WORDS));
    match number {
        Some("1") => Ok(Version::Plain),
        Some("2") => Ok(Version::Sealed),
        Some(number) => {
            number.parse().map_or(Err(FirstLineError::NotABook), |n| Err(FirstLineError::Format(n)))
        }
        None => Err(FirstLineError::NotABook),
    }
}

/// Lines of text, each behind its checksum.
pub fn sealed(text: &str) -> String {
    text.lines().map(|line| format!("{} {line}\n", checksum(line.as_bytes()))).collect()
}

fn checksum(text: &[u8]) -> String {
    format!("{:0width$x}", xxh3_64(text), width = DIGITS)
}

/// The text of a sealed line, if its checksum is right.
pub fn unsealed(line: &[u8]) -> Option<&str> {
    let (sum, text) = line.split_at_checked(DIGITS)?;
    let text = text.strip_prefix(b" ")?;
    // As digits, not as a number: a changed case is a changed bit too.
    (checksum(text).as_bytes() == sum).then(|| std::str::from_utf8(text).ok())?
}

/// The lines of a file, the first included.
pub fn lines(version: Version, bytes: &[u8]) -> Vec<Line<'_>> {
    let mut end = 0;
    let mut lines = Vec::new();
    for raw in bytes.split_inclusive(|byte| *byte == b'\n') {
        end += raw.len();
        let is_first = lines.is_empty();
        match (raw.strip_suffix(b"\n"), version) {
            (Some(raw), _) if is_first => lines.push(Line { end, text: std::str::from_utf8(raw).ok(), raw }),
            (Some(raw), Version::Plain) => {
                let text = std::str::from_utf8(raw).ok().map(str::trim_end);
                lines.push(Line { end, text, raw });
            }
            (Some(raw), Version::Sealed) => lines.push(Line { end, text: unsealed(raw), raw }),
            // A whole line and one byte more: its line feed has changed. A kill leaves a part of a line, never more.
            (None, Version::Sealed) if raw.split_last().is_some_and(|(_, line)| unsealed(line).is_some()) => {
                lines.push(Line { end, text: None, raw });
            }
            (None, Version::Plain | Version::Sealed) => {}
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Version, lines, sealed, unsealed};

    #[test]
    fn a_cut_line_is_none_and_a_changed_one_is_damaged() {
        let whole = sealed("add e2e4");
        let line = whole.trim_end().as_bytes();
        assert_eq!(unsealed(line), Some("add e2e4"));
        for bit in 0..line.len() * 8 {
            let mut changed = line.to_vec();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unsealed(&changed), None, "bit {bit}");
        }
        let text = format!("ashta opening book 2\n{whole}");
        let read = |text: &str| -> Vec<bool> {
            lines(Version::Sealed, text.as_bytes()).iter().map(|line| line.text.is_some()).collect()
        };
        assert_eq!(read(&text), [true, true]);
        assert_eq!(read(text.trim_end()), [true], "cut off before its end");
        assert_eq!(read(&format!("{}\u{b}", text.trim_end())), [true, false], "its line feed has changed");
    }
}
