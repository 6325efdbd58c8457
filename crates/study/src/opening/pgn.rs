//! Books as PGN: games with variations and comments, read and written.
//!
//! In: the text of one game, or a book. Out: every move with the position before it, or a text. Never: an illegal move.

use ashta_messages::{Message, message};
use ashta_position::notation::write_san;
use ashta_position::{Game, Move};
use ashta_records::GameResult;
use ashta_records::notation::MoveReader;
use ashta_rules::Side;

use super::book::{Book, BookMove};

pub struct PgnHeader<'t> {
    /// Where it starts, if not at the start.
    pub fen: Option<String>,
    pub result: GameResult,
    /// The movetext.
    pub moves: &'t str,
}

#[derive(Debug)]
pub enum PgnEvent {
    Move {
        /// The position before it.
        key: u64,
        mv: Move,
        in_variation: bool,
    },
    Comment {
        key: u64,
        text: String,
    },
}

pub fn head(text: &str) -> PgnHeader<'_> {
    let mut head = PgnHeader { fen: None, result: GameResult::Unknown, moves: text };
    loop {
        let rest = head.moves.trim_start();
        head.moves = rest;
        let Some(tag) = rest.strip_prefix('[') else { return head };
        let Some(end) = tag.find(']') else { return head };
        let (name, value) = tag[..end].split_once(char::is_whitespace).unwrap_or((&tag[..end], ""));
        let value = value.trim().trim_matches('"');
        match name {
            "FEN" => head.fen = Some(value.to_string()),
            "Result" => head.result = result_of(value).unwrap_or_default(),
            _ => {}
        }
        head.moves = &tag[end + 1..];
    }
}

fn result_of(word: &str) -> Option<GameResult> {
    match word {
        "1-0" => Some(GameResult::Won(Side::FIRST)),
        "0-1" => Some(GameResult::Won(Side::SECOND)),
        "1/2-1/2" | "1/2" => Some(GameResult::Draw),
        "*" => Some(GameResult::Unknown),
        _ => None,
    }
}

/// Each nested variation stores a game, and a hostile file could nest millions.
const MAX_NESTING: usize = 64;

/// Visits the moves of a game and its variations, at most `max` plies deep.
pub fn walk(
    moves: &str,
    game: Game,
    reader: &mut MoveReader,
    max: usize,
    give: &mut dyn FnMut(PgnEvent),
) -> Result<(), Message> {
    // For each open variation its parent line and ply.
    let mut outer: Vec<(Game, usize)> = Vec::new();
    let (mut game, mut ply) = (game, 0);
    let mut words = Words { rest: moves };
    while let Some(word) = words.next() {
        match word {
            Word::Comment(text) if ply <= max => give_comment(&game, text, give),
            Word::Comment(_) => {}
            Word::Open if outer.len() >= MAX_NESTING => {
                return Err(message!("study.nesting", max = MAX_NESTING));
            }
            Word::Open => {
                outer.push((game.clone(), ply));
                ply = ply.saturating_sub(usize::from(game.take_back().is_some()));
            }
            Word::Close => match outer.pop() {
                Some(before) => (game, ply) = before,
                None => return Err(message!("study.stray-variation-end")),
            },
            Word::Text(text) if result_of(text).is_some() && outer.is_empty() => break,
            // Beyond `max` only variations that begin earlier matter.
            Word::Text(_) if ply >= max && outer.is_empty() && !words.rest.contains('(') => break,
            Word::Text(text) => {
                let Some(text) = without_number(text) else { continue };
                let mv = reader
                    .san(&game, text)
                    .map_err(|error| message!("study.at-move", number = ply + 1, error))?;
                if ply < max {
                    give(PgnEvent::Move { key: game.key(), mv, in_variation: !outer.is_empty() });
                }
                game.play_unchecked(mv);
                ply += 1;
            }
        }
    }
    Ok(())
}

/// Skips clocks and evaluations that programs put into comments.
fn give_comment(game: &Game, text: &str, give: &mut dyn FnMut(PgnEvent)) {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if !text.is_empty() && !text.contains("[%") {
        give(PgnEvent::Comment { key: game.key(), text });
    }
}

enum Word<'t> {
    Comment(&'t str),
    Open,
    Close,
    Text(&'t str),
}

struct Words<'t> {
    rest: &'t str,
}

