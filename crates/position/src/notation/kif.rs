//! Moves as Japanese records have them: `７六歩(77)`, `同　歩(34)`, `５五角打`, `２二角成(88)`.
//!
//! In: a game whose board and pieces shogi has, and a move or text. Out: text, or a legal move. Never: another game.
//!
//! The name is that of the piece before the move. Books leave out the origin and say `右`, `上` and the like where two
//! pieces could go; that is read too, and written by [`super::write_ki2`].

use ashta_messages::{Message, message};
use ashta_rules::{Grid, KindId, Square, Targets};

use super::japanese::{KIF_ALIASES, PIECES, RANKS, check_fits, kind_of, names_of, numbers_of, read_digits};
use super::kif_text::{SIDE_MARKS, last_to, plain_text};
use super::{MoveTextError, UnfitGame, large_kif, only_one, promotes, silence_stays, unreadable};
use crate::game::Game;
use crate::legality::Attempt;
use crate::moves::{Action, Move};

const NOTATION: &str = "KIF";

/// Writes a legal move.
pub fn write_kif(game: &Game, mv: Move) -> Result<String, UnfitGame> {
    if large_kif::has_own_names(game.rules()) {
        return large_kif::write_line(game, mv);
    }
    check_game(game, NOTATION)?;
    let (rules, grid) = (game.rules(), game.rules().grid());
    let (kind, to, ending) = match mv.action() {
        Action::Pass | Action::TwoLegs { .. } => return Err(UnfitGame::no_piece_move(rules, NOTATION)),
        Action::Drop { kind, to } => (Some(kind), to, "打".to_string()),
        Action::Castle { from, to } | Action::EnPassant { from, to, .. } | Action::Go { from, to, .. } => {
            let (file, rank) = numbers_of(grid, from);
            let promotion = if promotes(mv) { "成" } else { "" };
            (game.piece(from).map(|(_, kind)| kind), to, format!("{promotion}({file}{rank})"))
        }
    };
    let names =
        kind.and_then(|kind| names_of(rules, kind)).ok_or_else(|| UnfitGame::no_name(rules, NOTATION))?;
    let place = match last_to(game) == Some(to) {
        true => "同　".to_string(),
        false => place_text(grid, to),
    };
    Ok(format!("{place}{}{ending}", names.kif))
}

/// Asks whether a notation has words for all that can happen in a game.
pub(super) fn check_game(game: &Game, notation: &'static str) -> Result<(), UnfitGame> {
    let rules = game.rules();
    check_fits(rules, notation)?;
    let several = |targets: &Targets| matches!(targets, Targets::Kinds(kinds) if kinds.len() > 1);
    match rules.kinds().iter().find(|kind| kind.promotion.as_ref().is_some_and(|p| several(&p.to))) {
        Some(kind) => Err(UnfitGame::new(rules, notation, message!("position.unfit-promotion", kind))),
        None => Ok(()),
    }
}

pub(super) fn place_text(grid: Grid, square: Square) -> String {
    let (file, rank) = numbers_of(grid, square);
    let wide = |digit: char| char::from_u32('０' as u32 + digit.to_digit(10).unwrap_or(0));
    let file: String = file.to_string().chars().filter_map(wide).collect();
    file + RANKS.get(usize::from(rank).wrapping_sub(1)).copied().unwrap_or_default()
}

/// Reads a legal move.
///
/// `王`, `竜`, digits of any width, `同歩`, `不成`, a missing `打` where no piece on the board could go, a missing
/// origin, the marks of books (`右左直上行寄引入`), and the time after the move are understood.
pub fn read_kif(game: &Game, text: &str) -> Result<Move, MoveTextError> {
    if large_kif::has_own_names(game.rules()) {
        return large_kif::read_line(game, text);
    }
    check_game(game, NOTATION)?;
    let plain = plain_text(text);
    let said = KifText::read(game, plain.trim()).map_err(|why| unreadable(text, why))?;
    let legal = game.legal_moves();
    let meant = |mv: &&Move| mv.to() == Some(said.to);
    let (drops, goes): (Vec<Move>, Vec<Move>) = legal.iter().filter(meant).partition(|mv| mv.is_drop());
    let mut found: Vec<Move> = match said.origin {
        KifOrigin::Hand => Vec::new(),
        KifOrigin::Unsaid | KifOrigin::Square(_) => {
            goes.into_iter().filter(|mv| said.fits(game, *mv)).collect()
        }
    };
    let may_drop = match said.origin {
        KifOrigin::Hand => true,
        KifOrigin::Unsaid => found.is_empty(),
        KifOrigin::Square(_) => false,
    };
    if may_drop {
        let kind_matches = |mv: &Move| matches!(mv.action(), Action::Drop { kind, .. } if kind == said.kind);
        found = drops.into_iter().filter(kind_matches).collect();
    }
    said.motions.iter().for_each(|motion| motion.filter(game, &mut found));
    if said.becoming == KifPromotion::Unsaid {
        silence_stays(&mut found);
    }
    only_one(game, text, &found)
}

