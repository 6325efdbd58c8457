//! The one generator of strictly legal moves.
//!
//! In: tables and a state. Out: every legal move, in bulk, to a sink. Never: plays a move to see whether it was legal,
//! except to judge a drop that might mate and an en passant capture.
//!
//! A man may go anywhere its unit leads, unless that leaves its royal piece attacked. Checks and pins are found first:
//! every attack along a path has its squares between; none occupied is a check, one own man alone is a pin. Hoppers
//! need another look at each move that touches one of their lines.

mod drops;
mod free;
mod rare;
mod royal;

use ashta_rules::{Hand, Pass};

pub use free::FreeBoard;

use crate::attack::{Scene, unmoved};
use crate::moves::Move;
use crate::sink::{EndsOf, Sink};
use crate::state::State;
use crate::tables::slide_method::{LINES, ONE_GROUP, TWO_GROUPS};
use crate::tables::{Method, Promotion, Rides, SideTables, Slide, Step, Tables, Unit, Units, View, features};
use crate::word::{PerSquare, Word};

/// What one generation knows of the position.
struct Generator<'a, W, const F: u8, const GATHERS: bool> {
    scene: Scene<'a, W>,
    me: u8,
    us: &'a SideTables<W>,
    own: W,
    /// Ends allowed, by `Target`.
    ends: [W; 3],
    guard: Option<Guard<W>>,
    promotions: Promotions,
}

/// Which promotions are given. A man that becomes royal makes a second royal piece, and then no check binds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Promotions {
    /// All of them.
    All,
    /// Only those that leave one royal piece.
    ToMen,
    /// Only those that make another.
    ToRoyals,
}

/// The royal piece to be kept safe, and the hoppers that aim at it.
#[derive(Clone, Copy)]
struct Guard<W> {
    royal: u8,
    /// Squares where an arrival or a departure may open a hopper's way; all if it is open already.
    touchy: W,
}

/// Ends of leapers.
struct LeapEnds<'a, W> {
    to: &'a PerSquare<W>,
    ends: W,
}

impl<W: Word> EndsOf<W> for LeapEnds<'_, W> {
    #[inline(always)]
    fn of(&self, from: u8) -> W {
        *self.to.at(from) & self.ends
    }
}

/// Ends of riders.
struct RideEnds<'a, W, const METHOD: u8> {
    slide: &'a Slide<W>,
    occupied: W,
    ends: W,
}

impl<W: Word, const METHOD: u8> EndsOf<W> for RideEnds<'_, W, METHOD> {
    #[inline(always)]
    fn of(&self, from: u8) -> W {
        self.slide.reach_by::<METHOD>(from, self.occupied) & self.ends
    }
}

