//! The board as the side to move sees it, now or after the first move of its turn.

use ashta_rules::{PartnerCapture, Side};

use super::Contest;
use crate::generate::PseudoLegalBoard;
use crate::moves::Move;
use crate::sink::{MoveList, Sink};
use crate::tables::{ContestClasses, features};
use crate::word::Word;

/// Pieces of one side that the side to move commands.
#[derive(Clone, Copy)]
struct Army<W> {
    side: Side,
    pieces: W,
    /// What they may not capture.
    spared: W,
}

/// The board as the side to move sees it.
#[derive(Clone, Copy)]
pub struct View<'a, W> {
    contest: &'a Contest<W>,
    occupied: W,
    armies: [Army<W>; 2],
    n_armies: usize,
    /// Squares where a piece may fill a block.
    ripe: W,
}

impl<'a, W: Word> View<'a, W> {
    /// The board as it is.
    #[inline(always)]
    pub fn new(contest: &'a Contest<W>) -> View<'a, W> {
        let (me, partner) = contest.commanded();
        View::of(contest, me, partner)
    }

    /// The board as it is for a side that commands its own pieces and perhaps a partner's.
    #[inline(always)]
    pub fn of(contest: &'a Contest<W>, me: Side, partner: Option<Side>) -> View<'a, W> {
        let state = &contest.state;
        let spared = state.side(me) | spared_partners(contest, me);
        let army = |side: Side| Army { side, pieces: state.side(side), spared: spared | state.side(side) };
        View {
            contest,
            occupied: state.occupied(),
            armies: [army(me), army(partner.unwrap_or(me))],
            n_armies: 1 + usize::from(partner.is_some()),
            ripe: ripe_squares(contest),
        }
    }

    /// The board as it is for a side that commands its own pieces alone, none of which can fill a block.
    #[inline(always)]
    pub fn alone(contest: &'a Contest<W>, spared: W) -> View<'a, W> {
        let side = contest.state.turn();
        let army = Army { side, pieces: contest.state.side(side), spared };
        View { contest, occupied: contest.state.occupied(), armies: [army; 2], n_armies: 1, ripe: W::ZERO }
    }

    /// The board after a move that captures nothing but what stands on its target.
    #[inline(always)]
    pub fn after(&self, mv: Move) -> View<'a, W> {
        let (from, to) = (W::bit(mv.raw_from()), W::bit(mv.raw_to()));
        let changed = |army: Army<W>| Army {
            side: army.side,
            pieces: army.pieces & !(from | to),
            spared: army.spared & !(from | to) | if (army.spared & from).any() { to } else { W::ZERO },
        };
        View { occupied: self.occupied & !from | to, armies: self.armies.map(changed), ..*self }
    }

    /// Whether a move may do more than [`View::after`] shows.
    #[inline(always)]
    pub fn is_special(&self, mv: Move) -> bool {
        self.ripe.any() && self.ripe.has(mv.raw_to())
    }

    /// What a side may not capture that commands its own pieces alone, none of which can fill a block.
    #[inline(always)]
    pub fn spared_by_one_army(&self) -> Option<W> {
        (self.n_armies == 1 && self.ripe.is_empty()).then_some(self.armies[0].spared)
    }

    #[inline(always)]
    fn armies(&self) -> &[Army<W>] {
        &self.armies[..self.n_armies]
    }

    #[inline(always)]
    fn units(&self, side: Side) -> &'a ContestClasses<W> {
        self.contest.units(side)
    }

    #[inline(always)]
    fn board(&self, spared: W) -> PseudoLegalBoard<'a, W> {
        let Contest { tables, state, .. } = self.contest;
        PseudoLegalBoard { tables, state, occupied: self.occupied, spared }
    }

    /// Gives every move of the pieces of a class.
    #[inline(always)]
    pub fn give<S: Sink<W>, const F: u8, const PEXT: bool>(&self, class: usize, sink: &mut S) {
        for army in self.armies() {
            let units = &self.units(army.side).by_number[class];
            self.board(army.spared).emit::<S, F, PEXT>(units, army.pieces, sink);
        }
    }

    /// Where the piece of a first move may go on to; `self` is the view after that move.
    #[inline(always)]
    pub fn ends_after<const F: u8, const PEXT: bool>(&self, first: Move) -> W {
        let piece = self.contest.state.piece_on(first.raw_from());
        let army = self.armies().iter().find(|army| army.side == piece.side()).unwrap_or(&self.armies[0]);
        let units = &self.units(army.side).by_kind[piece.kind().index()];
        self.board(army.spared).targets::<F, PEXT>(units, first.raw_to())
    }

    /// The same as [`View::give`] for whoever is not compiled for the processor.
    pub fn give_slowly<S: Sink<W>>(&self, class: usize, sink: &mut S) {
        self.give::<S, { features::EVERYTHING }, false>(class, sink);
    }

    /// The same as [`View::ends_after`].
    #[inline]
    pub fn ends_after_slowly(&self, first: Move) -> W {
        self.ends_after::<{ features::EVERYTHING }, false>(first)
    }

    /// What the side to move may not capture.
    #[inline]
    pub fn spared(&self) -> W {
        self.armies[0].spared
    }

    /// Adds to a list the promotions that are a player's choice.
    pub fn add_choices(&self, list: &mut MoveList) {
        for at in 0..list.len() {
            let mv = list[at];
            if let Some(kind) = self.contest.chosen_target(mv.raw_from(), mv.raw_to()) {
                Sink::<W>::single(list, Move::promoting(mv.raw_from(), mv.raw_to(), kind));
            }
        }
    }
}

/// What the rules spare of a side's partners.
#[inline(always)]
fn spared_partners<W: Word>(contest: &Contest<W>, me: Side) -> W {
    let rule = contest.contest_rules().partner;
    if rule == PartnerCapture::All || contest.is_final() {
        return W::ZERO;
    }
    let tables = contest.contest_tables();
    let team = tables.teams[me.index() & 3];
    let partners = tables.sides().filter(|side| tables.teams[side.index() & 3] == team);
    partners.fold(W::ZERO, |all, side| {
        all | match rule {
            PartnerCapture::All => W::ZERO,
            PartnerCapture::RoyalLast => contest.royals(side),
            PartnerCapture::Last => contest.state.side(side),
        }
    })
}

/// Squares that alone are missing for a block to be full.
#[inline(always)]
fn ripe_squares<W: Word>(contest: &Contest<W>) -> W {
    let tables = contest.contest_tables();
    let units = contest.tables.sides[0].contest.as_ref();
    let fillers = units.map_or(W::ZERO, |units| units.block.pieces(&contest.state));
    // The piece that comes is one of them and stands outside.
    let n_fillers = fillers.count();
    if tables.blocks.is_empty() || n_fillers < tables.block_size {
        return W::ZERO;
    }
    // A block that lacks one square holds one of these: the rest are too few to fill it.
    let n_looked_at = (n_fillers - tables.block_size + 2) as usize;
    let mut ripe = W::ZERO;
    for square in fillers.squares().take(n_looked_at) {
        for block in tables.blocks.at(square) {
            let missing = *block & !fillers;
            if missing.any() && missing.is_single() {
                ripe |= missing;
            }
        }
    }
    ripe
}

/// Whether a move captures what stands on its target.
#[inline(always)]
pub fn captures<W: Word>(contest: &Contest<W>, mv: Move) -> bool {
    contest.state.piece(mv.raw_to()).is_some()
}
