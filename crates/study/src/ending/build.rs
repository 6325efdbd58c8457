//! Retrograde analysis: what every position of an ending is worth, from the rules alone.
//!
//! In: a material, the tables of what its captures and promotions lead to. Out: its table. Never: ends that depend on
//! how a position was reached (repetition, counts of moves).
//!
//! First every position is looked at once, forwards: ends by the rules, moves that leave the material (looked up), how
//! many moves stay. Then wins and losses are carried backwards, ply by ply: a position is won as soon as one move leads
//! to a loss, lost when the last of its moves has been seen to lead to a win.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_position::{Action, Move, MoveList, Position, Word};
use ashta_rules::{KindId, Side, Square};

use super::material::{MAX_MEN, Material};
use super::reach::{Backs, NoTable, backs, standing, symmetries};
use super::space::{Space, Squares};
use super::table::{Code, EndingTable, Worth};

/// Tables by material, as far as they are made.
pub type EndingTables = BTreeMap<Material, EndingTable>;

/// How far a table has come.
#[derive(Clone, Copy, Debug)]
pub struct BuildProgress<'p> {
    /// Which.
    pub name: &'p str,
    /// Positions settled or looked at.
    pub done: u64,
    /// Of so many.
    pub total: u64,
}

/// Why a table was not made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BuildError {
    /// It cannot be.
    #[error(transparent)]
    NoTable(#[from] NoTable),
    /// Somebody said stop.
    #[error("stopped before the table was made")]
    Stopped,
}

