//! The one generator of strictly legal moves.
//!
//! In: tables and a state. Out: every legal move, in bulk, to a sink. Never: looks at the board after a move to see whether
//! it was legal, except for a drop that might mate, en passant, moves of two legs, and captures that a ban may forbid.
//!
//! A piece may go anywhere its move class leads, unless that leaves its royal piece attacked. Checks and pins are found first:
//! every attack along a path has its squares between; none occupied is a check, one own piece alone is a pin. Hoppers
//! need another look at each move that touches one of their lines.

mod bans;
mod bonds;
mod drops;
mod effects;
mod pseudo_legal;
mod royal;
mod special;
mod two_legs;

use ashta_rules::{Hand, Pass, Side, Square, Target};

pub use effects::{keep_legal, touch};
pub use pseudo_legal::PseudoLegalBoard;

use crate::attack::{AttackView, LeaperScan, unmoved};
use crate::moves::Move;
use crate::promotion_choices::PromotionChoices;
use crate::sink::{AnyMove, Sink, TargetsOf};
use crate::state::State;
use crate::tables::slide_method::{LINES, ONE_GROUP, PACKED_LINES, TWO_GROUPS};
use crate::tables::{
    MergedLeaps, Method, MoveClass, MoveClasses, PromotionTable, RideClass, RuleTables, SideTables,
    SlideTable, Step, features,
};
use crate::word::{PerSquare, Word, end_of, start_of};
use bans::Capture;

/// What one generation knows of the position.
// Code that is not inlined is called on a copy: a generator whose address nobody has stays in registers.
#[derive(Clone, Copy)]
struct Generator<'a, W, const F: u8, const PEXT: bool> {
    view: AttackView<'a, W>,
    me: Side,
    us: &'a SideTables<W>,
    /// The other side; the rule of check is for two.
    them: &'a SideTables<W>,
    own: W,
    /// Ends allowed, by `Target`.
    targets: [W; 3],
    guard: Option<Guard<W>>,
    /// Whether an enemy hopper stands on a line to the royal piece.
    hoppers_aim: bool,
    /// Enemy pieces that some ban may protect: captures of these are looked at one by one, apart from all other moves.
    protected: W,
    promotions: PromotionFilter,
    /// What check, or facing royal pieces, bind the side to.
    bond: Bond<W>,
    /// Whether a side has a legal move, for drops that may not mate.
    any_move: AnyMoveGenerator<W>,
}

/// Whether there is any legal move, in a position after a drop.
// Unsafe to call on a processor that the caller is not compiled for.
pub type AnyMoveGenerator<W> = unsafe fn(&RuleTables<W>, &State<W>, &mut AnyMove);

/// Which promotions are given. A piece that becomes royal makes a second royal piece, and then no check binds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PromotionFilter {
    /// All of them.
    All,
    /// Only those that leave one royal piece.
    ToNonRoyals,
    /// Only those that make another.
    ToRoyals,
}

/// The royal piece to be kept safe, and the hoppers that aim at it.
#[derive(Clone, Copy)]
struct Guard<W> {
    royal: Square,
    /// Squares where a departure may open a hopper's way; all if one is open already.
    departures: W,
    /// Squares where an arrival may.
    arrivals: W,
}

/// What check and facing royal pieces bind a side to, in games where that is more than ending the check.
#[derive(Clone, Copy)]
struct Bond<W> {
    in_check: bool,
    /// The enemy's royal piece, which ours must no longer face, except by a pass.
    faced: Option<Square>,
    /// Where the royal piece itself may go.
    royal_ends: W,
}

impl<W: Word> Bond<W> {
    const NONE: Bond<W> = Bond { in_check: false, faced: None, royal_ends: W::ALL };
}

/// Ends of leapers.
struct LeapTargets<'a, W> {
    to: &'a PerSquare<W>,
    targets: W,
}

impl<W: Word> TargetsOf<W> for LeapTargets<'_, W> {
    #[inline(always)]
    fn of(&self, from: Square) -> W {
        *self.to.at(from) & self.targets
    }

    #[inline(always)]
    fn count_of(&self, from: Square) -> u32 {
        self.of(from).count()
    }
}

