//! A page of 80 columns and 24 lines: board, names, clocks, evaluation, last moves.

use ashta_messages::message;
use ashta_position::notation::{write_coordinates, write_san};
use ashta_position::{Game, Move};
use ashta_rules::{Coordinates, Hand, Side, Square};

use super::clocks::Clocks;
use crate::draw::{self, BoardView, PAGE_WIDTH, left, side_name, width};

/// Columns of the evaluation's bar.
const BAR: usize = 20;
/// Lines of a page without the prompt's.
const PAGE_LINES: usize = 23;

/// What a page shows beside the board.
pub struct Page<'a> {
    pub game: &'a Game,
    pub view: BoardView,
    /// Who plays each side.
    pub names: [String; 2],
    pub clocks: &'a Clocks,
    /// The moves so far.
    pub score: &'a [(Side, String)],
    /// The first side's advantage in pawns, and its text.
    pub evaluation: Option<(f64, String)>,
    pub notes: &'a [String],
}

impl Page<'_> {
    pub fn lines(&self) -> Vec<String> {
        let rules = self.game.rules();
        let mut lines = vec![cut(&format!("{}   {}", rules.name(), how_to(self.game)), PAGE_WIDTH)];
        let board = draw::position_with(self.game, &self.view);
        let board_columns = board.iter().map(|line| visible_width(line)).max().unwrap_or(0);
        let beside = self.beside(board.len(), PAGE_WIDTH.saturating_sub(board_columns + 3));
        for n in 0..board.len().max(beside.len()) {
            let (board, beside) = (board.get(n).map_or("", String::as_str), beside.get(n));
            let gap = " ".repeat(board_columns + 3 - visible_width(board).min(board_columns));
            let beside = beside.map_or("", String::as_str);
            lines.push(format!("{board}{gap}{beside}").trim_end().to_string());
        }
        let room = PAGE_LINES.saturating_sub(lines.len()).max(1);
        lines.extend(self.notes.iter().rev().take(room).rev().cloned());
        lines
    }

    /// Names and clocks, with the evaluation and the last moves between them.
    fn beside(&self, height: usize, columns: usize) -> Vec<String> {
        let sides = if self.view.flipped { [0, 1] } else { [1, 0] };
        let player = |side: usize| {
            let turn =
                if self.game.turn().index() == side && self.game.outcome().is_none() { ">" } else { " " };
            let name = side_name(Side(side as u8), self.game.rules());
            cut(&format!("{turn} {name}: {}  {}", self.names[side], self.clocks.text(side)), columns)
        };
        let mut middle = Vec::new();
        if let Some((men, words)) = &self.evaluation {
            middle.push(format!("  {} {words}", bar(*men)));
        }
        let room = height.saturating_sub(4 + middle.len());
        middle.extend(last_moves(self.score, room, columns));
        let mut lines = vec![player(sides[0]), String::new()];
        lines.extend(middle);
        lines.resize(lines.len().max(height.saturating_sub(2)), String::new());
        lines.push(player(sides[1]));
        lines
    }
}

/// How to move, take back, get a hint and leave.
pub fn how_to(game: &Game) -> String {
    let rules = game.rules();
    let examples = match rules.grid().coordinates() {
        Coordinates::Letters => "e2e4 or Nf3".to_string(),
        Coordinates::Numbers if rules.hand() != Hand::None => "7g7f or P*5e".to_string(),
        Coordinates::Numbers => {
            let first = game.legal_moves().into_iter().find(|mv| *mv != Move::PASS);
            first.map_or("7g7f".to_string(), |mv| {
                format!("{} or {}", write_coordinates(game, mv), write_san(game, mv))
            })
        }
    };
    message!("cli.how-to", examples).to_string()
}

/// Pairs of moves, the last ones that fit.
fn last_moves(score: &[(Side, String)], room: usize, columns: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    let first_is_second = score.first().is_some_and(|(side, _)| *side == Side::SECOND);
    let mut words: Vec<&str> = score.iter().map(|(_, word)| word.as_str()).collect();
    if first_is_second {
        words.insert(0, "...");
    }
    let widest = words.iter().map(|word| width(word)).max().unwrap_or(0);
    for (n, pair) in words.chunks(2).enumerate() {
        let second = pair.get(1).copied().unwrap_or("");
        rows.push(cut(&format!("{:>4}. {}  {second}", n + 1, left(pair[0], widest)), columns));
    }
    let skipped = rows.len().saturating_sub(room);
    rows.drain(..skipped);
    rows
}

fn cut(text: &str, columns: usize) -> String {
    let mut cut = String::new();
    for letter in text.chars() {
        if width(&cut) + width(letter.encode_utf8(&mut [0; 4])) > columns {
            break;
        }
        cut.push(letter);
    }
    cut.trim_end().to_string()
}

/// The evaluation bar: logistic, half at equality, nearly full from five pawns.
pub fn bar(men: f64) -> String {
    let share = 1.0 / (1.0 + (-men / 2.5).exp());
    let n = ((share * BAR as f64).round() as usize).min(BAR);
    format!("[{}{}]", "#".repeat(n), ".".repeat(BAR - n))
}

/// Display width without escape codes.
fn visible_width(line: &str) -> usize {
    let mut visible = String::new();
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\x1b' => _ = letters.by_ref().find(|letter| *letter == 'm'),
            letter => visible.push(letter),
        }
    }
    width(&visible)
}

/// Squares of the last move.
pub fn last_move_squares(game: &Game) -> Vec<Square> {
    let last = game.moves().last().copied();
    last.into_iter().flat_map(|mv| [mv.from(), mv.to()]).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_says_who_is_better() {
        assert_eq!(bar(0.0), "[##########..........]");
        assert_eq!(bar(99.0), format!("[{}]", "#".repeat(BAR)));
        assert_eq!(bar(-99.0), format!("[{}]", ".".repeat(BAR)));
    }

    #[test]
    fn colours_take_no_columns() {
        assert_eq!(visible_width("\x1b[7m e\x1b[0m4"), 3);
        assert_eq!(cut("歩歩歩", 5), "歩歩");
    }
}
