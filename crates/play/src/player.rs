//! A player of games of two sides: a search, and a uniform choice among the moves that it finds best.
//!
//! In: a position, its legal moves, random numbers. Out: a move. Never: the history of the game, except for the engine.

use ashta_position::{Line, Move, Position};
use ashta_rules::Rules;
use ashta_search::SearchWord;
use ashta_search::baba::Baba;
use ashta_search::{AlphaBeta, Depth, EndShape, Forced, Material, Mates, MobilityCount, StopFlag, Values};

use crate::engine_player::{Clock, EnginePlayer};
use crate::plan::{Leaf, PlayerPlan};
use crate::player_fit::{PlayerNeed, UnfitPlayer};
use crate::random::Random;

/// Quiescence plies of A3.
const LEARNED_CAPTURES: u8 = 3;
/// Plies of A3's mate search.
const LEARNED_MATE: u8 = 5;
/// Quiescence plies of `depth:` and `nodes:`; in practice unlimited.
const EXACT_CAPTURES: u8 = 16;
/// Greatest depth of `nodes:`.
const EXACT_MAX_DEPTH: u8 = 60;

/// A player of one game.
#[derive(Debug)]
pub struct Player {
    strategy: Strategy,
    best: Vec<Move>,
}

#[derive(Debug)]
enum Strategy {
    Random,
    SemiRandom { forced: Box<Forced>, depth: u32 },
    Searching { search: Box<AlphaBeta>, depth: Depth, mates: Option<Box<(Mates, u8)>> },
    MateSearch { mates: Box<Mates>, plies: u8 },
    IterativeDeepening { search: Box<AlphaBeta>, limit: u64 },
    Engine(Box<EnginePlayer>),
    Baba { baba: Box<Baba>, plies: u8 },
}

impl Player {
    /// `values` are the piece values of A3 and the engine; by default those of the game file, or else mobility.
    pub fn new(plan: &PlayerPlan, rules: &Rules, values: Option<&Values>) -> Result<Player, UnfitPlayer> {
        let searcher = |values| Box::new(AlphaBeta::new(rules, Material::new(rules, values)));
        let default_values = || {
            let given = values.cloned().or_else(|| Values::given(rules));
            given.unwrap_or_else(|| Values::by_mobility(rules, MobilityCount::Promoted))
        };
        let strategy = match *plan {
            PlayerPlan::Random => Strategy::Random,
            PlayerPlan::Expectimax { .. } => return Err(plan.unfit(rules, PlayerNeed::Contest)),
            PlayerPlan::External(_) => return Err(plan.unfit(rules, PlayerNeed::Match)),
            PlayerPlan::SemiRandom { depth, .. } => Strategy::SemiRandom {
                forced: Box::new(Forced::new(EndShape::of(rules))),
                depth: depth.into(),
            },
            PlayerPlan::MaterialMinimax { depth, leaf, count } => {
                let plies = depth + u8::from(leaf == Leaf::OneFurther);
                let search = searcher(Values::by_mobility(rules, count));
                Strategy::Searching { search, depth: Depth { plies, captures: 0 }, mates: None }
            }
            PlayerPlan::MateSearch { plies } => Strategy::MateSearch { mates: Box::new(Mates::new()), plies },
            PlayerPlan::Learned { depth } => Strategy::Searching {
                search: searcher(default_values()),
                depth: Depth { plies: depth, captures: LEARNED_CAPTURES },
                mates: Some(Box::new((Mates::new(), LEARNED_MATE))),
            },
            PlayerPlan::Depth { plies } => Strategy::Searching {
                search: searcher(default_values()),
                depth: Depth { plies, captures: EXACT_CAPTURES },
                mates: None,
            },
            PlayerPlan::Nodes { limit } => {
                Strategy::IterativeDeepening { search: searcher(default_values()), limit }
            }
            PlayerPlan::Engine(limit) => Strategy::Engine(Box::new(EnginePlayer::new(rules, limit, values))),
            PlayerPlan::Baba { plies } => Strategy::Baba { baba: Box::new(Baba::new(rules)), plies },
            PlayerPlan::Level(level) => {
                Strategy::Engine(Box::new(EnginePlayer::at_level(rules, level, values)))
            }
        };
        Ok(Player { strategy, best: Vec::new() })
    }

    /// Sets the clock of an engine; other players need none.
    pub fn set_clock(&mut self, clock: Clock) {
        if let Strategy::Engine(engine) = &mut self.strategy {
            engine.set_clock(clock);
        }
    }

