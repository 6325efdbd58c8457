//! The moves that count in a mate by checks: the attacker's checks and the defender's replies.
//!
//! In: a position. Out: checks, replies by plain rules or by the convention of problems. Never: search beyond that
//! convention.

use std::sync::Arc;

use ashta_position::{Action, Move, MoveGroups, MoveList, Position, Tables};
use ashta_search::SearchWord;

use super::checks::CheckTables;

/// Whether futile interpositions (無駄合) count as moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Futile {
    /// Plain rules: every legal move counts.
    #[default]
    Count,
    /// The convention of problems: an interposed drop that is captured with mate is no defence.
    Ignore,
}

/// Generates the moves of both sides; holds reused memory.
pub struct TsumeMoves<W> {
    tables: CheckTables<W>,
    futile: Futile,
    lists: Vec<MoveList>,
    groups: MoveGroups<W>,
}

impl<W: SearchWord> TsumeMoves<W> {
    pub fn new(tables: &Arc<Tables<W>>, futile: Futile) -> TsumeMoves<W> {
        TsumeMoves { tables: CheckTables::new(tables), futile, lists: Vec::new(), groups: MoveGroups::new() }
    }

    /// Whether the defender, who is in check, has no reply that counts.
    pub fn is_mated(&mut self, position: &mut Position<W>) -> bool {
        match self.futile {
            Futile::Count => !position.has_legal_move(),
            Futile::Ignore => self.replies(position).is_empty(),
        }
    }

    /// Every legal reply that counts as a defence.
    pub fn replies(&mut self, position: &mut Position<W>) -> Vec<Move> {
        let mut list = self.take_list();
        position.generate(&mut list);
        let mut replies = list.to_vec();
        self.lists.push(list);
        if self.futile == Futile::Ignore {
            self.drop_futile(position, &mut replies);
        }
        replies
    }

    /// The checks of the side to move, in the order of generation.
    pub fn checks(&mut self, position: &mut Position<W>) -> Vec<Move> {
        let mut checking = Vec::new();
        self.tables.list(position, &mut self.groups, &mut checking);
        checking
    }

    /// Drops interpositions that the attacker captures with mate (by this same convention) on the square of the drop.
    fn drop_futile(&mut self, position: &mut Position<W>, replies: &mut Vec<Move>) {
        // Only where drops alone delay the mate: with any other reply, a drop may matter to what follows.
        if !replies.iter().all(|mv| matches!(mv.action(), Action::Drop { .. })) {
            return;
        }
        let all_futile = replies.iter().all(|mv| {
            let undo = position.play_unchecked(*mv);
            let futile = self.is_captured_with_mate(position, *mv);
            position.take_back(*mv, undo);
            futile
        });
        if all_futile {
            replies.clear();
        }
    }

    fn is_captured_with_mate(&mut self, position: &mut Position<W>, drop: Move) -> bool {
        let takes: Vec<Move> = self.checks(position).into_iter().filter(|mv| mv.to() == drop.to()).collect();
        takes.into_iter().any(|mv| {
            let undo = position.play_unchecked(mv);
            let mated = self.replies(position).is_empty();
            position.take_back(mv, undo);
            mated
        })
    }

    fn take_list(&mut self) -> MoveList {
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        list
    }
}
