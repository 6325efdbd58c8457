//! All leaps of a side's pieces as one table by kind and square, for sinks that only count.
//!
//! In: compiled move classes. Out: for a kind and a square, where its piece leaps to stay as it is and where to promote.
//! Never: the order of moves, which lists and groups take from the move classes.
//!
//! Each move class has a loop of its own, and a processor mispredicts the end of most of them. One loop over all
//! leapers costs one misprediction, and one more load for each piece: its kind.

use ashta_rules::{KindId, Square, Target};

use super::kind_group::KindGroupRegistry;
use super::{KindGroup, LeapClass, SideTables};
use crate::word::Word;

/// All leaps of a side's non-royal pieces.
#[derive(Debug)]
pub struct MergedLeaps<W> {
    /// Leapers, with those that step set-wise and royal pieces.
    pub leapers: KindGroup,
    /// Kinds of `leapers` that step set-wise and do not leap.
    pub steppers: KindGroup,
    /// A row of targets for each sort of leaper; `rows` has the first entry of each kind's.
    targets: Vec<MergedTargets<W>>,
    rows: [u16; 64],
}

/// Targets of a leaper on one square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MergedTargets<W> {
    /// Where it may stay as it is.
    pub stay: W,
    /// Where it may promote, to one kind.
    pub promote: W,
}

impl<W: Word> MergedLeaps<W> {
    /// Merges the leaps of a side, if it has several classes of them that can be merged.
    ///
    /// No new group of kinds is made for this: each costs every move of its kinds one more bitboard to change. The group
    /// of `royal_danger` serves, without the one group of steppers.
    pub fn new(side: &SideTables<W>, n_squares: usize, groups: &KindGroupRegistry) -> Option<MergedLeaps<W>> {
        let classes = &side.movers;
        let leapers = side.royal_danger.leapers;
        let steppers = classes.steps.first().map_or(KindGroup::NONE, |steps| steps.class.group);
        let leaping = classes.leaps.iter().fold(0, |all, leaps| all | groups.kinds(leaps.class.group));
        let royals = groups.kinds(side.royal_group);
        let fits = classes.leaps.len() > 1
            && classes.leaps.iter().any(|leaps| leaps.class.promotion.is_some())
            && classes.leaps.iter().all(can_merge)
            && classes.steps.iter().all(|steps| steps.class.group == steppers)
            && leaping & groups.kinds(steppers) == 0
            && groups.kinds(leapers) & !(groups.kinds(steppers) | royals) == leaping;
        if !fits {
            return None;
        }
        let mut merged = MergedLeaps { leapers, steppers, targets: Vec::new(), rows: [0; 64] };
        for kind in 0..64 {
            let row = row_of(
                classes.leaps.iter().filter(|l| groups.kinds(l.class.group) >> kind & 1 == 1),
                n_squares,
            );
            let known = merged.targets.chunks(n_squares).position(|other| other == row);
            let at = known.unwrap_or_else(|| {
                merged.targets.extend(&row);
                merged.targets.len() / n_squares - 1
            });
            merged.rows[kind] = (at * n_squares) as u16;
        }
        Some(merged)
    }

    /// Where a leaper of a kind on a square may go.
    #[inline(always)]
    pub fn of(&self, kind: KindId, from: Square) -> MergedTargets<W> {
        let at = usize::from(self.rows[kind.index() & 63]) + from.index();
        self.targets.get(at).copied().unwrap_or(MergedTargets { stay: W::ZERO, promote: W::ZERO })
    }
}

/// Whether the targets of a class depend on nothing but the square, and promotion leads to one kind.
fn can_merge<W: Word>(leaps: &LeapClass<W>) -> bool {
    let class = &leaps.class;
    class.target == Target::Any
        && !class.first_move
        && class.spares == KindGroup::NONE
        && class.promotion.as_ref().is_none_or(|promotion| {
            promotion.only_kind().is_some()
                && promotion.limits.is_none()
                && promotion.exempt == KindGroup::NONE
        })
}

fn row_of<'a, W: Word>(
    classes: impl Iterator<Item = &'a LeapClass<W>>,
    n_squares: usize,
) -> Vec<MergedTargets<W>> {
    let mut row = vec![MergedTargets { stay: W::ZERO, promote: W::ZERO }; n_squares];
    for leaps in classes {
        for (from, targets) in row.iter_mut().enumerate() {
            let to = *leaps.to.at(Square(from as u8));
            let (stay, promote) = match &leaps.class.promotion {
                None => (to, W::ZERO),
                Some(promotion) => {
                    let masks = promotion.by_start.at(Square(from as u8));
                    (to & masks.stay, to & masks.become_other)
                }
            };
            targets.stay |= stay;
            targets.promote |= promote;
        }
    }
    row
}
