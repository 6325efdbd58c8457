//! Player statistics: games and results by side.
//!
//! In: a collection, and a query for the games that count. Out: a row per player, those with the most games first.
//! Never: a guess that two spellings are one player.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use ashta_rules::Side;

use crate::collection::Collection;
use crate::index::bits::u32_at;
use crate::query::{Query, QueryRunError};
use crate::record::GameResult;
use crate::segment::{Column, Segment, SegmentError};

/// Results on one side, or on all.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PlayerScore {
    pub n_games: usize,
    pub n_won: usize,
    pub n_drawn: usize,
    /// The rest has no known result.
    pub n_lost: usize,
}

impl PlayerScore {
    fn count(&mut self, side: Side, result: GameResult) {
        self.n_games += 1;
        match result {
            GameResult::Unknown => {}
            GameResult::Draw => self.n_drawn += 1,
            GameResult::Won(winner) if winner == side => self.n_won += 1,
            GameResult::Won(_) => self.n_lost += 1,
        }
    }

    fn add(&mut self, other: &PlayerScore) {
        self.n_games += other.n_games;
        self.n_won += other.n_won;
        self.n_drawn += other.n_drawn;
        self.n_lost += other.n_lost;
    }

    /// The share of points, a draw being half a point; `None` without a known result.
    pub fn share(&self) -> Option<f64> {
        let n_known = self.n_won + self.n_drawn + self.n_lost;
        (n_known > 0).then(|| (self.n_won as f64 + self.n_drawn as f64 / 2.0) / n_known as f64)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player<'a> {
    /// As in the records.
    pub name: &'a str,
    /// In order of moving.
    pub by_side: Vec<PlayerScore>,
    /// The first and the last year with a game.
    pub years: Option<(u16, u16)>,
    pub best_rating: Option<u16>,
}

impl Player<'_> {
    /// Over all sides.
    pub fn score(&self) -> PlayerScore {
        let mut all = PlayerScore::default();
        self.by_side.iter().for_each(|score| all.add(score));
        all
    }
}

impl Collection {
    /// The players of the games that match a query, unless `stop` is set before it is done.
    pub fn players(&self, query: &Query, stop: &AtomicBool) -> Result<Vec<Player<'_>>, QueryRunError> {
        let n_sides = self.rules().rules().sides().len();
        let mut players = Players { n_sides, by_name: HashMap::new() };
        match query {
            Query::All(parts) if parts.is_empty() => {
                for (_, segment) in self.segments() {
                    players.count(segment, 0..segment.n_games() as u32)?;
                }
            }
            query => {
                let mut games = self.find_unless(query, stop)?.games().into_iter().peekable();
                for (first, segment) in self.segments() {
                    let own = std::iter::from_fn(|| games.next_if(|game| *game < first + segment.n_games()));
                    players.count(segment, own.map(|game| (game - first) as u32))?;
                }
            }
        }
        Ok(players.finish())
    }
}

struct Players<'a> {
    n_sides: usize,
    by_name: HashMap<&'a str, Player<'a>>,
}

impl<'a> Players<'a> {
    fn count(&mut self, segment: &'a Segment, games: impl Iterator<Item = u32>) -> Result<(), SegmentError> {
        let meta = segment.meta();
        let columns = (0..self.n_sides).map(|side| meta.column(Column::Player(side)));
        let columns: Vec<&[u8]> = columns.collect::<Result<_, _>>()?;
        for game in games {
            let (result, year) = (segment.result(game), (meta.date(game)? / 10_000) as u16);
            for (side, column) in columns.iter().enumerate() {
                // 0 stands for an unknown player.
                let Some(number) = u32_at(column, game as usize * 4).checked_sub(1) else { continue };
                let player = self.player(meta.string(number)?);
                player.by_side[side].count(Side(side as u8), result);
                if year > 0 {
                    let (first, last) = player.years.unwrap_or((year, year));
                    player.years = Some((first.min(year), last.max(year)));
                }
                player.best_rating = player.best_rating.max(meta.rating(game, side)?);
            }
        }
        Ok(())
    }

    fn player(&mut self, name: &'a str) -> &mut Player<'a> {
        let by_side = || vec![PlayerScore::default(); self.n_sides];
        let new = || Player { name, by_side: by_side(), years: None, best_rating: None };
        self.by_name.entry(name).or_insert_with(new)
    }

    fn finish(self) -> Vec<Player<'a>> {
        let mut players: Vec<Player> = self.by_name.into_values().collect();
        players.sort_by_key(|player| (std::cmp::Reverse(player.score().n_games), player.name));
        players
    }
}
