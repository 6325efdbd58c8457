//! Tells whether moves give check without playing them.
//!
//! In: a position. Out: for each legal move yes, no, or unsure (it must be played). Never: other moves.
//!
//! Mate in one is the most frequent question, and only checks mate: playing forty moves instead costs five times as
//! much.

use ashta_search::SearchWord;
use std::sync::Arc;

use ashta_position::{Move, Position, Tables};

/// By side, kind and the attacked royal square: from where the kind attacks it.
#[derive(Debug)]
pub struct CheckTables<W> {
    tables: Arc<Tables<W>>,
    sides: [SideChecks<W>; 2],
    /// Whether the tables cover the game; if not, moves must be played.
    is_complete: bool,
}

#[derive(Debug)]
struct SideChecks<W> {
    /// By kind and attacked square: origins of attacks that nothing can block.
    direct: Vec<Vec<W>>,
    /// By kind: indices into the side's `distant` attacks.
    distant: Vec<Vec<usize>>,
}

/// The checks of the side to move in one position.
#[derive(Clone, Copy)]
pub struct Checks<'t, W> {
    tables: &'t Tables<W>,
    ours: &'t SideChecks<W>,
    is_complete: bool,
    side: usize,
    royal: u8,
    occupied: W,
    /// Own pieces whose move may discover a check.
    discoverers: W,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    Yes,
    No,
    /// It must be played to know.
    Unsure,
}

impl<W: SearchWord> CheckTables<W> {
    pub fn new(tables: &Arc<Tables<W>>) -> CheckTables<W> {
        let is_complete = tables.sides.len() == 2
            && tables.guards_royals
            && tables.sides.iter().all(|side| {
                side.hoppers.is_empty()
                    && side.leap_attacks.iter().all(|direct| !direct.first_move)
                    && side.path_attacks.iter().all(|distant| !distant.first_move)
            });
        let side = |n: usize| SideChecks::new(tables, n.min(tables.sides.len() - 1));
        CheckTables { tables: tables.clone(), sides: [side(0), side(1)], is_complete }
    }

    pub fn of(&self, position: &Position<W>) -> Checks<'_, W> {
        let (state, tables) = (position.state(), &*self.tables);
        let me = position.turn();
        let side = me.index() & 1;
        let royals = position.royals(ashta_rules::Side(1 - me.0.min(1)));
        let is_complete = self.is_complete && royals.any() && royals.is_single();
        let royal = if royals.any() { royals.lowest() } else { 0 };
        let occupied = state.occupied();
        let own = state.side(me.0);
        let mut discoverers = W::ZERO;
        for distant in tables.sides[side].path_attacks.iter().filter(|_| is_complete) {
            let riders = *distant.from.at(royal) & distant.group.pieces(state) & own;
            for from in riders.squares() {
                let between = tables.between[distant.between].at(royal, from) & occupied;
                if between.any() && between.is_single() {
                    discoverers |= between & own;
                }
            }
        }
        Checks { tables, ours: &self.sides[side], is_complete, side, royal, occupied, discoverers }
    }
}

impl<W: SearchWord> SideChecks<W> {
    fn new(tables: &Tables<W>, side: usize) -> SideChecks<W> {
        let n_squares = tables.rules.grid().n_squares();
        let us = &tables.sides[side];
        let n_kinds = tables.rules.kinds().len();
        let is_in = |kind: usize, group: usize| {
            let table = &tables.kinds[kind];
            table.groups.iter().chain(&table.more_groups).any(|own| own.index() == group)
        };
        let direct = |kind: usize| {
            let unions = (0..n_squares).map(|square| {
                let own = us.leap_attacks.iter().filter(|direct| is_in(kind, direct.group.index()));
                own.fold(W::ZERO, |all, direct| all | *direct.from.at(square as u8))
            });
            unions.collect()
        };
        let distant = |kind: usize| {
            (0..us.path_attacks.len()).filter(|n| is_in(kind, us.path_attacks[*n].group.index())).collect()
        };
        SideChecks {
            direct: (0..n_kinds).map(direct).collect(),
            distant: (0..n_kinds).map(distant).collect(),
        }
    }
}

impl<W: SearchWord> Checks<'_, W> {
    #[inline(always)]
    pub fn check(&self, position: &Position<W>, mv: Move) -> Check {
        if !self.is_complete {
            return Check::Unsure;
        }
        let Some(landing) = Landing::of(position, mv) else { return Check::Unsure };
        if self.ours.direct[landing.kind][self.royal as usize].has(landing.to) {
            return Check::Yes;
        }
        let occupied = landing.from.map_or(self.occupied, |from| self.occupied & !W::bit(from));
        for n in &self.ours.distant[landing.kind] {
            let distant = &self.tables.sides[self.side].path_attacks[*n];
            if distant.from.at(self.royal).has(landing.to)
                && (self.tables.between[distant.between].at(self.royal, landing.to) & occupied).is_empty()
            {
                return Check::Yes;
            }
        }
        if landing.from.is_some_and(|from| self.discoverers.has(from)) { Check::Unsure } else { Check::No }
    }
}

/// The result of a move that moves one piece and captures at most on its target.
struct Landing {
    from: Option<u8>,
    to: u8,
    kind: usize,
}

/// The move type in its two highest bits (the layout of [`Move::to_bits`] is frozen).
const DROP: u32 = 1;
const STAYS: usize = 63;

impl Landing {
    #[inline(always)]
    fn of<W: SearchWord>(position: &Position<W>, mv: Move) -> Option<Landing> {
        let bits = mv.to_bits();
        let (from, to, kind) = (bits as u8, (bits >> 8) as u8, (bits >> 24 & 63) as usize);
        match bits >> 30 {
            0 if from == to => None,
            0 if kind == STAYS => {
                Some(Landing { from: Some(from), to, kind: position.state().kind_on(from) })
            }
            0 => Some(Landing { from: Some(from), to, kind }),
            DROP => Some(Landing { from: None, to, kind }),
            _ => None,
        }
    }
}
