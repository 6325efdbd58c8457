//! From rules to tables.

use std::sync::Arc;

use ashta_rules::{
    Delta, DropMate, Facing, Hand, KindId, Part, Path, PromotesOn, RoyalLoss, Rules, Side, Square, SquareSet,
    StuckDrop, Supply, Target, Targets,
};

use super::geometry::{PartView, stuck, word_of};
use super::group::GroupRegistry;
use super::slide::Slide;
use super::{
    Bents, Between, CastlingTable, Dangers, Direct, Distant, DropTable, Files, Group, Hops, KindTable, Lames,
    Leaps, Mixed, NO_SLOT, NoMate, Passing, Promotion, Rides, SideTables, Step, Steps, Tables, Unit, Units,
    Zobrist, features,
};
use crate::word::{PerSquare, ROW, Word, boxed};

/// Pieces at the start that make stepping all of them at once worth its shifts.
const MANY_PIECES: usize = 4;
/// Directions up to which stepping all pieces at once is worth it.
const FEW_STEPS: usize = 3;

impl<W: Word> Tables<W> {
    /// Compiles rules whose board fits the word.
    pub fn new(rules: Arc<Rules>) -> Tables<W> {
        let hand_kinds: Vec<u8> =
            rules.kind_ids().filter(|kind| rules.kind(*kind).drop.is_some()).map(|kind| kind.0).collect();
        let mut kinds = kind_tables(&rules, &hand_kinds);
        let groups = GroupRegistry::default();
        let mut between = BetweenTables { tables: Vec::new(), keys: Vec::new() };
        let mut sides: Vec<SideTables<W>> = (0..rules.sides().len() as u8)
            .map(|side| {
                SideCompiler { rules: &rules, groups: &groups, side: Side(side) }.compile(&mut between)
            })
            .collect();
        if sides.len() == 2 {
            let n_squares = rules.grid().n_squares();
            sides[0].dangers = Dangers::new(&sides[0], &sides[1], n_squares, &groups);
            sides[1].dangers = Dangers::new(&sides[1], &sides[0], n_squares, &groups);
        }
        groups.settle(&mut sides, kinds.as_mut_slice());
        let between = between.tables;
        let (lost_rights, first_move_rights) = rights(&rules);
        Tables {
            features: needed_features(&rules, &sides),
            gathers: crate::dispatch::gathers(),
            board: W::from_set(&SquareSet::all(rules.grid())),
            files: Files::new(rules.grid()),
            kinds,
            between,
            zobrist: Zobrist::new(&rules, &hand_kinds),
            lost_rights,
            has_rights: !rules.castlings().is_empty() || !rules.first_move_squares().is_empty(),
            first_move_rights,
            has_en_passant: sides.iter().any(|side| !side.passing.is_empty()),
            guards_royals: rules.ends().royal_loss == RoyalLoss::Checkmate,
            promotes_to_royal: promotes_to_royal(&rules),
            captures_to_hand: rules.hand() == Hand::Captures,
            hand_kinds,
            sides,
            rules,
        }
    }
}

/// The generator that knows everything the game needs.
fn needed_features<W>(rules: &Rules, sides: &[SideTables<W>]) -> u8 {
    let mut royals = rules.kinds().iter().filter(|kind| kind.royal);
    let royal = royals.next();
    let one_royal = royal.is_some() && royals.next().is_none();
    let one_each = (0..rules.sides().len()).all(|side| {
        let of_side = |(s, kind): &&(Side, KindId)| s.index() == side && rules.kind(*kind).royal;
        rules.start().board.iter().flatten().filter(of_side).count() == 1
    });
    let plain_promotions = rules
        .kinds()
        .iter()
        .filter_map(|kind| kind.promotion.as_ref())
        .all(|p| p.supply == Supply::Unlimited && p.on != PromotesOn::Stay);
    let plain_moves = rules.kinds().iter().all(|kind| {
        let forward = Rules::only_goes_forward(kind);
        kind.moves.iter().all(|part| {
            let movement = &part.movement;
            let path = match movement.path {
                Path::Leap | Path::Ride { .. } => true,
                Path::Lame => steps_at_once(rules, kind, part),
                Path::Hop { .. } | Path::Bent { .. } => false,
            };
            path && part.not_onto.is_empty() && (!movement.first_move_only || forward)
        })
    });
    let royal_leaps = sides.iter().all(|side| {
        let units = &side.royals;
        units.leaps.len() == 1 && units.leaps[0].unit.target == Target::Any && units.rides.is_empty()
    });
    let plain = one_royal
        && royal_leaps
        && one_each
        && !promotes_to_royal(rules)
        && sides.iter().all(|side| side.men.mixed.is_empty() && side.royals.mixed.is_empty())
        && plain_promotions
        && plain_moves
        && rules.sides().len() == 2
        && rules.ends().royal_loss == RoyalLoss::Checkmate
        && rules.hand() != Hand::SetUp
        && rules.pass() == ashta_rules::Pass::No;
    match (plain, rules.hand()) {
        (true, Hand::None) => features::PLAIN,
        (true, _) => features::DROPS,
        (false, _) => features::EVERYTHING,
    }
}