/// The kind and the last square of a move as it is written, and all moves that may be meant, legal or not.
pub(super) fn kif_attempts(game: &Game, text: &str) -> Option<(KindId, Square, Vec<Attempt>)> {
    check_game(game, NOTATION).ok()?;
    let said = KifText::read(game, plain_text(text).trim()).ok()?;
    let (kind, to, rules) = (said.kind, said.to, game.rules());
    let promoted = format!("+{}", rules.kind(kind).letter);
    let becomes = match said.becoming {
        KifPromotion::Promotes => rules.kind_ids().find(|other| rules.kind(*other).letter == promoted),
        KifPromotion::Unsaid | KifPromotion::Stays => None,
    };
    let go = |from: Square| Attempt::Go { from, to, becomes };
    let own = |square: &Square| game.piece(*square) == Some((game.turn(), kind));
    let meant = match said.origin {
        KifOrigin::Hand => vec![Attempt::Drop { kind, to }],
        KifOrigin::Square(from) => vec![go(from)],
        KifOrigin::Unsaid => {
            let held = game.in_hand(game.turn(), kind) > 0;
            let on_board = rules.grid().squares().filter(own).map(go);
            on_board.chain(held.then_some(Attempt::Drop { kind, to })).collect()
        }
    };
    Some((kind, to, meant))
}

/// What a text says, before anyone asks whether it is legal.
struct KifText {
    to: Square,
    kind: KindId,
    origin: KifOrigin,
    becoming: KifPromotion,
    /// Motions first, then sides: `左上` is the leftmost of those that go forward.
    motions: Vec<Motion>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KifOrigin {
    Unsaid,
    Hand,
    Square(Square),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KifPromotion {
    Unsaid,
    Promotes,
    Stays,
}

/// How books tell pieces apart, as the side to move sees the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Motion {
    Forward,
    Backward,
    Sideways,
    StraightAhead,
    FromRight,
    FromLeft,
}

impl KifText {
    fn read(game: &Game, text: &str) -> Result<KifText, Message> {
        let text = text.strip_prefix(SIDE_MARKS).unwrap_or(text);
        let (to, rest) = read_place(game, text)?;
        let (kind, rest) = read_piece(game, rest.trim_start())?;
        let (origin, becoming) = (KifOrigin::Unsaid, KifPromotion::Unsaid);
        let mut said = KifText { to, kind, origin, becoming, motions: Vec::new() };
        let mut rest = rest;
        while let Some(after) = said.read_mark(game.rules().grid(), rest)? {
            rest = after;
        }
        // Time, and the `+` of a move that has alternatives.
        match rest.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | ':' | '/' | '(' | ')' | '+')) {
            true => {
                said.motions.sort_unstable();
                Ok(said)
            }
            false => Err(message!("position.kif-after-piece")),
        }
    }

    /// Takes one mark from the start of a text; `None` when there is none.
    fn read_mark<'t>(&mut self, grid: Grid, text: &'t str) -> Result<Option<&'t str>, Message> {
        if let Some(rest) = ["不成", "生"].iter().find_map(|mark| text.strip_prefix(mark)) {
            self.becoming = KifPromotion::Stays;
            return Ok(Some(rest));
        }
        let mut chars = text.chars();
        let Some(first) = chars.next() else { return Ok(None) };
        match first {
            '成' => self.becoming = KifPromotion::Promotes,
            '打' => self.origin = KifOrigin::Hand,
            '上' | '行' | '入' => self.motions.push(Motion::Forward),
            '引' | '下' => self.motions.push(Motion::Backward),
            '寄' => self.motions.push(Motion::Sideways),
            '直' => self.motions.push(Motion::StraightAhead),
            '右' => self.motions.push(Motion::FromRight),
            '左' => self.motions.push(Motion::FromLeft),
            '(' => {
                let (Some(file), Some(rank), Some(')')) = (chars.next(), chars.next(), chars.next()) else {
                    return Ok(None);
                };
                let square = read_digits(grid, file, rank).ok_or_else(|| message!("position.kif-origin"))?;
                self.origin = KifOrigin::Square(square);
            }
            _ => return Ok(None),
        }
        Ok(Some(chars.as_str()))
    }

    /// Whether it may be this move of a piece on the board; where it goes is known to fit.
    fn fits(&self, game: &Game, mv: Move) -> bool {
        let Some(from) = mv.from() else { return false };
        let from_fits = match self.origin {
            KifOrigin::Unsaid => true,
            KifOrigin::Hand => false,
            KifOrigin::Square(square) => square == from,
        };
        let becoming_fits = match self.becoming {
            KifPromotion::Unsaid => true,
            KifPromotion::Promotes => promotes(mv),
            KifPromotion::Stays => !promotes(mv),
        };
        from_fits && becoming_fits && game.piece(from).is_some_and(|(_, kind)| kind == self.kind)
    }
}

