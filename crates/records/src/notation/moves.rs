//! Fast parsers for moves in standard notation; anything else falls back to the parsers of `position`.
//!
//! In: a game and the text of a move. Out: a legal move. Never: a different result from the parsers of `position`.

use ashta_position::notation::japanese::{PIECES, kind_of, square_at};
use ashta_position::notation::{MoveTextError, read_coordinates, read_csa, read_san};
use ashta_position::{Action, Game, Move, MoveList, with_line};
use ashta_rules::{Coordinates, KindId, Rules, Square};

/// Parses moves; reuses move lists between calls.
#[derive(Debug)]
pub struct MoveReader {
    legal: MoveList,
    /// Piece kinds by letter.
    letters: [Option<KindId>; 256],
    csa: Vec<(&'static str, KindId)>,
    is_lettered: bool,
}

impl MoveReader {
    pub fn new(rules: &Rules) -> MoveReader {
        let mut letters = [None; 256];
        for kind in rules.kind_ids() {
            if let [letter] = rules.kind(kind).letter.as_bytes() {
                letters[usize::from(*letter)] = Some(kind);
            }
        }
        let csa = PIECES.into_iter().filter_map(|piece| Some((piece.csa, kind_of(rules, piece)?))).collect();
        let is_lettered = rules.grid().coordinates() == Coordinates::Letters;
        MoveReader { legal: MoveList::new(), letters, csa, is_lettered }
    }

    fn list(&mut self, game: &Game) {
        self.legal.clear();
        with_line!(game.line(), line => line.position().generate(&mut self.legal));
    }

    /// The only legal move that fits.
    fn only(&mut self, game: &Game, fits: impl Fn(Move) -> bool) -> Option<Move> {
        self.list(game);
        let mut found = self.legal.iter().copied().filter(|mv| fits(*mv));
        match (found.next(), found.next()) {
            (Some(mv), None) => Some(mv),
            _ => None,
        }
    }

    /// Standard algebraic notation.
    pub fn san(&mut self, game: &Game, text: &str) -> Result<Move, MoveTextError> {
        match self.plain_san(game, text) {
            Some(mv) => Ok(mv),
            None => read_san(game, text),
        }
    }

    fn plain_san(&mut self, game: &Game, text: &str) -> Option<Move> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        if !self.is_lettered {
            return None;
        }
        let bytes = text.as_bytes();
        let said = ParsedSan::read(bytes, &self.letters)?;
        let grid = game.rules().grid();
        if said.to_file >= grid.files() || said.to_rank >= grid.ranks() {
            return None;
        }
        self.only(game, |mv| match mv.action() {
            Action::Go { from, to, becomes } => {
                to.0 == said.to(grid.ranks())
                    && becomes == said.becomes
                    && said.fits_origin(grid.file(from), grid.rank(from))
                    && game.piece(from).is_some_and(|(_, kind)| kind == said.kind)
            }
            Action::EnPassant { from, to, .. } => {
                to.0 == said.to(grid.ranks())
                    && said.becomes.is_none()
                    && said.fits_origin(grid.file(from), grid.rank(from))
                    && game.piece(from).is_some_and(|(_, kind)| kind == said.kind)
            }
            Action::TwoLegs { .. } | Action::Castle { .. } | Action::Drop { .. } | Action::Pass => false,
        })
    }

    /// Coordinates: USI, UCI.
    pub fn coordinates(&mut self, game: &Game, text: &str) -> Result<Move, MoveTextError> {
        match self.plain_coordinates(game, text) {
            Some(mv) => Ok(mv),
            None => read_coordinates(game, text),
        }
    }

    fn plain_coordinates(&mut self, game: &Game, text: &str) -> Option<Move> {
        let grid = game.rules().grid();
        if let [letter, b'*' | b'@', ..] = text.as_bytes() {
            let kind = self.letters[usize::from(*letter)]?;
            let (to, rest) = grid.read_square(&text[2..])?;
            let wanted = Action::Drop { kind, to };
            return if rest.is_empty() { self.only(game, |mv| mv.action() == wanted) } else { None };
        }
        let (from, rest) = grid.read_square(text)?;
        let (to, rest) = grid.read_square(rest)?;
        // Squares and `+` are complete on shogi boards; promotions to letters fall back.
        match rest {
            "" => self.only(game, |mv| is_from_to(mv, from, to) && mv.becomes().is_none()),
            "+" => {
                let mover = game.piece(from)?.1;
                let letter = format!("+{}", game.rules().kind(mover).letter);
                let becomes =
                    game.rules().kind_ids().find(|kind| game.rules().kind(*kind).letter == letter)?;
                self.only(game, |mv| is_from_to(mv, from, to) && mv.becomes() == Some(becomes))
            }
            _ => None,
        }
    }

