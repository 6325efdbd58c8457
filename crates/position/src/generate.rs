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
use crate::tables::slide_method::{LINES, ONE_GROUP, TWO_GROUPS};
use crate::tables::{
    BentWay, CastlingTable, Hops, Method, NoMate, Rides, SideTables, Step, Tables, Unit, Units, View,
    features,
};
use crate::word::Word;

/// What one generation knows of the position.
struct Generator<'a, W, const F: u8, const GATHERS: bool> {
    scene: Scene<'a, W>,
    me: u8,
    us: &'a SideTables<W>,
    own: W,
    /// Ends allowed, by [`Target`].
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
            generator.unit_moves(&us.men, own, sink);
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
        if F == features::EVERYTHING {
            let touchy = self.touchy_squares(royal);
            self.guard = touchy.any().then_some(Guard { royal, touchy });
        }
        self.royal_moves(royal, threats.checkers.is_empty(), sink);
        if sink.is_done() {
            return;
        }
        let men = self.own & !W::bit(royal);
        if threats.checkers.any() {
            self.restrict(threats.answers);
            if threats.answers.is_empty() {
                return;
            }
        }
        let us = self.us;
        self.unit_moves(&us.men, men & !threats.pinned, sink);
        if threats.pinned.any() {
            self.pinned_moves(royal, &threats, sink);
        }
        self.en_passant(Some(royal), sink);
        if F & features::DROPS != 0 {
            self.drops(sink);
        }
        if F == features::EVERYTHING && threats.checkers.is_empty() && !self.is_royal_hopped_onto(royal) {
            // Standing still answers no check.
            self.in_place(sink);
            self.pass(sink);
        }
    }

    /// Without a royal piece to keep safe every move is legal.
    fn unguarded<S: Sink<W>>(&mut self, sink: &mut S) {
        let us = self.us;
        self.unit_moves(&us.men, self.own, sink);
        self.unit_moves(&us.royals, self.own, sink);
        self.en_passant(None, sink);
        self.drops(sink);
        self.in_place(sink);
        self.pass(sink);
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

    /// Moves of all men of a set.
    #[inline(always)]
    fn unit_moves<S: Sink<W>>(&self, units: &Units<W>, men: W, sink: &mut S) {
        // Moves go to a sink of this scope: what nobody else can point to stays in registers. Counting through the
        // caller's reference made each piece wait for the store of the one before.
        let mut local = std::mem::take(sink);
        for steps in &units.steps {
            let ends = self.ends_for(&steps.unit);
            let pieces = self.pieces_of(&steps.unit, men);
            for step in &steps.steps {
                let to = self.stepped(pieces, step) & ends;
                self.give_shifted(&steps.unit, step.by, to, &mut local);
            }
        }
        for leaps in &units.leaps {
            let ends = self.ends_for(&leaps.unit);
            for from in self.pieces_of(&leaps.unit, men).squares() {
                self.give(&leaps.unit, from, *leaps.to.at(from) & ends, &mut local);
            }
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
        for from in riders.squares() {
            let reach = rides.slide.reach_by::<METHOD>(from, self.scene.occupied);
            self.give(&rides.unit, from, reach & ends, sink);
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
    fn rare_moves<S: Sink<W>>(&self, units: &Units<W>, men: W, sink: &mut S) {
        let occupied = self.scene.occupied;
        for lames in &units.lames {
            let ends = self.ends_for(&lames.unit);
            for from in self.pieces_of(&lames.unit, men).squares() {
                let open = lames.ways.at(from).iter().filter(|(way, _)| (*way & occupied).is_empty());
                let to = open.fold(W::ZERO, |all, (_, ends)| all | *ends);
                self.give(&lames.unit, from, to & ends, sink);
            }
        }
        for hops in &units.hops {
            let ends = self.ends_for(&hops.unit);
            for from in self.pieces_of(&hops.unit, men).squares() {
                let to = self.hop_ends(hops, from) & ends;
                self.give(&hops.unit, from, to, sink);
            }
        }
        for mixed in &units.mixed {
            for from in self.pieces_of(&mixed.unit, men).squares() {
                self.give(&mixed.unit, from, self.piece_ends(&mixed.units, from), sink);
            }
        }
        for bents in &units.bents {
            let ends = self.ends_for(&bents.unit);
            for from in self.pieces_of(&bents.unit, men).squares() {
                let to = bent_ends(bents.ways.at(from), occupied) & ends;
                self.give(&bents.unit, from, to, sink);
            }
        }
    }

    /// Everything that one piece reaches by several units at once.
    fn piece_ends(&self, units: &Units<W>, from: u8) -> W {
        let occupied = self.scene.occupied;
        let mut all = W::ZERO;
        let usable =
            |unit: &Unit<W>| !unit.first_move || unmoved(self.scene.tables, self.scene.state).has(from);
        for leaps in units.leaps.iter().filter(|leaps| usable(&leaps.unit)) {
            all |= *leaps.to.at(from) & self.ends_for(&leaps.unit);
        }
        for rides in units.rides.iter().filter(|rides| usable(&rides.unit) && !rides.only_attacks) {
            all |= rides.slide.reach::<GATHERS>(from, occupied) & self.ends_for(&rides.unit);
        }
        for lames in units.lames.iter().filter(|lames| usable(&lames.unit)) {
            let open = lames.ways.at(from).iter().filter(|(way, _)| (*way & occupied).is_empty());
            all |= open.fold(W::ZERO, |all, (_, ends)| all | *ends) & self.ends_for(&lames.unit);
        }
        for hops in units.hops.iter().filter(|hops| usable(&hops.unit)) {
            all |= self.hop_ends(hops, from) & self.ends_for(&hops.unit);
        }
        for bents in units.bents.iter().filter(|bents| usable(&bents.unit)) {
            all |= bent_ends(bents.ways.at(from), occupied) & self.ends_for(&bents.unit);
        }
        units.mixed.iter().fold(all, |all, mixed| all | self.piece_ends(&mixed.units, from))
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

    fn pinned_moves<S: Sink<W>>(&mut self, royal: u8, threats: &Threats<W>, sink: &mut S) {
        let ends = self.ends;
        let us = self.us;
        for man in threats.pinned.squares() {
            self.restrict(self.scene.pinned_line::<F>(self.them(), royal, man));
            self.unit_moves(&us.men, W::bit(man), sink);
            self.ends = ends;
        }
    }

    #[inline(always)]
    fn royal_moves<S: Sink<W>>(&mut self, royal: u8, may_castle: bool, sink: &mut S) {
        let scene = Scene { occupied: self.scene.occupied ^ W::bit(royal), ..self.scene };
        let (castlings, ways) = self.open_castlings(may_castle);
        if F == features::EVERYTHING {
            self.royal_moves_of_any_sort(royal, sink);
            let safe = ways & !scene.attacked_of::<F, GATHERS>(self.them(), ways, royal);
            return self.castlings(castlings, safe, &scene, sink);
        }
        let ends = *self.us.royals.leaps[0].to.at(royal) & self.ends[Target::Any as usize];
        let asked = ends | ways;
        if asked.is_empty() {
            return;
        }
        let safe = asked & !scene.attacked_of::<F, GATHERS>(self.them(), asked, royal);
        sink.moves(royal, ends & safe);
        if castlings != 0 {
            self.castlings(castlings, safe, &scene, sink);
        }
    }

    /// Castlings that nothing stands in the way of, as bits, and the squares that must be safe for them.
    #[inline(always)]
    fn open_castlings(&self, may_castle: bool) -> (u32, W) {
        let rights = self.scene.state.rights() & self.us.castling_rights;
        let (mut open, mut ways) = (0, W::ZERO);
        if rights != 0 && may_castle {
            for (n, castling) in self.us.castlings.iter().enumerate() {
                if rights & castling.right != 0 && (castling.empty & self.scene.occupied).is_empty() {
                    open |= 1 << n;
                    ways |= castling.safe;
                }
            }
        }
        (open, ways)
    }

    #[inline(always)]
    fn castlings<S: Sink<W>>(&self, open: u32, safe: W, scene: &Scene<W>, sink: &mut S) {
        let us = self.us;
        for (n, castling) in us.castlings.iter().enumerate() {
            let may = open >> n & 1 == 1 && (castling.safe & !safe).is_empty();
            if may && !(castling.may_uncover && self.uncovers(castling, scene)) {
                sink.single(Move::castle(castling.royal.0, castling.royal.1, n as u8));
            }
        }
    }

    /// Whether the partner's departure opens the way of an attacker hidden behind it.
    #[cold]
    fn uncovers(&self, castling: &CastlingTable<W>, scene: &Scene<W>) -> bool {
        let occupied = scene.occupied & !W::bit(castling.partner.0) | W::bit(castling.partner.1);
        Scene { occupied, ..*scene }.is_attacked::<F>(self.them(), castling.royal.1)
    }

    fn royal_moves_of_any_sort<S: Sink<W>>(&mut self, royal: u8, sink: &mut S) {
        let us = self.us;
        let (guard, promotions) = (self.guard.take(), self.promotions);
        self.promotions = Promotions::All;
        let ends = self.ends;
        let scene = Scene { occupied: self.scene.occupied ^ W::bit(royal), ..self.scene };
        let mut safe = W::ZERO;
        for to in self.piece_ends(&us.royals, royal).squares() {
            let scene = Scene { attackers: scene.attackers & !W::bit(to), ..scene };
            if !scene.is_attacked::<F>(self.them(), to) {
                safe |= W::bit(to);
            }
        }
        self.restrict(safe);
        self.unit_moves(&us.royals, W::bit(royal), sink);
        self.ends = ends;
        (self.guard, self.promotions) = (guard, promotions);
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

    #[inline(always)]
    fn drops<S: Sink<W>>(&self, sink: &mut S) {
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
            let mut ends = table.squares & self.ends[Target::Empty as usize];
            if let Some((limit, group)) = table.per_file {
                ends &= !self.full_files(group.pieces(state) & self.own, limit);
            }
            if let Some(no_mate) = &table.no_mate {
                ends = self.without_mates(no_mate, ends);
            }
            if F == features::EVERYTHING {
                ends = self.safe_from_hoppers_on_arrival(ends);
            }
            sink.drops(slots, kinds, ends);
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
        let royals = self.them().royal_group.pieces(self.scene.state) & self.scene.state.side(1 - self.me);
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

    /// Squares on which hoppers' attacks on the royal piece depend.
    fn touchy_squares(&self, royal: u8) -> W {
        let mut touchy = W::ZERO;
        for hopper in &self.them().hoppers {
            let between = &self.scene.tables.between[hopper.between];
            for from in self.scene.candidates::<F>(hopper, royal).squares() {
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
