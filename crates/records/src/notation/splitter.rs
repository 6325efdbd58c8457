//! Splits a stream into the texts of single games.
//!
//! In: lines. Out: the text of one game after another, with its first line number. Never: the whole stream in memory.

use std::io::{self, BufRead};

use memchr::memchr2;

use super::Format;
use super::encoding::TextEncoding;
use super::kif::SIDE_MARKS;
use crate::limits::Limits;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawGame {
    /// The first line, from 1.
    pub line: usize,
    /// With `\n` line endings; empty if it exceeds the limit.
    pub text: String,
    /// The limit, if the text exceeds it.
    pub limit_passed: Option<usize>,
}

impl RawGame {
    fn new(line: usize) -> RawGame {
        RawGame { line, text: String::new(), limit_passed: None }
    }

    /// The game named in the record: PGN has a tag for it.
    pub fn game_named(&self, format: Format) -> Option<String> {
        let of_tag =
            |line: &str| line.trim().strip_prefix("[Variant \"")?.strip_suffix("\"]").map(str::to_lowercase);
        self.text.lines().filter(|_| format == Format::Pgn).find_map(of_tag)
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.limit_passed.is_none()
    }

    /// Adds a line, unless the text would exceed the limit.
    fn push_line(&mut self, line: &str, limit: usize) {
        if self.limit_passed.is_some() {
            return;
        }
        if self.text.len() + line.len() >= limit {
            self.text = String::new();
            self.limit_passed = Some(limit);
            return;
        }
        self.text.push_str(line);
        self.text.push('\n');
    }
}

pub struct Splitter<R> {
    input: R,
    format: Format,
    encoding: TextEncoding,
    /// Maximum bytes of one game, so that a file of something else does not fill the memory.
    limit: usize,
    n_lines: usize,
    bytes: Vec<u8>,
    /// The last line ended with CR: an LF that follows belongs to it.
    is_after_return: bool,
    /// The last line was too long, and its rest is still to come.
    is_line_open: bool,
    /// The header row of a table.
    heading: Option<String>,
    pending: RawGame,
    state: PendingState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// A line, or its beginning if it is too long.
    Line,
    /// The continuation of a line that is too long.
    RestOfLine,
}

/// What has been seen of the pending game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct PendingState {
    has_moves: bool,
    /// The result was read: anything that follows is another game.
    is_over: bool,
    in_comment: bool,
    json: JsonDepth,
}

impl<R: BufRead> Splitter<R> {
    pub fn new(input: R, format: Format, encoding: TextEncoding) -> Splitter<R> {
        Splitter {
            input,
            format,
            encoding,
            limit: Limits::default().record_bytes,
            n_lines: 0,
            bytes: Vec::new(),
            is_after_return: false,
            is_line_open: false,
            heading: None,
            pending: RawGame::new(1),
            state: PendingState::default(),
        }
    }

    pub fn with_limit(self, limit: usize) -> Splitter<R> {
        Splitter { limit, ..self }
    }

