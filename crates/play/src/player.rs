//! A player at the board: chooses among the moves that its definition calls best.
//!
//! In: a position, its legal moves, random numbers. Out: a move. Never: the history of the game, which only the engine
//! asks for.

use ashta_position::{Line, Move, Position, Word};
use ashta_rules::Rules;
use ashta_search::baba::Baba;
use ashta_search::{AlphaBeta, Depth, EndShape, Forced, Material, Mates, MobilityCount, StopFlag, Values};

use crate::engine_seat::{Clock, EngineSeat};
use crate::plan::{Leaf, PlayerPlan};
use crate::random::Random;

/// Plies of captures that A3 looks at beyond its depth.
const LEARNED_CAPTURES: u8 = 3;
/// Plies within which A3 looks for a mate by checks first.
const LEARNED_MATE: u8 = 5;
/// Captures that the engine looks at: as good as all.
const ENGINE_CAPTURES: u8 = 16;
/// Deepest search of the engine by positions.
const ENGINE_DEEPEST: u8 = 60;

/// A player of one game.
#[derive(Debug)]
pub struct Player {
    mind: Mind,
    best: Vec<Move>,
}

#[derive(Debug)]
enum Mind {
    Random,
    SemiRandom { forced: Box<Forced>, depth: u32 },
    Searching { search: Box<AlphaBeta>, depth: Depth, mates: Option<Box<(Mates, u8)>> },
    Mating { mates: Box<Mates>, plies: u8 },
    Deepening { search: Box<AlphaBeta>, limit: u64 },
    Engine(Box<EngineSeat>),
    Baba { baba: Box<Baba>, plies: u8 },
}

impl Player {
    /// Sits down to a game. `values` are what A3 and the engine think that pieces are worth; without them the values of
    /// the game's file serve, or else mobility.
    pub fn new(plan: &PlayerPlan, rules: &Rules, values: Option<&Values>) -> Player {
        let searcher = |values| Box::new(AlphaBeta::new(rules, Material::new(rules, values)));
        let known = || {
            let given = values.cloned().or_else(|| Values::given(rules));
            given.unwrap_or_else(|| Values::by_mobility(rules, MobilityCount::Promoted))
        };
        let mind = match *plan {
            // `PlayerPlan::check` keeps players of contests out of other games, and other programs out of all.
            PlayerPlan::Random | PlayerPlan::Expecting { .. } | PlayerPlan::Foreign(_) => Mind::Random,
            PlayerPlan::SemiRandom { depth, .. } => {
                Mind::SemiRandom { forced: Box::new(Forced::new(EndShape::of(rules))), depth: depth.into() }
            }
            PlayerPlan::Evaluating { depth, leaf, count } => {
                let plies = depth + u8::from(leaf == Leaf::OneFurther);
                let search = searcher(Values::by_mobility(rules, count));
                Mind::Searching { search, depth: Depth { plies, captures: 0 }, mates: None }
            }
            PlayerPlan::Mating { plies } => Mind::Mating { mates: Box::new(Mates::new()), plies },
            PlayerPlan::Learned { depth } => Mind::Searching {
                search: searcher(known()),
                depth: Depth { plies: depth, captures: LEARNED_CAPTURES },
                mates: Some(Box::new((Mates::new(), LEARNED_MATE))),
            },
            PlayerPlan::Depth { plies } => Mind::Searching {
                search: searcher(known()),
                depth: Depth { plies, captures: ENGINE_CAPTURES },
                mates: None,
            },
            PlayerPlan::Nodes { limit } => Mind::Deepening { search: searcher(known()), limit },
            PlayerPlan::Engine(limit) => Mind::Engine(Box::new(EngineSeat::new(rules, limit, values))),
            PlayerPlan::Baba { plies } => Mind::Baba { baba: Box::new(Baba::new(rules)), plies },
            PlayerPlan::Level(level) => Mind::Engine(Box::new(EngineSeat::at_level(rules, level, values))),
        };
        Player { mind, best: Vec::new() }
    }

    /// Is told the time from now on, if it asks for it.
    pub fn set_clock(&mut self, clock: Clock) {
        if let Mind::Engine(seat) = &mut self.mind {
            seat.set_clock(clock);
        }
    }

