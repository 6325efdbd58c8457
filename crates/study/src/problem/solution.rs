//! The solution of a mate in n as a tree: keys, threats, defences, continuations, tries with their refutations.
//!
//! In: a game at the position, a number of moves, a level of detail. Out: a tree with every defence. Never: text, which
//! `solution_text` writes.

use ashta_search::SearchWord;
use std::sync::atomic::AtomicBool;

use ashta_position::{Game, Move, Position, with_line};
use ashta_rules::Setup;

use super::mate::{MateSolver, Stopped};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Keys only.
    Keys,
    /// Also every defence with its continuations.
    Tree,
    /// Also every other first move with its refutations.
    Tries,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateSolution {
    pub asked: u16,
    /// The length of the shortest mate; `None` if there is none within `asked`.
    pub moves: Option<u16>,
    /// Every first move with the shortest mate.
    pub keys: Vec<Attack>,
    /// Every other first move, if asked for, those with the fewest refutations first.
    pub tries: Vec<Try>,
    pub n_nodes: u64,
}

/// A move of the attacker with everything that may follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attack {
    pub mv: Move,
    pub threat: Threat,
    /// Every legal reply; empty after the last move, or without detail.
    pub defences: Vec<Defence>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Threat {
    /// It ends the game, or without detail.
    None,
    Check,
    /// Nothing: the defender would be safe if it could pass.
    Zugzwang,
    /// Moves that would win in time if the defender passed.
    Moves(Vec<Attack>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defence {
    pub mv: Move,
    /// The moves that the attacker still needs.
    pub moves: u16,
    /// Whether it parries every threat.
    pub parries: bool,
    /// Every move that wins in time: more than one is a dual. Expanded only for replies that parry.
    pub continuations: Vec<Attack>,
}

/// A first move that does not win in time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Try {
    pub mv: Move,
    pub refutations: Vec<Move>,
}

/// More duals than this are listed, not expanded.
const MAX_EXPANDED: usize = 2;

/// Solves for a win within `asked` moves by the side to move.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use ashta_position::CompiledRules;
/// use ashta_position::notation::write_san;
/// use ashta_study::problem::{Detail, open_problem, solve_mate};
///
/// let rules = CompiledRules::new(ashta_rules::load("chess").unwrap());
/// let game = open_problem(&rules, "kbK5/pp6/1P6/8/8/8/8/R7 w - -").unwrap();
/// let solution = solve_mate(&game, 2, Detail::Keys, &AtomicBool::new(false)).unwrap();
/// assert_eq!(solution.moves, Some(2));
/// assert_eq!(write_san(&game, solution.keys[0].mv), "Ra6");
/// ```
pub fn solve_mate(
    game: &Game,
    asked: u16,
    detail: Detail,
    stop: &AtomicBool,
) -> Result<MateSolution, Stopped> {
    solve_mate_with_progress(game, asked, detail, &mut |_| (), stop)
}

/// The same; `progress` gets each length when its search begins.
pub fn solve_mate_with_progress(
    game: &Game,
    asked: u16,
    detail: Detail,
    progress: &mut dyn FnMut(u16),
    stop: &AtomicBool,
) -> Result<MateSolution, Stopped> {
    with_line!(game.line(), line => {
        let mut position = line.position().clone();
        let mut builder = SolutionBuilder { solver: MateSolver::new(position.tables(), stop) };
        builder.solve(&mut position, asked, detail, progress)
    })
}

struct SolutionBuilder<'s, W> {
    solver: MateSolver<'s, W>,
}

impl<W: SearchWord> SolutionBuilder<'_, W> {
    fn solve(
        &mut self,
        position: &mut Position<W>,
        asked: u16,
        detail: Detail,
        progress: &mut dyn FnMut(u16),
    ) -> Result<MateSolution, Stopped> {
        let mut solution =
            MateSolution { asked, moves: None, keys: Vec::new(), tries: Vec::new(), n_nodes: 0 };
        let mut keys = Vec::new();
        for n in 1..=asked {
            progress(n);
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
        // Moves without a reply end the game without a win, by stalemate for instance. Those come last.
        tries.sort_by_key(|t| (t.refutations.is_empty(), t.refutations.len(), t.mv));
        Ok(tries)
    }

    /// The tree after a move that wins within `n` moves.
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
        let replies = self.solver.replies(position);
        if replies.is_empty() {
            return Ok(bare(mv));
        }
        let threat =
            if self.solver.is_in_check(position) { Threat::Check } else { self.threat(position, left)? };
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
            // The reply itself ended the game: the attacker has won already.
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
        let n_followed = if keys.len() > MAX_EXPANDED { 1 } else { keys.len() };
        let mut attacks = Vec::new();
        for (place, mv) in keys.into_iter().enumerate() {
            attacks.push(if place < n_followed { self.attack(position, mv, n)? } else { bare(mv) });
        }
        Ok(attacks)
    }

    /// What the attacker would play if the defender passed.
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

/// The same position with the other side to move, if it is valid.
fn pass<W: SearchWord>(position: &Position<W>) -> Option<Position<W>> {
    let setup = position.setup();
    let passed = Setup { turn: 1 - setup.turn, en_passant: None, remembered_capture: None, ..setup };
    Position::of_problem(position.tables().clone(), &passed).ok()
}
