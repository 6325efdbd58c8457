//! Random records and collections of them.
#![allow(dead_code)]

use std::path::Path;

use ashta_position::{CompiledRules, Game};
use ashta_records::index::states::walk;
use ashta_records::segment::SegmentBuilder;
use ashta_records::{CollectionWriter, GameRecord, GameResult, tag};
use ashta_rules::Side;

/// A generator of numbers that is the same everywhere: SplitMix64.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

pub fn compiled(name: &str) -> CompiledRules {
    CompiledRules::new(ashta_rules::load(name).expect("a game of the library"))
}

/// A game of random moves; few moves to choose from, so that positions come again.
pub fn random_record(
    rules: &CompiledRules,
    numbers: &mut Numbers,
    most_plies: usize,
    n_choices: usize,
) -> GameRecord {
    let mut record = GameRecord::default();
    let mut game = Game::start(rules);
    if numbers.below(4) == 0 {
        for _ in 0..numbers.below(6) {
            step(&mut game, numbers, 30);
        }
        record.set_start(&game);
        game = record.begin(rules).expect("a position that was played to");
    }
    for _ in 0..numbers.below(most_plies + 1) {
        match step(&mut game, numbers, n_choices) {
            Some(mv) => record.moves.push(mv),
            None => break,
        }
    }
    let names = ["Anna", "Boris", "Chen \"the wall\"", "Dvořák", "羽"];
    for side in 0..rules.rules().sides().len() {
        record.tags.set(tag::PLAYERS[side], names[numbers.below(names.len())]);
        if numbers.below(2) == 0 {
            record.tags.set(tag::RATINGS[side], (1200 + numbers.below(1500)).to_string());
        }
    }
    let date =
        format!("{}.{:02}.{:02}", 1950 + numbers.below(70), 1 + numbers.below(12), 1 + numbers.below(28));
    record.tags.set(tag::DATE, date);
    record.tags.set(tag::EVENT, format!("Event {}", numbers.below(4)));
    record.result = match numbers.below(4) {
        0 => GameResult::Unknown,
        1 => GameResult::Draw,
        n => GameResult::Won(Side(n as u8 - 2)),
    };
    record
}

fn step(game: &mut Game, numbers: &mut Numbers, n_choices: usize) -> Option<ashta_position::Move> {
    if game.outcome().is_some() {
        return None;
    }
    let moves = game.legal_moves();
    let mv = moves[numbers.below(moves.len().min(n_choices))];
    game.play_unchecked(mv);
    Some(mv)
}

/// Adds records to a collection as one segment.
pub fn add(writer: &mut CollectionWriter, records: &[GameRecord]) {
    let rules = writer.rules().clone();
    let mut builder = SegmentBuilder::new(writer.space().clone(), rules.rules().sides().len());
    for (n, record) in records.iter().enumerate() {
        let game = record.begin(&rules).expect("a position");
        let walked = walk(writer.space(), &game, &record.moves);
        builder.push(record, &walked, n as u64);
    }
    writer.commit(builder).expect("committed");
}

/// A collection of records in several segments.
pub fn collection(
    folder: &Path,
    name: &str,
    rules: &CompiledRules,
    batches: &[Vec<GameRecord>],
) -> CollectionWriter {
    let mut writer = CollectionWriter::open(folder, rules, name).expect("a new collection");
    batches.iter().for_each(|batch| add(&mut writer, batch));
    writer
}
