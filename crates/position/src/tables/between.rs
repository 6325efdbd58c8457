//! Squares between two squares, a table for each family of paths.

use ashta_rules::{Delta, Path, Square};

use super::Between;
use super::geometry::word_of;
use crate::word::{ROW, Word, boxed};

/// Families of paths: all paths of a family between two squares are the same.
#[derive(Clone, PartialEq, Eq)]
enum Family {
    Line,
    Rider(i8, i8),
    Lame(i8, i8),
    Bent(Delta, Vec<Delta>),
    /// One direction of a ride around a ring, whose other direction has other squares between.
    OneWay(Delta),
}

pub struct BetweenTables<W> {
    pub tables: Vec<Between<W>>,
    keys: Vec<Family>,
}

impl<W: Word> BetweenTables<W> {
    /// No tables yet.
    pub fn new() -> BetweenTables<W> {
        BetweenTables { tables: Vec::new(), keys: Vec::new() }
    }

    /// The table for a path whose first step is this.
    pub fn family(&mut self, path: &Path, step: Delta) -> usize {
        let (a, b) = (step.file.abs().min(step.rank.abs()), step.file.abs().max(step.rank.abs()));
        let family = match path {
            Path::Leap | Path::TwoLegs { .. } | Path::OutAndBack => Family::Line,
            Path::Ride { .. } | Path::Hop { .. } if b == 1 => Family::Line,
            Path::Hop { limit: 1 } => Family::Line,
            Path::Ride { .. } | Path::Hop { .. } => Family::Rider(a, b),
            Path::Lame => Family::Lame(a, b),
            Path::Bent { then, .. } => Family::Bent(Delta::new(a, b), then.clone()),
        };
        self.table_of(family)
    }

    /// The table for rides in one direction only, around a ring.
    pub fn one_way(&mut self, step: Delta) -> usize {
        self.table_of(Family::OneWay(step))
    }

    fn table_of(&mut self, family: Family) -> usize {
        if let Some(at) = self.keys.iter().position(|key| *key == family) {
            return at;
        }
        self.keys.push(family);
        self.tables.push(Between(boxed([W::ZERO; ROW])));
        self.tables.len() - 1
    }

    /// Sets the squares on the way between two squares.
    #[inline]
    pub fn set(&mut self, family: usize, to: Square, from: Square, way: &[Square]) {
        self.tables[family].0[to.index()][from.index()] = word_of(way.iter().copied());
    }
}
