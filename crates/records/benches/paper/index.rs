//! The paper's index and its ways of searching.

use std::collections::HashMap;

use ashta_records::Collection;
use ashta_records::index::bits::{Cursor, put_varint};
use ashta_records::index::postings::Posting;

/// Which lists are searched.
#[derive(Clone, Copy)]
pub enum Lists {
    Plain,
    Compressed,
}

/// In which order lists are intersected.
#[derive(Clone, Copy)]
pub enum Order {
    /// Two at a time, the shortest first.
    Pairwise,
    AllAtOnce,
}

/// How a list is stepped through.
#[derive(Clone, Copy)]
pub enum Step {
    Merge,
    /// Binary search where one list is much shorter.
    Binary,
}

#[derive(Clone, Copy)]
pub struct Way {
    pub lists: Lists,
    pub order: Order,
    pub step: Step,
}

/// How much longer a list must be for binary search to be worth it, as the paper's switch does by the lengths.
const MUCH_LONGER: usize = 16;

pub struct PaperIndex {
    lists: HashMap<u32, (Vec<Posting>, Vec<u8>)>,
}

pub fn n_games(found: &[Posting]) -> usize {
    found.chunk_by(|a, b| a.game == b.game).count()
}

impl PaperIndex {
    /// Unpacks our postings into the paper's lists: they say the same.
    pub fn build(collection: &Collection) -> PaperIndex {
        let mut plain: HashMap<u32, Vec<Posting>> = HashMap::new();
        for (first, segment) in collection.segments() {
            for state in segment.states() {
                let list = plain.entry(state).or_default();
                let begin = list.len();
                segment.list(state).expect("read").expect("a list").unpack(list);
                list[begin..].iter_mut().for_each(|posting| posting.game += first as u32);
            }
        }
        let lists = plain.into_iter().map(|(state, list)| {
            let compressed = compress(&list);
            (state, (list, compressed))
        });
        PaperIndex { lists: lists.collect() }
    }

    pub fn n_postings(&self) -> usize {
        self.lists.values().map(|(plain, _)| plain.len()).sum()
    }

    pub fn n_compressed_bytes(&self) -> usize {
        self.lists.values().map(|(_, compressed)| compressed.len()).sum()
    }

    pub fn search(&self, states: &[u32], way: Way) -> Vec<Posting> {
        let mut lists = Vec::with_capacity(states.len());
        for state in states {
            match self.lists.get(state) {
                Some(list) => lists.push(list),
                None => return Vec::new(),
            }
        }
        lists.sort_by_key(|(plain, _)| plain.len());
        match (way.lists, way.order) {
            (Lists::Plain, Order::Pairwise) => pairwise_plain(&lists, way.step),
            (Lists::Plain, Order::AllAtOnce) => {
                at_once(lists.iter().map(|(plain, _)| PlainList { rest: plain, step: way.step }).collect())
            }
            (Lists::Compressed, Order::Pairwise) => pairwise_compressed(&lists),
            (Lists::Compressed, Order::AllAtOnce) => {
                at_once(lists.iter().map(|(_, bytes)| PackedList::new(bytes)).collect())
            }
        }
    }
}

fn compress(list: &[Posting]) -> Vec<u8> {
    let (mut bytes, mut last) = (Vec::new(), 0);
    for posting in list {
        put_varint(&mut bytes, u64::from(posting.game - last));
        put_varint(&mut bytes, u64::from(posting.from));
        put_varint(&mut bytes, u64::from(posting.to - posting.from));
        last = posting.game;
    }
    bytes
}

/// Postings one after another.
trait List {
    fn peek(&self) -> Option<Posting>;
    /// Passes over the first.
    fn advance(&mut self);
    /// Passes over all that end at or before a place.
    fn advance_to(&mut self, game: u32, ply: u16);
}

struct PlainList<'a> {
    rest: &'a [Posting],
    step: Step,
}

fn ends_before(posting: &Posting, game: u32, ply: u16) -> bool {
    (posting.game, posting.to) <= (game, ply)
}

