//! How pieces move that only leap and ride, with as little to read as can be: the turns of contests are counted with it.
//!
//! In: the move classes of every side, kind by kind. Out: leaps by square and rides, once for all that move alike. Never: movements
//! that ask for more than the occupied squares.

use std::sync::Arc;

use ashta_rules::{KindId, Side, Square, Target};

use super::{ContestClasses, MoveClasses, SlideTable};
use crate::word::{PerSquare, Word, every_square};

/// How a kind of a side leaps and rides.
#[derive(Debug)]
pub struct AttackTable<W> {
    /// By square: leaps by target.
    pub leaps: PerSquare<[W; 3]>,
    /// Rides.
    pub rides: Vec<(Target, Arc<SlideTable<W>>)>,
}

impl<W: Word> AttackTable<W> {
    fn new(classes: &MoveClasses<W>) -> AttackTable<W> {
        let mut leaps = PerSquare::filled([W::ZERO; 3]);
        for class in &classes.leaps {
            for square in every_square() {
                leaps.at_mut(square)[class.class.target as usize] |= *class.to.at(square);
            }
        }
        AttackTable {
            leaps,
            rides: classes.rides.iter().map(|rides| (rides.class.target, rides.slide.clone())).collect(),
        }
    }

    /// Where leaps from a square end, with what may be gone to by target.
    #[inline(always)]
    pub fn leaps(&self, from: Square, targets: [W; 3]) -> W {
        let [any, empty, capture] = *self.leaps.at(from);
        any & targets[0] | empty & targets[1] | capture & targets[2]
    }

    fn same_as(&self, other: &AttackTable<W>) -> bool {
        every_square().all(|square| self.leaps.at(square) == other.leaps.at(square))
            && self.rides.len() == other.rides.len()
            && self.rides.iter().zip(&other.rides).all(|(a, b)| a.0 == b.0 && a.1.same_as(&b.1))
    }
}

/// The gaits of all kinds of all sides. Those that are the same are one, so that four sides read one table.
#[derive(Debug)]
pub struct AttackTables<W> {
    distinct: Vec<AttackTable<W>>,
    /// By side and kind.
    of: [[u8; 64]; 4],
}

impl<W: Word> AttackTables<W> {
    /// Of the sides in their order.
    pub fn new<'a>(sides: impl Iterator<Item = &'a ContestClasses<W>>) -> AttackTables<W>
    where
        W: 'a,
    {
        let mut attack_tables = AttackTables { distinct: Vec::new(), of: [[0; 64]; 4] };
        for (side, classes) in sides.enumerate().take(4) {
            for (kind, classes) in classes.by_kind.iter().enumerate().take(64) {
                let attack_table = AttackTable::new(classes);
                let same = attack_tables.distinct.iter().position(|other| other.same_as(&attack_table));
                attack_tables.of[side][kind] = same.unwrap_or(attack_tables.distinct.len()) as u8;
                if same.is_none() {
                    attack_tables.distinct.push(attack_table);
                }
            }
        }
        attack_tables
    }

    /// How a kind of a side moves.
    #[inline(always)]
    pub fn of(&self, side: Side, kind: KindId) -> &AttackTable<W> {
        &self.distinct[self.of[side.index() & 3][kind.index() & 63] as usize]
    }
}
