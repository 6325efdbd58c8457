//! Mate in games in which royal pieces are captured.
//!
//! In: a position. Out: check, mate, the replies that do not lose at once. Never: games of the rule of check, whose generator
//! knows all that.
//!
//! Every move is legal in these games. A side is in check if the other side could capture its last royal piece, were it
//! to move. It is mated if it is in check and every reply leaves that capture possible. So a mate is told at the move at
//! which it is told in games of the rule of check, and lengths mean the same. Two royal pieces are in check only from a
//! piece that captures both in one move.

use ashta_position::{Move, MoveGroups, MoveList, PatternMover, Position, Tables};
use ashta_rules::{CaptureDuty, Facing, Hand, KindId, RoyalLoss, Rules, Side, Verdict};
use ashta_search::SearchWord;

use super::royal_guard::RoyalGuard;

/// Answers questions about check and mate; holds reused memory.
pub struct RoyalCapture<W> {
    /// Whether a royal piece that is attacked can be captured. If not, captures must be generated.
    attacks_capture: bool,
    /// Whether safe replies can be told without playing them.
    has_lines: bool,
    /// Whether the game may end otherwise than by a captured royal piece or for want of a move.
    has_other_ends: bool,
    groups: MoveGroups<W>,
    candidates: Vec<Move>,
    captures: MoveList,
}

/// What the side to move, the defender, can still hope for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is mated, or the game is over and lost.
    Lost,
    /// The game is over and not lost, or the attacker's last royal piece can be captured.
    Saved,
    /// It has replies.
    Open,
}

/// Whether attack tables say exactly which royal pieces can be captured.
pub fn attacks_capture<W: SearchWord>(tables: &Tables<W>) -> bool {
    let rules = &tables.rules;
    let royal = |kind: &KindId| rules.kind(*kind).royal;
    let steps_twice = |side: &ashta_rules::Side| tables.sides[side.index()].double_steppers;
    let doubles = rules.side_ids().fold(0, |all, side| all | steps_twice(&side));
    rules.sides().len() == 2
        && rules.facing() == Facing::Allowed
        && rules.capture_duty() == CaptureDuty::Free
        && rules.hand() != Hand::SetUp
        && !rules.bans().iter().any(|ban| ban.of.iter().any(royal))
        // En passant captures where nothing attacks.
        && !rules.kind_ids().any(|kind| royal(&kind) && doubles >> kind.0 & 1 == 1)
}

impl<W: SearchWord> RoyalCapture<W> {
    /// `None` for games of the rule of check.
    pub fn of(tables: &Tables<W>) -> Option<RoyalCapture<W>> {
        let rules = &tables.rules;
        if rules.ends().royal_loss != RoyalLoss::Capture {
            return None;
        }
        let attacks_capture = attacks_capture(tables);
        let has_lines = tables.sides.iter().all(|side| {
            side.hoppers.is_empty()
                && side.leap_attacks.iter().all(|leaps| !leaps.first_move)
                && side.path_attacks.iter().all(|paths| !paths.first_move)
        });
        Some(RoyalCapture {
            attacks_capture,
            has_lines: attacks_capture && has_lines,
            has_other_ends: has_other_ends(rules),
            groups: MoveGroups::new(),
            candidates: Vec::new(),
            captures: MoveList::new(),
        })
    }

    /// Whether the side to move can capture the other side's last royal piece.
    #[inline]
    pub fn can_take(&mut self, position: &Position<W>) -> bool {
        let me = position.turn();
        let royals = position.royals(me.other());
        match () {
            () if royals.is_empty() => false,
            () if !self.attacks_capture => self.finds_capture(position),
            () if royals.is_single() => position.is_attacked(royals.lowest(), me),
            () => aims_at_all(position, royals, me) && self.finds_capture(position),
        }
    }

    fn finds_capture(&mut self, position: &Position<W>) -> bool {
        self.captures.clear();
        position.generate(&mut self.captures);
        self.captures.iter().any(|mv| takes(position, *mv))
    }

    /// Whether the other side could capture the last royal piece of the side to move, were it to move.
    #[inline]
    pub fn is_in_check(&mut self, position: &mut Position<W>) -> bool {
        let (royals, them) = (position.royals(position.turn()), position.turn().other());
        if royals.is_empty() {
            return false;
        }
        if self.attacks_capture {
            if royals.is_single() {
                return position.is_attacked(royals.lowest(), them);
            }
            if !aims_at_all(position, royals, them) {
                return false;
            }
        }
        let undo = position.play_unchecked(Move::PASS);
        let can_take = self.can_take(position);
        position.take_back(Move::PASS, undo);
        can_take
    }