fn promotes_to_royal(rules: &Rules) -> bool {
    let royal = |kind: &KindId| rules.kind(*kind).royal;
    rules.kinds().iter().filter_map(|kind| kind.promotion.as_ref()).any(|promotion| match &promotion.to {
        Targets::Kinds(kinds) => kinds.iter().any(royal),
        Targets::ByFile(kinds) => kinds.iter().flatten().any(royal),
    })
}

/// Whether all pieces of a kind make a part's steps at once, by shifting their bitboard.
fn steps_at_once(rules: &Rules, kind: &ashta_rules::Kind, part: &ashta_rules::Part) -> bool {
    let forward = Rules::only_goes_forward(kind);
    let count = rules
        .start()
        .board
        .iter()
        .flatten()
        .filter(|(side, k)| *side == Side::FIRST && rules.kind(*k).name == kind.name);
    let movement = &part.movement;
    let shape = match movement.path {
        Path::Leap => true,
        // What captures must be seen by `Scene::danger`, which does not look at squares between.
        Path::Lame => {
            let one_between =
                |step: &Delta| ashta_rules::crossed(*step).len() == 1 && ashta_rules::is_straight(*step);
            movement.target == Target::Empty && movement.steps.iter().all(one_between)
        }
        Path::Ride { .. } | Path::Hop { .. } | Path::Bent { .. } => false,
    };
    shape
        && count.count() >= MANY_PIECES
        && movement.steps.len() <= FEW_STEPS
        && !kind.royal
        && part.not_onto.is_empty()
        && (!movement.first_move_only || forward)
}

fn kind_tables(rules: &Rules, hand_kinds: &[u8]) -> Box<[KindTable; 64]> {
    let slot_of =
        |kind: KindId| hand_kinds.iter().position(|k| *k == kind.0).map_or(NO_SLOT, |slot| slot as u8);
    let progress =
        |kind: KindId| rules.ends().quiet.as_ref().is_some_and(|quiet| quiet.progress.contains(&kind));
    let mut tables: Box<[KindTable; 64]> = Box::new(std::array::from_fn(|_| KindTable::default()));
    for kind in rules.kind_ids() {
        tables[kind.index()] = KindTable {
            slot: slot_of(rules.kind(kind).demoted),
            progress: progress(kind),
            ..KindTable::default()
        };
    }
    tables
}

fn rights<W: Word>(rules: &Rules) -> (PerSquare<u32>, Vec<(u32, W)>) {
    let mut lost = PerSquare::filled(0);
    for (n, castling) in rules.castlings().iter().enumerate() {
        *lost.at_mut(castling.royal.0.0) |= 1 << n;
        *lost.at_mut(castling.partner.0.0) |= 1 << n;
    }
    let mut first = Vec::new();
    for (n, square) in rules.first_move_squares().iter().enumerate() {
        let right = 1 << (rules.castlings().len() + n);
        *lost.at_mut(square.0) |= right;
        first.push((right, W::bit(square.0)));
    }
    (lost, first)
}

/// Families of paths: all paths of a family between two squares are the same.
#[derive(Clone, PartialEq, Eq)]
enum Family {
    Line,
    Rider(i8, i8),
    Lame(i8, i8),
    Bent(Delta, Vec<Delta>),
}

struct BetweenTables<W> {
    tables: Vec<Between<W>>,
    keys: Vec<Family>,
}