    /// The search stops when the flag is set; the player then chooses any legal move.
    pub fn set_stop(&mut self, stop: &StopFlag) {
        match &mut self.strategy {
            Strategy::Random => {}
            Strategy::SemiRandom { forced, .. } => forced.set_stop(stop.clone()),
            Strategy::Searching { search, mates, .. } => {
                search.set_stop(stop.clone());
                if let Some(mates) = mates {
                    mates.0.set_stop(stop.clone());
                }
            }
            Strategy::MateSearch { mates, .. } => mates.set_stop(stop.clone()),
            Strategy::IterativeDeepening { search, .. } => search.set_stop(stop.clone()),
            Strategy::Engine(engine) => engine.set_stop(stop.clone()),
            Strategy::Baba { baba, .. } => baba.set_stop(stop.clone()),
        }
    }

    /// Whether every move is equally good: then moves need not be listed.
    pub fn is_random(&self) -> bool {
        matches!(self.strategy, Strategy::Random)
    }

    /// Clears the search's state, so that games do not depend on each other.
    pub fn begin_game(&mut self) {
        match &mut self.strategy {
            Strategy::Searching { search, .. } | Strategy::IterativeDeepening { search, .. } => {
                search.new_game()
            }
            Strategy::Engine(engine) => engine.begin_game(),
            Strategy::Random
            | Strategy::SemiRandom { .. }
            | Strategy::MateSearch { .. }
            | Strategy::Baba { .. } => {}
        }
    }

    /// A move in the line's position. Only the engine uses the history; `scratch` is a buffer for the other players.
    pub fn choose_on_line<W: SearchWord>(
        &mut self,
        line: &Line<W>,
        scratch: &mut Position<W>,
        moves: &[Move],
        random: &mut Random,
    ) -> Move {
        match &mut self.strategy {
            Strategy::Engine(engine) => engine.choose(line, random),
            _ => {
                scratch.clone_from(line.position());
                self.choose(scratch, moves, random)
            }
        }
    }

    /// The best moves: a subset of `moves`, the legal moves, empty only if those are. All of them for the engine, which
    /// only `choose` asks.
    pub fn best_moves<W: SearchWord>(&mut self, position: &mut Position<W>, moves: &[Move]) -> &[Move] {
        let best = &mut self.best;
        match &mut self.strategy {
            Strategy::Random | Strategy::Engine(_) => {
                best.clear();
                best.extend_from_slice(moves);
            }
            Strategy::SemiRandom { forced, depth } => forced.best_moves(position, moves, *depth, best),
            Strategy::MateSearch { mates, plies } => {
                mates.mating_moves(position, moves, *plies, best);
                if best.is_empty() {
                    best.extend_from_slice(moves);
                }
            }
            Strategy::Searching { search, depth, mates } => {
                best.clear();
                if let Some(mates) = mates {
                    mates.0.mating_moves(position, moves, mates.1, best);
                }
                if best.is_empty() {
                    search.best_moves(position, moves, *depth, best);
                }
            }
            Strategy::IterativeDeepening { search, limit } => {
                iterative_deepening(search, position, moves, *limit, best)
            }
            Strategy::Baba { baba, plies } => {
                baba.best_moves(position, moves, *plies, best);
            }
        }
        best
    }

    /// A best move, uniformly at random.
    pub fn choose<W: SearchWord>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        random: &mut Random,
    ) -> Move {
        if let Strategy::Engine(engine) = &mut self.strategy {
            return engine.choose(&Line::new(position.clone()), random);
        }
        let best = self.best_moves(position, moves);
        best.get(random.below(best.len() as u32) as usize).copied().unwrap_or(Move::PASS)
    }
}

/// Iterative deepening while the node limit is likely to allow the next depth.
fn iterative_deepening<W: SearchWord>(
    search: &mut AlphaBeta,
    position: &mut Position<W>,
    moves: &[Move],
    limit: u64,
    best: &mut Vec<Move>,
) {
    let start = search.n_nodes();
    for plies in 1..=EXACT_MAX_DEPTH {
        search.best_moves(position, moves, Depth { plies, captures: EXACT_CAPTURES }, best);
        // Alpha-beta's branching factor is about the square root of the number of moves.
        let growth = (moves.len() as f64).sqrt().max(2.0) as u64;
        let spent = search.n_nodes() - start;
        if spent.saturating_mul(growth) > limit || moves.len() < 2 {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_of_other_games_are_an_error_not_a_random_player() {
        let rules = ashta_rules::load("chess").expect("it is in the library");
        for text in ["expect:2", "uci:stockfish"] {
            let plan: PlayerPlan = text.parse().expect(text);
            let error = Player::new(&plan, &rules, None).map(drop).expect_err(text);
            assert!(error.to_string().starts_with(&format!("{plan} cannot play chess: ")), "{error}");
        }
    }
}
