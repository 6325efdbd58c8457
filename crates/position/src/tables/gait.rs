//! How pieces move that only leap and ride, with as little to read as can be: the turns of contests are counted with it.
//!
//! In: the units of every side, kind by kind. Out: leaps by square and rides, once for all that move alike. Never: movements
//! that ask for more than the occupied squares.

use std::sync::Arc;

use ashta_rules::Target;

use super::{ContestUnits, Slide, Units};
use crate::word::{PerSquare, Word};

/// How a kind of a side leaps and rides.
#[derive(Debug)]
pub struct Gait<W> {
    /// By square: leaps by target.
    pub leaps: PerSquare<[W; 3]>,
    /// Rides.
    pub rides: Vec<(Target, Arc<Slide<W>>)>,
}

impl<W: Word> Gait<W> {
    fn new(units: &Units<W>) -> Gait<W> {
        let mut leaps = PerSquare::filled([W::ZERO; 3]);
        for unit in &units.leaps {
            for square in 0..=255 {
                leaps.at_mut(square)[unit.unit.target as usize] |= *unit.to.at(square);
            }
        }
        Gait {
            leaps,
            rides: units.rides.iter().map(|rides| (rides.unit.target, rides.slide.clone())).collect(),
        }
    }

    /// Where leaps from a square end, with what may be gone to by target.
    #[inline(always)]
    pub fn leaps(&self, from: u8, ends: [W; 3]) -> W {
        let [any, empty, capture] = *self.leaps.at(from);
        any & ends[0] | empty & ends[1] | capture & ends[2]
    }

    fn same_as(&self, other: &Gait<W>) -> bool {
        (0..=255).all(|square| self.leaps.at(square) == other.leaps.at(square))
            && self.rides.len() == other.rides.len()
            && self.rides.iter().zip(&other.rides).all(|(a, b)| a.0 == b.0 && a.1.same_as(&b.1))
    }
}

/// The gaits of all kinds of all sides. Those that are the same are one, so that four sides read one table.
#[derive(Debug)]
pub struct Gaits<W> {
    distinct: Vec<Gait<W>>,
    /// By side and kind.
    of: [[u8; 64]; 4],
}

impl<W: Word> Gaits<W> {
    /// Of the sides in their order.
    pub fn new<'a>(sides: impl Iterator<Item = &'a ContestUnits<W>>) -> Gaits<W>
    where
        W: 'a,
    {
        let mut gaits = Gaits { distinct: Vec::new(), of: [[0; 64]; 4] };
        for (side, units) in sides.enumerate().take(4) {
            for (kind, units) in units.by_kind.iter().enumerate().take(64) {
                let gait = Gait::new(units);
                let same = gaits.distinct.iter().position(|other| other.same_as(&gait));
                gaits.of[side][kind] = same.unwrap_or(gaits.distinct.len()) as u8;
                if same.is_none() {
                    gaits.distinct.push(gait);
                }
            }
        }
        gaits
    }

    /// How a kind of a side moves.
    #[inline(always)]
    pub fn of(&self, side: u8, kind: u8) -> &Gait<W> {
        &self.distinct[self.of[side as usize & 3][kind as usize & 63] as usize]
    }
}