impl<W: Word> BetweenTables<W> {
    fn family(&mut self, path: &Path, step: Delta) -> usize {
        let (a, b) = (step.file.abs().min(step.rank.abs()), step.file.abs().max(step.rank.abs()));
        let family = match path {
            Path::Leap => Family::Line,
            Path::Ride { .. } | Path::Hop { .. } if b == 1 => Family::Line,
            Path::Hop { limit: 1 } => Family::Line,
            Path::Ride { .. } | Path::Hop { .. } => Family::Rider(a, b),
            Path::Lame => Family::Lame(a, b),
            Path::Bent { then } => Family::Bent(Delta::new(a, b), then.clone()),
        };
        if let Some(at) = self.keys.iter().position(|key| *key == family) {
            return at;
        }
        self.keys.push(family);
        self.tables.push(Between(boxed([W::ZERO; ROW])));
        self.tables.len() - 1
    }

    fn set(&mut self, family: usize, to: u8, from: u8, way: &[u8]) {
        self.tables[family].0[to as usize][from as usize] = word_of(way.iter().copied());
    }
}

struct SideCompiler<'a> {
    rules: &'a Rules,
    groups: &'a GroupRegistry,
    side: Side,
}

impl SideCompiler<'_> {
    fn compile<W: Word>(&self, between: &mut BetweenTables<W>) -> SideTables<W> {
        let mut men = Units::empty();
        let mut royals = Units::empty();
        for kind in self.rules.kind_ids() {
            let units = if self.rules.kind(kind).royal { &mut royals } else { &mut men };
            self.add_kind(kind, units);
        }
        men.share(self.groups);
        royals.share(self.groups);
        let mut tables = SideTables {
            men,
            royals,
            royal_group: self.groups.group(self.royal_mask()),
            dangers: Dangers::none(),
            direct: Vec::new(),
            distant: Vec::new(),
            hoppers: Vec::new(),
            castlings: self.castlings(),
            passing: Vec::new(),
            double_steps: PerSquare::filled((0, 0)),
            double_steppers: 0,
            drops: self.drops(),
            in_place: self.in_place(),
            castling_rights: 0,
            next: ((self.side.index() + 1) % self.rules.sides().len()) as u8,
            forward: self.forward(),
            captures: self.captures(),
        };
        tables.castling_rights = tables.castlings.iter().fold(0, |rights, castling| rights | castling.right);
        for kind in self.rules.kind_ids() {
            self.add_attacks(kind, &mut tables, between);
            self.add_passing(kind, &mut tables);
        }
        if self.rules.facing() == Facing::Forbidden {
            self.add_facing(&mut tables, between);
        }
        tables
    }

    fn group(&self, kind: KindId) -> Group {
        self.groups.group(1 << kind.0)
    }

    fn royal_mask(&self) -> u64 {
        let royals: Vec<KindId> = self.rules.kind_ids().filter(|kind| self.rules.kind(*kind).royal).collect();
        kind_mask(&royals)
    }

    fn forward(&self) -> i32 {
        let step = Delta::new(0, 1).turned(self.rules.sides()[self.side.index()].quarters);
        i32::from(step.file) * i32::from(self.rules.grid().ranks()) + i32::from(step.rank)
    }

    fn captures(&self) -> Vec<usize> {
        let team = |side: usize| self.rules.sides()[side].team;
        (0..self.rules.sides().len()).filter(|side| team(*side) != team(self.side.index())).collect()
    }

    /// Adds a kind's units: to those of its side, or to a mixed unit of its own if its movements overlap.
    fn add_kind<W: Word>(&self, kind: KindId, units: &mut Units<W>) {
        if !self.overlaps(kind) {
            return self.add_parts(kind, units, Stepping::AtOnce);
        }
        let mut own = Units::empty();
        self.add_parts(kind, &mut own, Stepping::OneByOne);
        let promotion = self.promotion(kind);
        let (group, spares) = (self.group(kind), Group::NONE);
        let unit = Unit { group, target: Target::Any, promotion, first_move: false, spares };
        units.mixed.push(Mixed { unit, units: own });
    }

    fn promotion<W: Word>(&self, kind: KindId) -> Option<Promotion<W>> {
        let on_stay = self.rules.kind(kind).promotion.as_ref().is_some_and(|p| p.on == PromotesOn::Stay);
        let stuck = stuck(self.rules, self.side, kind);
        if on_stay { None } else { Promotion::new(self.rules, kind, self.side, stuck) }
    }

    /// Whether two movements of a kind may lead to the same square in one position.
    fn overlaps(&self, kind: KindId) -> bool {
        let parts = &self.rules.kind(kind).moves;
        let ways = |part: &Part, from: Square| {
            PartView { rules: self.rules, side: self.side, kind, part }.ways(from)
        };
        self.rules.grid().squares().any(|from| {
            let mut reached: Vec<(u8, &Part)> = Vec::new();
            parts.iter().any(|part| {
                let ends: Vec<u8> = ways(part, from).into_iter().map(|(to, _)| to).collect();
                let meets = ends
                    .iter()
                    .any(|to| reached.iter().any(|(end, other)| end == to && may_meet(part, other)));
                reached.extend(ends.into_iter().map(|to| (to, part)));
                meets
            })
        })
    }

    fn add_parts<W: Word>(&self, kind: KindId, units: &mut Units<W>, stepping: Stepping) {
        let rules = self.rules.kind(kind);
        let promotion = self.promotion(kind);
        for part in &rules.moves {
            let view = PartView { rules: self.rules, side: self.side, kind, part };
            let unit = Unit {
                group: self.group(kind),
                target: part.movement.target,
                promotion: promotion.clone(),
                first_move: view.is_remembered_first_move(),
                spares: self.groups.group(kind_mask(&part.not_onto)),
            };
            let all_at_once = stepping == Stepping::AtOnce
                && steps_at_once(self.rules, rules, part)
                && promotion.as_ref().is_none_or(|promotion| {
                    !promotion
                        .depends_on_start(|from| word_of(view.ways(Square(from)).iter().map(|way| way.0)))
                });
            match (&part.movement.path, all_at_once) {
                (Path::Leap | Path::Lame, true) => units.steps.push(Steps { unit, steps: self.steps(&view) }),
                (Path::Leap, false) => {
                    let to = per_square(&view, W::ZERO, |from| word_of(view.leaps(from).iter().map(|s| s.0)));
                    units.add_leaps(unit, to);
                }
                (Path::Lame, false) => {
                    units.lames.push(Lames {
                        unit,
                        ways: per_square(&view, Vec::new(), |from| lame_ways(&view, from)),
                    });
                }
                (Path::Ride { limit }, _) => {
                    let rides = view.rides(*limit);
                    units.rides.extend(rides.iter().map(|rays| Rides {
                        unit: unit.clone(),
                        slide: Arc::new(Slide::new(rays)),
                        only_attacks: false,
                    }));
                }
                (Path::Hop { limit }, _) => units.hops.push(Hops {
                    unit,
                    ways: per_square(&view, Vec::new(), |from| {
                        view.hops(from, *limit).into_iter().map(|(to, way)| (to, word_of(way))).collect()
                    }),
                    not_over: kind_mask(&part.not_over),
                }),
                (Path::Bent { then }, _) => {
                    units.bents.push(Bents {
                        unit,
                        ways: per_square(&view, Vec::new(), |from| view.bents(from, then)),
                    });
                }
            }
        }
    }

    fn steps<W: Word>(&self, view: &PartView) -> Vec<Step<W>> {
        let grid = self.rules.grid();
        let quarters = self.rules.sides()[self.side.index()].quarters;
        let number = |d: Delta| i32::from(d.file) * i32::from(grid.ranks()) + i32::from(d.rank);
        let steps = view.part.movement.steps.iter().map(|step| step.turned(quarters));
        steps
            .map(|step| {
                let lame = view.part.movement.path == Path::Lame;
                let arrives = |from: &Square| {
                    grid.step(*from, step).is_some_and(|to| view.ways(*from).iter().any(|way| way.0 == to.0))
                };
                Step {
                    by: number(step),
                    over: if lame { number(step) / 2 } else { 0 },
                    from: word_of(view.starts().iter().filter(arrives).map(|square| square.0)),
                }
            })
            .collect()
    }

    fn add_attacks<W: Word>(&self, kind: KindId, tables: &mut SideTables<W>, between: &mut BetweenTables<W>) {
        let group = self.group(kind);
        for part in &self.rules.kind(kind).moves {
            let spares_royals = part.not_onto.iter().any(|kind| self.rules.kind(*kind).royal);
            if part.movement.target == Target::Empty || spares_royals {
                continue;
            }
            let view = PartView { rules: self.rules, side: self.side, kind, part };
            let path = &part.movement.path;
            let step = part.movement.steps.first().copied().unwrap_or(Delta::new(0, 1));
            let mut from_squares = PerSquare::filled(W::ZERO);
            let family = if *path == Path::Leap { None } else { Some(between.family(path, step)) };
            for from in self.rules.grid().squares() {
                for (to, way) in view.ways(from) {
                    *from_squares.at_mut(to) |= W::bit(from.0);
                    if let Some(family) = family {
                        between.set(family, to, from.0, &way);
                    }
                }
            }
            let first_move = view.is_remembered_first_move();
            match (path, family) {
                (Path::Hop { .. }, Some(family)) => {
                    let not_over = kind_mask(&part.not_over);
                    tables.hoppers.push(Distant {
                        group,
                        from: from_squares,
                        between: family,
                        not_over,
                        first_move,
                    });
                }
                (_, Some(family)) => {
                    let distant =
                        Distant { group, from: from_squares, between: family, not_over: 0, first_move };
                    self.add_distant(tables, distant);
                }
                (_, None) => self.add_direct(tables, group, from_squares, first_move),
            }
        }
    }

    fn add_direct<W: Word>(
        &self,
        tables: &mut SideTables<W>,
        group: Group,
        from: PerSquare<W>,
        first_move: bool,
    ) {
        let squares = self.rules.grid().n_squares();
        // Two parts of one kind become one table; two kinds with the same table share it.
        let own = tables.direct.iter_mut().find(|d| d.group == group && d.first_move == first_move);
        if let Some(own) = own {
            (0..squares).for_each(|s| *own.from.at_mut(s as u8) |= *from.at(s as u8));
            return;
        }
        tables.direct.push(Direct { group, from, first_move });
    }

    /// Kinds that attack along the same paths share a table.
    fn add_distant<W: Word>(&self, tables: &mut SideTables<W>, distant: Distant<W>) {
        let squares = self.rules.grid().n_squares();
        let same = |other: &&mut Distant<W>| {
            (other.between, other.first_move) == (distant.between, distant.first_move)
                && (0..squares).all(|s| other.from.at(s as u8) == distant.from.at(s as u8))
        };
        match tables.distant.iter_mut().find(|other| self.groups.has_room() && same(other)) {
            Some(shared) => shared.group = self.groups.union(shared.group, distant.group),
            None => tables.distant.push(distant),
        }
    }

    fn add_passing<W: Word>(&self, kind: KindId, tables: &mut SideTables<W>) {
        let grid = self.rules.grid();
        for part in &self.rules.kind(kind).moves {
            let view = PartView { rules: self.rules, side: self.side, kind, part };
            let movement = &part.movement;
            if movement.en_passant {
                let mut from_squares = PerSquare::filled(W::ZERO);
                for from in grid.squares() {
                    view.ways(from).iter().for_each(|(to, _)| *from_squares.at_mut(*to) |= W::bit(from.0));
                }
                tables.passing.push(Passing { group: self.group(kind), from: from_squares });
            }
            if movement.first_move_only && matches!(movement.path, Path::Lame | Path::Ride { .. }) {
                for from in view.starts().iter() {
                    for (to, way) in view.ways(from).iter().filter(|(_, way)| way.len() == 1) {
                        *tables.double_steps.at_mut(from.0) = (*to, way[0]);
                        tables.double_steppers |= 1 << kind.0;
                    }
                }
            }
        }
    }

    /// Royal pieces that may not face each other attack along the file.
    fn add_facing<W: Word>(&self, tables: &mut SideTables<W>, between: &mut BetweenTables<W>) {
        let Ok(file) = ashta_rules::read_betza("vR") else { return };
        let royal: Vec<KindId> = self.rules.kind_ids().filter(|kind| self.rules.kind(*kind).royal).collect();
        let Some(kind) = royal.first().copied() else { return };
        let part = ashta_rules::Part {
            movement: file[0].clone(),
            from: None,
            within: None,
            not_over: Vec::new(),
            not_onto: Vec::new(),
        };
        let view = PartView { rules: self.rules, side: self.side, kind, part: &part };
        let family = between.family(&part.movement.path, Delta::new(0, 1));
        let mut from_squares = PerSquare::filled(W::ZERO);
        for from in self.rules.grid().squares() {
            for (to, way) in view.ways(from) {
                *from_squares.at_mut(to) |= W::bit(from.0);
                between.set(family, to, from.0, &way);
            }
        }
        let group = tables.royal_group;
        let (between, not_over, first_move) = (family, 0, false);
        tables.distant.push(Distant { group, from: from_squares, between, not_over, first_move });
        for rays in view.rides(u8::MAX) {
            let unit =
                Unit { group, target: Target::Any, promotion: None, first_move: false, spares: Group::NONE };
            tables.royals.rides.push(Rides { unit, slide: Arc::new(Slide::new(&rays)), only_attacks: true });
        }
    }

    fn castlings<W: Word>(&self) -> Vec<CastlingTable<W>> {
        let grid = self.rules.grid();
        let way = |(from, to): (Square, Square)| -> Vec<u8> {
            let (a, b) = (grid.file(from).min(grid.file(to)), grid.file(from).max(grid.file(to)));
            (a..=b).filter_map(|file| grid.at(file as i16, grid.rank(from) as i16)).map(|s| s.0).collect()
        };
        let mut castlings = Vec::new();
        for (n, castling) in self.rules.castlings().iter().enumerate().filter(|(_, c)| c.side == self.side) {
            let (royal, partner) = (castling.royal, castling.partner);
            // Also every square between the two pieces, as on c1 and b1 when the rook comes from a1.
            let all = way(royal).into_iter().chain(way(partner)).chain(way((royal.0, partner.0)));
            let pieces = W::bit(royal.0.0) | W::bit(partner.0.0);
            castlings.push(CastlingTable {
                right: 1 << n,
                royal: (royal.0.0, royal.1.0),
                partner: (partner.0.0, partner.1.0),
                empty: word_of::<W>(all) & !pieces,
                safe: word_of::<W>(way(royal)) & !W::bit(royal.0.0),
                may_uncover: !matches!(grid.file(partner.0), 0) && grid.file(partner.0) + 1 != grid.files(),
            });
        }
        castlings
    }

    fn drops<W: Word>(&self) -> Vec<DropTable<W>> {
        let mut tables: Vec<DropTable<W>> = Vec::new();
        let mut slot = 0;
        for kind in self.rules.kind_ids() {
            let Some(rule) = &self.rules.kind(kind).drop else { continue };
            let stuck = match rule.stuck {
                StuckDrop::Forbidden => stuck(self.rules, self.side, kind),
                StuckDrop::Allowed => W::ZERO,
            };
            let squares = W::from_set(&rule.region[self.side.index()]) & !stuck;
            let per_file = rule.per_file.map(|limit| (limit, self.group(kind)));
            let no_mate = (rule.mate == DropMate::Forbidden).then(|| self.no_mate(kind));
            let plain = per_file.is_none() && no_mate.is_none();
            let shared = tables
                .iter_mut()
                .find(|t| plain && t.squares == squares && t.per_file.is_none() && t.no_mate.is_none());
            match shared {
                Some(table) => table.slots |= 1 << slot,
                None => tables.push(DropTable { slots: 1 << slot, squares, per_file, no_mate }),
            }
            slot += 1;
        }
        tables
    }

    fn no_mate<W: Word>(&self, kind: KindId) -> NoMate<W> {
        let mut checks = PerSquare::filled(W::ZERO);
        for part in self.rules.kind(kind).moves.iter().filter(|part| part.movement.target != Target::Empty) {
            let view = PartView { rules: self.rules, side: self.side, kind, part };
            for from in self.rules.grid().squares() {
                view.ways(from).iter().for_each(|(to, _)| *checks.at_mut(*to) |= W::bit(from.0));
            }
        }
        NoMate { kind: kind.0, checks }
    }

    fn in_place<W: Word>(&self) -> Vec<(Group, Promotion<W>)> {
        let mut found = Vec::new();
        for kind in self.rules.kind_ids() {
            if self.rules.kind(kind).promotion.as_ref().is_some_and(|p| p.on == PromotesOn::Stay) {
                let promotion = Promotion::new(self.rules, kind, self.side, W::ZERO);
                found.extend(promotion.map(|p| (self.group(kind), p.in_place())));
            }
        }
        found
    }
}

