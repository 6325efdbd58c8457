//! Lines of a book file with checksums, so that a flipped bit is detected and its line named.
//!
//! In: bytes of a file, or the text of a line. Out: lines, each intact or damaged; text with checksums. Never: the
//! meaning of a line.
//!
//! Format 2 has the XXH3 of every line before it, in hexadecimal, except the first line. Format 1 has no checksums. A
//! last line without a line feed is an edit interrupted by a kill, and is ignored.

use xxhash_rust::xxh3::xxh3_64;

/// The first line, before the format number.
const FIRST_WORDS: &str = "ashta opening book ";

/// Digits of a checksum.
const DIGITS: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    Plain,
    /// A checksum before every line.
    Checksummed,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FirstLineError {
    NotABook,
    /// A later format.
    Format(u32),
}

#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    /// Its end in the file, with its line feed.
    pub end: usize,
    /// Without the checksum; `None` if that fails, or if it is not UTF-8.
    pub text: Option<&'t str>,
    /// With the checksum, without the line feed.
    pub raw: &'t [u8],
}

pub fn first_line() -> String {
    format!("{FIRST_WORDS}2\n")
}

pub fn version_of(first: &[u8]) -> Result<Version, FirstLineError> {
    let number = std::str::from_utf8(first).ok().and_then(|line| line.strip_prefix(FIRST_WORDS));
    match number {
        Some("1") => Ok(Version::Plain),
        Some("2") => Ok(Version::Checksummed),
        Some(number) => {
            number.parse().map_or(Err(FirstLineError::NotABook), |n| Err(FirstLineError::Format(n)))
        }
        None => Err(FirstLineError::NotABook),
    }
}

pub fn with_checksums(text: &str) -> String {
    text.lines().map(|line| format!("{} {line}\n", checksum(line.as_bytes()))).collect()
}

fn checksum(text: &[u8]) -> String {
    format!("{:0width$x}", xxh3_64(text), width = DIGITS)
}

/// The text of a line whose checksum is right.
pub fn verified(line: &[u8]) -> Option<&str> {
    let (sum, text) = line.split_at_checked(DIGITS)?;
    let text = text.strip_prefix(b" ")?;
    // Compared as digits: a changed case is a flipped bit too.
    (checksum(text).as_bytes() == sum).then(|| std::str::from_utf8(text).ok())?
}

/// Including the first.
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
            (Some(raw), Version::Checksummed) => lines.push(Line { end, text: verified(raw), raw }),
            // A whole line and one byte more: its line feed was damaged. A kill leaves part of a line, never more.
            (None, Version::Checksummed)
                if raw.split_last().is_some_and(|(_, line)| verified(line).is_some()) =>
            {
                lines.push(Line { end, text: None, raw });
            }
            (None, Version::Plain | Version::Checksummed) => {}
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Version, lines, verified, with_checksums};

    #[test]
    fn a_cut_line_is_none_and_a_changed_one_is_damaged() {
        let whole = with_checksums("add e2e4");
        let line = whole.trim_end().as_bytes();
        assert_eq!(verified(line), Some("add e2e4"));
        for bit in 0..line.len() * 8 {
            let mut changed = line.to_vec();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(verified(&changed), None, "bit {bit}");
        }
        let text = format!("ashta opening book 2\n{whole}");
        let read = |text: &str| -> Vec<bool> {
            lines(Version::Checksummed, text.as_bytes()).iter().map(|line| line.text.is_some()).collect()
        };
        assert_eq!(read(&text), [true, true]);
        assert_eq!(read(text.trim_end()), [true], "cut off before its end");
        assert_eq!(read(&format!("{}\u{b}", text.trim_end())), [true, false], "its line feed has changed");
    }
}