    /// Whether a move captures the last royal piece or threatens to.
    pub fn gives_check(&mut self, position: &mut Position<W>, mv: Move) -> bool {
        if takes(position, mv) {
            return true;
        }
        let undo = position.play_unchecked(mv);
        let is_check = self.is_in_check(position);
        position.take_back(mv, undo);
        is_check
    }

    /// The winner, if any, if the game is over otherwise than by a captured royal piece or for want of a move. In a
    /// problem whose attacker has no royal piece only mate counts.
    pub fn end(&self, position: &Position<W>) -> Option<Option<Side>> {
        if !self.may_end(position) {
            return None;
        }
        position.end_knowing(true)?;
        position.end_knowing(position.has_legal_move()).map(|outcome| outcome.winner)
    }

    #[inline]
    fn may_end(&self, position: &Position<W>) -> bool {
        self.has_other_ends && position.royals(Side::FIRST).any() && position.royals(Side::SECOND).any()
    }

    /// How the defender, who is to move, stands. Lists the replies that do not lose the last royal piece at once, or
    /// every move, if none is safe and there is no check.
    pub fn defend(&mut self, position: &mut Position<W>, replies: &mut Vec<Move>) -> Standing {
        replies.clear();
        if let Some(standing) = self.decided(position) {
            return standing;
        }
        self.list_safe(position, replies);
        if !replies.is_empty() {
            return Standing::Open;
        }
        let legal = position.legal_moves();
        if legal.is_empty() {
            return match position.rules().ends().stalemate {
                Verdict::Loss => Standing::Lost,
                Verdict::Draw | Verdict::Win => Standing::Saved,
            };
        }
        if self.is_in_check(position) {
            return Standing::Lost;
        }
        replies.extend(legal);
        Standing::Open
    }

    /// The replies of [`RoyalCapture::defend`]; none if the defender has lost or needs none.
    pub fn replies(&mut self, position: &mut Position<W>) -> Vec<Move> {
        let mut replies = Vec::new();
        self.defend(position, &mut replies);
        replies
    }

    /// The moves of the defender after which it still has its last royal piece, or the attacker does not.
    pub fn survivors(&mut self, position: &mut Position<W>) -> Vec<Move> {
        let mut replies = Vec::new();
        match self.defend(position, &mut replies) {
            Standing::Open | Standing::Lost => {}
            Standing::Saved if self.end(position).is_some() => {}
            Standing::Saved => {
                self.list_safe(position, &mut replies);
                replies.retain(|mv| !takes(position, *mv));
                replies.extend(position.legal_moves().into_iter().filter(|mv| takes(position, *mv)));
            }
        }
        replies
    }

    /// Whether the defender, who is to move, has lost.
    pub fn is_mated(&mut self, position: &mut Position<W>) -> bool {
        if let Some(standing) = self.decided(position) {
            return standing == Standing::Lost;
        }
        let loses_without_move = position.rules().ends().stalemate == Verdict::Loss;
        if !self.is_in_check(position) {
            return loses_without_move && !position.has_legal_move();
        }
        let mut replies = Vec::new();
        self.list_safe(position, &mut replies);
        replies.is_empty() && (loses_without_move || position.has_legal_move())
    }

    fn decided(&mut self, position: &Position<W>) -> Option<Standing> {
        let me = position.turn();
        if position.royals(me).is_empty() {
            return Some(Standing::Lost);
        }
        if let Some(winner) = self.end(position) {
            return Some(if winner == Some(me.other()) { Standing::Lost } else { Standing::Saved });
        }
        self.can_take(position).then_some(Standing::Saved)
    }

    /// Lists the moves after which the game is over or the mover's last royal piece cannot be captured.
    fn list_safe(&mut self, position: &mut Position<W>, safe: &mut Vec<Move>) {
        let is_told_by_lines = self.has_lines && !self.may_end(position);
        let guard = if is_told_by_lines { RoyalGuard::of(position) } else { None };
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        self.groups.clear();
        position.generate(&mut self.groups);
        let wanted = |mover: PatternMover| match &guard {
            Some(guard) => guard.wanted(position.rules(), mover),
            None => W::ALL,
        };
        self.groups.for_each_to(wanted, |mv| candidates.push(mv));
        for mv in &candidates {
            let known = guard.as_ref().and_then(|guard| guard.is_safe(position.rules(), *mv));
            if known.unwrap_or_else(|| self.is_safe(position, *mv)) {
                safe.push(*mv);
            }
        }
        self.candidates = candidates;
    }

