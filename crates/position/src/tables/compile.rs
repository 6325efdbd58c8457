//! From rules to tables.

use std::sync::Arc;

use ashta_rules::{
    CaptureDuty, CastlingStarts, Counting, DeadPieces, Delta, DropMate, Explosion, Facing, GivingCheck, Hand,
    KindId, Part, Path, Promotion, RoyalLoss, Rules, Side, Square, SquareSet, StuckDrop, Target,
};

use super::aims::aims;
use super::between::BetweenTables;
use super::features::{binds_in_check, needed_features, promotes_to_royal};
use super::geometry::{PartView, stuck, word_of};
use super::kind_group::KindGroupRegistry;
use super::{
    BanTable, CaptureMasks, CastlingTable, ContestTables, DropMateBan, DropTable, ExplosionTable, FileMasks,
    KindGroup, KindTable, MergedLeaps, MoveClasses, NO_SLOT, PromotionTable, RoyalDanger, RuleTables,
    SideTables, Zobrist,
};
use crate::word::{PerSquare, Word};

impl<W: Word> RuleTables<W> {
    /// Compiles rules whose board fits the word.
    pub fn new(rules: Arc<Rules>) -> RuleTables<W> {
        let hand_kinds: Vec<KindId> =
            rules.kind_ids().filter(|kind| rules.kind(*kind).drop.is_some()).collect();
        let mut kinds = kind_tables(&rules, &hand_kinds);
        let groups = KindGroupRegistry::default();
        let mut between = BetweenTables::new();
        let mut sides: Vec<SideTables<W>> = (0..rules.sides().len() as u8)
            .map(|side| {
                SideCompiler { rules: &rules, groups: &groups, side: Side(side) }.compile(&mut between)
            })
            .collect();
        if sides.len() == 2 {
            let n_squares = rules.grid().n_squares();
            sides[0].royal_danger = RoyalDanger::new(&sides[0], &sides[1], n_squares, &groups);
            sides[1].royal_danger = RoyalDanger::new(&sides[1], &sides[0], n_squares, &groups);
            for side in &mut sides {
                side.merged_leaps = MergedLeaps::new(side, n_squares, &groups);
            }
        }
        let explosion = rules.explosion().map(|explosion| explosion_table(&rules, explosion, &groups));
        groups.settle(&mut sides, kinds.as_mut_slice());
        let has_en_passant = sides.iter().any(|side| !side.passing.is_empty());
        let castles_from_any_file = rules.castling_starts() != CastlingStarts::Fixed;
        let remembered_capture = rules.remembered_capture().map(CaptureMasks::new);
        for (kind, table) in kinds.iter_mut().enumerate() {
            let steps = sides.iter().any(|side| side.double_steppers >> kind & 1 == 1);
            let is_remembered = remembered_capture.is_some_and(|capture| capture.is_by(kind));
            let is_royal = rules.kinds().get(kind).is_some_and(|kind| kind.royal);
            table.loses_castlings = castles_from_any_file && is_royal;
            table.leaves_marks = has_en_passant && steps || is_remembered || table.loses_castlings;
        }
        let between = between.tables;
        let (lost_rights, first_move_rights) = rights(&rules);
        let features = needed_features(&rules, &sides);
        let aims = aims(&rules);
        let counting = rules.ends().counting.as_ref();
        let count_limits = counting.map_or_else(Vec::new, Counting::limits_in_plies);
        RuleTables {
            features,
            board: W::from_set(&SquareSet::all(rules.grid())),
            files: FileMasks::new(rules.grid()),
            kinds,
            between,
            zobrist: Zobrist::new(&rules, &hand_kinds),
            lost_rights,
            has_rights: !rules.castlings().is_empty() || !rules.first_move_squares().is_empty(),
            castles_from_any_file,
            first_move_rights,
            dead_squares: dead_squares(&rules),
            remembered_capture,
            has_en_passant,
            guards_royals: rules.ends().royal_loss == RoyalLoss::Checkmate,
            promotes_to_royal: promotes_to_royal(&rules),
            insufficient_kinds: insufficient_kinds(&rules),
            ends_specially: ends_specially(&rules),
            ends_by_history: rules.ends().passes.is_some() || rules.facing() == Facing::Draws,
            has_effects: rules.ends().checks.is_some()
                || rules.explosion().is_some()
                || !aims.is_empty()
                || !count_limits.is_empty(),
            filters_moves: filters_moves(&rules),
            explosion,
            counts_checks: rules.ends().checks.is_some(),
            aims,
            count_limits,
            binds_in_check: binds_in_check(&rules),
            captures_to_hand: rules.hand() == Hand::Captures,
            contest: ContestTables::new(&rules, &sides),
            royal_slots: royal_slots(&rules, &hand_kinds),
            hand_kinds,
            sides,
            rules,
        }
    }
}

