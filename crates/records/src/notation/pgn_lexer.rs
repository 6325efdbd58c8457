//! PGN lexer: tags, moves, comments, brackets.
//!
//! In: the text of one game. Out: tokens with their lines. Never: the meaning of a move.

use ashta_rules::Side;

use crate::record::GameResult;

use super::RecordError;
use ashta_messages::{Message, message};

pub struct PgnLexer<'a> {
    rest: &'a str,
    line: usize,
}

/// A token of the movetext.
pub enum Token<'a> {
    Word(&'a str),
    /// `$14`, `!?`, `+-` and the like.
    Glyph(&'a str),
    Comment(&'a str),
    /// A comment up to the end of the line (`;`).
    CommentLine(&'a str),
    Open,
    Close,
}

impl<'a> PgnLexer<'a> {
    pub fn new(text: &'a str, line: usize) -> PgnLexer<'a> {
        PgnLexer { rest: text, line }
    }

    pub fn line(&self) -> usize {
        self.line
    }

    fn advance(&mut self, n_bytes: usize) {
        let (passed, rest) = self.rest.split_at(n_bytes);
        self.line += passed.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
    }

    fn skip_space(&mut self) {
        let n = self.rest.len() - self.rest.trim_start().len();
        self.advance(n);
        // A line that begins with `%` is an escape for other programs.
        if self.rest.starts_with('%') {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.advance(end);
            self.skip_space();
        }
    }

    /// The next tag: `[Name "value"]`, with quotes and backslashes escaped.
    pub fn tag(&mut self) -> Result<Option<(&'a str, String, usize)>, RecordError> {
        self.skip_space();
        let line = self.line;
        let Some(inner) = self.rest.strip_prefix('[') else { return Ok(None) };
        let inner = inner.trim_start();
        let name_end = inner.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(inner.len());
        let (name, after) = inner.split_at(name_end);
        let Some(quoted) = after.trim_start().strip_prefix('"') else {
            return Err(RecordError::new(line, message!("records.tag-syntax")));
        };
        let mut value = String::new();
        let mut chars = quoted.char_indices();
        let mut end = None;
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    end = Some(at + 1);
                    break;
                }
                '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
                '\n' => break,
                _ => value.push(c),
            }
        }
        let end = end.ok_or_else(|| RecordError::new(line, message!("records.open-tag", name)))?;
        let close = quoted[end..].find([']', '\n']).map_or(quoted.len(), |at| end + at + 1);
        let passed = self.rest.len() - quoted.len() + close;
        self.advance(passed);
        Ok(Some((name, value.trim().to_string(), line)))
    }

    /// The next token of the movetext, and its line.
    pub fn token(&mut self) -> Result<Option<(Token<'a>, usize)>, RecordError> {
        loop {
            self.skip_space();
            let line = self.line;
            let Some(first) = self.rest.chars().next() else { return Ok(None) };
            let token = match first {
                '{' => {
                    let no_end = || RecordError::new(line, message!("records.open-comment"));
                    let end = self.rest.find('}').ok_or_else(no_end)?;
                    let words = &self.rest[1..end];
                    self.advance(end + 1);
                    Token::Comment(words)
                }
                ';' => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    let words = &self.rest[1..end];
                    self.advance(end);
                    Token::CommentLine(words.strip_prefix(' ').unwrap_or(words))
                }
                '(' | ')' => {
                    self.advance(1);
                    if first == '(' { Token::Open } else { Token::Close }
                }
                _ => match self.word(first) {
                    Some(token) => token,
                    None => continue,
                },
            };
            return Ok(Some((token, line)));
        }
    }

    /// `None` for a bare number.
    fn word(&mut self, first: char) -> Option<Token<'a>> {
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | ';' | '(' | ')');
        let end = self.rest.find(ends).unwrap_or(self.rest.len()).max(first.len_utf8());
        let word = &self.rest[..end];
        self.advance(end);
        let is_glyph = word != "--"
            && (word.starts_with('$')
                || word.chars().all(|c| matches!(c, '!' | '?' | '+' | '-' | '=' | '}' | '/' | '.' | '…'))
                || matches!(word, "N" | "D"));
        if is_glyph { Some(Token::Glyph(word)) } else { without_number(word).map(Token::Word) }
    }

    /// The rest of the current variation, up to its closing bracket.
    pub fn rest_of_variation(&mut self) -> Result<&'a str, RecordError> {
        let no_end = |what: Message| RecordError::new(self.line, what);
        let (mut depth, mut at) = (0usize, 0);
        loop {
            let found = self.rest[at..]
                .find(['(', ')', '{', ';'])
                .ok_or_else(|| no_end(message!("records.open-variation")))?;
            let sign = self.rest.as_bytes()[at + found];
            at += found;
            match sign {
                b'(' => depth += 1,
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                b'{' => {
                    at += self.rest[at..].find('}').ok_or_else(|| no_end(message!("records.open-comment")))?
                }
                _ => {
                    at += self.rest[at..]
                        .find('\n')
                        .ok_or_else(|| no_end(message!("records.open-variation")))?
                }
            }
            at += 1;
        }
        let inside = &self.rest[..at];
        self.advance(at);
        Ok(inside)
    }

    /// Skips the closing bracket of a variation.
    pub fn pass_bracket(&mut self) {
        self.advance(usize::from(self.rest.starts_with(')')));
    }

    /// The number before the next move, whether its dots mark the second side, and the move.
    pub fn first_move(&self) -> Option<((usize, bool), &'a str)> {
        let mut rest = self.rest.trim_start();
        loop {
            let end = match rest.as_bytes().first() {
                Some(b'{') => '}',
                Some(b';') => '\n',
                Some(_) | None => break,
            };
            rest = rest.split_once(end)?.1.trim_start();
        }
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = rest[..rest.len() - after.len()].parse().ok()?;
        let moves = after.trim_start_matches(['.', '…']);
        let dots = &after[..after.len() - moves.len()];
        let moves = moves.trim_start();
        let end = moves.find(|c: char| c.is_whitespace() || matches!(c, '{' | ';' | '(' | ')'));
        Some(((number, dots.len() > 1), &moves[..end.unwrap_or(moves.len())]))
    }
}

/// Strips the move number (`12.Nf3`); `None` if nothing is left.
fn without_number(word: &str) -> Option<&str> {
    if read_result(word).is_some() || word.starts_with("0-0") {
        return Some(word);
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    let move_text = match digits {
        0 => rest.trim_start_matches(['.', '…']),
        _ if rest.is_empty() => "",
        _ if rest.starts_with(['.', '…']) => rest.trim_start_matches(['.', '…']),
        _ => word,
    };
    (!move_text.is_empty() && !matches!(move_text, "e.p." | "ep")).then_some(move_text)
}

pub fn read_result(word: &str) -> Option<GameResult> {
    match word {
        "1-0" => Some(GameResult::Won(Side::FIRST)),
        "0-1" => Some(GameResult::Won(Side::SECOND)),
        "1/2-1/2" | "1/2" | "½-½" => Some(GameResult::Draw),
        "*" => Some(GameResult::Unknown),
        _ => None,
    }
}
