//! The one generator of strictly legal moves.
//!
//! In: tables and a state. Out: every legal move, in bulk, to a sink. Never: plays a move to see whether it was legal,
//! except to judge a drop that might mate and an en passant capture.
//!
//! A man may go anywhere its unit leads, unless that leaves its royal piece attacked. Checks and pins are found first:
//! every attack along a path has its squares between; none occupied is a check, one own man alone is a pin. Hoppers
//! need another look at each move that touches one of their lines.

use ashta_rules::{Hand, Pass, Target};

use crate::attack::{Scene, Threats, unmoved};
use crate::dispatch;
use crate::moves::Move;
use crate::sink::{Any, Sink};
use crate::state::{State, kind_of};
use crate::tables::{BentWay, Hops, NoMate, SideTables, Step, Tables, Unit, Units, features};
use crate::word::Word;

/// Candidate squares of the royal piece up to which each is looked at alone; for more, all dangers are mapped at once.
const FEW_ROYAL_MOVES: u32 = 3;

/// What one generation knows of the position.
struct Generator<'a, W, S, const F: u8, const GATHERS: bool> {
    scene: Scene<'a, W>,
    me: u8,
    us: &'a SideTables<W>,
    own: W,
    /// Ends allowed by target: any, empty, capture.
    any: W,
    empty: W,
    captures: W,
    guard: Option<Guard<W>>,
    sink: &'a mut S,
}

/// The royal piece to be kept safe, and the hoppers that aim at it.
#[derive(Clone, Copy)]
struct Guard<W> {
    royal: u8,
    /// Squares where an arrival or a departure may open a hopper's way; all if it is open already.
    touchy: W,
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
    let mut generator = Generator::<W, S, F, GATHERS> {
        scene,
        me,
        us,
        own,
        any: empty | enemies,
        empty,
        captures: enemies,
        guard: None,
        sink,
    };
    if F == features::EVERYTHING && generator.is_setting_up() {
        return generator.drops();
    }
    let royals = us.royal_classes.pieces(state) & own;
    let guarded = F != features::EVERYTHING || (tables.guards_royals && royals.any() && royals.is_single());
    match guarded {
        true => generator.guarded(royals.lowest()),
        false => generator.unguarded(),
    }
}