    /// Breaks off its thinking when the flag is set; what it chooses then is any legal move.
    pub fn set_stop(&mut self, stop: &StopFlag) {
        match &mut self.mind {
            Mind::Random => {}
            Mind::SemiRandom { forced, .. } => forced.set_stop(stop.clone()),
            Mind::Searching { search, mates, .. } => {
                search.set_stop(stop.clone());
                if let Some(mates) = mates {
                    mates.0.set_stop(stop.clone());
                }
            }
            Mind::Mating { mates, .. } => mates.set_stop(stop.clone()),
            Mind::Deepening { search, .. } => search.set_stop(stop.clone()),
            Mind::Engine(seat) => seat.set_stop(stop.clone()),
            Mind::Baba { baba, .. } => baba.set_stop(stop.clone()),
        }
    }

    /// Whether it takes any move: then nobody needs to list them.
    pub fn is_random(&self) -> bool {
        matches!(self.mind, Mind::Random)
    }

    /// Forgets the game before, so that games do not depend on each other.
    pub fn begin_game(&mut self) {
        match &mut self.mind {
            Mind::Searching { search, .. } | Mind::Deepening { search, .. } => search.new_game(),
            Mind::Engine(seat) => seat.begin_game(),
            Mind::Random | Mind::SemiRandom { .. } | Mind::Mating { .. } | Mind::Baba { .. } => {}
        }
    }

    /// A move of the line's position; only the engine looks at how it came about, `thinking` is memory for the others.
    pub fn choose_on_line<W: Word>(
        &mut self,
        line: &Line<W>,
        thinking: &mut Position<W>,
        moves: &[Move],
        random: &mut Random,
    ) -> Move {
        match &mut self.mind {
            Mind::Engine(seat) => seat.choose(line, random),
            _ => {
                thinking.clone_from(line.position());
                self.choose(thinking, moves, random)
            }
        }
    }

    /// The moves among which it chooses: a subset of `moves`, the legal moves, not empty unless they are. The engine's
    /// one move is not found here.
    pub fn best_moves<W: Word>(&mut self, position: &mut Position<W>, moves: &[Move]) -> &[Move] {
        let best = &mut self.best;
        match &mut self.mind {
            Mind::Random | Mind::Engine(_) => {
                best.clear();
                best.extend_from_slice(moves);
            }
            Mind::SemiRandom { forced, depth } => forced.best_moves(position, moves, *depth, best),
            Mind::Mating { mates, plies } => {
                mates.mating_moves(position, moves, *plies, best);
                if best.is_empty() {
                    best.extend_from_slice(moves);
                }
            }
            Mind::Searching { search, depth, mates } => {
                best.clear();
                if let Some(mates) = mates {
                    mates.0.mating_moves(position, moves, mates.1, best);
                }
                if best.is_empty() {
                    search.best_moves(position, moves, *depth, best);
                }
            }
            Mind::Deepening { search, limit } => deepen(search, position, moves, *limit, best),
            Mind::Baba { baba, plies } => {
                baba.best_moves(position, moves, *plies, best);
            }
        }
        best
    }

    /// A move, each of the best as likely as any other.
    pub fn choose<W: Word>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        random: &mut Random,
    ) -> Move {
        if let Mind::Engine(seat) = &mut self.mind {
            return seat.choose(&Line::new(position.clone()), random);
        }
        let best = self.best_moves(position, moves);
        best.get(random.below(best.len() as u32) as usize).copied().unwrap_or(Move::PASS)
    }
}

/// Looks deeper as long as the positions spent promise that the next depth can be finished.
fn deepen<W: Word>(
    search: &mut AlphaBeta,
    position: &mut Position<W>,
    moves: &[Move],
    limit: u64,
    best: &mut Vec<Move>,
) {
    let start = search.n_nodes();
    for plies in 1..=ENGINE_DEEPEST {
        search.best_moves(position, moves, Depth { plies, captures: ENGINE_CAPTURES }, best);
        // A ply more costs about as many times more as there are moves to the power of one half.
        let growth = (moves.len() as f64).sqrt().max(2.0) as u64;
        let spent = search.n_nodes() - start;
        if spent.saturating_mul(growth) > limit || moves.len() < 2 {
            break;
        }
    }
}
