//! The solution of a mate in n as people read it: keys, threats, defences, continuations, tries with their refutations.
//!
//! In: a game at the position, how many moves, how much to tell. Out: a tree of moves, nothing left out that defends.
//! Never: text, which `words` writes.

use std::sync::atomic::AtomicBool;

use ashta_position::{Game, Move, Position, Word, with_line};
use ashta_rules::Setup;

use super::mate::{MateSolver, Stopped};

/// How much of a solution is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// The keys alone.
    Keys,
    /// And every defence with what follows.
    Tree,
    /// And for every other first move the defences that refute it.
    Tries,
}

/// The solution of a mate in n.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateSolution {
    /// In how many moves a win was asked for.
    pub asked: u16,
    /// In how many moves it is won; shorter ones are proved not to be there. None: no win within `asked` is proved.
    pub moves: Option<u16>,
    /// Every first move that wins in so many.
    pub keys: Vec<Attack>,
    /// Every other first move, if asked for, those with the fewest refutations first.
    pub tries: Vec<Try>,
    /// Positions looked at.
    pub n_nodes: u64,
}

/// A move of the attacker with everything that may follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attack {
    /// The move.
    pub mv: Move,
    /// What it threatens.
    pub threat: Threat,
    /// Every legal reply; none after the move that ends it, or where nobody asked.
    pub defences: Vec<Defence>,
}

/// What a move threatens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Threat {
    /// It ends the game, or nobody asked.
    None,
    /// It gives check.
    Check,
    /// Nothing: the defender would be safe if it could pass.
    Zugzwang,
    /// These moves would win in time if the defender passed.
    Moves(Vec<Attack>),
}

/// A reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defence {
    /// The reply.
    pub mv: Move,
    /// Within how many moves the attacker wins after it.
    pub moves: u16,
    /// Whether it stops every move that was threatened.
    pub parries: bool,
    /// Every move that wins in so many: more than one is a dual. Expanded only for replies that parry.
    pub continuations: Vec<Attack>,
}

/// A first move that does not win in time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Try {
    /// The move.
    pub mv: Move,
    /// The replies that refute it.
    pub refutations: Vec<Move>,
}

/// Duals beyond so many are named, not followed.
const FOLLOWED: usize = 2;

/// Solves for a win within `asked` moves by the side to move.
pub fn solve_mate(
    game: &Game,
    asked: u16,
    detail: Detail,
    stop: &AtomicBool,
) -> Result<MateSolution, Stopped> {
    solve_mate_watched(game, asked, detail, &mut |_| (), stop)
}

/// The same; `watch` is told of each length when it begins to be looked for.
pub fn solve_mate_watched(
    game: &Game,
    asked: u16,
    detail: Detail,
    watch: &mut dyn FnMut(u16),
    stop: &AtomicBool,
) -> Result<MateSolution, Stopped> {
    with_line!(game.line(), line => {
        let mut position = line.position().clone();
        let mut teller = Teller { solver: MateSolver::new(position.tables(), stop) };
        teller.solve(&mut position, asked, detail, watch)
    })
}

struct Teller<'s, W> {
    solver: MateSolver<'s, W>,
}