/// Whether set-wise steps may be used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stepping {
    AtOnce,
    OneByOne,
}

/// Whether two parts that lead to one square may both be played onto it.
fn may_meet(a: &Part, b: &Part) -> bool {
    let unit = |part: &Part| part.movement.steps.iter().all(|step| step.file.abs().max(step.rank.abs()) == 1);
    let ride_and_hop = matches!(
        (&a.movement.path, &b.movement.path),
        (Path::Ride { .. }, Path::Hop { .. }) | (Path::Hop { .. }, Path::Ride { .. })
    );
    // A rider stops at the first piece on a line and a hopper begins beyond it.
    let apart_by_path = ride_and_hop && unit(a) && unit(b);
    let apart_by_target = matches!(
        (a.movement.target, b.movement.target),
        (Target::Empty, Target::Capture) | (Target::Capture, Target::Empty)
    );
    !apart_by_path && !apart_by_target
}

fn kind_mask(kinds: &[KindId]) -> u64 {
    kinds.iter().fold(0, |mask, kind| mask | 1 << kind.0)
}

/// A table over the squares from which a part may be used; others hold `nothing`.
fn per_square<T: Clone>(view: &PartView, nothing: T, make: impl Fn(Square) -> T) -> PerSquare<T> {
    let mut table = PerSquare::filled(nothing);
    view.starts().iter().for_each(|from| *table.at_mut(from.0) = make(from));
    table
}