    fn is_safe(&mut self, position: &mut Position<W>, mv: Move) -> bool {
        let undo = position.play_unchecked(mv);
        let is_safe = self.end(position).is_some() || !self.can_take(position);
        position.take_back(mv, undo);
        is_safe
    }
}

/// Whether a move captures the last royal piece of the other side.
pub fn takes<W: SearchWord>(position: &Position<W>, mv: Move) -> bool {
    let n_royals = position.royals(position.turn().other()).count();
    let is_royal = |kind: &KindId| position.rules().kind(*kind).royal;
    n_royals > 0 && position.victims(mv).filter(is_royal).count() == n_royals as usize
}

/// Whether one piece of a side attacks all of several royal pieces and may capture two in a move.
fn aims_at_all<W: SearchWord>(position: &Position<W>, royals: W, by: Side) -> bool {
    let occupied = position.state().occupied();
    royals.count() == 2
        && position.tables().sides[by.index()].has_two_legs
        && royals.squares().fold(W::ALL, |all, royal| all & position.attackers(royal, by, occupied)).any()
}

fn has_other_ends(rules: &Rules) -> bool {
    let ends = rules.ends();
    ends.bare.is_some()
        || ends.quiet.is_some()
        || !ends.insufficient.is_empty()
        || ends.impasse.is_some()
        || ends.goal.is_some()
        || ends.extinction.is_some()
        || ends.checks.is_some()
        || ends.counting.is_some()
}

#[cfg(test)]
mod tests {
    use ashta_position::{CompiledRules, Game, with_line};
    use ashta_rules::Setup;

    use super::*;

    /// Safe replies told by lines and by playing, on each turn of the position.
    fn compare<W: SearchWord>(position: &mut Position<W>) -> usize {
        let mut fast = RoyalCapture::of(position.tables()).expect("royal pieces are captured");
        let mut slow =
            RoyalCapture { has_lines: false, ..RoyalCapture::of(position.tables()).expect("the same") };
        let (mut by_lines, mut by_playing) = (Vec::new(), Vec::new());
        fast.list_safe(position, &mut by_lines);
        slow.list_safe(position, &mut by_playing);
        assert_eq!(by_lines.len(), by_playing.len(), "{}", position.text());
        assert!(by_playing.iter().all(|mv| by_lines.contains(mv)), "{}", position.text());
        usize::from(fast.is_in_check(position))
    }

    #[test]
    fn lines_tell_what_playing_tells() {
        let (mut seed, mut n_checks) = (7u64, 0);
        let mut random = |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n
        };
        for name in ["chu-shogi", "dai-shogi", "dobutsu", "sho-shogi+royal-captured"] {
            let rules = CompiledRules::new(ashta_rules::load(name).expect("the library is sound"));
            for _ in 0..20 {
                let mut game = Game::start(&rules);
                for _ in 0..150 {
                    let moves = game.legal_moves();
                    if moves.is_empty() || game.outcome().is_some() {
                        break;
                    }
                    with_line!(game.line(), line => n_checks += compare(&mut line.position().clone()));
                    game.play_unchecked(moves[random(moves.len())]);
                }
            }
        }
        assert!(n_checks > 200, "{n_checks}");
    }

    /// A lion that captures king and prince in one move checks both; one of them alone is not in check.
    #[test]
    fn two_royal_pieces_are_in_check_from_one_lion() {
        let rules = CompiledRules::new(ashta_rules::load("chu-shogi").expect("the library is sound"));
        for (text, is_check, is_mated) in [
            ("k11/+e11/1N10/12/12/12/12/12/12/12/12/12 w - 1", true, false),
            ("k11/+e11/12/12/12/12/12/12/12/12/12/R11 w - 1", false, false),
            ("k11/12/1N10/3+e8/12/12/12/12/12/12/12/12 w - 1", false, false),
            ("k11/1G10/1N10/12/12/12/12/12/12/12/12/12 w - 1", true, true),
            ("k11/1G10/1N10/12/12/12/12/12/12/12/12/4+e7 w - 1", false, false),
        ] {
            let setup = Setup::read(text, rules.rules()).expect("a position");
            let game = Game::for_use(&rules, &setup, ashta_position::SetupUse::Study).expect("a study");
            with_line!(game.line(), line => {
                let mut position = line.position().clone();
                let mut royal_capture = RoyalCapture::of(position.tables()).expect("royal pieces are captured");
                assert_eq!(royal_capture.is_in_check(&mut position), is_check, "{text}");
                assert_eq!(royal_capture.is_mated(&mut position), is_mated, "{text}");
            });
        }
    }
}