impl<W: Word> Teller<'_, W> {
    fn solve(
        &mut self,
        position: &mut Position<W>,
        asked: u16,
        detail: Detail,
        watch: &mut dyn FnMut(u16),
    ) -> Result<MateSolution, Stopped> {
        let mut solution =
            MateSolution { asked, moves: None, keys: Vec::new(), tries: Vec::new(), n_nodes: 0 };
        let mut keys = Vec::new();
        for n in 1..=asked {
            watch(n);
            keys = self.solver.keys(position, n)?;
            if !keys.is_empty() {
                solution.moves = Some(n);
                break;
            }
        }
        let n = solution.moves.unwrap_or(asked);
        for mv in &keys {
            solution.keys.push(match detail {
                Detail::Keys => bare(*mv),
                Detail::Tree | Detail::Tries => self.attack(position, *mv, n)?,
            });
        }
        if detail == Detail::Tries {
            solution.tries = self.tries(position, n, &keys)?;
        }
        solution.n_nodes = self.solver.n_nodes;
        Ok(solution)
    }

    fn tries(&mut self, position: &mut Position<W>, n: u16, keys: &[Move]) -> Result<Vec<Try>, Stopped> {
        let mut tries = Vec::new();
        for mv in position.legal_moves().into_iter().filter(|mv| !keys.contains(mv)) {
            let undo = position.play_unchecked(mv);
            let refutations = self.solver.refutations(position, n - 1);
            position.take_back(mv, undo);
            tries.push(Try { mv, refutations: refutations? });
        }
        // Without a reply it is no win but an end: stalemate, say. Those come last.
        tries.sort_by_key(|t| (t.refutations.is_empty(), t.refutations.len(), t.mv));
        Ok(tries)
    }

    /// What follows a move that wins within `n` moves.
    fn attack(&mut self, position: &mut Position<W>, mv: Move, n: u16) -> Result<Attack, Stopped> {
        let undo = position.play_unchecked(mv);
        let attack = self.after(position, mv, n - 1);
        position.take_back(mv, undo);
        attack
    }

    fn after(&mut self, position: &mut Position<W>, mv: Move, left: u16) -> Result<Attack, Stopped> {
        if left == 0 {
            return Ok(bare(mv));
        }
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(bare(mv));
        }
        let threat = if position.is_in_check() { Threat::Check } else { self.threat(position, left)? };
        let threatened: Vec<Move> = match &threat {
            Threat::Moves(attacks) => attacks.iter().map(|attack| attack.mv).collect(),
            Threat::None | Threat::Check | Threat::Zugzwang => Vec::new(),
        };
        let mut defences = Vec::new();
        for reply in replies {
            let undo = position.play_unchecked(reply);
            let defence = self.defence(position, reply, left, &threatened);
            position.take_back(reply, undo);
            defences.push(defence?);
        }
        Ok(Attack { mv, threat, defences })
    }

    fn defence(
        &mut self,
        position: &mut Position<W>,
        mv: Move,
        left: u16,
        threatened: &[Move],
    ) -> Result<Defence, Stopped> {
        let Some(moves) = self.solver.shortest(position, left)? else {
            // Only a game that ended by the reply itself: the attacker has won already.
            return Ok(Defence { mv, moves: 0, parries: false, continuations: Vec::new() });
        };
        let mut works = Vec::new();
        let legal = position.legal_moves();
        for attack in threatened.iter().filter(|attack| legal.contains(attack)) {
            if self.solver.wins_by(position, *attack, left)? {
                works.push(*attack);
            }
        }
        let parries = works.is_empty();
        let continuations = if parries {
            self.continuations(position, moves)?
        } else {
            works.into_iter().map(bare).collect()
        };
        Ok(Defence { mv, moves, parries, continuations })
    }

    fn continuations(&mut self, position: &mut Position<W>, n: u16) -> Result<Vec<Attack>, Stopped> {
        let keys = self.solver.keys(position, n)?;
        let n_followed = if keys.len() > FOLLOWED { 1 } else { keys.len() };
        let mut attacks = Vec::new();
        for (place, mv) in keys.into_iter().enumerate() {
            attacks.push(if place < n_followed { self.attack(position, mv, n)? } else { bare(mv) });
        }
        Ok(attacks)
    }

    /// What the attacker would do if the defender, who is to move, passed.
    fn threat(&mut self, position: &Position<W>, left: u16) -> Result<Threat, Stopped> {
        let Some(mut passed) = pass(position) else { return Ok(Threat::Zugzwang) };
        match self.solver.shortest(&mut passed, left)? {
            None => Ok(Threat::Zugzwang),
            Some(n) => Ok(Threat::Moves(self.continuations(&mut passed, n)?)),
        }
    }
}

fn bare(mv: Move) -> Attack {
    Attack { mv, threat: Threat::None, defences: Vec::new() }
}

/// The same position with the other side to move, if there is such a position.
fn pass<W: Word>(position: &Position<W>) -> Option<Position<W>> {
    let setup = position.setup();
    let passed = Setup { turn: 1 - setup.turn, en_passant: None, ..setup };
    Position::of_problem(position.tables().clone(), &passed).ok()
}
