//! Cuts a stream into the texts of single games.
//!
//! In: lines. Out: the text of one game after another, with the line it starts on. Never: the whole stream in memory.

use std::io::{self, BufRead, Read};

use super::Format;
use super::encoding::TextEncoding;
use super::kif::MARKS;

/// The text of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawGame {
    /// The line it starts on, from 1.
    pub line: usize,
    /// Its text, with the ends of lines as `\n`.
    pub text: String,
}

impl RawGame {
    /// The game that a record names as its own: PGN has a tag for it.
    pub fn game_named(&self, format: Format) -> Option<String> {
        let of_tag =
            |line: &str| line.trim().strip_prefix("[Variant \"")?.strip_suffix("\"]").map(str::to_lowercase);
        self.text.lines().filter(|_| format == Format::Pgn).find_map(of_tag)
    }
}

/// Longest text of one game: nobody's record is longer, and a file of something else must not fill the memory.
const MAX_BYTES: usize = 1 << 24;

/// Gives the games of a stream.
pub struct Splitter<R> {
    input: R,
    format: Format,
    encoding: TextEncoding,
    /// The number of the last line read.
    n_lines: usize,
    bytes: Vec<u8>,
    /// What columns are called, where a table says so.
    heading: Option<String>,
    pending: RawGame,
    state: State,
}

/// What has been seen of the pending game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct State {
    has_moves: bool,
    /// A result was read: whatever comes is another game.
    is_over: bool,
    in_comment: bool,
}

impl<R: BufRead> Splitter<R> {
    /// The games of a stream in a format and encoding.
    pub fn new(input: R, format: Format, encoding: TextEncoding) -> Splitter<R> {
        Splitter {
            input,
            format,
            encoding,
            n_lines: 0,
            bytes: Vec::new(),
            heading: None,
            pending: RawGame { line: 1, text: String::new() },
            state: State::default(),
        }
    }

    /// Reads a line into the buffer; `false` at the end.
    fn read_line(&mut self) -> io::Result<bool> {
        self.bytes.clear();
        let mut limited = self.input.by_ref().take(MAX_BYTES as u64);
        let n_read = limited.read_until(b'\n', &mut self.bytes)?;
        if n_read == 0 {
            return Ok(false);
        }
        self.n_lines += 1;
        if self.n_lines == 1 && self.bytes.starts_with(b"\xEF\xBB\xBF") {
            self.bytes.drain(..3);
        }
        while matches!(self.bytes.last(), Some(b'\n' | b'\r')) {
            self.bytes.pop();
        }
        Ok(true)
    }

    fn take_pending(&mut self) -> Option<RawGame> {
        self.state = State::default();
        let next = RawGame { line: self.n_lines, text: String::new() };
        let raw = std::mem::replace(&mut self.pending, next);
        (!raw.text.trim().is_empty()).then_some(raw)
    }

    /// Takes in the line that was read, and gives the game that it ends.
    fn take_line(&mut self) -> Option<RawGame> {
        let mut line = String::with_capacity(self.bytes.len() + 1);
        self.encoding.decode_into(&self.bytes, &mut line);
        // Old Macintosh files end lines with a carriage return alone.
        if line.contains('\r') {
            line = line.replace('\r', "\n");
        }
        let mut finished = None;
        if self.begins_game(&line) || self.pending.text.len() > MAX_BYTES {
            finished = self.take_pending();
        }
        if self.pending.text.is_empty() {
            self.pending.line = self.n_lines;
        }
        if self.belongs(&line) {
            if self.format == Format::Table
                && let Some(heading) = &self.heading
            {
                self.pending.text.push_str(heading);
                self.pending.text.push('\n');
            }
            self.pending.text.push_str(&line);
            self.pending.text.push('\n');
            self.note(&line);
        }
        finished
    }

