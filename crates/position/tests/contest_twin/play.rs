//! A turn is played: moves and captures, then promotions, then what follows for royal pieces.

use ashta_position::{Answer, Roll};
use ashta_rules::{
    Asked, Choice, Command, CountOfWaiting, FallenOnThrone, Freed, KindId, RoyalsNeeded, Square, Targets,
    Waiting,
};

use super::{ContestTwin, Leg};

impl ContestTwin<'_> {
    pub fn throw(&mut self, roll: Roll) {
        self.roll = Some(roll);
    }

    /// The contest after a turn.
    pub fn after(&self, turn: &[Leg]) -> Self {
        let mut after = self.clone();
        after.play(turn);
        after
    }

    pub fn play(&mut self, turn: &[Leg]) {
        let before = self.clone();
        for leg in turn {
            self.play_leg(leg);
        }
        self.promote(&before);
        self.roll = None;
        self.see_who_lives();
        self.free_captives(&before);
        let lasts = |t: &ashta_rules::Throne| t.command == Command::FromThenOn;
        if self.contest().throne.as_ref().is_some_and(lasts) && self.commanded_partner(self.turn).is_some() {
            self.fates[self.turn].commands = true;
        }
        self.n_turns += 1;
        self.turn = self.next_after(self.turn);
    }

    fn next_after(&self, side: usize) -> usize {
        let n = self.n_sides();
        (1..=n).map(|by| (side + by) % n).find(|next| self.fates[*next].living).unwrap_or(side)
    }

    pub(super) fn play_leg(&mut self, leg: &Leg) {
        let (from, to, becomes) = match *leg {
            Leg::Put { kind, to } => {
                self.board[to.0 as usize] = Some((self.turn, kind));
                self.fates[self.turn].returning = false;
                return;
            }
            Leg::Go { from, to, becomes } => (from, to, becomes),
        };
        let (owner, kind) = self.at(from).expect("a piece moves");
        self.count_fallen(kind, to);
        self.capture(to);
        self.board[from.0 as usize] = None;
        self.board[to.0 as usize] = Some((owner, becomes.unwrap_or(kind)));
        self.fill_blocks(to, kind);
    }

    /// A royal piece that takes another on that one's throne counts it once more, where the rules say so.
    fn count_fallen(&mut self, taker: KindId, square: Square) {
        let Some((victim, kind)) = self.at(square) else { return };
        let Some(throne) = &self.contest().throne else { return };
        let doubles = throne.fallen == FallenOnThrone::CountsTwice && throne.squares[victim].has(square);
        if doubles && self.is_royal(taker) && self.is_royal(kind) {
            self.fates[self.turn].points += self.rules.0.kind(kind).value.unwrap_or(0.0) as u32;
        }
    }

    fn capture(&mut self, square: Square) {
        let Some((victim, kind)) = self.at(square) else { return };
        self.board[square.0 as usize] = None;
        self.fates[self.turn].points += self.rules.0.kind(kind).value.unwrap_or(0.0) as u32;
        if !self.is_royal(kind) {
            return;
        }
        if self.contest().royals == RoyalsNeeded::First {
            for other in self.royals(victim) {
                self.board[other.0 as usize] = None;
            }
        }
        if self.royals(victim).is_empty() {
            self.fates[victim].holder = Some(self.turn);
            self.fates[victim].n_taken += 1;
        }
    }

    /// A piece that came to the last square of a block takes the others in it.
    fn fill_blocks(&mut self, to: Square, kind: KindId) {
        let Some(block) = &self.contest().block else { return };
        if !block.kinds.contains(&kind) {
            return;
        }
        let grid = self.rules.0.grid();
        let mut taken = Vec::new();
        for corner in grid.squares() {
            let (file, rank) = (i16::from(grid.file(corner)), i16::from(grid.rank(corner)));
            let squares = (0..i16::from(block.files))
                .flat_map(|f| (0..i16::from(block.ranks)).map(move |r| (file + f, rank + r)));
            let squares: Option<Vec<Square>> = squares.map(|(f, r)| grid.at(f, r)).collect();
            let is_filled =
                |square: &Square| self.at(*square).is_some_and(|(_, kind)| block.kinds.contains(&kind));
            match squares {
                Some(squares) if squares.contains(&to) && squares.iter().all(is_filled) => {
                    taken.extend(squares.into_iter().filter(|square| *square != to));
                }
                _ => {}
            }
        }
        taken.into_iter().for_each(|square| self.capture(square));
    }

    /// Everybody promotes who must, again and again until nobody does.
    fn promote(&mut self, before: &ContestTwin) {
        while let Some((square, form)) = self.next_promotion(before) {
            let (side, _) = self.at(square).expect("it stands there");
            self.board[square.0 as usize] = Some((side, form));
        }
    }

    fn next_promotion(&self, before: &ContestTwin) -> Option<(Square, KindId)> {
        let mut pieces = self.pieces();
        pieces.sort_by_key(|(square, side, _)| (*side, *square));
        pieces.into_iter().find_map(|(square, _, kind)| {
            let promotion = self.rules.0.kind(kind).promotion.as_ref()?;
            let in_time = promotion.waiting == Waiting::Promotes || before.at(square) != self.at(square);
            let form = self.form(square).filter(|_| promotion.choice == Choice::Must && in_time)?;
            Some((square, form))
        })
    }

    /// What the piece on a square may become there now.
    pub(super) fn form(&self, square: Square) -> Option<KindId> {
        let (side, kind) = self.at(square)?;
        let promotion = self.rules.0.kind(kind).promotion.as_ref()?;
        if !promotion.zone[side].has(square) {
            return None;
        }
        let grid = self.rules.0.grid();
        let seen = grid.turned(square, 4 - self.rules.0.sides()[side].quarters);
        let target = match &promotion.to {
            Targets::Kinds(kinds) => kinds.first().copied(),
            Targets::ByFile(kinds) => kinds[grid.file(seen) as usize],
        }?;
        let waits = |(at, s, k): &&(Square, usize, KindId)| {
            (*s, *k) == (side, kind) && *at != square && promotion.zone[side].has(*at)
        };
        let ignored = match promotion.waiting_count {
            CountOfWaiting::Counted => 0,
            CountOfWaiting::Ignored => self.pieces().iter().filter(waits).count(),
        };
        let n = |of: KindId| self.count(side, of) - if of == kind { ignored } else { 0 };
        let conditions = promotion.company.iter().filter(|company| company.target == target);
        let holds = conditions.flat_map(|c| &c.most).all(|(of, most)| n(*of) <= *most as usize);
        // A second royal piece is for one who has a first: "besides the raja".
        let revives = self.is_royal(target) && self.royals(side).is_empty();
        (holds && !revives).then_some(target)
    }

    /// Somebody may have lost his last royal piece in this turn: does that free another?
    fn free_captives(&mut self, before: &ContestTwin) {
        let me = self.turn;
        let beaten: Vec<usize> = before.living().into_iter().filter(|s| !self.fates[*s].living).collect();
        let is_enemy = |side: &usize| !self.are_on_one_team(*side, me);
        let took_enemy = beaten.iter().any(is_enemy);
        let holds_all = (0..self.n_sides()).filter(is_enemy).all(|side| self.fates[side].holder == Some(me));
        let frees = match self.contest().captives.freed {
            Freed::Never => false,
            Freed::ByExchange(asked) => {
                if !beaten.is_empty() || asked == Asked::EachTurn {
                    self.asked = self.first_asked();
                }
                false
            }
            Freed::ByCapture => took_enemy,
            Freed::ByCapturingAll => took_enemy && holds_all,
        };
        if frees {
            let partners = (0..self.n_sides()).filter(|s| *s != me && self.are_on_one_team(*s, me));
            let captive: Vec<usize> = partners.filter(|s| self.fates[*s].holder.is_some()).collect();
            captive.into_iter().for_each(|side| self.free(side));
        }
    }

    fn free(&mut self, side: usize) {
        self.fates[side].holder = None;
        self.fates[side].returning = true;
        self.fates[side].living = true;
    }

    /// Two enemies are left and each holds the other's partner: by living side, the captive it holds.
    fn exchange(&self) -> Option<[(usize, usize); 2]> {
        let [a, b] = self.living()[..] else { return None };
        if self.are_on_one_team(a, b) {
            return None;
        }
        let held = |holder: usize, other: usize| {
            (0..self.n_sides()).find(|side| {
                *side != other
                    && self.are_on_one_team(*side, other)
                    && self.fates[*side].holder == Some(holder)
            })
        };
        Some([(a, held(a, b)?), (b, held(b, a)?)])
    }

    /// Taken once each: the one who has not just moved is asked first. Taken twice against once: its holder.
    fn first_asked(&self) -> Option<usize> {
        let [(a, by_a), (b, by_b)] = self.exchange()?;
        match (self.fates[by_a].n_taken, self.fates[by_b].n_taken) {
            (1, 1) => Some(if self.turn == a { b } else { a }),
            (1, _) => Some(b),
            (_, 1) => Some(a),
            _ => None,
        }
    }

    /// The side that is asked answers.
    pub fn answer(&mut self, answer: Answer) {
        let (Some(asked), Some([(a, by_a), (b, by_b)])) = (self.asked, self.exchange()) else { return };
        self.asked = None;
        if answer == Answer::Keep {
            self.fates.iter_mut().for_each(|fate| fate.agreed = false);
            return;
        }
        let other = if asked == a { b } else { a };
        let needs_both = self.fates[by_a].n_taken == 1 && self.fates[by_b].n_taken == 1;
        if needs_both && !self.fates[other].agreed {
            self.fates[asked].agreed = true;
            self.asked = Some(other);
            return;
        }
        self.fates.iter_mut().for_each(|fate| fate.agreed = false);
        // Only two played: the one who is not to move has moved last.
        let last = if self.turn == a { b } else { a };
        self.free(by_a);
        self.free(by_b);
        self.turn = self.next_after(last);
    }
}
