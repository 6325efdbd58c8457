//! What can be counted of a collection without looking at positions: lengths, results, years.

use std::collections::BTreeMap;

use ashta_records::{Collection, GameResult};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api_error::ApiError;

/// Bars of lengths, about.
const N_LENGTHS: usize = 24;

/// Games with results.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct ResultCounts {
    /// Games.
    pub games: u64,
    /// Wins of each side, in order of moving.
    pub wins: Vec<u64>,
    /// Draws.
    pub draws: u64,
    /// Games of which the result is not known.
    pub unknown: u64,
}

/// Games of these lengths.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct LengthCount {
    /// Fewest plies.
    pub from: usize,
    /// Most plies.
    pub to: usize,
    /// Games.
    pub games: u64,
}

/// Games of a year.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct YearCount {
    /// The year.
    pub year: u32,
    /// Its games.
    #[serde(flatten)]
    pub counts: ResultCounts,
}

/// All of these.
#[derive(Debug)]
pub struct Counts {
    /// Results of all games.
    pub results: ResultCounts,
    /// By length.
    pub lengths: Vec<LengthCount>,
    /// By year, where dates are known.
    pub years: Vec<YearCount>,
}

impl ResultCounts {
    fn none(n_sides: usize) -> ResultCounts {
        ResultCounts { games: 0, wins: vec![0; n_sides], draws: 0, unknown: 0 }
    }

    fn add(&mut self, result: GameResult) {
        self.games += 1;
        match result {
            GameResult::Unknown => self.unknown += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Won(side) => self.wins.get_mut(side.index()).into_iter().for_each(|wins| *wins += 1),
        }
    }
}

/// Counts the games of a collection.
pub fn count(collection: &Collection) -> Result<Counts, ApiError> {
    let n_sides = collection.rules().rules().sides().len();
    let mut results = ResultCounts::none(n_sides);
    let mut lengths: BTreeMap<usize, u64> = BTreeMap::new();
    let mut years: BTreeMap<u32, ResultCounts> = BTreeMap::new();
    for (_, segment) in collection.segments() {
        let meta = segment.meta();
        for game in 0..segment.n_games() as u32 {
            let result = segment.result(game);
            results.add(result);
            *lengths.entry(segment.n_plies(game)).or_default() += 1;
            let year = meta.date(game)? / 10_000;
            if year > 0 {
                years.entry(year).or_insert_with(|| ResultCounts::none(n_sides)).add(result);
            }
        }
    }
    Ok(Counts {
        results,
        lengths: in_bars(&lengths),
        years: years.into_iter().map(|(year, counts)| YearCount { year, counts }).collect(),
    })
}

/// Bars of equal width: 1, 2, 5, 10, 20, 50 ... plies.
fn in_bars(lengths: &BTreeMap<usize, u64>) -> Vec<LengthCount> {
    let longest = lengths.keys().next_back().copied().unwrap_or(0);
    let widths = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10usize.pow(power)));
    let width = widths.take(18).find(|width| longest / width < N_LENGTHS).unwrap_or(usize::MAX);
    let mut bars: BTreeMap<usize, u64> = BTreeMap::new();
    lengths.iter().for_each(|(length, n)| *bars.entry(length / width).or_default() += n);
    let last = bars.keys().next_back().copied().unwrap_or(0);
    let bar = |at: usize| LengthCount {
        from: at * width,
        to: at * width + width - 1,
        games: bars.get(&at).copied().unwrap_or(0),
    };
    if bars.is_empty() { Vec::new() } else { (0..=last).map(bar).collect() }
}
