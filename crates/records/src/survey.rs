//! Position statistics of a collection, as in the paper: distinct positions, repetitions, and how the share of repeated
//! positions grows with the number of games.
//!
//! In: a collection. Out: counts, a fit, a plot. Never: more memory than a part of the keys at a time.

use std::collections::{BTreeMap, BinaryHeap};
use std::fmt::Write as _;

use rayon::prelude::*;

use crate::collection::Collection;
use crate::index::states::position_keys;
use crate::segment::SegmentError;

/// Keys sorted per pass.
const KEYS_AT_A_TIME: usize = 1 << 23;

/// Points of the growth curve.
const N_POINTS: usize = 40;

#[derive(Clone, Debug)]
pub struct Survey {
    pub n_games: usize,
    pub n_plies: usize,
    /// With repetitions.
    pub n_positions: usize,
    pub n_distinct: usize,
    /// Number of distinct positions by number of occurrences.
    pub by_occurrence: BTreeMap<u64, u64>,
    pub frequent: Vec<FrequentPosition>,
    pub growth: Vec<GrowthPoint>,
    pub fit: Option<GrowthFit>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FrequentPosition {
    pub n: u64,
    /// The first game that has it.
    pub game: usize,
    pub ply: u16,
}

/// Counts for the first games of a collection.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GrowthPoint {
    pub n_games: usize,
    pub n_positions: usize,
    pub n_distinct: usize,
}

impl GrowthPoint {
    /// The share of positions that occurred before.
    pub fn repeated_share(&self) -> f64 {
        share_repeated(self.n_distinct, self.n_positions)
    }
}

/// The share of positions that occurred before; 0 of none.
fn share_repeated(n_distinct: usize, n_positions: usize) -> f64 {
    (n_positions - n_distinct) as f64 / n_positions.max(1) as f64
}

/// Heaps' law: distinct positions = scale x positions ^ exponent, fitted to the second half of the curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GrowthFit {
    /// Below 1, the share of repeated positions keeps growing.
    pub exponent: f64,
    /// Half width of the 95% confidence interval of the fit alone: points of one curve are not independent.
    pub exponent_half_width: f64,
    pub scale: f64,
}

impl GrowthFit {
    /// The share of repeated positions that the fit predicts.
    pub fn repeated_share(&self, n_positions: f64) -> f64 {
        1.0 - self.scale * n_positions.powf(self.exponent - 1.0)
    }
}

/// Surveys a collection. `progress` gets the share of the work that is done.
pub fn survey(
    collection: &Collection,
    n_frequent: usize,
    progress: &mut dyn FnMut(f64),
) -> Result<Survey, SegmentError> {
    let (n_games, n_positions) = (collection.n_games(), collection.n_positions());
    let n_passes = n_positions.div_ceil(KEYS_AT_A_TIME).max(1) as u64;
    let mut counts = Counts { new_in_game: vec![0; n_games], n_frequent, ..Counts::default() };
    for pass in 0..n_passes {
        let mut occurrences = keys_of_pass(collection, pass, n_passes)?;
        occurrences.par_sort_unstable();
        counts.add(&occurrences);
        progress((pass + 1) as f64 / n_passes as f64);
    }
    let growth = growth(collection, &counts.new_in_game);
    Ok(Survey {
        n_games,
        n_plies: n_positions - n_games,
        n_positions,
        n_distinct: counts.n_distinct,
        by_occurrence: counts.by_occurrence,
        fit: fit(&growth),
        growth,
        frequent: counts.frequent.into_sorted_vec().into_iter().map(|reversed| reversed.0).collect(),
    })
}

/// Key, game and ply.
type Occurrence = (u64, u32, u16);

fn keys_of_pass(collection: &Collection, pass: u64, n_passes: u64) -> Result<Vec<Occurrence>, SegmentError> {
    let in_pass = |key: u64| (u128::from(key) * u128::from(n_passes)) >> 64 == u128::from(pass);
    let mut occurrences = Vec::new();
    for (first, segment) in collection.segments() {
        let chunks: Result<Vec<Vec<Occurrence>>, SegmentError> = (0..segment.n_games() as u32)
            .into_par_iter()
            .chunks(256)
            .map(|games| {
                let (mut own, mut keys) = (Vec::new(), Vec::new());
                for game in games {
                    keys.clear();
                    position_keys(&segment.begin(collection.rules(), game)?, segment.moves(game)?, &mut keys);
                    let placed = keys.iter().zip(0u16..).filter(|(key, _)| in_pass(**key));
                    own.extend(placed.map(|(key, ply)| (*key, first as u32 + game, ply)));
                }
                Ok(own)
            })
            .collect();
        occurrences.extend(chunks?.into_iter().flatten());
    }
    Ok(occurrences)
}

