//! Retrograde analysis: distance to mate of every position of a material, from the rules alone.
//!
//! In: a material, the tablebases of its captures and promotions. Out: its tablebase. Never: endings that depend on the
//! history of a position (repetition, move counts).
//!
//! A forward pass visits every position once: ends by the rules, conversions (probed), and the number of other moves.
//! Backward passes then propagate wins and losses ply by ply over unmoves: a position is won as soon as one move leads
//! to a loss, lost when the last of its moves leads to a win.

use ashta_search::SearchWord;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_messages::Tell;
use ashta_position::{Action, Move, MoveList, Position};
use ashta_rules::{KindId, Side, Square};

use super::ending_material::{EndingMaterial, MAX_PIECES};
use super::position_index::{PositionIndex, Squares};
use super::tablebase::{Code, Tablebase, TablebaseValue};
use super::unmoves::{Unmoves, UnsupportedEnding, reachable_squares, symmetries, unmoves};

pub type Tablebases = BTreeMap<EndingMaterial, Tablebase>;

#[derive(Clone, Copy, Debug)]
pub struct BuildProgress<'p> {
    pub name: &'p str,
    /// Positions solved or visited.
    pub done: u64,
    pub total: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum BuildError {
    #[code(transparent)]
    UnsupportedEnding(#[from] UnsupportedEnding),
    #[code("study.tablebase-stopped")]
    Stopped,
}

pub type ProgressCallback<'w> = &'w mut dyn FnMut(BuildProgress<'_>);

/// The materials that captures and promotions lead to.
pub fn conversion_materials(material: &EndingMaterial, rules: &ashta_rules::Rules) -> Vec<EndingMaterial> {
    let mut found = Vec::new();
    let sides = [material.side(Side::FIRST), material.side(Side::SECOND)];
    let becomes = |kind: KindId| -> Vec<KindId> {
        let mut kinds = vec![kind];
        if let Some(promotion) = &rules.kind(kind).promotion {
            match &promotion.to {
                ashta_rules::Targets::Kinds(to) => kinds.extend(to),
                ashta_rules::Targets::ByFile(to) => kinds.extend(to.iter().flatten()),
            }
        }
        kinds
    };
    for mover in 0..2 {
        for (n, kind) in sides[mover].iter().enumerate() {
            for (m, result) in becomes(*kind).into_iter().enumerate() {
                let mut own = sides[mover].to_vec();
                own[n] = result;
                if m > 0 {
                    found.push(arrange(mover, &own, sides[1 - mover], rules));
                }
                for victim in 0..sides[1 - mover].len() {
                    if !rules.kind(sides[1 - mover][victim]).royal {
                        let mut other = sides[1 - mover].to_vec();
                        other.remove(victim);
                        found.push(arrange(mover, &own, &other, rules));
                    }
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn arrange(mover: usize, own: &[KindId], other: &[KindId], rules: &ashta_rules::Rules) -> EndingMaterial {
    let sides = match mover {
        0 => [own.to_vec(), other.to_vec()],
        _ => [other.to_vec(), own.to_vec()],
    };
    EndingMaterial::new(sides, rules)
}

/// Builds a tablebase; those of `conversion_materials` must exist.
pub fn build<W: SearchWord>(
    scratch: &mut Position<W>,
    material: &EndingMaterial,
    tables: &Tablebases,
    progress: ProgressCallback,
    stop: &AtomicBool,
) -> Result<Tablebase, BuildError> {
    let rules = scratch.tables().rules.clone();
    let unmoves = unmoves(&rules, material)?;
    let index =
        PositionIndex::new(rules.grid().n_squares(), material.n_pieces(), symmetries(&rules, material));
    let pieces: Vec<(Side, KindId)> = material.pieces().collect();
    let reachable = pieces.iter().map(|(side, kind)| reachable_squares(&rules, *side, *kind)).collect();
    let n = index.len();
    let name = material.name(&rules);
    let mut analysis = RetrogradeAnalysis {
        index,
        pieces,
        unmoves,
        reachable,
        codes: vec![Code::UNKNOWN; n],
        conversions: vec![Code::UNKNOWN; n],
        open_moves: vec![0; n],
        n_settled: 0,
        last_conversion: 0,
    };
    analysis.forward_pass(scratch, tables, &name, progress, stop)?;
    analysis.backward_pass(&name, progress, stop)?;
    Ok(Tablebase { material: material.clone(), index: analysis.index, codes: analysis.codes })
}

struct RetrogradeAnalysis {
    index: PositionIndex,
    pieces: Vec<(Side, KindId)>,
    unmoves: Unmoves,
    /// By piece and square: whether it can be there.
    reachable: Vec<Vec<bool>>,
    codes: Vec<Code>,
    /// The best conversion; unknown if there is none.
    conversions: Vec<Code>,
    /// Moves within the material not yet known to lose.
    open_moves: Vec<u8>,
    n_settled: u64,
    last_conversion: u16,
}

const PROGRESS_INTERVAL: usize = 1 << 16;

impl RetrogradeAnalysis {
    fn forward_pass<W: SearchWord>(
        &mut self,
        scratch: &mut Position<W>,
        tables: &Tablebases,
        name: &str,
        progress: ProgressCallback,
        stop: &AtomicBool,
    ) -> Result<(), BuildError> {
        let mut list = MoveList::new();
        let mut within = Vec::new();
        let total = self.codes.len() as u64;
        for number in 0..self.codes.len() {
            if number % PROGRESS_INTERVAL == 0 {
                if stop.load(Ordering::Relaxed) {
                    return Err(BuildError::Stopped);
                }
                progress(BuildProgress { name, done: number as u64, total: total * 2 });
            }
            let (turn, squares) = self.index.position(number);
            if !self.is_canonical(number, turn, &squares) || !self.set(scratch, turn, &squares) {
                self.codes[number] = Code::INVALID;
                continue;
            }
            list.clear();
            scratch.generate(&mut list);
            if let Some(outcome) = scratch.end_knowing(!list.is_empty()) {
                self.codes[number] = Code::of(match outcome.winner {
                    Some(winner) if winner.0 == turn => TablebaseValue::Win(0),
                    Some(_) => TablebaseValue::Loss(0),
                    None => TablebaseValue::Draw,
                });
                continue;
            }
            self.scan_moves(scratch, number, (turn, squares), &list, tables, &mut within);
        }
        Ok(())
    }

    /// Whether a number is the smallest of its images and the pieces are on distinct squares.
    fn is_canonical(&self, number: usize, turn: u8, squares: &Squares) -> bool {
        let n = self.pieces.len();
        let apart = (1..n).all(|a| !squares[..a].contains(&squares[a]));
        let can_stand = (0..n).all(|piece| self.reachable[piece][squares[piece] as usize]);
        apart && can_stand && self.index.number(turn, squares) == number
    }

    fn set<W: SearchWord>(&self, scratch: &mut Position<W>, turn: u8, squares: &Squares) -> bool {
        let mut pieces = [(Square(0), Side::FIRST, KindId(0)); MAX_PIECES];
        let n = self.pieces.len();
        for (place, (piece, square)) in pieces.iter_mut().zip(self.pieces.iter().zip(squares)) {
            *place = (Square(*square), piece.0, piece.1);
        }
        scratch.set_pieces(&pieces[..n], Side(turn))
    }

    fn scan_moves<W: SearchWord>(
        &mut self,
        scratch: &Position<W>,
        number: usize,
        (turn, squares): (u8, Squares),
        moves: &[Move],
        tables: &Tablebases,
        within: &mut Vec<usize>,
    ) {
        within.clear();
        let mut best: Option<TablebaseValue> = None;
        for mv in moves {
            let Action::Go { from, to, becomes } = mv.action() else { continue };
            if becomes.is_none() && scratch.victim(*mv).is_none() {
                let mut next = squares;
                let piece =
                    squares[..self.pieces.len()].iter().position(|square| *square == from.0).unwrap_or(0);
                next[piece] = to.0;
                within.push(self.index.number(1 - turn, &next));
                continue;
            }
            let value = self.after_conversion(turn, &squares, (from, to, becomes), tables);
            if best.is_none_or(|known| value.rank() > known.rank()) {
                best = Some(value);
            }
        }
        if self.index.may_fold(&squares) {
            within.sort_unstable();
            within.dedup();
        }
        self.open_moves[number] = within.len().min(255) as u8;
        if let Some(value) = best {
            self.conversions[number] = Code::of(value);
            self.last_conversion = self.last_conversion.max(self.conversions[number].plies().unwrap_or(0));
        }
    }

    /// The value of a capture or promotion for the side that makes it.
    fn after_conversion(
        &self,
        turn: u8,
        squares: &Squares,
        (from, to, becomes): (Square, Square, Option<KindId>),
        tables: &Tablebases,
    ) -> TablebaseValue {
        let mut pieces: Vec<(Side, KindId, u8)> = Vec::with_capacity(MAX_PIECES);
        for ((side, kind), square) in self.pieces.iter().zip(squares) {
            if *square == from.0 {
                pieces.push((*side, becomes.unwrap_or(*kind), to.0));
            } else if *square != to.0 {
                pieces.push((*side, *kind, *square));
            }
        }
        probe(tables, &pieces, 1 - turn).unwrap_or(TablebaseValue::Draw).for_mover()
    }

    fn backward_pass(
        &mut self,
        name: &str,
        progress: ProgressCallback,
        stop: &AtomicBool,
    ) -> Result<(), BuildError> {
        let total = self.codes.len() as u64;
        let mut depth = 0u16;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(BuildError::Stopped);
            }
            let mut any = false;
            for number in 0..self.codes.len() {
                if self.codes[number] == Code::UNKNOWN {
                    self.settle_by_conversion(number, depth);
                }
                if self.codes[number].plies() == Some(depth) {
                    any = true;
                    self.n_settled += 1;
                    self.propagate(number, depth);
                }
            }
            progress(BuildProgress { name, done: total + self.n_settled.min(total), total: total * 2 });
            if !any && depth > self.last_conversion {
                return Ok(());
            }
            depth += 1;
        }
    }

    /// A conversion may win now, or be the last and longest of the losing moves.
    fn settle_by_conversion(&mut self, number: usize, depth: u16) {
        let exit = self.conversions[number];
        if exit.plies() == Some(depth) && (exit.is_win() || self.open_moves[number] == 0) {
            self.codes[number] = exit;
        }
    }

    fn propagate(&mut self, number: usize, depth: u16) {
        let won = self.codes[number].is_win();
        let (turn, squares) = self.index.position(number);
        let mover = 1 - turn;
        let occupied = squares[..self.pieces.len()].iter().fold(0u128, |set, square| set | 1 << square);
        let mut before = [0usize; 512];
        let mut n_before = 0;
        for piece in (0..self.pieces.len()).filter(|piece| self.pieces[*piece].0.0 == mover) {
            let others = occupied & !(1 << squares[piece]);
            for unmove in &self.unmoves[piece][squares[piece] as usize] {
                if (unmove.between | 1 << unmove.from) & others == 0 && n_before < before.len() {
                    let mut earlier = squares;
                    earlier[piece] = unmove.from;
                    before[n_before] = self.index.number(mover, &earlier);
                    n_before += 1;
                }
            }
        }
        let before = &mut before[..n_before];
        if self.index.may_fold(&squares) {
            before.sort_unstable();
            let mut last = usize::MAX;
            for number in before.iter() {
                if *number != last {
                    self.settle_predecessor(*number, won, depth);
                }
                last = *number;
            }
        } else {
            for number in before.iter() {
                self.settle_predecessor(*number, won, depth);
            }
        }
    }

    #[inline]
    fn settle_predecessor(&mut self, number: usize, won: bool, depth: u16) {
        if self.codes[number] != Code::UNKNOWN {
            return;
        }
        if !won {
            self.codes[number] = Code::of(TablebaseValue::Win(depth + 1));
            return;
        }
        self.open_moves[number] = self.open_moves[number].saturating_sub(1);
        if self.open_moves[number] == 0 {
            let exit = self.conversions[number];
            let longest = match exit {
                Code::UNKNOWN => Some(0),
                exit if exit.is_win() => None,
                exit => exit.plies(),
            };
            // A longer conversion settles it later, a draw never.
            if longest.is_some_and(|plies| plies <= depth + 1) {
                self.codes[number] = Code::of(TablebaseValue::Loss(depth + 1));
            }
        }
    }
}

/// The value for the side to move, if there is a tablebase and the position is valid.
pub fn probe(tables: &Tablebases, pieces: &[(Side, KindId, u8)], turn: u8) -> Option<TablebaseValue> {
    let found = tables.iter().find(|(material, _)| {
        material.n_pieces() == pieces.len() && {
            let mut free = [true; MAX_PIECES];
            material.pieces().all(|(side, kind)| take_piece(&mut free, pieces, side, kind).is_some())
        }
    });
    let (material, table) = found?;
    let mut free = [true; MAX_PIECES];
    let mut squares = [0; MAX_PIECES];
    for (place, (side, kind)) in material.pieces().enumerate() {
        squares[place] = take_piece(&mut free, pieces, side, kind)?;
    }
    table.probe(turn, &squares)
}

/// The square of a piece of a kind that was not taken before.
fn take_piece(
    free: &mut [bool; MAX_PIECES],
    pieces: &[(Side, KindId, u8)],
    side: Side,
    kind: KindId,
) -> Option<u8> {
    let place = (0..pieces.len()).find(|n| free[*n] && (pieces[*n].0, pieces[*n].1) == (side, kind))?;
    free[place] = false;
    Some(pieces[place].2)
}