/// Ends of lame steps, those with the same squares on the way together.
fn lame_ways<W: Word>(view: &PartView, from: Square) -> Vec<(W, W)> {
    let mut grouped: Vec<(W, W)> = Vec::new();
    for (to, way) in view.lames(from) {
        let way: W = word_of(way);
        match grouped.iter_mut().find(|(legs, _)| *legs == way) {
            Some((_, ends)) => *ends |= W::bit(to),
            None => grouped.push((way, W::bit(to))),
        }
    }
    grouped
}

impl<W: Word> Units<W> {
    fn empty() -> Units<W> {
        Units {
            steps: Vec::new(),
            leaps: Vec::new(),
            rides: Vec::new(),
            lames: Vec::new(),
            hops: Vec::new(),
            bents: Vec::new(),
            mixed: Vec::new(),
        }
    }

    /// Leaps of one kind onto the same targets become one table.
    fn add_leaps(&mut self, unit: Unit<W>, to: PerSquare<W>) {
        let same = |leaps: &&mut Leaps<W>| leaps.unit.group == unit.group && leaps.unit.moves_as(&unit);
        match self.leaps.iter_mut().find(same) {
            Some(leaps) => (0..=255).for_each(|square| *leaps.to.at_mut(square) |= *to.at(square)),
            None => self.leaps.push(Leaps { unit, to }),
        }
    }