impl<W: Word, S: Sink<W>, const F: u8, const GATHERS: bool> Generator<'_, W, S, F, GATHERS> {
    /// The other side; the rule of check is for two.
    #[inline(always)]
    fn them(&self) -> &SideTables<W> {
        &self.scene.tables.sides[(1 - self.me) as usize & 3]
    }

    fn is_setting_up(&self) -> bool {
        self.scene.tables.rules.hand() == Hand::SetUp && self.scene.state.held(self.me) != 0
    }

    #[inline(always)]
    fn guarded(&mut self, royal: u8) {
        let threats = self.scene.threats::<F>(self.them(), royal, self.own);
        if F == features::EVERYTHING {
            self.guard = Some(Guard { royal, touchy: self.touchy_squares(royal) });
        }
        self.royal_moves(royal);
        if self.sink.is_done() {
            return;
        }
        let men = self.own & !W::bit(royal);
        if threats.checkers.is_empty() {
            self.castlings(royal);
        } else if threats.checkers.is_single() {
            self.any &= threats.answers;
            self.empty &= threats.answers;
            self.captures &= threats.answers;
        } else {
            return;
        }
        self.men_moves(men & !threats.pinned);
        if threats.pinned.any() {
            self.pinned_moves(royal, &threats);
        }
        self.en_passant(Some(royal));
        if F & features::DROPS != 0 {
            self.drops();
        }
        if F == features::EVERYTHING {
            self.in_place();
            let in_check = threats.checkers.any() || self.is_royal_hopped_onto(royal);
            if self.scene.tables.rules.pass() == Pass::Allowed && !in_check {
                self.sink.single(Move::PASS);
            }
        }
    }

    /// Without a royal piece to keep safe every move is legal.
    fn unguarded(&mut self) {
        self.men_moves(self.own);
        let us = self.us;
        self.unit_moves(&us.royals, self.own);
        self.en_passant(None);
        self.drops();
        self.in_place();
        if self.scene.tables.rules.pass() == Pass::Allowed {
            self.sink.single(Move::PASS);
        }
    }

    #[inline(always)]
    fn men_moves(&mut self, men: W) {
        let us = self.us;
        self.unit_moves(&us.men, men);
    }

    #[inline(always)]
    fn ends_for(&self, unit: &Unit<W>) -> W {
        let ends = match unit.target {
            Target::Any => self.any,
            Target::Empty => self.empty,
            Target::Capture => self.captures,
        };
        match F == features::EVERYTHING && !unit.spares.is_empty() {
            true => ends & !unit.spares.pieces(self.scene.state),
            false => ends,
        }
    }

    #[inline(always)]
    fn pieces_of(&self, unit: &Unit<W>, men: W) -> W {
        let pieces = unit.classes.pieces(self.scene.state) & men;
        match F == features::EVERYTHING && unit.first_move {
            true => pieces & unmoved(self.scene.tables, self.scene.state),
            false => pieces,
        }
    }

    /// Moves of all men of a set.
    #[inline(always)]
    fn unit_moves(&mut self, units: &Units<W>, men: W) {
        for steps in &units.steps {
            let ends = self.ends_for(&steps.unit);
            let pieces = self.pieces_of(&steps.unit, men);
            for step in &steps.steps {
                let to = self.stepped(pieces, step) & ends;
                self.give_shifted(&steps.unit, step.by, to);
            }
        }
        for leaps in &units.leaps {
            let ends = self.ends_for(&leaps.unit);
            for from in self.pieces_of(&leaps.unit, men).squares() {
                self.give(&leaps.unit, from, *leaps.to.at(from) & ends);
            }
        }
        for rides in &units.rides {
            if F == features::EVERYTHING && rides.only_attacks {
                continue;
            }
            let ends = self.ends_for(&rides.unit);
            for from in self.pieces_of(&rides.unit, men).squares() {
                let reach = rides.slide.reach::<GATHERS>(from, self.scene.occupied);
                self.give(&rides.unit, from, reach & ends);
            }
        }
        if F == features::EVERYTHING {
            self.rare_moves(units, men);
        }
    }

    #[inline(always)]
    fn stepped(&self, pieces: W, step: &Step<W>) -> W {
        match step.over {
            0 => (pieces & step.from).moved(step.by),
            over => ((pieces & step.from).moved(over) & !self.scene.occupied).moved(step.by - over),
        }
    }

    /// Lame leapers, hoppers and bent riders.
    fn rare_moves(&mut self, units: &Units<W>, men: W) {
        let occupied = self.scene.occupied;
        for lames in &units.lames {
            let ends = self.ends_for(&lames.unit);
            for from in self.pieces_of(&lames.unit, men).squares() {
                let open = lames.ways.at(from).iter().filter(|(way, _)| (*way & occupied).is_empty());
                let to = open.fold(W::ZERO, |all, (_, ends)| all | *ends);
                self.give(&lames.unit, from, to & ends);
            }
        }
        for hops in &units.hops {
            let ends = self.ends_for(&hops.unit);
            for from in self.pieces_of(&hops.unit, men).squares() {
                let to = self.hop_ends(hops, from) & ends;
                self.give(&hops.unit, from, to);
            }
        }
        for bents in &units.bents {
            let ends = self.ends_for(&bents.unit);
            for from in self.pieces_of(&bents.unit, men).squares() {
                let to = bent_ends(bents.ways.at(from), occupied) & ends;
                self.give(&bents.unit, from, to);
            }
        }
    }

    fn hop_ends(&self, hops: &Hops<W>, from: u8) -> W {
        let mut ends = W::ZERO;
        for (to, way) in hops.ways.at(from) {
            let hurdles = *way & self.scene.occupied;
            if hurdles.any() && hurdles.is_single() {
                let kind = kind_of(self.scene.state.piece(hurdles.lowest()));
                if hops.not_over >> kind & 1 == 0 {
                    ends |= W::bit(*to);
                }
            }
        }
        ends
    }

    /// Gives the moves of one man.
    #[inline(always)]
    fn give(&mut self, unit: &Unit<W>, from: u8, ends: W) {
        let ends = if F == features::EVERYTHING { self.safe_from_hoppers(from, ends) } else { ends };
        match &unit.promotion {
            None => self.sink.moves(from, ends),
            Some(promotion) => {
                let view = promotion.view::<F>(from, self.scene.state);
                self.sink.promoting(from, ends, &view);
            }
        }
    }

    /// Gives moves of several men, all by the same number of squares.
    #[inline(always)]
    fn give_shifted(&mut self, unit: &Unit<W>, by: i32, ends: W) {
        if F == features::EVERYTHING && self.guard.is_some_and(|guard| guard.touchy.any()) {
            for to in ends.squares() {
                self.give(unit, (i32::from(to) - by) as u8, W::bit(to));
            }
            return;
        }
        match &unit.promotion {
            None => self.sink.shifted(by, ends),
            Some(promotion) => {
                let view = promotion.view_of_all::<F>(self.scene.state);
                self.sink.shifted_promoting(by, ends, &view);
            }
        }
    }

    fn pinned_moves(&mut self, royal: u8, threats: &Threats<W>) {
        let (any, empty, captures) = (self.any, self.empty, self.captures);
        let us = self.us;
        for man in threats.pinned.squares() {
            let line = self.scene.pinned_line(self.them(), royal, man);
            (self.any, self.empty, self.captures) = (any & line, empty & line, captures & line);
            self.unit_moves(&us.men, W::bit(man));
        }
        (self.any, self.empty, self.captures) = (any, empty, captures);
    }

    #[inline(always)]
    fn royal_moves(&mut self, royal: u8) {
        let us = self.us;
        if F == features::EVERYTHING {
            return self.royal_moves_of_any_sort(royal);
        }
        let scene = Scene { occupied: self.scene.occupied ^ W::bit(royal), ..self.scene };
        for leaps in &us.royals.leaps {
            let mut ends = *leaps.to.at(royal) & self.ends_for(&leaps.unit);
            if ends.is_empty() {
                continue;
            }
            if ends.count() <= FEW_ROYAL_MOVES {
                for to in ends.squares() {
                    if scene.is_attacked::<F>(self.them(), to) {
                        ends ^= W::bit(to);
                    }
                }
            } else {
                ends &= !scene.danger::<F, GATHERS>(self.them());
            }
            self.sink.moves(royal, ends);
        }
        for rides in us.royals.rides.iter().filter(|rides| !rides.only_attacks) {
            let ends = rides.slide.reach::<GATHERS>(royal, self.scene.occupied) & self.ends_for(&rides.unit);
            let unsafe_ends = ends.squares().filter(|to| scene.is_attacked::<F>(self.them(), *to));
            let ends = unsafe_ends.fold(ends, |ends, to| ends ^ W::bit(to));
            self.sink.moves(royal, ends);
        }
    }

    fn royal_moves_of_any_sort(&mut self, royal: u8) {
        let us = self.us;
        let guard = self.guard.take();
        let (any, empty, captures) = (self.any, self.empty, self.captures);
        let scene = Scene { occupied: self.scene.occupied ^ W::bit(royal), ..self.scene };
        let mut safe = W::ZERO;
        for to in self.royal_reach(royal).squares() {
            let scene = Scene { attackers: scene.attackers & !W::bit(to), ..scene };
            if !scene.is_attacked::<F>(self.them(), to) {
                safe |= W::bit(to);
            }
        }
        (self.any, self.empty, self.captures) = (any & safe, empty & safe, captures & safe);
        self.unit_moves(&us.royals, W::bit(royal));
        (self.any, self.empty, self.captures) = (any, empty, captures);
        self.guard = guard;
    }

    /// Squares that the royal piece might go to, a little too many.
    fn royal_reach(&self, royal: u8) -> W {
        let units = &self.us.royals;
        let occupied = self.scene.occupied;
        let mut reach = units.leaps.iter().fold(W::ZERO, |all, leaps| all | *leaps.to.at(royal));
        for rides in units.rides.iter().filter(|rides| !rides.only_attacks) {
            reach |= rides.slide.reach::<GATHERS>(royal, occupied);
        }
        for lames in &units.lames {
            reach |= lames.ways.at(royal).iter().fold(W::ZERO, |all, (_, ends)| all | *ends);
        }
        for hops in &units.hops {
            reach |= self.hop_ends(hops, royal);
        }
        for bents in &units.bents {
            reach |= bent_ends(bents.ways.at(royal), occupied);
        }
        reach & self.any
    }

    #[inline(always)]
    fn castlings(&mut self, royal: u8) {
        let us = self.us;
        let scene = Scene { occupied: self.scene.occupied ^ W::bit(royal), ..self.scene };
        for (n, castling) in us.castlings.iter().enumerate() {
            let may = self.scene.state.rights() & castling.right != 0
                && castling.royal.0 == royal
                && (castling.empty & self.scene.occupied).is_empty();
            if may && !castling.safe.iter().any(|square| scene.is_attacked::<F>(self.them(), *square)) {
                // The partner leaves its square too: a hidden attack along the first rank opens only then.
                let partner = W::bit(castling.partner.0);
                let after = Scene { occupied: scene.occupied & !partner | W::bit(castling.partner.1), ..scene };
                if !after.is_attacked::<F>(self.them(), castling.royal.1) {
                    self.sink.single(Move::castle(castling.royal.0, castling.royal.1, n as u8));
                }
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, royal: Option<u8>) {
        if let Some(passed) = self.scene.state.en_passant() {
            self.en_passant_on(passed, royal);
        }
    }

    #[inline(never)]
    fn en_passant_on(&mut self, passed: u8, royal: Option<u8>) {
        let Some(victim) = self.passer(passed) else { return };
        let us = self.us;
        for passing in &us.passing {
            let pieces = *passing.from.at(passed) & passing.classes.pieces(self.scene.state) & self.own;
            for from in pieces.squares() {
                let gone = W::bit(victim);
                let occupied = self.scene.occupied & !(gone | W::bit(from)) | W::bit(passed);
                let after = Scene { occupied, attackers: self.scene.attackers & !gone, ..self.scene };
                let legal = royal.is_none_or(|royal| !after.is_attacked::<F>(self.them(), royal));
                if legal {
                    self.sink.single(Move::en_passant(from, passed, victim));
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

    #[inline(always)]
    fn drops(&mut self) {
        let state = self.scene.state;
        let held = state.held(self.me);
        if held == 0 {
            return;
        }
        let us = self.us;
        let kinds = &self.scene.tables.hand_kinds;
        for table in &us.drops {
            let slots = table.slots & held;
            if slots == 0 {
                continue;
            }
            let mut ends = table.squares & self.empty;
            if let Some((limit, class)) = table.per_file {
                ends &= !self.full_files(state.class(class) & self.own, limit);
            }
            if let Some(no_mate) = &table.no_mate {
                ends = self.without_mates(no_mate, ends);
            }
            if F == features::EVERYTHING {
                ends = self.safe_from_hoppers_on_arrival(ends);
            }
            self.sink.drops(slots, kinds, ends);
        }
    }

    /// Files that hold as many pieces as a side may have there.
    #[inline(always)]
    fn full_files(&self, pieces: W, limit: u8) -> W {
        match limit {
            1 => self.scene.tables.files.holding_any(pieces),
            _ => self.scene.tables.files.holding(pieces, limit),
        }
    }

    /// Takes away drops that would mate.
    #[inline(always)]
    fn without_mates(&self, no_mate: &NoMate<W>, ends: W) -> W {
        let royals = self.them().royal_classes.pieces(self.scene.state) & self.scene.state.side(1 - self.me);
        if royals.is_empty() {
            return ends;
        }
        let checking = ends & *no_mate.checks.at(royals.lowest());
        match checking.any() {
            true => self.without_mates_on(no_mate.kind, ends, checking, royals.lowest()),
            false => ends,
        }
    }

    #[inline(never)]
    fn without_mates_on(&self, kind: u8, ends: W, checking: W, royal: u8) -> W {
        let tables = self.scene.tables;
        let mut ends = ends;
        for to in checking.squares() {
            let bit = W::bit(to);
            // Most such drops are answered by the royal piece itself: it takes what nobody guards.
            let takes = self.them().royals.leaps.iter().any(|leaps| leaps.to.at(royal).has(to));
            let occupied = (self.scene.occupied | bit) ^ W::bit(royal);
            let guarded = Scene { occupied, attackers: self.own, ..self.scene }.is_attacked::<F>(self.us, to);
            if takes && !guarded {
                continue;
            }
            let mut after = *self.scene.state;
            after.play_unchecked(tables, Move::drop(kind, to));
            let mut any = Any::default();
            dispatch::generate(tables, &after, &mut any);
            if !any.0 {
                ends ^= bit;
            }
        }
        ends
    }

    /// Promotions of pieces that stay where they are.
    fn in_place(&mut self) {
        let us = self.us;
        // Standing still answers no check.
        if let Some(guard) = self.guard {
            if self.scene.is_attacked::<F>(self.them(), guard.royal) {
                return;
            }
        }
        for (classes, promotion) in &us.in_place {
            let pieces = classes.pieces(self.scene.state) & self.own & promotion.zone();
            for from in pieces.squares() {
                let view = promotion.view::<F>(from, self.scene.state);
                if view.become_other.has(from) {
                    for kind in view.kinds(from) {
                        self.sink.single(Move::promoting(from, from, kind));
                    }
                }
            }
        }
    }

    /// Squares on which hoppers' attacks on the royal piece depend.
    fn touchy_squares(&self, royal: u8) -> W {
        let mut touchy = W::ZERO;
        for hopper in &self.them().hoppers {
            let between = &self.scene.tables.between[hopper.between];
            let candidates = *hopper.from.at(royal) & hopper.classes.pieces(self.scene.state) & self.scene.attackers;
            for from in candidates.squares() {
                touchy |= between.at(royal, from) | W::bit(from);
            }
        }
        match touchy.any() && self.is_royal_hopped_onto(royal) {
            true => W::ALL,
            false => touchy,
        }
    }

    fn is_royal_hopped_onto(&self, royal: u8) -> bool {
        self.scene.is_hopped_onto(self.them(), royal, None)
    }

    /// Leaves out ends after which a hopper attacks the royal piece.
    fn safe_from_hoppers(&self, from: u8, ends: W) -> W {
        let Some(guard) = self.guard else { return ends };
        let looked_at = if guard.touchy.has(from) { ends } else { ends & guard.touchy };
        let mut safe = ends;
        for to in looked_at.squares() {
            let kind = kind_of(self.scene.state.piece(from));
            let occupied = self.scene.occupied & !W::bit(from) | W::bit(to);
            let scene = Scene { occupied, attackers: self.scene.attackers & !W::bit(to), ..self.scene };
            if scene.is_hopped_onto(self.them(), guard.royal, Some((kind, to))) {
                safe ^= W::bit(to);
            }
        }
        safe
    }

    fn safe_from_hoppers_on_arrival(&self, ends: W) -> W {
        let Some(guard) = self.guard else { return ends };
        let mut safe = ends;
        for to in (ends & guard.touchy).squares() {
            let scene = Scene { occupied: self.scene.occupied | W::bit(to), ..self.scene };
            // Hurdles are told apart by kind nowhere that pieces are dropped; any dropped piece is one.
            if scene.is_hopped_onto(self.them(), guard.royal, Some((63, to))) {
                safe ^= W::bit(to);
            }
        }
        safe
    }
}

fn bent_ends<W: Word>(ways: &[BentWay], occupied: W) -> W {
    let mut ends = W::ZERO;
    for way in ways {
        ends |= W::bit(way.hinge);
        if occupied.has(way.hinge) {
            continue;
        }
        for ray in &way.rays {
            for square in ray {
                ends |= W::bit(*square);
                if occupied.has(*square) {
                    break;
                }
            }
        }
    }
    ends
}
