//! Set operations on sorted intervals: intersection, union, complement.
//!
//! In: postings sorted by game and ply that neither touch nor overlap. Out: the same. Never: an index.

use crate::index::postings::Posting;

pub fn intersect(a: &[Posting], b: &[Posting]) -> Vec<Posting> {
    let (mut out, mut i, mut j) = (Vec::new(), 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        if x.game != y.game {
            if x.game < y.game {
                i += 1
            } else {
                j += 1
            }
            continue;
        }
        let (from, to) = (x.from.max(y.from), x.to.min(y.to));
        if from < to {
            out.push(Posting { game: x.game, from, to });
        }
        if x.to < y.to { i += 1 } else { j += 1 }
    }
    out
}

pub fn unite(parts: Vec<Vec<Posting>>) -> Vec<Posting> {
    let mut parts: Vec<Vec<Posting>> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if parts.len() <= 1 {
        return parts.pop().unwrap_or_default();
    }
    let mut all: Vec<Posting> = parts.concat();
    all.sort();
    let mut out: Vec<Posting> = Vec::with_capacity(all.len());
    for interval in all {
        match out.last_mut().filter(|last| last.game == interval.game && last.to >= interval.from) {
            Some(last) => last.to = last.to.max(interval.to),
            None => out.push(interval),
        }
    }
    out
}

/// The positions of sorted games that are not in a set; each game comes with its number of positions.
pub fn complement(games: impl Iterator<Item = (u32, u16)>, of: &[Posting]) -> Vec<Posting> {
    let (mut out, mut rest) = (Vec::new(), of);
    for (game, n_positions) in games {
        while rest.first().is_some_and(|interval| interval.game < game) {
            rest = &rest[1..];
        }
        let mut from = 0;
        while let Some((interval, after)) = rest.split_first().filter(|(interval, _)| interval.game == game) {
            if interval.from > from {
                out.push(Posting { game, from, to: interval.from });
            }
            from = interval.to;
            rest = after;
        }
        if from < n_positions {
            out.push(Posting { game, from, to: n_positions });
        }
    }
    out
}

pub fn games_of(intervals: &[Posting]) -> Vec<u32> {
    let mut games: Vec<u32> = intervals.iter().map(|interval| interval.game).collect();
    games.dedup();
    games
}

/// The positions of `then` that come after the first position of `first` in the same game.
pub fn after(first: &[Posting], then: &[Posting]) -> Vec<Posting> {
    let mut out = Vec::new();
    let mut starts = first.chunk_by(|a, b| a.game == b.game).map(|intervals| intervals[0]).peekable();
    for interval in then {
        while starts.next_if(|start| start.game < interval.game).is_some() {}
        if let Some(start) = starts.peek().filter(|start| start.game == interval.game) {
            let from = interval.from.max(start.from + 1);
            if from < interval.to {
                out.push(Posting { from, ..*interval });
            }
        }
    }
    out
}