/// Ends of riders.
struct RideTargets<'a, W, const METHOD: u8> {
    slide: &'a SlideTable<W>,
    occupied: W,
    targets: W,
}

impl<W: Word, const METHOD: u8> TargetsOf<W> for RideTargets<'_, W, METHOD> {
    #[inline(always)]
    fn of(&self, from: Square) -> W {
        self.slide.reach_by::<METHOD>(from, self.occupied) & self.targets
    }

    #[inline(always)]
    fn count_of(&self, from: Square) -> u32 {
        match W::SQUARES {
            // Measured: perft of shogi and capablanca gains 2%, that of chess loses as much.
            128 => self.slide.count_by::<METHOD>(from, self.occupied, self.targets),
            _ => self.of(from).count(),
        }
    }
}

/// Gives every legal move to the sink; see `dispatch` for who calls it.
#[inline(always)]
pub fn generate_body<W: Word, S: Sink<W>, const F: u8, const PEXT: bool>(
    tables: &RuleTables<W>,
    state: &State<W>,
    any_move: AnyMoveGenerator<W>,
    sink: &mut S,
) {
    let me = state.turn();
    let (us, them) = match (F, tables.sides.as_slice()) {
        (features::EVERYTHING, sides) => {
            let us = &sides[me.index() & 3];
            (us, sides.get(1usize.wrapping_sub(me.index())).unwrap_or(us))
        }
        (_, [first, second, ..]) if me == Side::FIRST => (first, second),
        (_, [first, second, ..]) => (second, first),
        (_, _) => return,
    };
    let own = state.side(me);
    let (enemies, occupied) = match F {
        features::EVERYTHING => {
            (us.captures.iter().fold(W::ZERO, |all, side| all | state.side(*side)), state.occupied())
        }
        _ => {
            let enemies = state.side(me.other());
            (enemies, own | enemies)
        }
    };
    let empty = tables.board & !occupied;
    let view = AttackView { tables, state, occupied, attackers: enemies };
    let mut generator = Generator::<W, F, PEXT> {
        view,
        me,
        us,
        them,
        own,
        targets: [empty | enemies, empty, enemies],
        guard: None,
        hoppers_aim: false,
        protected: W::ZERO,
        promotions: PromotionFilter::All,
        bond: Bond::NONE,
        any_move,
    };
    if F == features::EVERYTHING && !us.bans.is_empty() {
        generator.protect();
    }
    if F == features::EVERYTHING && generator.is_setting_up() {
        return generator.drops(sink);
    }
    let royals = us.royal_group.pieces(state) & own;
    let guarded = F != features::EVERYTHING
        || (tables.guards_royals && tables.explosion.is_none() && royals.any() && royals.is_single());
    match guarded {
        true if F == features::EVERYTHING && tables.promotes_to_royal => {
            let targets = generator.targets;
            generator.promotions = PromotionFilter::ToNonRoyals;
            generator.guarded(royals.lowest(), sink);
            (generator.targets, generator.guard, generator.promotions) =
                (targets, None, PromotionFilter::ToRoyals);
            generator.hoppers_aim = false;
            generator.class_moves_outlined(&us.movers, own & sink.movers(), sink);
            generator.in_place(sink);
        }
        true => generator.guarded(royals.lowest(), sink),
        false => generator.unguarded(sink),
    }
}
impl<W: Word, const F: u8, const PEXT: bool> Generator<'_, W, F, PEXT> {
    #[inline(always)]
    fn them(&self) -> &SideTables<W> {
        self.them
    }

    fn is_setting_up(&self) -> bool {
        self.view.tables.rules.hand() == Hand::SetUp && self.view.state.held(self.me) != 0
    }

    #[inline(always)]
    fn guarded<S: Sink<W>>(&mut self, royal: Square, sink: &mut S) {
        // Measured: perft gains by the one, random games by the other.
        let scan = if S::ONLY_COUNTS { LeaperScan::ChecksFirst } else { LeaperScan::Together };
        let mut threats = self.view.threats::<F>(self.them(), royal, self.own, scan);
        if F == features::EVERYTHING && self.view.tables.binds_in_check {
            self.bind(royal, &mut threats);
        }
        if F != features::EVERYTHING {
            sink.on_check(threats.checkers.any());
        }
        if !S::ONLY_SOME_MOVERS || sink.movers().has(royal) {
            self.royal_moves(royal, &threats, sink);
        }
        if F == features::EVERYTHING {
            self.two_legs_and_protected(Some(royal), sink);
        }
        if sink.is_done() {
            return;
        }
        if F == features::EVERYTHING && !self.them().hoppers.is_empty() {
            self.guard_from_hoppers(royal);
        }
        // Not the bit of `royal`: a problem's attacker may have no royal piece, and then that square is off the board.
        let movers = self.own & !self.us.royal_group.pieces(self.view.state) & sink.movers();
        let is_facing = F == features::EVERYTHING && self.bond.faced.is_some();
        if threats.checkers.any() || is_facing {
            self.restrict(threats.evasions);
            if threats.evasions.is_empty() {
                return if is_facing {
                    self.pass(sink)
                };
            }
        }
        let us = self.us;
        match F == features::EVERYTHING {
            true => self.class_moves_outlined(&us.movers, movers & !threats.pinned, sink),
            false => self.class_moves(&us.movers, movers & !threats.pinned, sink),
        }
        let pinned = threats.pinned & sink.movers();
        if pinned.any() {
            let mut copy = *self;
            copy.pinned_moves(royal, pinned, sink);
        }
        self.en_passant(Some(royal), sink);
        if F & features::DROPS != 0 && !S::ONLY_TACTICAL {
            self.drops(sink);
        }
        // Standing still answers no check.
        let stands = F == features::EVERYTHING && self.may_stand_still();
        if is_facing {
            self.pass(sink);
        } else if stands && threats.checkers.is_empty() && !self.is_royal_hopped_onto(royal) {
            self.in_place(sink);
            self.pass(sink);
        }
    }

    /// Without a royal piece to keep safe every move is legal.
    #[inline(never)]
    fn unguarded<S: Sink<W>>(&mut self, sink: &mut S) {
        let us = self.us;
        for classes in [&us.movers, &us.royals] {
            self.class_moves_outlined(classes, self.own & sink.movers(), sink);
        }
        self.two_legs_and_protected(None, sink);
        self.unguarded_castlings(sink);
        self.en_passant(None, sink);
        self.drops(sink);
        self.in_place(sink);
        self.pass(sink);
    }

    /// Moves that are looked at one by one: those of two legs, and captures that a ban may forbid.
    #[inline(always)]
    fn two_legs_and_protected<S: Sink<W>>(&self, royal: Option<Square>, sink: &mut S) {
        if self.us.has_two_legs {
            { *self }.two_leg_moves(royal, sink);
        }
        if self.protected.any() {
            { *self }.captures_of_protected(royal, sink);
        }
    }

    fn may_stand_still(&self) -> bool {
        !self.us.in_place.is_empty() || self.may_pass()
    }

    fn may_pass(&self) -> bool {
        self.view.tables.rules.pass() == Pass::Allowed || self.us.has_two_legs && self.can_step_out_and_back()
    }

    fn pass<S: Sink<W>>(&self, sink: &mut S) {
        if self.may_pass() {
            sink.single(Move::PASS);
        }
    }

    /// Leaves only targets of a set.
    #[inline(always)]
    fn restrict(&mut self, to: W) {
        self.targets = self.targets.map(|targets| targets & to);
    }

    #[inline(always)]
    fn targets_for(&self, class: &MoveClass<W>) -> W {
        self.targets_of(class, &{ self.targets })
    }

    /// Where a class may go, of some targets. Indexing a copy leaves the generator itself in registers.
    #[inline(always)]
    fn targets_of(&self, class: &MoveClass<W>, targets: &[W; 3]) -> W {
        let targets = targets[class.target as usize];
        match F == features::EVERYTHING && !class.is_plain {
            true => targets & !class.spares.pieces(self.view.state),
            false => targets,
        }
    }

    #[inline(always)]
    fn pieces_of(&self, class: &MoveClass<W>, movers: W) -> W {
        let pieces = class.group.pieces(self.view.state) & movers;
        match F == features::EVERYTHING && !class.is_plain {
            true => self.unlimited(class, pieces),
            false => pieces,
        }
    }

    /// Those of some pieces that may use a class which is limited to some, or to some times.
    fn unlimited(&self, class: &MoveClass<W>, pieces: W) -> W {
        match (class.calm && self.bond.in_check, class.first_move) {
            (true, _) => W::ZERO,
            (false, true) => pieces & unmoved(self.view.tables, self.view.state),
            (false, false) => pieces,
        }
    }

    /// The same as [`Generator::class_moves`], compiled once for all who ask seldom.
    #[inline(always)]
    fn class_moves_outlined<S: Sink<W>>(&self, classes: &MoveClasses<W>, movers: W, sink: &mut S) {
        match PEXT {
            // SAFETY: `PEXT` is true only below functions chosen because the processor has these instructions. Code that is
            // not inlined into them must ask for them again: without, each PEXT is a call (xiangqi: a third slower).
            #[expect(unsafe_code, reason = "see SAFETY")]
            #[cfg_attr(
                not(target_arch = "x86_64"),
                expect(unused_unsafe, reason = "the function is safe there")
            )]
            true => unsafe { self.class_moves_bmi2(classes, movers, sink) },
            false => self.class_moves_portable(classes, movers, sink),
        }
    }

    #[inline(never)]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
    fn class_moves_bmi2<S: Sink<W>>(&self, classes: &MoveClasses<W>, movers: W, sink: &mut S) {
        self.class_moves(classes, movers, sink);
    }

    #[inline(never)]
    fn class_moves_portable<S: Sink<W>>(&self, classes: &MoveClasses<W>, movers: W, sink: &mut S) {
        self.class_moves(classes, movers, sink);
    }

    /// Moves of a set of pieces.
    #[inline(always)]
    fn class_moves<S: Sink<W>>(&self, classes: &MoveClasses<W>, movers: W, sink: &mut S) {
        if S::IS_SMALL {
            // Moves go to a sink of this scope: what nobody else can point to stays in registers. Counting through the
            // caller's reference made each piece wait for the store of the one before.
            let mut local = std::mem::take(sink);
            self.plain_moves(classes, movers, &mut local);
            *sink = local;
        } else {
            self.plain_moves(classes, movers, sink);
        }
        if F == features::EVERYTHING {
            self.special_moves(classes, movers, sink);
        }
    }

    /// Steps, leaps and rides.
    #[inline(always)]
    fn plain_moves<S: Sink<W>>(&self, classes: &MoveClasses<W>, movers: W, sink: &mut S) {
        let allowed = self.targets;
        for steps in &classes.steps {
            let targets = self.targets_of(&steps.class, &allowed);
            let pieces = self.pieces_of(&steps.class, movers);
            if S::ONLY_SOME_MOVERS && pieces.is_empty() {
                continue;
            }
            let to = self.stepped(pieces, &steps.step) & targets;
            self.emit_shifted(&steps.class, steps.step.by, to, sink);
        }
        match &self.us.merged_leaps {
            Some(merged) if F == features::DROPS && S::ONLY_COUNTS => {
                self.count_leaps(merged, movers, allowed[Target::Any as usize], sink);
            }
            _ => self.leaps(classes, movers, sink),
        }
        for rides in &classes.rides {
            if F == features::EVERYTHING && rides.only_attacks {
                continue;
            }
            let targets = self.targets_of(&rides.class, &allowed);
            let riders = self.pieces_of(&rides.class, movers);
            // The method is asked for once, and each loop is compiled for one.
            match rides.slide.method::<PEXT>() {
                Method::OneGroup => self.ride_moves::<S, ONE_GROUP>(rides, riders, targets, sink),
                Method::TwoGroups => self.ride_moves::<S, TWO_GROUPS>(rides, riders, targets, sink),
                Method::PackedLines => self.ride_moves::<S, PACKED_LINES>(rides, riders, targets, sink),
                Method::Lines => self.ride_moves::<S, LINES>(rides, riders, targets, sink),
            }
        }
    }

    #[inline(always)]
    fn leaps<S: Sink<W>>(&self, classes: &MoveClasses<W>, movers: W, sink: &mut S) {
        let allowed = self.targets;
        for leaps in &classes.leaps {
            let pieces = self.pieces_of(&leaps.class, movers);
            // Large games have many kinds of which no piece is left, or not yet one.
            if F == features::EVERYTHING && W::SQUARES > 128 && pieces.is_empty() {
                continue;
            }
            let targets = self.targets_of(&leaps.class, &allowed);
            self.emit_each(&leaps.class, pieces, &LeapTargets { to: &leaps.to, targets }, sink);
        }
    }

    /// Counts the leaps of all kinds in one loop.
    #[inline(always)]
    fn count_leaps<S: Sink<W>>(&self, merged: &MergedLeaps<W>, movers: W, allowed: W, sink: &mut S) {
        let state = self.view.state;
        let leapers = merged.leapers.pieces(state) & !merged.steppers.pieces(state) & movers;
        for from in leapers.squares() {
            let targets = merged.of(state.kind_on(from), from);
            sink.count((targets.stay & allowed).count() + (targets.promote & allowed).count());
        }
    }

    #[inline(always)]
    fn ride_moves<S: Sink<W>, const METHOD: u8>(
        &self,
        rides: &RideClass<W>,
        riders: W,
        targets: W,
        sink: &mut S,
    ) {
        let occupied = self.view.occupied;
        let targets = RideTargets::<W, METHOD> { slide: &rides.slide, occupied, targets };
        self.emit_each(&rides.class, riders, &targets, sink);
    }

    /// Whether one of these targets captures or promotes. Most pieces far from the enemy can do neither.
    #[inline(always)]
    fn may_be_tactical(&self, class: &MoveClass<W>, from: Square, targets: W) -> bool {
        let captures = (targets & self.view.attackers).any();
        let may_become =
            |promotion: &PromotionTable<W>| promotion.may_become::<F>(from, targets, self.view.state);
        captures || class.promotion.as_ref().is_some_and(may_become)
    }

    #[inline(always)]
    fn stepped(&self, pieces: W, step: &Step<W>) -> W {
        match step.over {
            0 => (pieces & step.from).moved(step.by),
            over => ((pieces & step.from).moved(over) & !self.view.occupied).moved(step.by - over),
        }
    }

    /// Gives the moves of one piece.
    #[inline(always)]
    fn emit<S: Sink<W>>(&self, class: &MoveClass<W>, from: Square, targets: W, sink: &mut S) {
        let targets = if F == features::EVERYTHING { self.safe_from_hoppers(from, targets) } else { targets };
        match &class.promotion {
            None if F == features::EVERYTHING && self.promotions == PromotionFilter::ToRoyals => {}
            None => sink.moves(from, targets),
            // Most pieces are far from where they promote.
            Some(promotion)
                if F == features::EVERYTHING
                    && self.promotions == PromotionFilter::All
                    && promotion.is_out_of_reach(from, targets) =>
            {
                sink.moves(from, targets);
            }
            Some(promotion) => {
                let view = self.allowed_of(promotion.view::<F>(from, self.view.state));
                sink.promoting(from, targets, &view);
            }
        }
    }

    /// Gives the moves of each piece of a set.
    #[inline(always)]
    fn emit_each<S: Sink<W>>(
        &self,
        class: &MoveClass<W>,
        movers: W,
        targets: &impl TargetsOf<W>,
        sink: &mut S,
    ) {
        if F == features::EVERYTHING || S::ONLY_TACTICAL {
            for from in movers.squares() {
                let targets = targets.of(from);
                if !S::ONLY_TACTICAL || self.may_be_tactical(class, from, targets) {
                    self.emit(class, from, targets, sink);
                }
            }
            return;
        }
        match &class.promotion {
            None => sink.moves_of_each(movers, targets),
            Some(promotion) => sink.promoting_of_each(movers, targets, promotion, self.view.state),
        }
    }

    /// Leaves out the promotions that are not given now.
    #[inline(always)]
    fn allowed_of<'v>(&self, view: PromotionChoices<'v, W>) -> PromotionChoices<'v, W> {
        match self.promotions {
            PromotionFilter::ToNonRoyals if F == features::EVERYTHING => view.only_to_non_royals(),
            PromotionFilter::ToRoyals if F == features::EVERYTHING => view.only_to_royals(),
            _ => view,
        }
    }

    /// Emits moves of several pieces, all by the same shift.
    #[inline(always)]
    fn emit_shifted<S: Sink<W>>(&self, class: &MoveClass<W>, by: i32, targets: W, sink: &mut S) {
        if F == features::EVERYTHING && self.is_one_by_one(class, by, targets) {
            for to in targets.squares() {
                self.emit(class, start_of(to, by), W::bit(to), sink);
            }
            return;
        }
        match &class.promotion {
            None => sink.shifted(by, targets),
            Some(promotion) => {
                let view = promotion.view_of_all::<F>(self.view.state);
                sink.shifted_promoting(by, targets, &view);
            }
        }
    }

    /// Whether moves by the same shift must be looked at one by one.
    #[inline(always)]
    fn is_one_by_one(&self, class: &MoveClass<W>, by: i32, targets: W) -> bool {
        let touches =
            |guard: Guard<W>| ((targets & guard.arrivals) | (targets.moved(-by) & guard.departures)).any();
        // Promotions among hoppers are given piece by piece: the order of moves is part of what a seed stands for.
        (class.promotion.is_some() && self.hoppers_aim)
            || self.promotions != PromotionFilter::All
            || self.guard.is_some_and(touches)
    }

    // Few positions have pins; inlined, it takes registers from the others.
    #[inline(never)]
    fn pinned_moves<S: Sink<W>>(&mut self, royal: Square, pinned: W, sink: &mut S) {
        let targets = self.targets;
        let us = self.us;
        for man in pinned.squares() {
            self.restrict(self.view.pinned_line::<F>(self.them(), royal, man));
            self.class_moves_outlined(&us.movers, W::bit(man), sink);
            self.targets = targets;
        }
    }

    #[inline(always)]
    fn en_passant<S: Sink<W>>(&self, royal: Option<Square>, sink: &mut S) {
        if let Some(passed) = self.view.state.en_passant() {
            let copy = *self;
            copy.en_passant_on(passed, royal, sink);
        }
    }

    #[inline(never)]
    fn en_passant_on<S: Sink<W>>(&self, passed: Square, royal: Option<Square>, sink: &mut S) {
        let Some(victim) = self.passer(passed) else { return };
        let us = self.us;
        for passing in &us.passing {
            let pieces = *passing.from.at(passed) & passing.group.pieces(self.view.state) & self.own;
            for from in pieces.squares() {
                let gone = W::bit(victim);
                let occupied = self.view.occupied & !(gone | W::bit(from)) | W::bit(passed);
                let after = AttackView { occupied, attackers: self.view.attackers & !gone, ..self.view };
                let is_safe =
                    |royal| !after.is_attacked::<F>(self.them(), royal) && !self.still_faces(royal, occupied);
                let legal = royal.is_none_or(is_safe);
                let capture = Capture { from, victim, on_way: None, is_last: true };
                if legal && !self.is_banned(capture) {
                    sink.single(Move::en_passant(from, passed, victim));
                }
            }
        }
    }

    /// The piece that has just passed over a square: the first one beyond it, as its side moves.
    fn passer(&self, passed: Square) -> Option<Square> {
        let n_sides = self.view.tables.sides.len() as u8;
        let side = Side((self.me.0 + n_sides - 1) % n_sides);
        let forward = self.view.tables.sides[side.index() & 3].forward;
        let beyond = end_of(passed, forward)?;
        self.view.state.side(side).has(beyond).then_some(beyond)
    }

    /// Promotions of pieces that stay where they are.
    fn in_place<S: Sink<W>>(&self, sink: &mut S) {
        let us = self.us;
        for (group, promotion) in &us.in_place {
            let pieces = group.pieces(self.view.state) & self.own & promotion.zone();
            for from in pieces.squares() {
                let view = self.allowed_of(promotion.view::<F>(from, self.view.state));
                if view.become_other.has(from) {
                    for kind in view.kinds(from) {
                        sink.single(Move::promoting(from, from, kind));
                    }
                }
            }
        }
    }
}