fn read_place<'t>(game: &Game, text: &'t str) -> Result<(Square, &'t str), Message> {
    if let Some(rest) = text.strip_prefix('同') {
        let to = last_to(game).ok_or_else(|| message!("position.kif-no-move-before"))?;
        return Ok((to, rest));
    }
    let mut chars = text.chars();
    let (Some(file), Some(rank)) = (chars.next(), chars.next()) else { return Err(example()) };
    let number = RANKS
        .iter()
        .position(|name| name.chars().eq([rank]))
        .and_then(|n| char::from_digit(n as u32 + 1, 10));
    let to = read_digits(game.rules().grid(), file, number.unwrap_or(rank)).ok_or_else(example)?;
    Ok((to, chars.as_str()))
}

fn read_piece<'t>(game: &Game, text: &'t str) -> Result<(KindId, &'t str), Message> {
    let usual = PIECES.into_iter().map(|piece| (piece.kif, piece.kif));
    let mut names = usual.chain(KIF_ALIASES);
    let (name, rest) =
        names.find_map(|(name, usual)| Some((usual, text.strip_prefix(name)?))).ok_or_else(example)?;
    let kind =
        PIECES.into_iter().find(|piece| piece.kif == name).and_then(|piece| kind_of(game.rules(), piece));
    Ok((kind.ok_or_else(|| message!("position.kif-no-piece", name))?, rest))
}

fn example() -> Message {
    message!("position.move-example", example = "７六歩(77)")
}

impl Motion {
    /// The word that is written for it.
    pub(super) fn word(self) -> char {
        match self {
            Motion::Forward => '上',
            Motion::Backward => '引',
            Motion::Sideways => '寄',
            Motion::StraightAhead => '直',
            Motion::FromRight => '右',
            Motion::FromLeft => '左',
        }
    }

    /// Keeps the moves that it can be said of.
    pub(super) fn filter(self, game: &Game, moves: &mut Vec<Move>) {
        let grid = game.rules().grid();
        let quarters = game.rules().sides()[game.turn().index()].quarters;
        // As the side to move sees it: files grow to the right, ranks away from it.
        let seen = |square: Option<Square>| square.map(|square| grid.turned(square, 4 - quarters % 4));
        let file = |square| seen(square).map(|s| grid.file(s));
        let rank = |square| seen(square).map(|s| grid.rank(s));
        let files = moves.iter().filter_map(|mv| file(mv.from()));
        let (leftmost, rightmost) = (files.clone().min(), files.max());
        moves.retain(|mv| {
            let (from, to) = (mv.from(), mv.to());
            from.is_some()
                && match self {
                    Motion::Forward => rank(to) > rank(from),
                    Motion::Backward => rank(to) < rank(from),
                    Motion::Sideways => rank(to) == rank(from),
                    Motion::StraightAhead => rank(to) > rank(from) && file(to) == file(from),
                    Motion::FromRight => file(from) == rightmost,
                    Motion::FromLeft => file(from) == leftmost,
                }
        });
    }
}
