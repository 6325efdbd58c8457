//! Portable game notation: tags, moves, and everything between them that is not a move.
//!
//! In: the text of one game. Out: a record. Never: variations, comments and glyphs, which are passed over.

use ashta_position::{CompiledRules, Game};
use ashta_rules::Side;

use super::{MoveReader, Playing, RawGame, RecordError};
use crate::record::{GameResult, tag};

/// Tags whose names differ from ours.
const NAMES: [(&str, &str); 7] = [
    ("White", tag::PLAYERS[0]),
    ("Black", tag::PLAYERS[1]),
    ("WhiteElo", tag::RATINGS[0]),
    ("BlackElo", tag::RATINGS[1]),
    ("ECO", tag::OPENING),
    // The first is the one that is written.
    ("Date", tag::DATE),
    ("UTCDate", tag::DATE),
];

/// The name that PGN has for a tag of ours.
pub fn name_in_pgn(name: &str) -> &str {
    NAMES.iter().find(|(_, ours)| *ours == name).map_or(name, |(theirs, _)| theirs)
}

/// Tags that say what the record says otherwise.
const TOLD_OTHERWISE: [&str; 5] = ["Result", "FEN", "SetUp", "Variant", "PlyCount"];

/// Names that stand for a game that the library calls otherwise, or for chess with other starts.
const OWN_VARIANTS: [&str; 4] = ["", "standard", "from position", "normal"];

pub fn parse(raw: &RawGame, rules: &CompiledRules, reader: &mut MoveReader) -> Result<Playing, RecordError> {
    let mut playing = Playing::from_start(rules);
    let mut text = Text { rest: &raw.text, line: raw.line };
    let mut fen = None;
    while let Some((name, value, line)) = text.tag()? {
        match name {
            "FEN" => fen = Some((value, line)),
            "Variant" => check_variant(&value, rules, line)?,
            "Result" => playing.record.result = read_result(&value).unwrap_or_default(),
            _ if TOLD_OTHERWISE.contains(&name) || is_nothing(&value) => {}
            _ => {
                let ours = NAMES.iter().find(|(theirs, _)| *theirs == name).map_or(name, |(_, ours)| ours);
                // An opening's name tells more than its code, and stands wherever the file has it.
                if name != "ECO" || playing.record.tags.get(tag::OPENING).is_none() {
                    playing.record.tags.set(ours, value);
                }
            }
        }
    }
    if let Some((fen, line)) = fen {
        let game = Game::from_text(rules, &fen)
            .map_err(|error| RecordError::new(line, format!("the position of its FEN tag: {error}")))?;
        playing.set_start(game);
    }
    while let Some((word, line)) = text.word()? {
        if let Some(result) = read_result(word) {
            if result != GameResult::Unknown || word == "*" {
                playing.record.result =
                    if result == GameResult::Unknown { playing.record.result } else { result };
            }
            break;
        }
        let mv = reader.san(&playing.game, word).map_err(|error| playing.at_move(line, error))?;
        playing.play(line, mv)?;
    }
    Ok(playing)
}

fn is_nothing(value: &str) -> bool {
    value.chars().all(|c| matches!(c, '?' | '.' | '-' | ' '))
}

fn check_variant(value: &str, rules: &CompiledRules, line: usize) -> Result<(), RecordError> {
    let plain = value.trim().to_lowercase();
    let rules = rules.rules();
    let is_own = plain == rules.id().to_lowercase()
        || plain == rules.name().to_lowercase()
        || OWN_VARIANTS.contains(&plain.as_str());
    match is_own {
        true => Ok(()),
        false => Err(RecordError::new(line, format!("it is a game of {value}, not of {}", rules.name()))),
    }
}

fn read_result(word: &str) -> Option<GameResult> {
    match word {
        "1-0" => Some(GameResult::Won(Side::FIRST)),
        "0-1" => Some(GameResult::Won(Side::SECOND)),
        "1/2-1/2" | "1/2" | "½-½" => Some(GameResult::Draw),
        "*" => Some(GameResult::Unknown),
        _ => None,
    }
}

/// What is left of the text, and the line where it begins.
struct Text<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Text<'a> {
    fn advance(&mut self, n_bytes: usize) {
        let (passed, rest) = self.rest.split_at(n_bytes);
        self.line += passed.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
    }

    fn skip_space(&mut self) {
        let n = self.rest.len() - self.rest.trim_start().len();
        self.advance(n);
        // A line that begins with a percent sign is for other programs.
        if self.rest.starts_with('%') {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.advance(end);
            self.skip_space();
        }
    }

    /// The next tag: `[Name "value"]`, with quotes and backslashes escaped.
    fn tag(&mut self) -> Result<Option<(&'a str, String, usize)>, RecordError> {
        self.skip_space();
        let line = self.line;
        let Some(inner) = self.rest.strip_prefix('[') else { return Ok(None) };
        let inner = inner.trim_start();
        let name_end = inner.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(inner.len());
        let (name, after) = inner.split_at(name_end);
        let Some(quoted) = after.trim_start().strip_prefix('"') else {
            return Err(RecordError::new(line, "a tag has a name and a value between quotes"));
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
        let end =
            end.ok_or_else(|| RecordError::new(line, format!("the value of the tag {name} has no end")))?;
        let close = quoted[end..].find([']', '\n']).map_or(quoted.len(), |at| end + at + 1);
        let passed = self.rest.len() - quoted.len() + close;
        self.advance(passed);
        Ok(Some((name, value.trim().to_string(), line)))
    }

    /// The next word of the moves: a move or a result.
    fn word(&mut self) -> Result<Option<(&'a str, usize)>, RecordError> {
        let mut depth = 0usize;
        loop {
            self.skip_space();
            let Some(first) = self.rest.chars().next() else {
                return match depth {
                    0 => Ok(None),
                    _ => Err(RecordError::new(self.line, "a variation has no end")),
                };
            };
            match first {
                '{' => {
                    let end = self.rest.find('}').map(|at| at + 1);
                    let end = end
                        .ok_or_else(|| RecordError::new(self.line, "a comment has no end: `}` is missing"))?;
                    self.advance(end);
                }
                ';' => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.advance(end);
                }
                '(' => {
                    depth += 1;
                    self.advance(1);
                }
                ')' => {
                    depth = depth.saturating_sub(1);
                    self.advance(1);
                }
                _ => {
                    let line = self.line;
                    let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | ';' | '(' | ')');
                    let end = self.rest.find(ends).unwrap_or(self.rest.len()).max(first.len_utf8());
                    let word = &self.rest[..end];
                    self.advance(end);
                    if depth == 0
                        && let Some(word) = without_number(word)
                    {
                        return Ok(Some((word, line)));
                    }
                }
            }
        }
    }
}

/// A word without the number before a move (`12.Nf3`); `None` if nothing is left, or only a glyph.
fn without_number(word: &str) -> Option<&str> {
    if word.starts_with('$')
        || word.chars().all(|c| matches!(c, '!' | '?' | '+' | '-' | '=' | '}' | '/' | '.' | '…'))
    {
        return if word == "--" { Some(word) } else { None };
    }
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
    (!move_text.is_empty() && !matches!(move_text, "e.p." | "ep" | "N" | "D")).then_some(move_text)
}
