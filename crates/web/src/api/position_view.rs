//! The position view of the API: pieces, hands, legal moves, outcome.

use ashta_position::notation::{write_coordinates, write_san};
use ashta_position::{Action, Contest, Game, Move, Turn, with_line};
use ashta_rules::{KindId, Rules, Side, Square};
use ashta_search::SearchWord;
use serde::Serialize;
use utoipa::ToSchema;

use super::contest_view::ContestView;
pub use crate::written_move::{WrittenMove, local};

/// A position. Sides and kinds are indices into the descriptor's `sides` and `kinds`.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct PositionView {
    /// The game with its changes: `shatranj+double-step`.
    pub game: String,
    /// The position as the game writes it: FEN, SFEN, or the text of a contest.
    pub text: String,
    /// The side to move.
    pub turn: u8,
    /// Plies played, counted as the position's text does.
    pub ply: u32,
    /// Pieces by square.
    pub board: Vec<PlacedPiece>,
    /// What each side holds.
    pub hands: Vec<Vec<HeldPieces>>,
    /// Moves that may follow; none when the game is over, and none in a contest, whose turns are in `contest`.
    pub moves: Vec<LegalMove>,
    /// Squares of royal pieces that are in check.
    pub check: Vec<String>,
    /// The last of the moves that were given.
    pub last: Option<LastMove>,
    /// How the game ended, if it has.
    pub outcome: Option<OutcomeBody>,
    /// The moves that were given, as they are written.
    pub line: Vec<WrittenMove>,
    /// Dice, sides that are out, turns: in games of several sides only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contest: Option<ContestView>,
}

/// A piece on a square.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct PlacedPiece {
    /// `e4`, `5e`.
    pub square: String,
    /// Which kind, by its place in the descriptor's `kinds`.
    pub kind: u8,
    /// Whose, by its place in the descriptor's `sides`.
    pub side: u8,
}

/// Pieces of one kind in a hand.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct HeldPieces {
    /// Which kind.
    pub kind: u8,
    /// How many.
    pub count: u8,
}

/// A move that may be played.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct LegalMove {
    /// In coordinates: `e2e4`, `e7e8q`, `P*5e`, `7g7f+`. This is what to send back.
    pub text: String,
    /// Origin; `null` for a drop or a pass.
    pub from: Option<String>,
    /// The square of a piece that is captured on the way, before the move ends on `to`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle: Option<String>,
    /// Where it goes; nothing for a pass.
    pub to: Option<String>,
    /// The kind that is dropped.
    pub drop: Option<u8>,
    /// The kind that the piece becomes.
    pub becomes: Option<u8>,
    /// Whether it captures.
    pub captures: bool,
    /// As players of chess write it.
    pub san: String,
    /// As players of this game write it.
    pub local: String,
}

/// The squares of the last move.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct LastMove {
    /// Where the piece stood; nothing for a drop.
    pub from: Option<String>,
    /// The square of a piece that was captured on the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle: Option<String>,
    /// Where it went.
    pub to: String,
}

/// How a game ended.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct OutcomeBody {
    /// The winner; `null` for a draw.
    pub winner: Option<u8>,
    /// Why, as a word that programs can tell: `checkmate`.
    pub reason: &'static str,
    /// Who won and why, in English.
    pub words: String,
}

impl PositionView {
    /// The current position; `line` has the moves that led to it.
    pub fn of(game: &Game, line: Vec<WrittenMove>) -> PositionView {
        let rules = game.rules();
        let outcome = game.outcome();
        let moves = match outcome {
            Some(_) => Vec::new(),
            None => game.legal_moves().into_iter().map(|mv| LegalMove::of(game, mv)).collect(),
        };
        PositionView {
            game: rules.id().to_string(),
            text: game.text(),
            turn: game.turn().0,
            ply: game.setup().ply,
            board: placed(rules, |square| game.piece(square)),
            hands: hands(game),
            moves,
            check: check(game),
            last: game.moves().last().and_then(|mv| last_move(rules, *mv)),
            outcome: outcome.map(|outcome| OutcomeBody::of(outcome, rules)),
            line,
            contest: None,
        }
    }
}

impl OutcomeBody {
    /// An outcome in words.
    pub fn of(outcome: ashta_position::Outcome, rules: &Rules) -> OutcomeBody {
        OutcomeBody {
            winner: outcome.winner.map(|side| side.0),
            reason: outcome.reason.code(),
            words: outcome.words(rules).to_string(),
        }
    }
}