impl List for PlainList<'_> {
    fn peek(&self) -> Option<Posting> {
        self.rest.first().copied()
    }

    fn advance(&mut self) {
        self.rest = &self.rest[1..];
    }

    fn advance_to(&mut self, game: u32, ply: u16) {
        match self.step {
            Step::Merge => {
                while self.rest.first().is_some_and(|posting| ends_before(posting, game, ply)) {
                    self.rest = &self.rest[1..];
                }
            }
            Step::Binary => {
                // Doubling steps first: what is looked for is usually near.
                let mut bound = 1;
                while self.rest.get(bound).is_some_and(|posting| ends_before(posting, game, ply)) {
                    bound *= 2;
                }
                let near = &self.rest[..self.rest.len().min(bound + 1)];
                self.rest = &self.rest[near.partition_point(|posting| ends_before(posting, game, ply))..];
            }
        }
    }
}

struct PackedList<'a> {
    bytes: Cursor<'a>,
    current: Option<Posting>,
}

impl<'a> PackedList<'a> {
    fn new(bytes: &'a [u8]) -> PackedList<'a> {
        let mut list =
            PackedList { bytes: Cursor(bytes), current: Some(Posting { game: 0, from: 0, to: 0 }) };
        list.advance();
        list
    }
}

impl List for PackedList<'_> {
    fn peek(&self) -> Option<Posting> {
        self.current
    }

    #[inline(always)]
    fn advance(&mut self) {
        let Some(last) = self.current else { return };
        if self.bytes.0.is_empty() {
            self.current = None;
            return;
        }
        let mut next = || quick_varint(&mut self.bytes);
        let (game, from) = (last.game + next(), next() as u16);
        self.current = Some(Posting { game, from, to: from + next() as u16 });
    }

    #[inline(always)]
    fn advance_to(&mut self, game: u32, ply: u16) {
        while self.current.is_some_and(|posting| ends_before(&posting, game, ply)) {
            self.advance();
        }
    }
}

/// Nearly every number has one byte.
#[inline(always)]
fn quick_varint(bytes: &mut Cursor) -> u32 {
    match bytes.0.split_first() {
        Some((byte, rest)) if *byte < 0x80 => {
            bytes.0 = rest;
            u32::from(*byte)
        }
        _ => bytes.varint().unwrap_or(0) as u32,
    }
}

fn pairwise_plain(lists: &[&(Vec<Posting>, Vec<u8>)], step: Step) -> Vec<Posting> {
    let Some(((first, _), rest)) = lists.split_first() else { return Vec::new() };
    let mut found = first.clone();
    for (list, _) in rest {
        if found.is_empty() {
            break;
        }
        // The paper's switch: by the lengths of the two lists.
        let step = if list.len() / found.len() >= MUCH_LONGER { step } else { Step::Merge };
        found = with_list(&found, PlainList { rest: list, step });
    }
    found
}

fn pairwise_compressed(lists: &[&(Vec<Posting>, Vec<u8>)]) -> Vec<Posting> {
    let Some(((_, first), rest)) = lists.split_first() else { return Vec::new() };
    let mut found = Vec::new();
    let mut list = PackedList::new(first);
    while let Some(posting) = list.peek() {
        found.push(posting);
        list.advance();
    }
    for (_, bytes) in rest {
        if found.is_empty() {
            break;
        }
        found = with_list(&found, PackedList::new(bytes));
    }
    found
}

fn with_list(found: &[Posting], mut list: impl List) -> Vec<Posting> {
    let mut out = Vec::new();
    for one in found {
        list.advance_to(one.game, one.from);
        while let Some(other) = list.peek().filter(|other| other.game == one.game && other.from < one.to) {
            out.push(Posting { game: one.game, from: one.from.max(other.from), to: one.to.min(other.to) });
            if other.to > one.to {
                break;
            }
            list.advance();
        }
    }
    out
}

fn at_once<L: List>(mut lists: Vec<L>) -> Vec<Posting> {
    let mut out = Vec::new();
    if lists.is_empty() {
        return out;
    }
    let (mut game, mut from) = (0, 0);
    'next: loop {
        let (mut to, mut n_agreed, mut at) = (u16::MAX, 0, 0);
        // Round and round until all lists have a posting over the same place.
        while n_agreed < lists.len() {
            lists[at].advance_to(game, from);
            let Some(posting) = lists[at].peek() else { return out };
            if (posting.game, posting.from) > (game, from) {
                (game, from) = (posting.game, posting.from);
                (to, n_agreed) = (posting.to, 1);
            } else {
                to = to.min(posting.to);
                n_agreed += 1;
            }
            at = if at + 1 == lists.len() { 0 } else { at + 1 };
        }
        out.push(Posting { game, from, to });
        from = to;
        if from == u16::MAX {
            break 'next;
        }
    }
    out
}