/// Gives every legal move to the sink; see `dispatch` for who calls it.
#[inline(always)]
pub fn generate_body<W: Word, S: Sink<W>, const F: u8, const GATHERS: bool>(
    tables: &Tables<W>,
    state: &State<W>,
    sink: &mut S,
) {
    let me = state.turn();
    let us = &tables.sides[me as usize & 3];
    let own = state.side(me);
    let (enemies, occupied) = match F {
        features::EVERYTHING => {
            (us.captures.iter().fold(W::ZERO, |all, side| all | state.side(*side as u8)), state.occupied())
        }
        _ => {
            let enemies = state.side(1 - me);
            (enemies, own | enemies)
        }
    };
    let empty = tables.board & !occupied;
    let scene = Scene { tables, state, occupied, attackers: enemies };
    let mut generator = Generator::<W, F, GATHERS> {
        scene,
        me,
        us,
        own,
        ends: [empty | enemies, empty, enemies],
        guard: None,
        promotions: Promotions::All,
    };
    if F == features::EVERYTHING && generator.is_setting_up() {
        return generator.drops(sink);
    }
    let royals = us.royal_group.pieces(state) & own;
    let guarded = F != features::EVERYTHING || (tables.guards_royals && royals.any() && royals.is_single());
    match guarded {
        true if F == features::EVERYTHING && tables.promotes_to_royal => {
            let ends = generator.ends;
            generator.promotions = Promotions::ToMen;
            generator.guarded(royals.lowest(), sink);
            (generator.ends, generator.guard, generator.promotions) = (ends, None, Promotions::ToRoyals);
            generator.unit_moves_apart(&us.men, own & sink.men(), sink);
            generator.in_place(sink);
        }
        true => generator.guarded(royals.lowest(), sink),
        false => generator.unguarded(sink),
    }
}
impl<W: Word, const F: u8, const GATHERS: bool> Generator<'_, W, F, GATHERS> {
    /// The other side; the rule of check is for two.
    #[inline(always)]
    fn them(&self) -> &SideTables<W> {
        &self.scene.tables.sides[(1 - self.me) as usize & 3]
    }

    fn is_setting_up(&self) -> bool {
        self.scene.tables.rules.hand() == Hand::SetUp && self.scene.state.held(self.me) != 0
    }

    #[inline(always)]
    fn guarded<S: Sink<W>>(&mut self, royal: u8, sink: &mut S) {
        let threats = self.scene.threats::<F>(self.them(), royal, self.own);
        if F != features::EVERYTHING {
            sink.told_of_check(threats.checkers.any());
        }
        if F == features::EVERYTHING {
            let touchy = self.touchy_squares(royal);
            self.guard = touchy.any().then_some(Guard { royal, touchy });
        }
        if !S::ONLY_SOME_MEN || sink.men().has(royal) {
            self.royal_moves(royal, &threats, sink);
        }
        if sink.is_done() {
            return;
        }
        // Not the bit of `royal`: a problem's attacker may have no royal piece, and then that square is off the board.
        let men = self.own & !self.us.royal_group.pieces(self.scene.state) & sink.men();
        if threats.checkers.any() {
            self.restrict(threats.answers);
            if threats.answers.is_empty() {
                return;
            }
        }
        let us = self.us;
        self.unit_moves(&us.men, men & !threats.pinned, sink);
        let pinned = threats.pinned & sink.men();
        if pinned.any() {
            self.pinned_moves(royal, pinned, sink);
        }
        self.en_passant(Some(royal), sink);
        if F & features::DROPS != 0 && !S::ONLY_EXCHANGES {
            self.drops(sink);
        }
        // Standing still answers no check.
        let stands = F == features::EVERYTHING && self.may_stand_still();
        if stands && threats.checkers.is_empty() && !self.is_royal_hopped_onto(royal) {
            self.in_place(sink);
            self.pass(sink);
        }
    }

    /// Without a royal piece to keep safe every move is legal.
    fn unguarded<S: Sink<W>>(&mut self, sink: &mut S) {
        let us = self.us;
        for units in [&us.men, &us.royals] {
            self.unit_moves(units, self.own & sink.men(), sink);
        }
        self.unguarded_castlings(sink);
        self.en_passant(None, sink);
        self.drops(sink);
        self.in_place(sink);
        self.pass(sink);
    }

    fn may_stand_still(&self) -> bool {
        !self.us.in_place.is_empty() || self.scene.tables.rules.pass() == Pass::Allowed
    }

    fn pass<S: Sink<W>>(&self, sink: &mut S) {
        if self.scene.tables.rules.pass() == Pass::Allowed {
            sink.single(Move::PASS);
        }
    }

    /// Leaves only ends of a set.
    #[inline(always)]
    fn restrict(&mut self, to: W) {
        self.ends = self.ends.map(|ends| ends & to);
    }

    #[inline(always)]
    fn ends_for(&self, unit: &Unit<W>) -> W {
        let ends = self.ends[unit.target as usize];
        match F == features::EVERYTHING {
            true => ends & !unit.spares.pieces(self.scene.state),
            false => ends,
        }
    }

    #[inline(always)]
    fn pieces_of(&self, unit: &Unit<W>, men: W) -> W {
        let pieces = unit.group.pieces(self.scene.state) & men;
        match F == features::EVERYTHING && unit.first_move {
            true => pieces & unmoved(self.scene.tables, self.scene.state),
            false => pieces,
        }
    }

    /// The same as [`Generator::unit_moves`], compiled once for all who ask seldom.
    #[inline(never)]
    fn unit_moves_apart<S: Sink<W>>(&self, units: &Units<W>, men: W, sink: &mut S) {
        self.unit_moves(units, men, sink);
    }

    /// Moves of all men of a set.
    #[inline(always)]
    fn unit_moves<S: Sink<W>>(&self, units: &Units<W>, men: W, sink: &mut S) {
        // Moves go to a sink of this scope: what nobody else can point to stays in registers. Counting through the
        // caller's reference made each piece wait for the store of the one before.
        let mut local = std::mem::take(sink);
        for steps in &units.steps {
            let ends = self.ends_for(&steps.unit);
            let pieces = self.pieces_of(&steps.unit, men);
            if S::ONLY_SOME_MEN && pieces.is_empty() {
                continue;
            }
            let to = self.stepped(pieces, &steps.step) & ends;
            self.give_shifted(&steps.unit, steps.step.by, to, &mut local);
        }
        for leaps in &units.leaps {
            let ends = self.ends_for(&leaps.unit);
            let pieces = self.pieces_of(&leaps.unit, men);
            self.give_each(&leaps.unit, pieces, &LeapEnds { to: &leaps.to, ends }, &mut local);
        }
        for rides in &units.rides {
            if F == features::EVERYTHING && rides.only_attacks {
                continue;
            }
            let ends = self.ends_for(&rides.unit);
            let riders = self.pieces_of(&rides.unit, men);
            // The method is asked for once, and each loop is compiled for one.
            match rides.slide.method::<GATHERS>() {
                Method::OneGroup => self.ride_moves::<S, ONE_GROUP>(rides, riders, ends, &mut local),
                Method::TwoGroups => self.ride_moves::<S, TWO_GROUPS>(rides, riders, ends, &mut local),
                Method::Lines => self.ride_moves::<S, LINES>(rides, riders, ends, &mut local),
            }
        }
        *sink = local;
        if F == features::EVERYTHING {
            self.rare_moves(units, men, sink);
        }
    }

    #[inline(always)]
    fn ride_moves<S: Sink<W>, const METHOD: u8>(&self, rides: &Rides<W>, riders: W, ends: W, sink: &mut S) {
        let occupied = self.scene.occupied;
        let ends = RideEnds::<W, METHOD> { slide: &rides.slide, occupied, ends };
        self.give_each(&rides.unit, riders, &ends, sink);
    }

    /// Whether one of these ends may capture or promote. Most men far from the others can do neither.
    #[inline(always)]
    fn may_exchange(&self, unit: &Unit<W>, from: u8, ends: W) -> bool {
        let captures = (ends & self.scene.attackers).any();
        let may_become = |promotion: &Promotion<W>| promotion.may_become(from, ends, self.scene.state);
        captures || unit.promotion.as_ref().is_some_and(may_become)
    }

    #[inline(always)]
    fn stepped(&self, pieces: W, step: &Step<W>) -> W {
        match step.over {
            0 => (pieces & step.from).moved(step.by),
            over => ((pieces & step.from).moved(over) & !self.scene.occupied).moved(step.by - over),
        }
    }

    /// Gives the moves of one man.
    #[inline(always)]
    fn give<S: Sink<W>>(&self, unit: &Unit<W>, from: u8, ends: W, sink: &mut S) {
        let ends = if F == features::EVERYTHING { self.safe_from_hoppers(from, ends) } else { ends };
        match &unit.promotion {
            None if F == features::EVERYTHING && self.promotions == Promotions::ToRoyals => {}
            None => sink.moves(from, ends),
            Some(promotion) => {
                let view = self.allowed_of(promotion.view::<F>(from, self.scene.state));
                sink.promoting(from, ends, &view);
            }
        }
    }

    /// Gives the moves of each man of a set.
    #[inline(always)]
    fn give_each<S: Sink<W>>(&self, unit: &Unit<W>, men: W, ends: &impl EndsOf<W>, sink: &mut S) {
        if F == features::EVERYTHING || S::ONLY_EXCHANGES {
            for from in men.squares() {
                let ends = ends.of(from);
                if !S::ONLY_EXCHANGES || self.may_exchange(unit, from, ends) {
                    self.give(unit, from, ends, sink);
                }
            }
            return;
        }
        match &unit.promotion {
            None => sink.moves_of_each(men, ends),
            Some(promotion) => sink.promoting_of_each(men, ends, promotion, self.scene.state),
        }
    }

    /// Leaves out the promotions that are not given now.
    #[inline(always)]
    fn allowed_of<'v>(&self, view: View<'v, W>) -> View<'v, W> {
        match self.promotions {
            Promotions::ToMen if F == features::EVERYTHING => view.only_to_men(),
            Promotions::ToRoyals if F == features::EVERYTHING => view.only_to_royals(),
            _ => view,
        }
    }

    /// Gives moves of several men, all by the same number of squares.
    #[inline(always)]
    fn give_shifted<S: Sink<W>>(&self, unit: &Unit<W>, by: i32, ends: W, sink: &mut S) {
        if F == features::EVERYTHING && (self.guard.is_some() || self.promotions != Promotions::All) {
            for to in ends.squares() {
                self.give(unit, (i32::from(to) - by) as u8, W::bit(to), sink);
            }
            return;
        }
        match &unit.promotion {
            None => sink.shifted(by, ends),
            Some(promotion) => {
                let view = promotion.view_of_all::<F>(self.scene.state);
                sink.shifted_promoting(by, ends, &view);
            }
        }
    }

    fn pinned_moves<S: Sink<W>>(&mut self, royal: u8, pinned: W, sink: &mut S) {
        let ends = self.ends;
        let us = self.us;
        for man in pinned.squares() {
            self.restrict(self.scene.pinned_line::<F>(self.them(), royal, man));
            match F == features::EVERYTHING {
                true => self.unit_moves_apart(&us.men, W::bit(man), sink),
                false => self.unit_moves(&us.men, W::bit(man), sink),
            }
            self.ends = ends;
        }
    }

    #[inline(always)]
    fn en_passant<S: Sink<W>>(&self, royal: Option<u8>, sink: &mut S) {
        if let Some(passed) = self.scene.state.en_passant() {
            self.en_passant_on(passed, royal, sink);
        }
    }

    #[inline(never)]
    fn en_passant_on<S: Sink<W>>(&self, passed: u8, royal: Option<u8>, sink: &mut S) {
        let Some(victim) = self.passer(passed) else { return };
        let us = self.us;
        for passing in &us.passing {
            let pieces = *passing.from.at(passed) & passing.group.pieces(self.scene.state) & self.own;
            for from in pieces.squares() {
                let gone = W::bit(victim);
                let occupied = self.scene.occupied & !(gone | W::bit(from)) | W::bit(passed);
                let after = Scene { occupied, attackers: self.scene.attackers & !gone, ..self.scene };
                let legal = royal.is_none_or(|royal| !after.is_attacked::<F>(self.them(), royal));
                if legal {
                    sink.single(Move::en_passant(from, passed, victim));
                }
            }
        }
    }

    /// The piece that has just passed over a square: the first one beyond it, as its side moves.
    fn passer(&self, passed: u8) -> Option<u8> {
        let n_sides = self.scene.tables.sides.len() as u8;
        let side = (self.me + n_sides - 1) % n_sides;
        let forward = self.scene.tables.sides[side as usize & 3].forward;
        let beyond = u8::try_from(i32::from(passed) + forward).ok()?;
        self.scene.state.side(side).has(beyond).then_some(beyond)
    }

    /// Promotions of pieces that stay where they are.
    fn in_place<S: Sink<W>>(&self, sink: &mut S) {
        let us = self.us;
        for (group, promotion) in &us.in_place {
            let pieces = group.pieces(self.scene.state) & self.own & promotion.zone();
            for from in pieces.squares() {
                let view = self.allowed_of(promotion.view::<F>(from, self.scene.state));
                if view.become_other.has(from) {
                    for kind in view.kinds(from) {
                        sink.single(Move::promoting(from, from, kind));
                    }
                }
            }
        }
    }
}