impl<'t> Words<'t> {
    fn next(&mut self) -> Option<Word<'t>> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        let (word, length) = match first {
            '{' => {
                // An unclosed comment extends to the end.
                let end = self.rest.find('}').unwrap_or(self.rest.len());
                (Word::Comment(&self.rest[1..end]), end + 1)
            }
            ';' => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                (Word::Comment(&self.rest[1..end]), end)
            }
            '(' => (Word::Open, 1),
            ')' => (Word::Close, 1),
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '(' | ')' | ';');
                let end = self.rest.find(ends).unwrap_or(self.rest.len());
                (Word::Text(&self.rest[..end]), end)
            }
        };
        self.rest = self.rest.get(length..).unwrap_or("");
        Some(word)
    }
}

/// Strips the move number; `None` if nothing is left.
fn without_number(word: &str) -> Option<&str> {
    if word.starts_with('$') {
        return None;
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    let text = match digits {
        0 => word.trim_start_matches('.'),
        _ if rest.is_empty() => "",
        _ if rest.starts_with('.') => rest.trim_start_matches('.'),
        _ => word,
    };
    let is_glyph = text.chars().all(|c| matches!(c, '!' | '?' | '+' | '-' | '=' | '/' | '.'));
    (!text.is_empty() && !is_glyph).then_some(text)
}

/// Maximum line length.
const COLUMNS: usize = 100;

/// A book as one game with variations; transpositions are not repeated.
pub fn write_pgn(book: &Book) -> String {
    let rules = book.rules().rules();
    let mut text = format!("[Event \"Opening book\"]\n[Result \"*\"]\n[Variant \"{}\"]\n", rules.name());
    if let Some(start) = book.start() {
        text.push_str(&format!("[SetUp \"1\"]\n[FEN \"{start}\"]\n"));
    }
    let mut writer = PgnWriter { book, words: Vec::new(), seen: std::collections::HashSet::new() };
    let mut game = book.root();
    writer.seen.insert(game.key());
    writer.below(&mut game, 0, true);
    writer.words.push("*".into());
    let mut column = 0;
    text.push('\n');
    for word in writer.words {
        if column + word.len() + 1 > COLUMNS && column > 0 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        column += word.len();
        text.push_str(&word);
    }
    text + "\n"
}

struct PgnWriter<'b> {
    book: &'b Book,
    words: Vec<String>,
    seen: std::collections::HashSet<u64>,
}

impl PgnWriter<'_> {
    /// The first move, then the others as variations, then what follows the first.
    fn below(&mut self, game: &mut Game, ply: usize, numbered: bool) {
        let Some(node) = self.book.node(game).cloned() else { return };
        let Some((main, others)) = node.moves.split_first() else { return };
        let follow = self.one_move(game, main, ply, numbered);
        for other in others {
            self.words.push("(".into());
            let follow = self.one_move(game, other, ply, true);
            if follow {
                game.play_unchecked(other.mv);
                self.below(game, ply + 1, false);
                game.take_back();
            }
            self.words.push(")".into());
        }
        if follow {
            game.play_unchecked(main.mv);
            self.below(game, ply + 1, !others.is_empty());
            game.take_back();
        }
    }

    /// Writes a move with its annotations; returns whether what follows is still to be written.
    fn one_move(&mut self, game: &mut Game, known: &BookMove, ply: usize, numbered: bool) -> bool {
        let ply = ply + usize::from(game.rules().start().turn != self.book.root().turn().0);
        if ply.is_multiple_of(2) {
            self.words.push(format!("{}.", ply / 2 + 1));
        } else if numbered {
            self.words.push(format!("{}...", ply / 2 + 1));
        }
        self.words.push(write_san(game, known.mv));
        self.words.extend(known.mark.map(|mark| format!("${}", mark.pgn_number())));
        game.play_unchecked(known.mv);
        let node = self.book.node(game);
        let (name, comment) =
            (node.and_then(|node| node.name.clone()), node.and_then(|node| node.comment.clone()));
        let is_new = self.seen.insert(game.key());
        game.take_back();
        let said: Vec<String> = [name, comment].into_iter().flatten().collect();
        if !said.is_empty() && is_new {
            self.words.push(format!("{{{}}}", said.join(": ").replace('}', ")")));
        }
        is_new
    }
}