#[derive(Default)]
struct Counts {
    n_distinct: usize,
    by_occurrence: BTreeMap<u64, u64>,
    /// Positions that first occurred in each game.
    new_in_game: Vec<u32>,
    n_frequent: usize,
    frequent: BinaryHeap<std::cmp::Reverse<FrequentPosition>>,
}

impl Counts {
    fn add(&mut self, occurrences: &[Occurrence]) {
        for group in occurrences.chunk_by(|a, b| a.0 == b.0) {
            let ((_, game, ply), n) = (group[0], group.len() as u64);
            self.n_distinct += 1;
            *self.by_occurrence.entry(n).or_default() += 1;
            self.new_in_game[game as usize] += 1;
            self.frequent.push(std::cmp::Reverse(FrequentPosition { n, game: game as usize, ply }));
            if self.frequent.len() > self.n_frequent {
                self.frequent.pop();
            }
        }
    }
}

fn growth(collection: &Collection, new_in_game: &[u32]) -> Vec<GrowthPoint> {
    let n_games = new_in_game.len();
    let lengths = collection
        .segments()
        .flat_map(|(_, segment)| (0..segment.n_games() as u32).map(move |game| segment.n_plies(game) + 1));
    let mut points: Vec<GrowthPoint> = Vec::new();
    let mut last = GrowthPoint { n_games: 0, n_positions: 0, n_distinct: 0 };
    for (new, length) in new_in_game.iter().zip(lengths) {
        last.n_games += 1;
        last.n_positions += length;
        last.n_distinct += *new as usize;
        let is_due = last.n_games * N_POINTS / n_games != (last.n_games - 1) * N_POINTS / n_games;
        if is_due || last.n_games == n_games {
            points.push(last);
        }
    }
    points.dedup();
    points
}

fn fit(growth: &[GrowthPoint]) -> Option<GrowthFit> {
    let half = &growth[growth.len() / 2..];
    let n = half.len() as f64;
    if half.len() < 5 {
        return None;
    }
    let logs = half.iter().map(|point| ((point.n_positions as f64).ln(), (point.n_distinct as f64).ln()));
    let points: Vec<(f64, f64)> = logs.collect();
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / n;
    let spread: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let slope = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / spread;
    let residual = |(x, y): &(f64, f64)| (y - mean_y - slope * (x - mean_x)).powi(2);
    let error = (points.iter().map(residual).sum::<f64>() / (n - 2.0) / spread).sqrt();
    // 2.1 is Student's t for about eighteen degrees of freedom.
    Some(GrowthFit {
        exponent: slope,
        exponent_half_width: 2.1 * error,
        scale: (mean_y - slope * mean_x).exp(),
    })
}

impl Survey {
    /// The share of positions that occurred before.
    pub fn repeated_share(&self) -> f64 {
        share_repeated(self.n_distinct, self.n_positions)
    }

    /// The growth curve and its fit as SVG.
    pub fn picture(&self) -> String {
        let (width, height, left, bottom) = (640.0, 400.0, 70.0, 50.0);
        let max_games = self.n_games.max(1) as f64 * 2.0;
        let a_game = self.n_positions as f64 / self.n_games.max(1) as f64;
        let law = |games: f64| self.fit.map(|fit| fit.repeated_share(games * a_game));
        let highest = self.growth.iter().map(GrowthPoint::repeated_share).fold(0.01, f64::max);
        let highest = law(max_games).unwrap_or(highest).max(highest) * 1.15;
        let x = |games: f64| left + games / max_games * (width - left - 20.0);
        let y = |share: f64| height - bottom - share / highest * (height - bottom - 40.0);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
             <text x=\"{left}\" y=\"22\" font-size=\"15\">Share of repeated positions as games are added</text>\n"
        );
        for n in 0..=4 {
            let (share, games) = (highest * f64::from(n) / 4.0, max_games * f64::from(n) / 4.0);
            _ = writeln!(
                svg,
                "<line x1=\"{left}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{:.1}%</text>\
                 <text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{games:.0}</text>",
                width - 20.0,
                left - 8.0,
                y(share) + 4.0,
                share * 100.0,
                x(games),
                height - bottom + 20.0,
                y = y(share),
            );
        }
        if self.fit.is_some() {
            let points = (1..=100).map(|n| max_games * f64::from(n) / 100.0);
            let path: Vec<String> = points
                .filter_map(|games| Some(format!("{:.1},{:.1}", x(games), y(law(games)?.max(0.0)))))
                .collect();
            _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"#c60\" stroke-dasharray=\"5 4\" stroke-width=\"1.5\"/>",
                path.join(" ")
            );
        }
        for point in &self.growth {
            let (x, y) = (x(point.n_games as f64), y(point.repeated_share()));
            _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#06c\"/>");
        }
        _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">games (dots: measured; dashes: fitted law, drawn to twice as many)</text>\n</svg>",
            (width + left) / 2.0,
            height - 10.0
        );
        svg
    }
}
