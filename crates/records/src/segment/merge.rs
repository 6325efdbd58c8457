//! Merges segments, or rewrites one with changed records.
//!
//! In: consecutive segments; changed records. Out: one file with the same games in the same order. Never: more memory
//! than the largest segment needs: keys are recomputed from the moves, a part at a time.

use std::collections::BTreeMap;
use std::path::Path;

use ashta_position::CompiledRules;
use rayon::prelude::*;

use super::build::{GamesBuilder, InMemory, write_segment};
use super::file::SegmentError;
use super::notes;
use super::reader::Segment;
use crate::index::exact::{ExactBuilder, ExactBytes};
use crate::index::postings::{Posting, encode};
use crate::index::states::{StateSpace, position_keys};
use crate::record::GameRecord;

/// Keys sorted per pass, sixteen bytes each.
const KEYS_AT_A_TIME: usize = 1 << 23;

/// Records that replace others with the same moves, by their numbers in the new segment.
pub type Changed = BTreeMap<u32, GameRecord>;

/// Merges segments into a new file. Returns its length; `None` if their games do not fit into one.
pub fn merge_segments(
    segments: &[&Segment],
    changed: &Changed,
    rules: &CompiledRules,
    space: &StateSpace,
    path: &Path,
) -> Result<Option<u64>, SegmentError> {
    let mut games = GamesBuilder::default();
    for segment in segments {
        for (game, key) in (0..).zip(segment.game_keys(rules)?) {
            // A single segment always fits again, with a little more text.
            if segments.len() > 1 && !games.has_room(segment.n_plies(game)) {
                return Ok(None);
            }
            let number = games.n_games() as u32;
            match changed.get(&number) {
                Some(record) => {
                    games.push(record, key);
                    games.notes.push(number, &record.annotations);
                }
                None => {
                    games.push(&segment.bare_record(game)?, key);
                    games.notes.push_bytes(number, notes::bytes_of(segment.file(), game)?);
                }
            }
        }
    }
    let states = merge_states(segments, games.n_games())?;
    let exact = merge_exact(segments, rules, &games)?;
    write_segment(path, space, &games, states, exact).map(Some)
}

fn merge_states(segments: &[&Segment], n_games: usize) -> Result<Vec<(u32, Vec<u8>)>, SegmentError> {
    let mut states: Vec<u32> = segments.iter().flat_map(|segment| segment.states()).collect();
    states.sort_unstable();
    states.dedup();
    let merged = states.into_par_iter().map(|state| {
        let mut postings: Vec<Posting> = Vec::new();
        let mut first_game = 0;
        for segment in segments {
            let begin = postings.len();
            if let Some(list) = segment.list(state)? {
                list.unpack(&mut postings);
            }
            postings[begin..].iter_mut().for_each(|posting| posting.game += first_game);
            first_game += segment.n_games() as u32;
        }
        Ok((state, encode(&postings, n_games)))
    });
    merged.collect()
}

fn merge_exact(
    segments: &[&Segment],
    rules: &CompiledRules,
    games: &GamesBuilder,
) -> Result<ExactBytes, SegmentError> {
    let n_positions = games.n_positions();
    let n_passes = n_positions.div_ceil(KEYS_AT_A_TIME).max(1) as u64;
    let of = InMemory { games, n_sides: rules.rules().sides().len() };
    let mut exact = ExactBuilder::new(n_positions);
    for pass in 0..n_passes {
        let low = (u128::from(u64::MAX) * u128::from(pass) / u128::from(n_passes)) as u64;
        let high = (u128::from(u64::MAX) * u128::from(pass + 1) / u128::from(n_passes)) as u64;
        let in_pass = |key: u64| (pass == 0 || key > low) && key <= high;
        let mut pairs: Vec<(u64, u32)> = Vec::new();
        let mut base = 0;
        for segment in segments {
            let found: Result<Vec<Vec<(u64, u32)>>, SegmentError> = (0..segment.n_games() as u32)
                .into_par_iter()
                .chunks(256)
                .map(|chunk| keys_of(segment, rules, &chunk, base, in_pass))
                .collect();
            pairs.extend(found?.into_iter().flatten());
            base += segment.n_positions() as u32;
        }
        pairs.par_sort_unstable();
        exact.add(&pairs, &of);
    }
    Ok(exact.finish())
}

fn keys_of(
    segment: &Segment,
    rules: &CompiledRules,
    games: &[u32],
    base: u32,
    in_pass: impl Fn(u64) -> bool,
) -> Result<Vec<(u64, u32)>, SegmentError> {
    let (mut found, mut keys) = (Vec::new(), Vec::new());
    for game in games {
        keys.clear();
        position_keys(&segment.begin(rules, *game)?, segment.moves(*game)?, &mut keys);
        let first = base + segment.base(*game) as u32;
        let own = keys.iter().zip(first..).filter(|(key, _)| in_pass(**key));
        found.extend(own.map(|(key, position)| (*key, position)));
    }
    Ok(found)
}