    /// CSA without the sign: `7776FU`.
    pub fn csa(&mut self, game: &Game, text: &str) -> Result<Move, MoveTextError> {
        match self.plain_csa(game, text) {
            Some(mv) => Ok(mv),
            None => read_csa(game, text),
        }
    }

    fn plain_csa(&mut self, game: &Game, text: &str) -> Option<Move> {
        let bytes = text.as_bytes();
        let body = bytes.get(1..).filter(|_| matches!(bytes[0], b'+' | b'-')).unwrap_or(bytes);
        let is_first = game.turn() == ashta_rules::Side::FIRST;
        if body.len() != 6 || (body.len() != bytes.len() && (bytes[0] == b'+') != is_first) {
            return None;
        }
        let kind = self.csa.iter().find(|(name, _)| name.as_bytes() == &body[4..])?.1;
        let from = [body[0], body[1]];
        let to = digits(game, [body[2], body[3]])?;
        if from == *b"00" {
            return self.only(game, |mv| mv.action() == Action::Drop { kind, to });
        }
        let from = digits(game, from)?;
        let mover = game.piece(from)?.1;
        let becomes = (mover != kind).then_some(kind);
        self.only(game, |mv| is_from_to(mv, from, to) && mv.becomes() == becomes)
    }
}

fn is_from_to(mv: Move, from: Square, to: Square) -> bool {
    mv.from() == Some(from) && mv.to() == Some(to)
}

fn digits(game: &Game, text: [u8; 2]) -> Option<Square> {
    let [file, rank] = text.map(|byte| byte.wrapping_sub(b'0'));
    square_at(game.rules().grid(), file, rank).filter(|_| (1..=9).contains(&file) && (1..=9).contains(&rank))
}

/// `e4`, `Nbd7`, `exd8=Q`.
struct ParsedSan {
    kind: KindId,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to_file: u8,
    to_rank: u8,
    becomes: Option<KindId>,
}

impl ParsedSan {
    fn read(bytes: &[u8], letters: &[Option<KindId>; 256]) -> Option<ParsedSan> {
        let kind_at = |at: usize| bytes.get(at).and_then(|letter| letters[usize::from(*letter)]);
        let (kind, mut at) = if bytes.first()?.is_ascii_uppercase() {
            (kind_at(0)?, 1)
        } else {
            (letters[usize::from(b'P')]?, 0)
        };
        let mut places: [(Option<u8>, Option<u8>); 2] = [(None, None); 2];
        for place in &mut places {
            if let Some(file) = bytes.get(at).filter(|byte| matches!(byte, b'a'..=b'p')) {
                place.0 = Some(file - b'a');
                at += 1;
            }
            // Boards of ten ranks and more fall back.
            if let Some(rank) = bytes.get(at).filter(|byte| matches!(byte, b'1'..=b'9')) {
                place.1 = Some(rank - b'1');
                at += 1;
                if bytes.get(at).is_some_and(u8::is_ascii_digit) {
                    return None;
                }
            }
            if bytes.get(at) == Some(&b'x') {
                at += 1;
            }
        }
        let becomes = match &bytes[at..] {
            [] => None,
            [b'=', _] => Some(kind_at(at + 1)?),
            _ => return None,
        };
        // A single square is the destination.
        let [(from_file, from_rank), (to_file, to_rank)] = match places {
            [only, (None, None)] => [(None, None), only],
            both => both,
        };
        Some(ParsedSan { kind, from_file, from_rank, to_file: to_file?, to_rank: to_rank?, becomes })
    }

    fn to(&self, n_ranks: u8) -> u8 {
        self.to_file.wrapping_mul(n_ranks).wrapping_add(self.to_rank)
    }

    fn fits_origin(&self, file: u8, rank: u8) -> bool {
        self.from_file.is_none_or(|wanted| wanted == file)
            && self.from_rank.is_none_or(|wanted| wanted == rank)
    }
}