    /// Kinds whose moves are the same are generated in one loop.
    fn share(&mut self, groups: &GroupRegistry) {
        let mut leaps: Vec<Leaps<W>> = Vec::new();
        for unit in self.leaps.drain(..) {
            let same = |other: &&mut Leaps<W>| {
                other.unit.can_share(&unit.unit)
                    && (0..=255).all(|square| other.to.at(square) == unit.to.at(square))
            };
            match leaps.iter_mut().find(|other| groups.has_room() && same(other)) {
                Some(shared) => shared.unit.group = groups.union(shared.unit.group, unit.unit.group),
                None => leaps.push(unit),
            }
        }
        self.leaps = leaps;
        let mut rides: Vec<Rides<W>> = Vec::new();
        for unit in self.rides.drain(..) {
            let same = |other: &&mut Rides<W>| {
                other.unit.can_share(&unit.unit)
                    && other.only_attacks == unit.only_attacks
                    && other.slide.same_as(&unit.slide)
            };
            match rides.iter_mut().find(|other| groups.has_room() && same(other)) {
                Some(shared) => shared.unit.group = groups.union(shared.unit.group, unit.unit.group),
                None => rides.push(unit),
            }
        }
        self.rides = rides;
    }
}

impl<W: Word> Unit<W> {
    fn moves_as(&self, other: &Unit<W>) -> bool {
        (self.target, self.first_move, self.spares) == (other.target, other.first_move, other.spares)
    }

    fn can_share(&self, other: &Unit<W>) -> bool {
        let promotes_as = match (&self.promotion, &other.promotion) {
            (Some(a), Some(b)) => a.same_as(b),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        promotes_as && self.moves_as(other)
    }
}
