//! How each kind attacks, seen from the attacked square; captures in passing.

use std::borrow::Cow;
use std::sync::Arc;

use ashta_rules::{Delta, InCheck, KindId, Movement, Part, Path, Square, Target, Wraps};

use super::between::BetweenTables;
use super::compile::{SideCompiler, kind_mask};
use super::geometry::PartView;
use super::slide::SlideTable;
use super::{EnPassantTable, KindGroup, LeapAttack, MoveClass, PathAttack, RideClass, SideTables};
use crate::word::{PerSquare, Word, every_square};

impl SideCompiler<'_> {
    pub(super) fn add_attacks<W: Word>(
        &self,
        kind: KindId,
        tables: &mut SideTables<W>,
        between: &mut BetweenTables<W>,
    ) {
        let group = self.group(kind);
        for part in self.rules.kind(kind).moves.iter().flat_map(|part| self.one_way_parts(part)) {
            let part = part.as_ref();
            let spares_royals = part.not_onto.iter().any(|kind| self.rules.kind(*kind).royal);
            // Moves of two legs capture only where the piece leaps as well.
            let has_legs = matches!(part.movement.path, Path::TwoLegs { .. } | Path::OutAndBack);
            if part.movement.target == Target::Empty || spares_royals || has_legs {
                continue;
            }
            let view = PartView { rules: self.rules, side: self.side, kind, part };
            let path = &part.movement.path;
            let step = part.movement.steps.first().copied().unwrap_or(Delta::new(0, 1));
            let mut from_squares = PerSquare::filled(W::ZERO);
            let family = match path {
                Path::Leap => None,
                Path::Ride { .. } if self.rules.grid().wraps() != Wraps::No => {
                    let quarters = self.rules.sides()[self.side.index()].quarters;
                    Some(between.one_way(step.turned(quarters)))
                }
                _ => Some(between.family(path, step)),
            };
            for from in self.rules.grid().squares() {
                for (to, way) in view.ways(from) {
                    *from_squares.at_mut(to) |= W::bit(from);
                    if let Some(family) = family {
                        between.set(family, to, from, &way);
                    }
                }
            }
            let first_move = view.is_remembered_first_move();
            match (path, family) {
                (Path::Hop { .. }, Some(family)) => {
                    let not_over = kind_mask(&part.not_over);
                    tables.hoppers.push(PathAttack {
                        group,
                        from: from_squares,
                        between: family,
                        not_over,
                        first_move,
                    });
                }
                (_, Some(family)) => {
                    let path_attacks =
                        PathAttack { group, from: from_squares, between: family, not_over: 0, first_move };
                    self.add_distant(tables, path_attacks);
                }
                (_, None) => self.add_direct(tables, group, from_squares, first_move),
            }
        }
    }

    /// A part, or one for each direction of a ride around a ring.
    fn one_way_parts<'a>(&self, part: &'a Part) -> Vec<Cow<'a, Part>> {
        let goes_around =
            self.rules.grid().wraps() != Wraps::No && matches!(part.movement.path, Path::Ride { .. });
        if !goes_around {
            return vec![Cow::Borrowed(part)];
        }
        let only = |step: &Delta| {
            let movement = Movement { steps: vec![*step], ..part.movement.clone() };
            Cow::Owned(Part { movement, ..part.clone() })
        };
        part.movement.steps.iter().map(only).collect()
    }

    pub(super) fn add_direct<W: Word>(
        &self,
        tables: &mut SideTables<W>,
        group: KindGroup,
        from: PerSquare<W>,
        first_move: bool,
    ) {
        let squares = self.rules.grid().n_squares();
        // Two parts of one kind become one table.
        let own = tables.leap_attacks.iter_mut().find(|d| d.group == group && d.first_move == first_move);
        if let Some(own) = own {
            (0..squares).for_each(|s| *own.from.at_mut(Square(s as u8)) |= *from.at(Square(s as u8)));
            return;
        }
        tables.leap_attacks.push(LeapAttack { group, from, first_move });
    }

    /// Kinds that attack from the same squares share a table, once all their parts are in it.
    pub(super) fn share_direct<W: Word>(&self, tables: &mut SideTables<W>) {
        let mut shared: Vec<LeapAttack<W>> = Vec::new();
        for leap_attacks in tables.leap_attacks.drain(..) {
            let same = |other: &&mut LeapAttack<W>| {
                other.first_move == leap_attacks.first_move
                    && every_square().all(|square| other.from.at(square) == leap_attacks.from.at(square))
            };
            match shared.iter_mut().find(|other| self.groups.has_room() && same(other)) {
                Some(other) => other.group = self.groups.union(other.group, leap_attacks.group),
                None => shared.push(leap_attacks),
            }
        }
        tables.leap_attacks = shared;
    }

    /// Kinds that attack along the same paths share a table.
    pub(super) fn add_distant<W: Word>(&self, tables: &mut SideTables<W>, path_attacks: PathAttack<W>) {
        let squares = self.rules.grid().n_squares();
        let same = |other: &&mut PathAttack<W>| {
            (other.between, other.first_move) == (path_attacks.between, path_attacks.first_move)
                && (0..squares)
                    .all(|s| other.from.at(Square(s as u8)) == path_attacks.from.at(Square(s as u8)))
        };
        match tables.path_attacks.iter_mut().find(|other| self.groups.has_room() && same(other)) {
            Some(shared) => shared.group = self.groups.union(shared.group, path_attacks.group),
            None => tables.path_attacks.push(path_attacks),
        }
    }

    pub(super) fn add_passing<W: Word>(&self, kind: KindId, tables: &mut SideTables<W>) {
        let grid = self.rules.grid();
        for part in &self.rules.kind(kind).moves {
            let view = PartView { rules: self.rules, side: self.side, kind, part };
            let movement = &part.movement;
            if movement.en_passant {
                let mut from_squares = PerSquare::filled(W::ZERO);
                for from in grid.squares() {
                    view.ways(from).iter().for_each(|(to, _)| *from_squares.at_mut(*to) |= W::bit(from));
                }
                tables.passing.push(EnPassantTable { group: self.group(kind), from: from_squares });
            }
            if movement.first_move_only && matches!(movement.path, Path::Lame | Path::Ride { .. }) {
                for from in view.starts().iter() {
                    for (to, way) in view.ways(from).iter().filter(|(_, way)| way.len() == 1) {
                        *tables.double_steps.at_mut(from) = (*to, way[0]);
                        tables.double_steppers |= 1 << kind.0;
                    }
                }
            }
        }
    }

    /// Royal pieces that may not face each other attack along the file.
    pub(super) fn add_facing<W: Word>(&self, tables: &mut SideTables<W>, between: &mut BetweenTables<W>) {
        let Ok(file) = ashta_rules::read_betza("vR") else { return };
        let royal: Vec<KindId> = self.rules.kind_ids().filter(|kind| self.rules.kind(*kind).royal).collect();
        let Some(kind) = royal.first().copied() else { return };
        let part = Part {
            movement: file[0].clone(),
            from: None,
            within: None,
            not_over: Vec::new(),
            not_onto: Vec::new(),
            in_check: InCheck::Allowed,
        };
        let view = PartView { rules: self.rules, side: self.side, kind, part: &part };
        let family = between.family(&part.movement.path, Delta::new(0, 1));
        let mut from_squares = PerSquare::filled(W::ZERO);
        for from in self.rules.grid().squares() {
            for (to, way) in view.ways(from) {
                *from_squares.at_mut(to) |= W::bit(from);
                between.set(family, to, from, &way);
            }
        }
        let group = tables.royal_group;
        let (between, not_over, first_move) = (family, 0, false);
        tables.path_attacks.push(PathAttack { group, from: from_squares, between, not_over, first_move });
        for rays in view.rides(u8::MAX) {
            let class = MoveClass {
                is_plain: true,
                calm: false,
                group,
                target: Target::Any,
                promotion: None,
                first_move: false,
                spares: KindGroup::NONE,
            };
            tables.royals.rides.push(RideClass {
                class,
                slide: Arc::new(SlideTable::new(&rays)),
                only_attacks: true,
            });
        }
    }
}