fn royal_slots(rules: &Rules, hand_kinds: &[KindId]) -> u32 {
    let slots = hand_kinds.iter().zip(0..);
    slots.filter(|(kind, _)| rules.kind(**kind).royal).fold(0, |mask, (_, slot)| mask | 1u32 << slot)
}

fn dead_squares<W: Word>(rules: &Rules) -> Vec<Vec<W>> {
    let of_side = |side: Side| rules.kind_ids().map(|kind| stuck(rules, side, kind)).collect();
    match &rules.ends().bare {
        Some(bare) if bare.dead == DeadPieces::Uncounted => rules.side_ids().map(of_side).collect(),
        _ => Vec::new(),
    }
}

fn ends_specially(rules: &Rules) -> bool {
    let ends = rules.ends();
    ends.goal.is_some() || ends.extinction.is_some() || ends.checks.is_some()
}

fn filters_moves(rules: &Rules) -> bool {
    rules.capture_duty() == CaptureDuty::Obligatory
        || rules.giving_check() == GivingCheck::Forbidden
        || rules.explosion().is_some()
}

fn explosion_table<W: Word>(
    rules: &Rules,
    explosion: &Explosion,
    groups: &KindGroupRegistry,
) -> ExplosionTable<W> {
    let grid = rules.grid();
    let mut near = PerSquare::filled(W::ZERO);
    for square in grid.squares() {
        let steps = (-1..=1).flat_map(|file| (-1..=1).map(move |rank| Delta::new(file, rank)));
        let around = steps.filter_map(|step| grid.step(square, step)).filter(|other| *other != square);
        *near.at_mut(square) = word_of(around);
    }
    ExplosionTable { near, spared: groups.group(kind_mask(&explosion.spares)) }
}

fn insufficient_kinds(rules: &Rules) -> u64 {
    let sides = rules.ends().insufficient.iter().flat_map(|material| &material.sides);
    sides.fold(0, |mask, side| mask | kind_mask(&side.kinds) | kind_mask(&side.any_number_of))
}

fn kind_tables(rules: &Rules, hand_kinds: &[KindId]) -> Box<[KindTable; 64]> {
    let slot_of =
        |kind: KindId| hand_kinds.iter().position(|k| *k == kind).map_or(NO_SLOT, |slot| slot as u8);
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
    for castling in rules.castlings() {
        *lost.at_mut(castling.partner.0) |= 1 << castling.right;
        // Where partners may stand on any file, that a royal piece leaves its square is told by its kind.
        if rules.castling_starts() == CastlingStarts::Fixed {
            *lost.at_mut(castling.royal.0) |= 1 << castling.right;
        }
    }
    let mut first = Vec::new();
    for (n, square) in rules.first_move_squares().iter().enumerate() {
        let right = 1 << (rules.n_castling_rights() + n);
        *lost.at_mut(*square) |= right;
        first.push((right, W::bit(*square)));
    }
    (lost, first)
}