    /// Whether a line is a part of a game, not a heading or a mark between games.
    fn belongs(&mut self, line: &str) -> bool {
        match self.format {
            Format::Table if line.starts_with('#') => {
                self.heading = Some(line.to_string());
                false
            }
            Format::Usi if line.starts_with('#') => false,
            Format::Csa => line.trim_end() != "/",
            Format::Pgn => !(line.is_empty() && self.pending.text.is_empty()),
            Format::Usi | Format::Table | Format::Kif | Format::Ki2 | Format::Jkf => true,
        }
    }

    /// Whether a line begins another game than the pending one.
    fn begins_game(&self, line: &str) -> bool {
        let State { has_moves, is_over, in_comment } = self.state;
        let is_blank = line.trim().is_empty();
        match self.format {
            Format::Usi | Format::Table => !self.pending.text.is_empty(),
            Format::Pgn => {
                let is_tag = line.trim_start().starts_with('[');
                // A comment that nobody closed ends where a game plainly begins.
                (has_moves && is_tag && (!in_comment || line.starts_with("[Event ")))
                    || (is_over && !is_blank && !in_comment)
            }
            Format::Csa => line.trim_end() == "/" || (has_moves && is_csa_version(line)),
            Format::Kif | Format::Ki2 => has_moves && is_japanese_header(line),
            Format::Jkf => is_over && !is_blank,
        }
    }

    fn note(&mut self, line: &str) {
        let trimmed = line.trim();
        match self.format {
            Format::Usi | Format::Table => {}
            Format::Pgn if trimmed.is_empty() => {}
            Format::Pgn if !self.state.has_moves && trimmed.starts_with(['[', '%']) => {}
            Format::Pgn => {
                self.state.has_moves = true;
                let said = without_comment(line, &mut self.state.in_comment).trim_end();
                let is_result = |word: &str| matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*");
                if !self.state.in_comment && !trimmed.starts_with('%') {
                    // Within a variation a result ends nothing, but nothing follows it on the line's end then.
                    self.state.is_over = said.rsplit(' ').next().is_some_and(is_result);
                }
            }
            Format::Csa => self.state.has_moves |= trimmed.starts_with(['+', '-', '%']) && trimmed.len() > 1,
            Format::Kif => {
                // The line above the moves counts as one: a game may have none.
                self.state.has_moves |=
                    trimmed.starts_with(|c: char| c.is_ascii_digit()) || trimmed.starts_with("手数--");
            }
            Format::Ki2 => {
                // And so does the line below them.
                self.state.has_moves |= trimmed.starts_with(MARKS) || trimmed.starts_with("まで");
            }
            Format::Jkf => {
                // One JSON value a file, or one on each line.
                let text = self.pending.text.trim();
                let is_line = text.lines().count() == 1 && text.ends_with('}');
                self.state.is_over = is_line && serde_json::from_str::<serde_json::Value>(text).is_ok();
            }
        }
    }
}

/// A line up to a comment that takes the rest of it; notes whether one between braces goes on to the next line.
fn without_comment<'l>(line: &'l str, in_comment: &mut bool) -> &'l str {
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'{' => *in_comment = true,
            b'}' => *in_comment = false,
            b';' if !*in_comment => return &line[..at],
            _ => {}
        }
    }
    line
}

fn is_csa_version(line: &str) -> bool {
    ["V1", "V2", "V3"].iter().any(|version| line.starts_with(version))
}

/// The lines that only the head of a Japanese record has.
fn is_japanese_header(line: &str) -> bool {
    const HEADS: [&str; 11] = [
        "開始日時：",
        "棋戦：",
        "手合割：",
        "先手：",
        "後手：",
        "下手：",
        "上手：",
        "後手の持駒：",
        "上手の持駒：",
        "# KIF",
        "#KIF",
    ];
    HEADS.iter().any(|head| line.starts_with(head))
}

impl<R: BufRead> Iterator for Splitter<R> {
    type Item = io::Result<RawGame>;

    fn next(&mut self) -> Option<io::Result<RawGame>> {
        loop {
            match self.read_line() {
                Err(error) => return Some(Err(error)),
                Ok(false) => return self.take_pending().map(Ok),
                Ok(true) => {
                    if let Some(raw) = self.take_line() {
                        return Some(Ok(raw));
                    }
                }
            }
        }
    }
}
