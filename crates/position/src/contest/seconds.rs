//! The second moves of a turn.

use ashta_rules::{ComeBack, DoubleMoves};

use super::Contest;
use super::turns::Turns;
use super::view::{View, captures};
use crate::moves::Move;
use crate::sink::{MoveList, Sink};
use crate::tables::features;
use crate::word::Word;

impl<W: Word> Turns<W> {
    /// Lists what pieces of a class may do after a first move of another, or of the same.
    pub(super) fn list_seconds(&mut self, contest: &Contest<W>, first: Move, class: u8, then: u8) {
        match (self.rules.has_pext, self.rules.features) {
            // SAFETY: `has_pext` is true only if the processor has the instructions that these are compiled for.
            #[expect(unsafe_code, reason = "see SAFETY")]
            (true, features::PLAIN) => unsafe {
                seconds_fast::<W, { features::PLAIN }>(self, contest, first, class, then);
            },
            #[expect(unsafe_code, reason = "see SAFETY")]
            (true, _) => unsafe {
                seconds_fast::<W, { features::EVERYTHING }>(self, contest, first, class, then);
            },
            (false, _) => {
                self.seconds_body::<{ features::EVERYTHING }, false>(contest, first, class, then);
            }
        }
    }

    #[inline(always)]
    fn seconds_body<const F: u8, const PEXT: bool>(
        &mut self,
        contest: &Contest<W>,
        first: Move,
        class: u8,
        then: u8,
    ) {
        let view = match self.reaches.spared() {
            Some(spared) => View::alone(contest, spared),
            None => View::new(contest),
        };
        let any_piece = class == then && self.rules.double == DoubleMoves::AnyPiece;
        // What a piece may not capture is asked of the board as it was, which the first move has changed.
        let asks_the_board = self.rules.features != features::PLAIN;
        if view.is_special(first) || self.rules.has_choices || any_piece || asks_the_board {
            return self.play_and_list(contest, first, class, then);
        }
        let after = view.after(first);
        self.seconds.clear();
        if class != then {
            return after.give::<_, F, PEXT>(then as usize, &mut self.seconds);
        }
        let mut ends = after.ends_after::<F, PEXT>(first);
        if !self.may_come_back(contest, first) {
            ends &= !W::bit(first.raw_from());
        }
        Sink::<W>::moves(&mut self.seconds, first.raw_to(), ends);
    }

    /// Whether the piece of a first move may come back with the second.
    #[inline(always)]
    fn may_come_back(&self, contest: &Contest<W>, first: Move) -> bool {
        self.rules.back == ComeBack::Always || captures(contest, first)
    }

    /// Plays the first move to see what may follow it.
    fn play_and_list(&mut self, contest: &Contest<W>, first: Move, class: u8, then: u8) {
        let mut played = self.spare.take().unwrap_or_else(|| Box::new(contest.clone()));
        played.restart(contest);
        let (me, partner) = contest.commanded();
        played.leg(first);
        let view = View::of(&played, me, partner);
        self.seconds.clear();
        view.give::<_, { features::EVERYTHING }, false>(then as usize, &mut self.seconds);
        if self.rules.has_choices {
            view.add_choices(&mut self.seconds);
        }
        if class == then {
            // A block that the first move has filled was captured, too.
            let captured = played.state.occupied().count() < contest.state.occupied().count();
            let may_return = self.rules.back == ComeBack::Always || captured;
            let only_same = self.rules.double == DoubleMoves::SamePiece;
            keep_allowed_doubles::<W>(&mut self.seconds, first, only_same, may_return);
        }
        self.spare = Some(played);
    }
}

fn keep_allowed_doubles<W: Word>(seconds: &mut MoveList, first: Move, only_same: bool, may_return: bool) {
    let allowed = |second: &Move| {
        let same = second.raw_from() == first.raw_to();
        let returns = same && second.raw_to() == first.raw_from();
        (same || !only_same) && (may_return || !returns)
    };
    let kept: Vec<Move> = seconds.iter().copied().filter(allowed).collect();
    seconds.clear();
    kept.into_iter().for_each(|mv| Sink::<W>::single(seconds, mv));
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
fn seconds_fast<W: Word, const F: u8>(
    turns: &mut Turns<W>,
    contest: &Contest<W>,
    first: Move,
    class: u8,
    then: u8,
) {
    turns.seconds_body::<F, true>(contest, first, class, then);
}