pub struct SideCompiler<'a> {
    pub rules: &'a Rules,
    pub groups: &'a KindGroupRegistry,
    pub side: Side,
}
impl SideCompiler<'_> {
    fn compile<W: Word>(&self, between: &mut BetweenTables<W>) -> SideTables<W> {
        let mut movers = MoveClasses::empty();
        let mut royals = MoveClasses::empty();
        for kind in self.rules.kind_ids() {
            let classes = if self.rules.kind(kind).royal { &mut royals } else { &mut movers };
            self.add_kind(kind, classes);
        }
        movers.share(self.groups);
        royals.share(self.groups);
        let mut tables = SideTables {
            movers,
            royals,
            merged_leaps: None,
            royal_group: self.groups.group(self.royal_mask()),
            spares_royals: self.groups.group(self.spares_royals()),
            needs_royal: self.rules.has_royal_at_start(self.side),
            royal_danger: RoyalDanger::none(),
            leap_attacks: Vec::new(),
            path_attacks: Vec::new(),
            hoppers: Vec::new(),
            has_two_legs: self.has_two_legs(),
            bans: self.bans(),
            castlings: self.castlings(),
            passing: Vec::new(),
            double_steps: PerSquare::filled((Square(0), Square(0))),
            double_steppers: 0,
            drops: self.drops(),
            in_place: self.in_place(),
            castling_rights: 0,
            next: Side(((self.side.index() + 1) % self.rules.sides().len()) as u8),
            forward: self.forward(),
            captures: self.captures(),
            contest: self.rules.contest().map(|contest| self.contest_units(contest)),
        };
        tables.castling_rights = tables.castlings.iter().fold(0, |rights, castling| rights | castling.right);
        for kind in self.rules.kind_ids() {
            self.add_attacks(kind, &mut tables, between);
            self.add_passing(kind, &mut tables);
        }
        self.share_direct(&mut tables);
        if self.rules.facing() == Facing::Forbidden {
            self.add_facing(&mut tables, between);
        }
        tables
    }

    #[inline]
    pub(super) fn group(&self, kind: KindId) -> KindGroup {
        self.groups.group(1 << kind.0)
    }

    fn has_two_legs(&self) -> bool {
        let has = |part: &Part| matches!(part.movement.path, Path::TwoLegs { .. } | Path::OutAndBack);
        self.rules.kinds().iter().flat_map(|kind| &kind.moves).any(has)
    }

    fn bans(&self) -> Vec<BanTable> {
        let bans = self.rules.bans().iter();
        bans.map(|ban| BanTable::new(ban, self.groups.group(kind_mask(&ban.of)))).collect()
    }

    fn spares_royals(&self) -> u64 {
        let spares = |part: &Part| part.not_onto.iter().any(|kind| self.rules.kind(*kind).royal);
        let kinds = self.rules.kind_ids().filter(|kind| self.rules.kind(*kind).moves.iter().any(spares));
        kind_mask(&kinds.collect::<Vec<_>>())
    }

    fn royal_mask(&self) -> u64 {
        let royals: Vec<KindId> = self.rules.kind_ids().filter(|kind| self.rules.kind(*kind).royal).collect();
        kind_mask(&royals)
    }

    fn forward(&self) -> i32 {
        let step = Delta::new(0, 1).turned(self.rules.sides()[self.side.index()].quarters);
        i32::from(step.file) * i32::from(self.rules.grid().ranks()) + i32::from(step.rank)
    }

    fn captures(&self) -> Vec<Side> {
        let team = |side: Side| self.rules.sides()[side.index()].team;
        let sides = (0..self.rules.sides().len() as u8).map(Side);
        sides.filter(|side| team(*side) != team(self.side)).collect()
    }

    fn castlings<W: Word>(&self) -> Vec<CastlingTable<W>> {
        let grid = self.rules.grid();
        let way = |(from, to): (Square, Square)| -> Vec<Square> {
            let (a, b) = (grid.file(from).min(grid.file(to)), grid.file(from).max(grid.file(to)));
            (a..=b).filter_map(|file| grid.at(file as i16, grid.rank(from) as i16)).collect()
        };
        let mut castlings = Vec::new();
        for castling in self.rules.castlings().iter().filter(|c| c.side == self.side) {
            let (royal, partner) = (castling.royal, castling.partner);
            // Also every square between the two pieces, as on c1 and b1 when the rook comes from a1.
            let all = way(royal).into_iter().chain(way(partner)).chain(way((royal.0, partner.0)));
            let pieces = W::bit(royal.0) | W::bit(partner.0);
            castlings.push(CastlingTable {
                right: 1 << castling.right,
                target: castling.target,
                royal: (royal.0, royal.1),
                partner: (partner.0, partner.1),
                empty: word_of::<W>(all) & !pieces,
                safe: word_of::<W>(way(royal)) & !W::bit(royal.0),
                may_uncover: !matches!(grid.file(partner.0), 0) && grid.file(partner.0) + 1 != grid.files(),
            });
        }
        castlings
    }

    fn drops<W: Word>(&self) -> Vec<DropTable<W>> {
        let mut tables: Vec<DropTable<W>> = Vec::new();
        let hand_kinds: Vec<KindId> =
            self.rules.kind_ids().filter(|kind| self.rules.kind(*kind).drop.is_some()).collect();
        for kind in self.rules.kind_ids() {
            let Some(rule) = self.rules.drop_rule(kind) else { continue };
            let in_hand = self.rules.kind(kind).demoted;
            let slot = hand_kinds.iter().position(|held| *held == in_hand).unwrap_or(usize::from(NO_SLOT));
            let turned = (kind != in_hand).then(|| vec![kind; hand_kinds.len()]);
            let stuck = match rule.stuck {
                StuckDrop::Forbidden => stuck(self.rules, self.side, kind),
                StuckDrop::Allowed => W::ZERO,
            };
            let squares = W::from_set(&rule.region[self.side.index()]) & !stuck;
            let per_file = rule.per_file.map(|limit| (limit, self.group(kind)));
            // Where royal pieces are captured there is no mate to forbid.
            let mates = self.rules.ends().royal_loss == RoyalLoss::Checkmate;
            let mate_ban = (mates && rule.mate == DropMate::Forbidden).then(|| self.mate_ban(kind));
            let plain = per_file.is_none() && mate_ban.is_none() && turned.is_none();
            let shared = tables.iter_mut().find(|t| plain && t.is_plain() && t.squares == squares);
            match shared {
                Some(table) => table.slots |= 1 << slot,
                None => tables.push(DropTable { slots: 1 << slot, turned, squares, per_file, mate_ban }),
            }
        }
        tables
    }

    fn mate_ban<W: Word>(&self, kind: KindId) -> DropMateBan<W> {
        let mut checks = PerSquare::filled(W::ZERO);
        for part in self.rules.kind(kind).moves.iter().filter(|part| part.movement.target != Target::Empty) {
            let view = PartView { rules: self.rules, side: self.side, kind, part };
            for from in self.rules.grid().squares() {
                view.ways(from).iter().for_each(|(to, _)| *checks.at_mut(*to) |= W::bit(from));
            }
        }
        DropMateBan { kind, checks }
    }

    fn in_place<W: Word>(&self) -> Vec<(KindGroup, PromotionTable<W>)> {
        let mut found = Vec::new();
        for kind in self.rules.kind_ids() {
            if self.rules.kind(kind).promotion.as_ref().is_some_and(Promotion::is_in_place) {
                let promotion = PromotionTable::new(self.rules, kind, self.side, W::ZERO);
                found.extend(promotion.map(|p| (self.group(kind), p.in_place())));
            }
        }
        found
    }
}

pub fn kind_mask(kinds: &[KindId]) -> u64 {
    kinds.iter().fold(0, |mask, kind| mask | 1 << kind.0)
}
