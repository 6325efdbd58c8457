//! Sanitises text for a terminal: no control characters, no foreign escape codes, no bidirectional overrides.
//!
//! In: text with names from records, files and games. Out: the same with U+FFFD for every such character.
//! Never: data that another program reads, unless a terminal reads it.

use std::io::{self, Write};

const REPLACEMENT: char = '\u{fffd}';

/// Control characters other than newline and tab, bidirectional controls, line separators.
fn is_unsafe(c: char) -> bool {
    let turns_writing =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let ends_line = matches!(c, '\u{2028}' | '\u{2029}');
    turns_writing || ends_line || (c.is_control() && c != '\n' && c != '\t')
}

/// Replaces unsafe characters.
pub fn shown(text: &str) -> String {
    text.chars().map(|c| if is_unsafe(c) { REPLACEMENT } else { c }).collect()
}

/// The same in one line.
pub fn sanitize_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .map(|c| if is_unsafe(c) { REPLACEMENT } else { c })
        .collect()
}

/// Escape codes that pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EscapeCodes {
    None,
    /// Colours and clearing the screen, for interactive sessions.
    Own,
}

/// A writer that replaces unsafe characters.
#[derive(Debug)]
pub struct SanitizedWriter<W> {
    out: W,
    escape_codes: EscapeCodes,
    /// An incomplete character or escape code at the end of the last write.
    rest: Vec<u8>,
}

impl<W: Write> SanitizedWriter<W> {
    pub fn new(out: W, escape_codes: EscapeCodes) -> SanitizedWriter<W> {
        SanitizedWriter { out, escape_codes, rest: Vec::new() }
    }

    /// Writes what is complete and keeps the rest.
    fn write_complete(&mut self) -> io::Result<()> {
        let mut clean = String::new();
        let mut bytes = self.rest.as_slice();
        while !bytes.is_empty() {
            let whole = match std::str::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) if error.valid_up_to() > 0 => {
                    std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
                }
                Err(error) => match error.error_len() {
                    None => break,
                    Some(n) => {
                        clean.push(REPLACEMENT);
                        bytes = &bytes[n..];
                        continue;
                    }
                },
            };
            let n = self.sanitize_into(whole, &mut clean);
            bytes = &bytes[n..];
            if n < whole.len() {
                break;
            }
        }
        self.rest = bytes.to_vec();
        self.out.write_all(clean.as_bytes())
    }

    /// Adds sanitised text; returns the number of bytes consumed.
    fn sanitize_into(&self, text: &str, clean: &mut String) -> usize {
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let n = match c {
                '\r' if rest.len() == 1 => return at,
                '\r' if rest.starts_with("\r\n") => {
                    clean.push_str("\r\n");
                    2
                }
                '\x1b' if self.escape_codes == EscapeCodes::Own => match parse_escape(rest) {
                    Escape::Unfinished => return at,
                    Escape::Of(n) => {
                        clean.push_str(&rest[..n]);
                        n
                    }
                    Escape::Other => {
                        clean.push(REPLACEMENT);
                        1
                    }
                },
                c => {
                    clean.push(if is_unsafe(c) { REPLACEMENT } else { c });
                    c.len_utf8()
                }
            };
            at += n;
        }
        at
    }
}

/// What a text begins with.
enum Escape {
    /// An allowed code of this length.
    Of(usize),
    /// A prefix of an allowed code.
    Unfinished,
    Other,
}

/// Colours (`ESC [ 1 ; 31 m`), the upper left corner (`ESC [ H`), an empty screen (`ESC [ 2 J`).
fn parse_escape(text: &str) -> Escape {
    let Some(rest) = text.strip_prefix("\x1b[") else {
        return if text == "\x1b" { Escape::Unfinished } else { Escape::Other };
    };
    let n_numbers = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    match (&rest[..n_numbers], rest.as_bytes().get(n_numbers)) {
        (_, Some(b'm')) | ("", Some(b'H')) | ("2", Some(b'J')) => Escape::Of(n_numbers + 3),
        (numbers, None) if numbers.len() < 16 => Escape::Unfinished,
        _ => Escape::Other,
    }
}

impl<W: Write> Write for SanitizedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        self.write_complete()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(pieces: &[&[u8]], escape_codes: EscapeCodes) -> String {
        let mut out = Vec::new();
        let mut screen = SanitizedWriter::new(&mut out, escape_codes);
        pieces.iter().for_each(|piece| screen.write_all(piece).expect("written"));
        String::from_utf8(out).expect("text")
    }

    fn check(text: &str, wanted: &str) {
        assert_eq!(clean(&[text.as_bytes()], EscapeCodes::None), wanted, "{text:?}");
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(clean(&bytes, EscapeCodes::None), wanted, "{text:?}, a byte at a time");
    }

    #[test]
    fn what_would_give_orders_is_a_sign() {
        check("Müller, 羽生\tx\n", "Müller, 羽生\tx\n");
        check("a\x1b[2Jb\x07\x08\x7f\n", "a�[2Jb���\n");
        check("a\u{9b}31mb", "a�31mb");
        check("\u{202e}evil\u{2066}\u{200f}\u{2028}", "�evil���");
        check("1,2\r\n3\rX", "1,2\r\n3�X");
        assert_eq!(clean(&[b"a\xff\xfeb\xe3\x81"], EscapeCodes::None), "a��b");
    }

    #[test]
    fn colours_are_ours_where_somebody_plays() {
        let text = b"\x1b[H\x1b[2J\x1b[1;31mRed\x1b[0m\x1b]0;title\x07\x1b[6n\x1b[3J";
        let wanted = "\x1b[H\x1b[2J\x1b[1;31mRed\x1b[0m�]0;title��[6n�[3J";
        assert_eq!(clean(&[text], EscapeCodes::Own), wanted);
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(clean(&bytes, EscapeCodes::Own), wanted);
    }
}
