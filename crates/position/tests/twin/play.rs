//! Playing a move: pieces, hands, rights, counters.

use ashta_rules::{CastlingStarts, Hand, KindId, Side, Square};

use super::{Twin, TwinMove};

impl Twin<'_> {
    /// Plays one of the listed moves.
    pub fn play(&mut self, mv: &TwinMove) {
        let is_progress = self.is_progress(mv);
        let before = self.now.clone();
        let mut stepped_over = None;
        let remembered = self.remembered_after(mv);
        match *mv {
            TwinMove::Walk { from, to, captures, promotes, steps_over } => {
                stepped_over = steps_over;
                if let Some(square) = captures {
                    self.capture(square);
                }
                self.relocate(from, to, promotes);
                if captures.is_some() {
                    self.explode(to);
                }
            }
            TwinMove::TwoLegs { from, middle, to } => {
                self.capture(middle);
                if from != to && self.at(to).is_some() {
                    self.capture(to);
                }
                self.relocate(from, to, None);
            }
            TwinMove::Castle(n) => self.castle(n),
            TwinMove::Drop { kind, to } => {
                let side = self.turn();
                self.now.hands[side.index()][self.rules.kind(kind).demoted.index()] -= 1;
                self.put(to, (side, kind));
            }
            TwinMove::Pass => {}
        }
        self.now.quiet = if is_progress { 0 } else { self.now.quiet + 1 };
        self.now.ply += 1;
        self.now.turn = (self.now.turn + 1) % self.rules.sides().len() as u8;
        self.now.remembered_capture = remembered;
        self.now.en_passant = stepped_over.filter(|square| self.can_capture_in_passing(*square));
        self.count_check();
        self.lose_aimed_rights(mv);
        self.keep_count(mv, &before);
    }

    fn relocate(&mut self, from: Square, to: Square, promotes: Option<KindId>) {
        let (side, kind) = self.lift(from);
        self.put(to, (side, promotes.unwrap_or(kind)));
    }

    /// Where captures explode, the capturing piece and those around it are gone.
    fn explode(&mut self, centre: Square) {
        let Some(explosion) = self.rules.explosion() else { return };
        for square in self.rules.grid().squares() {
            let is_hit = |(_, kind): (Side, KindId)| {
                square == centre || self.are_neighbours(square, centre) && !explosion.spares.contains(&kind)
            };
            if self.at(square).is_some_and(is_hit) {
                self.lift(square);
            }
        }
    }

    fn capture(&mut self, square: Square) {
        let captor = self.turn();
        let (_, kind) = self.lift(square);
        // What cannot be dropped is not kept.
        let in_hand = self.rules.kind(kind).demoted;
        if self.rules.hand() == Hand::Captures && self.rules.kind(in_hand).drop.is_some() {
            self.now.hands[captor.index()][in_hand.index()] += 1;
        }
    }

    /// Both pieces are lifted before either is put down: their ways may cross or swap.
    fn castle(&mut self, n: usize) {
        let castling = &self.rules.castlings()[n];
        let royal = self.lift(castling.royal.0);
        let partner = self.lift(castling.partner.0);
        self.put(castling.royal.1, royal);
        self.put(castling.partner.1, partner);
    }

    fn lift(&mut self, square: Square) -> (Side, KindId) {
        self.forget_rights(square);
        self.now.board[square.0 as usize]
            .take()
            .expect("a move starts from and captures on squares with a piece")
    }

    fn put(&mut self, square: Square, piece: (Side, KindId)) {
        self.forget_rights(square);
        self.now.board[square.0 as usize] = Some(piece);
    }

    /// Whatever leaves or reaches a square, the piece that stood there at the start is no longer unmoved.
    fn forget_rights(&mut self, square: Square) {
        let is_royal = self.at(square).is_some_and(|(_, kind)| self.rules.kind(kind).royal);
        for castling in self.rules.castlings() {
            let is_lost = match self.rules.castling_starts() {
                CastlingStarts::Fixed => castling.royal.0 == square,
                // A royal piece on that square: any other may stand there and have nothing to do with it.
                CastlingStarts::AnyFile { .. } => {
                    is_royal && self.at(square).is_some_and(|(side, _)| side == castling.side)
                }
            };
            if is_lost || castling.partner.0 == square {
                self.now.rights &= !(1 << castling.right);
            }
        }
        for (home, n) in self.rules.first_move_squares().iter().zip(self.rules.n_castling_rights()..) {
            if *home == square {
                self.now.rights &= !(1 << n);
            }
        }
    }

    /// Captures are progress, and so are moves of the kinds that the rules name; drops and passes are not.
    fn is_progress(&self, mv: &TwinMove) -> bool {
        let mover = match mv {
            TwinMove::Walk { captures: Some(_), .. } | TwinMove::TwoLegs { .. } => return true,
            TwinMove::Walk { from, .. } => self.at(*from),
            TwinMove::Castle(n) => self.at(self.rules.castlings()[*n].royal.0),
            TwinMove::Drop { .. } | TwinMove::Pass => None,
        };
        let progress = self.rules.ends().quiet.as_ref().map_or(&[][..], |quiet| &quiet.progress);
        mover.is_some_and(|(_, kind)| progress.contains(&kind))
    }
}
