//! The engine as adviser: hints, evaluation, whether it accepts a draw.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ashta_messages::message;
use ashta_position::{Game, Move};
use ashta_rules::{Rules, Side};
use ashta_search::Values;
use ashta_search::engine::{Engine, EngineOptions, Limits, Score, SearchControl};

/// Node limit: a fraction of a second.
const NODES: u64 = 60_000;

pub struct Adviser(Engine);

pub struct Advice {
    pub best: Option<Move>,
    /// From the side to move.
    pub score: Option<Score>,
}

impl Adviser {
    pub fn new(rules: &Rules, values: Option<Values>) -> Adviser {
        Adviser(Engine::new(rules, EngineOptions { values, ..EngineOptions::default() }))
    }

    pub fn advise(&mut self, game: &Game) -> Advice {
        let (start, stop) = (Instant::now(), AtomicBool::new(false));
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let watch = SearchControl { elapsed: &|| start.elapsed(), stop: &stop };
        let progress = self.0.search_game(game, &limits, watch, |_| {});
        Advice { best: progress.best(), score: progress.lines.first().map(|line| line.score) }
    }

    /// The evaluation for the first side: in pawns, and as text.
    pub fn evaluation(&mut self, game: &Game) -> Option<(f64, String)> {
        let score = self.advise(game).score?;
        let sign = if game.turn() == Side::FIRST { 1.0 } else { -1.0 };
        let wins_in = |mover_wins: bool, plies: u32| {
            let side = if mover_wins == (sign > 0.0) { Side::FIRST } else { Side::SECOND };
            message!("cli.wins-in", side = crate::draw::side_name(side, game.rules()), plies).to_string()
        };
        Some(match score {
            Score::Centipawns(points) => {
                let men = sign * f64::from(points) / 100.0;
                (men, format!("{men:+.1}"))
            }
            Score::WinIn(plies) => (sign * 99.0, wins_in(true, plies)),
            Score::LossIn(plies) => (sign * -99.0, wins_in(false, plies)),
        })
    }

    pub fn mover_is_worse(&mut self, game: &Game) -> bool {
        matches!(self.advise(game).score, Some(Score::Centipawns(..=-1) | Score::LossIn(_)))
    }
}
