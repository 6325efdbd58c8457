//! The moves that count in a mate by checks: the attacker's checks and the defender's replies.
//!
//! In: a position. Out: checks, replies by plain rules or by the convention of problems. Never: search beyond that
//! convention.

use std::sync::Arc;

use ashta_position::{Action, Move, MoveGroups, MoveList, Position, Tables};
use ashta_search::SearchWord;

use super::checks::CheckTables;
use super::royal_capture::{RoyalCapture, Standing, takes};

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
    royal_capture: Option<RoyalCapture<W>>,
    /// Plies without progress that end the game, where that is looked at.
    quiet_plies: Option<u32>,
    futile: Futile,
    lists: Vec<MoveList>,
    groups: MoveGroups<W>,
}

impl<W: SearchWord> TsumeMoves<W> {
    pub fn new(tables: &Arc<Tables<W>>, futile: Futile) -> TsumeMoves<W> {
        let royal_capture = RoyalCapture::of(tables);
        let quiet = tables.rules.ends().quiet.as_ref().filter(|_| royal_capture.is_some());
        TsumeMoves {
            tables: CheckTables::new(tables),
            royal_capture,
            quiet_plies: quiet.map(|quiet| quiet.plies),
            futile,
            lists: Vec::new(),
            groups: MoveGroups::new(),
        }
    }

    /// The key of a position, mixed with the count of quiet plies where that may end the game within `plies`.
    #[inline]
    pub fn key(&self, position: &Position<W>, plies: u16) -> u64 {
        let quiet = position.state().quiet();
        match self.quiet_plies {
            Some(max) if quiet + u32::from(plies) >= max => {
                position.key() ^ u64::from(quiet + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            }
            Some(_) | None => position.key(),
        }
    }

    /// Whether the attacker, who is to move, has won or not, if the game is over.
    #[inline]
    pub fn end(&self, position: &Position<W>) -> Option<bool> {
        let royal_capture = self.royal_capture.as_ref()?;
        royal_capture.end(position).map(|winner| winner == Some(position.turn()))
    }

    /// A capture of the last royal piece of the other side, if royal pieces are captured.
    pub fn royal_captured(&mut self, position: &Position<W>) -> Option<Move> {
        let can_take = self.royal_capture.as_mut()?.can_take(position);
        position.legal_moves().into_iter().find(|mv| can_take && takes(position, *mv))
    }

    /// Whether the defender, who is in check, has no reply that counts.
    pub fn is_mated(&mut self, position: &mut Position<W>) -> bool {
        match (self.futile, &mut self.royal_capture) {
            (Futile::Count, None) => !position.has_legal_move(),
            (Futile::Count, Some(royal_capture)) => royal_capture.is_mated(position),
            (Futile::Ignore, _) => self.replies(position).is_some_and(|replies| replies.is_empty()),
        }
    }

    /// Every legal reply that counts as a defence; `None` if the defender is safe without one: the game is over, or the
    /// attacker's last royal piece can be captured.
    pub fn replies(&mut self, position: &mut Position<W>) -> Option<Vec<Move>> {
        let mut replies = Vec::new();
        match &mut self.royal_capture {
            None => {
                let mut list = self.take_list();
                position.generate(&mut list);
                replies = list.to_vec();
                self.lists.push(list);
            }
            Some(royal_capture) => match royal_capture.defend(position, &mut replies) {
                Standing::Saved => return None,
                Standing::Lost | Standing::Open => {}
            },
        }
        if self.futile == Futile::Ignore {
            self.drop_futile(position, &mut replies);
        }
        Some(replies)
    }

    /// The checks of the side to move, in the order of generation.
    pub fn checks(&mut self, position: &mut Position<W>) -> Vec<Move> {
        let mut checking = Vec::new();
        match &mut self.royal_capture {
            None => {
                let is_in_check = |position: &mut Position<W>| position.is_in_check();
                self.tables.list(position, &mut self.groups, &mut checking, is_in_check);
            }
            Some(royal_capture) => {
                // A capture of the last royal piece is one of its checks, which tables do not find.
                if royal_capture.can_take(position) {
                    checking = position.legal_moves();
                    checking.retain(|mv| royal_capture.gives_check(position, *mv));
                    return checking;
                }
                let is_in_check = |position: &mut Position<W>| royal_capture.is_in_check(position);
                self.tables.list(position, &mut self.groups, &mut checking, is_in_check);
            }
        }
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
            let mated = self.replies(position).is_some_and(|replies| replies.is_empty());
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