/// Every piece, in order of squares.
pub fn placed(rules: &Rules, piece: impl Fn(Square) -> Option<(Side, KindId)>) -> Vec<PlacedPiece> {
    let grid = rules.grid();
    let on = |square: Square| {
        let (side, kind) = piece(square)?;
        Some(PlacedPiece { square: grid.name(square).to_string(), kind: kind.0, side: side.0 })
    };
    grid.squares().filter_map(on).collect()
}

/// What each side holds.
pub fn hands(game: &Game) -> Vec<Vec<HeldPieces>> {
    let rules = game.rules();
    let held = |side: u8| {
        let counts = rules.kind_ids().map(|kind| (kind, game.in_hand(Side(side), kind)));
        let held = counts.filter(|(_, count)| *count > 0);
        held.map(|(kind, count)| HeldPieces { kind: kind.0, count }).collect()
    };
    (0..rules.sides().len() as u8).map(held).collect()
}

fn check(game: &Game) -> Vec<String> {
    if !game.is_in_check() {
        return Vec::new();
    }
    let (rules, turn) = (game.rules(), game.turn());
    let is_royal = |square: &Square| {
        game.piece(*square).is_some_and(|(side, kind)| side == turn && rules.kind(kind).royal)
    };
    rules.grid().squares().filter(is_royal).map(|square| rules.grid().name(square).to_string()).collect()
}

/// The squares of a move; nothing of a pass.
pub fn last_move(rules: &Rules, mv: Move) -> Option<LastMove> {
    let name = |square: Square| rules.grid().name(square).to_string();
    Some(LastMove { from: mv.from().map(name), middle: middle(mv).map(name), to: name(mv.to()?) })
}

/// The square on the way of a move of two legs.
fn middle(mv: Move) -> Option<Square> {
    match mv.action() {
        Action::TwoLegs { middle, .. } => Some(middle),
        Action::Go { .. }
        | Action::Castle { .. }
        | Action::EnPassant { .. }
        | Action::Drop { .. }
        | Action::Pass => None,
    }
}

impl LegalMove {
    pub fn of(game: &Game, mv: Move) -> LegalMove {
        let grid = game.rules().grid();
        let name = |square: Square| grid.name(square).to_string();
        let rules = game.rules();
        let dropped = match mv.action() {
            Action::Drop { kind, .. } => Some(kind),
            Action::Go { .. }
            | Action::Castle { .. }
            | Action::EnPassant { .. }
            | Action::TwoLegs { .. }
            | Action::Pass => None,
        };
        let san = write_san(game, mv);
        LegalMove {
            text: write_coordinates(game, mv),
            from: mv.from().map(name),
            middle: middle(mv).map(name),
            to: mv.to().map(name),
            drop: dropped.map(|kind| rules.kind(kind).demoted.0),
            // A piece that shows another face than in hand becomes that kind as it lands.
            becomes: dropped
                .filter(|kind| rules.kind(*kind).demoted != *kind)
                .or(mv.becomes())
                .map(|kind| kind.0),
            captures: with_line!(game.line(), line => line.position().victim(mv)).is_some(),
            local: local(game, mv, &san),
            san,
        }
    }
}

/// The current position; `last` is the last turn.
pub fn contest_view<W: SearchWord>(
    contest: &Contest<W>,
    last: Option<Turn>,
    line: Vec<WrittenMove>,
) -> PositionView {
    let rules = contest.rules();
    let outcome = contest.outcome();
    PositionView {
        game: rules.id().to_string(),
        text: contest.text(),
        turn: contest.turn().0,
        ply: contest.n_turns(),
        board: placed(rules, |square| contest.piece(square)),
        hands: vec![Vec::new(); rules.sides().len()],
        moves: Vec::new(),
        check: Vec::new(),
        last: last.and_then(|turn| whole_way(contest, turn)),
        outcome: outcome.map(|outcome| OutcomeBody::of(outcome, rules)),
        line,
        contest: Some(ContestView::of(contest, outcome.is_some())),
    }
}

/// The squares of a turn: of two moves of one piece, the first and the last.
fn whole_way<W: SearchWord>(contest: &Contest<W>, turn: Turn) -> Option<LastMove> {
    let first = last_move(contest.rules(), turn.first)?;
    match last_move(contest.rules(), turn.second) {
        Some(second) if second.from.as_ref() == Some(&first.to) => {
            Some(LastMove { from: first.from, middle: None, to: second.to })
        }
        Some(second) => Some(second),
        None => Some(first),
    }
}