    /// Reads a line into the buffer; `None` at the end. Lines end with LF, CR (old Macintosh files) or CRLF. A line
    /// beyond the limit comes in pieces.
    fn read_line(&mut self) -> io::Result<Option<Piece>> {
        self.bytes.clear();
        let (mut has_read, begins) = (false, !self.is_line_open);
        self.is_line_open = true;
        while self.is_line_open && self.bytes.len() <= self.limit {
            let available = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                available => available?,
            };
            let Some(first) = available.first() else { break };
            if std::mem::take(&mut self.is_after_return) && *first == b'\n' {
                self.input.consume(1);
                continue;
            }
            has_read = true;
            // One byte beyond the limit shows that the line is longer.
            let available = &available[..available.len().min(self.limit + 1 - self.bytes.len())];
            let end = memchr2(b'\n', b'\r', available);
            self.bytes.extend_from_slice(&available[..end.unwrap_or(available.len())]);
            self.is_line_open = end.is_none();
            self.is_after_return = end.is_some_and(|end| available[end] == b'\r');
            let n_read = end.map_or(available.len(), |end| end + 1);
            self.input.consume(n_read);
        }
        if !has_read {
            return Ok(None);
        }
        self.n_lines += usize::from(begins);
        if self.n_lines == 1 && self.bytes.starts_with(b"\xEF\xBB\xBF") {
            self.bytes.drain(..3);
        }
        Ok(Some(if begins { Piece::Line } else { Piece::RestOfLine }))
    }

    fn take_pending(&mut self) -> Option<RawGame> {
        self.state = PendingState::default();
        let raw = std::mem::replace(&mut self.pending, RawGame::new(self.n_lines));
        (raw.limit_passed.is_some() || !raw.text.trim().is_empty()).then_some(raw)
    }

    /// Adds the line; returns the game that it ends.
    fn take_line(&mut self, piece: Piece) -> Option<RawGame> {
        let mut line = String::with_capacity(self.bytes.len() + 1);
        self.encoding.decode_into(&self.bytes, &mut line);
        let begins_game = piece == Piece::Line && self.begins_game(&line);
        let finished = if begins_game { self.take_pending() } else { None };
        if self.pending.is_empty() {
            self.pending.line = self.n_lines;
        }
        if self.belongs(&line) {
            if self.format == Format::Table
                && let Some(heading) = &self.heading
            {
                self.pending.push_line(heading, self.limit);
            }
            self.pending.push_line(&line, self.limit);
            self.note(&line);
        }
        finished
    }

    /// Whether a line belongs to a game, and is not a heading or a separator.
    fn belongs(&mut self, line: &str) -> bool {
        match self.format {
            Format::Table if line.starts_with('#') => {
                // Every row is parsed with the heading: a long one would make this quadratic.
                self.heading = Some(line.to_string()).filter(|line| line.len() <= LONGEST_HEADING);
                false
            }
            Format::Usi if line.starts_with('#') => false,
            Format::Csa => line.trim_end() != "/",
            Format::Pgn => !(line.is_empty() && self.pending.is_empty()),
            Format::Usi | Format::Table | Format::Kif | Format::Ki2 | Format::Jkf => true,
        }
    }

    /// Whether a line begins another game.
    fn begins_game(&self, line: &str) -> bool {
        let PendingState { has_moves, is_over, in_comment, .. } = self.state;
        let is_blank = line.trim().is_empty();
        match self.format {
            Format::Usi | Format::Table => !self.pending.is_empty(),
            Format::Pgn => {
                let is_tag = line.trim_start().starts_with('[');
                // An unclosed comment ends where a game clearly begins.
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
                    // In a variation a result ends nothing, but then the line does not end with it.
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
                self.state.has_moves |= trimmed.starts_with(SIDE_MARKS) || trimmed.starts_with("まで");
            }
            Format::Jkf => {
                self.state.json.read(line);
                if !self.is_line_open {
                    self.state.json.end_line();
                }
                self.state.is_over = self.state.json.is_closed();
            }
        }
    }
}

/// Maximum bytes of a table's heading.
const LONGEST_HEADING: usize = 4096;

/// Bracket depth of a JSON text: a value ends where all are closed, valid or not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct JsonDepth {
    depth: usize,
    has_begun: bool,
    in_string: bool,
    is_escaped: bool,
}

impl JsonDepth {
    fn read(&mut self, line: &str) {
        for byte in line.bytes() {
            match byte {
                _ if std::mem::take(&mut self.is_escaped) => {}
                b'\\' if self.in_string => self.is_escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => {
                    self.depth += 1;
                    self.has_begun = true;
                }
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// JSON strings do not span lines: a broken one must not swallow the rest of the file.
    fn end_line(&mut self) {
        (self.in_string, self.is_escaped) = (false, false);
    }

    fn is_closed(self) -> bool {
        self.has_begun && self.depth == 0
    }
}

/// A line without its comment; tracks whether a comment in braces continues on the next line.
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

/// Headers that only Japanese records have.
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
                Ok(None) => return self.take_pending().map(Ok),
                Ok(Some(piece)) => {
                    if let Some(raw) = self.take_line(piece) {
                        return Some(Ok(raw));
                    }
                }
            }
        }
    }
}