/// Told of progress now and then.
pub type Watch<'w> = &'w mut dyn FnMut(BuildProgress<'_>);

/// The materials that a capture or a promotion in this one leads to.
pub fn next_materials(material: &Material, rules: &ashta_rules::Rules) -> Vec<Material> {
    let mut found = Vec::new();
    let sides = [material.side(Side::FIRST), material.side(Side::SECOND)];
    let becomes = |kind: KindId| -> Vec<KindId> {
        let mut kinds = vec![kind];
        if let Some(promotion) = &rules.kind(kind).promotion {
            match &promotion.to {
                ashta_rules::Targets::Kinds(to) => kinds.extend(to),
                ashta_rules::Targets::ByFile(to) => kinds.extend(to.iter().flatten()),
            }
        }
        kinds
    };
    for mover in 0..2 {
        for (n, kind) in sides[mover].iter().enumerate() {
            for (m, result) in becomes(*kind).into_iter().enumerate() {
                let mut own = sides[mover].to_vec();
                own[n] = result;
                if m > 0 {
                    found.push(arrange(mover, &own, sides[1 - mover], rules));
                }
                for victim in 0..sides[1 - mover].len() {
                    if !rules.kind(sides[1 - mover][victim]).royal {
                        let mut other = sides[1 - mover].to_vec();
                        other.remove(victim);
                        found.push(arrange(mover, &own, &other, rules));
                    }
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

fn arrange(mover: usize, own: &[KindId], other: &[KindId], rules: &ashta_rules::Rules) -> Material {
    let sides = match mover {
        0 => [own.to_vec(), other.to_vec()],
        _ => [other.to_vec(), own.to_vec()],
    };
    Material::new(sides, rules)
}

/// Makes a table; those of `next_materials` must be there.
pub fn build<W: Word>(
    scratch: &mut Position<W>,
    material: &Material,
    tables: &EndingTables,
    watch: Watch,
    stop: &AtomicBool,
) -> Result<EndingTable, BuildError> {
    let rules = scratch.tables().rules.clone();
    let backs = backs(&rules, material)?;
    let space = Space::new(rules.grid().n_squares(), material.n_men(), symmetries(&rules, material));
    let men: Vec<(Side, KindId)> = material.men().collect();
    let stands = men.iter().map(|(side, kind)| standing(&rules, *side, *kind)).collect();
    let n = space.len();
    let name = material.name(&rules);
    let mut work = Work {
        space,
        men,
        backs,
        stands,
        codes: vec![Code::OPEN; n],
        exits: vec![Code::OPEN; n],
        stays: vec![0; n],
        n_settled: 0,
        last_exit: 0,
    };
    work.look_forwards(scratch, tables, &name, watch, stop)?;
    work.carry_backwards(&name, watch, stop)?;
    Ok(EndingTable { material: material.clone(), space: work.space, codes: work.codes })
}

struct Work {
    space: Space,
    men: Vec<(Side, KindId)>,
    backs: Backs,
    /// By man and square: whether it can stand there.
    stands: Vec<Vec<bool>>,
    codes: Vec<Code>,
    /// The best that moves out of the material lead to; open if there are none.
    exits: Vec<Code>,
    /// Moves within the material not yet seen to lose.
    stays: Vec<u8>,
    n_settled: u64,
    last_exit: u16,
}

const TELL_EVERY: usize = 1 << 16;

impl Work {
    fn look_forwards<W: Word>(
        &mut self,
        scratch: &mut Position<W>,
        tables: &EndingTables,
        name: &str,
        watch: Watch,
        stop: &AtomicBool,
    ) -> Result<(), BuildError> {
        let mut list = MoveList::new();
        let mut within = Vec::new();
        let total = self.codes.len() as u64;
        for number in 0..self.codes.len() {
            if number % TELL_EVERY == 0 {
                if stop.load(Ordering::Relaxed) {
                    return Err(BuildError::Stopped);
                }
                watch(BuildProgress { name, done: number as u64, total: total * 2 });
            }
            let (turn, squares) = self.space.position(number);
            if !self.is_here(number, turn, &squares) || !self.set(scratch, turn, &squares) {
                self.codes[number] = Code::NOT_HERE;
                continue;
            }
            list.clear();
            scratch.generate(&mut list);
            if let Some(outcome) = scratch.end_knowing(!list.is_empty()) {
                self.codes[number] = Code::of(match outcome.winner {
                    Some(winner) if winner.0 == turn => Worth::Win(0),
                    Some(_) => Worth::Loss(0),
                    None => Worth::Draw,
                });
                continue;
            }
            self.look_at_moves(scratch, number, (turn, squares), &list, tables, &mut within);
        }
        Ok(())
    }

    /// Whether a number is the least of its images and its men stand on squares of their own.
    fn is_here(&self, number: usize, turn: u8, squares: &Squares) -> bool {
        let n = self.men.len();
        let apart = (1..n).all(|a| !squares[..a].contains(&squares[a]));
        let stand = (0..n).all(|man| self.stands[man][squares[man] as usize]);
        apart && stand && self.space.number(turn, squares) == number
    }

    fn set<W: Word>(&self, scratch: &mut Position<W>, turn: u8, squares: &Squares) -> bool {
        let mut men = [(Square(0), Side::FIRST, KindId(0)); MAX_MEN];
        let n = self.men.len();
        for (place, (man, square)) in men.iter_mut().zip(self.men.iter().zip(squares)) {
            *place = (Square(*square), man.0, man.1);
        }
        scratch.set_men(&men[..n], Side(turn))
    }

    fn look_at_moves<W: Word>(
        &mut self,
        scratch: &Position<W>,
        number: usize,
        (turn, squares): (u8, Squares),
        moves: &[Move],
        tables: &EndingTables,
        within: &mut Vec<usize>,
    ) {
        within.clear();
        let mut best: Option<Worth> = None;
        for mv in moves {
            let Action::Go { from, to, becomes } = mv.action() else { continue };
            if becomes.is_none() && scratch.victim(*mv).is_none() {
                let mut next = squares;
                let man = squares[..self.men.len()].iter().position(|square| *square == from.0).unwrap_or(0);
                next[man] = to.0;
                within.push(self.space.number(1 - turn, &next));
                continue;
            }
            let worth = self.after_exit(turn, &squares, (from, to, becomes), tables);
            if best.is_none_or(|known| worth.rank() > known.rank()) {
                best = Some(worth);
            }
        }
        if self.space.may_fold(&squares) {
            within.sort_unstable();
            within.dedup();
        }
        self.stays[number] = within.len().min(255) as u8;
        if let Some(worth) = best {
            self.exits[number] = Code::of(worth);
            self.last_exit = self.last_exit.max(self.exits[number].plies().unwrap_or(0));
        }
    }

    /// What a capture or promotion leads to, for the side that makes it.
    fn after_exit(
        &self,
        turn: u8,
        squares: &Squares,
        (from, to, becomes): (Square, Square, Option<KindId>),
        tables: &EndingTables,
    ) -> Worth {
        let mut men: Vec<(Side, KindId, u8)> = Vec::with_capacity(MAX_MEN);
        for ((side, kind), square) in self.men.iter().zip(squares) {
            if *square == from.0 {
                men.push((*side, becomes.unwrap_or(*kind), to.0));
            } else if *square != to.0 {
                men.push((*side, *kind, *square));
            }
        }
        look_up(tables, &men, 1 - turn).unwrap_or(Worth::Draw).before()
    }

    fn carry_backwards(&mut self, name: &str, watch: Watch, stop: &AtomicBool) -> Result<(), BuildError> {
        let total = self.codes.len() as u64;
        let mut depth = 0u16;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(BuildError::Stopped);
            }
            let mut any = false;
            for number in 0..self.codes.len() {
                if self.codes[number] == Code::OPEN {
                    self.settle_by_exit(number, depth);
                }
                if self.codes[number].plies() == Some(depth) {
                    any = true;
                    self.n_settled += 1;
                    self.go_back_from(number, depth);
                }
            }
            watch(BuildProgress { name, done: total + self.n_settled.min(total), total: total * 2 });
            if !any && depth > self.last_exit {
                return Ok(());
            }
            depth += 1;
        }
    }

    /// A move out of the material may win now, or be the last and longest of those that lose.
    fn settle_by_exit(&mut self, number: usize, depth: u16) {
        let exit = self.exits[number];
        if exit.plies() == Some(depth) && (exit.is_win() || self.stays[number] == 0) {
            self.codes[number] = exit;
        }
    }

    fn go_back_from(&mut self, number: usize, depth: u16) {
        let won = self.codes[number].is_win();
        let (turn, squares) = self.space.position(number);
        let mover = 1 - turn;
        let occupied = squares[..self.men.len()].iter().fold(0u128, |set, square| set | 1 << square);
        let mut before = [0usize; 512];
        let mut n_before = 0;
        for man in (0..self.men.len()).filter(|man| self.men[*man].0.0 == mover) {
            let others = occupied & !(1 << squares[man]);
            for back in &self.backs[man][squares[man] as usize] {
                if (back.between | 1 << back.from) & others == 0 && n_before < before.len() {
                    let mut earlier = squares;
                    earlier[man] = back.from;
                    before[n_before] = self.space.number(mover, &earlier);
                    n_before += 1;
                }
            }
        }
        let before = &mut before[..n_before];
        if self.space.may_fold(&squares) {
            before.sort_unstable();
            let mut last = usize::MAX;
            for number in before.iter() {
                if *number != last {
                    self.settle_before(*number, won, depth);
                }
                last = *number;
            }
        } else {
            for number in before.iter() {
                self.settle_before(*number, won, depth);
            }
        }
    }

    #[inline]
    fn settle_before(&mut self, number: usize, won: bool, depth: u16) {
        if self.codes[number] != Code::OPEN {
            return;
        }
        if !won {
            self.codes[number] = Code::of(Worth::Win(depth + 1));
            return;
        }
        self.stays[number] = self.stays[number].saturating_sub(1);
        if self.stays[number] == 0 {
            let exit = self.exits[number];
            let longest = match exit {
                Code::OPEN => Some(0),
                exit if exit.is_win() => None,
                exit => exit.plies(),
            };
            // A longer exit settles it later, a draw never.
            if longest.is_some_and(|plies| plies <= depth + 1) {
                self.codes[number] = Code::of(Worth::Loss(depth + 1));
            }
        }
    }
}

/// What men on squares are worth to the side to move, if there is a table of them and somebody can play from there.
pub fn look_up(tables: &EndingTables, men: &[(Side, KindId, u8)], turn: u8) -> Option<Worth> {
    let found = tables.iter().find(|(material, _)| {
        material.n_men() == men.len() && {
            let mut free = [true; MAX_MEN];
            material.men().all(|(side, kind)| take(&mut free, men, side, kind).is_some())
        }
    });
    let (material, table) = found?;
    let mut free = [true; MAX_MEN];
    let mut squares = [0; MAX_MEN];
    for (place, (side, kind)) in material.men().enumerate() {
        squares[place] = take(&mut free, men, side, kind)?;
    }
    table.worth(turn, &squares)
}

/// The square of a man of a kind that has not been taken yet.
fn take(free: &mut [bool; MAX_MEN], men: &[(Side, KindId, u8)], side: Side, kind: KindId) -> Option<u8> {
    let place = (0..men.len()).find(|n| free[*n] && (men[*n].0, men[*n].1) == (side, kind))?;
    free[place] = false;
    Some(men[place].2)
}
