//! Random records and collections of them.
use std::path::Path;

use ashta_position::{CompiledRules, Game};
use ashta_records::index::states::index_game;
use ashta_records::segment::SegmentBuilder;
use ashta_records::{Annotations, CollectionWriter, GameRecord, GameResult, Variation, tag};
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

/// Words that formats have trouble with.
const WORDS: [&str; 14] = [
    "a plain word",
    "two\nlines",
    "a } bracket",
    "an empty line\n\n  and } an indented one",
    "1-0",
    "*",
    "[%clk 0:01:00] and words",
    "(1. e4 e5)",
    "$5 for a pawn",
    "変化：3手",
    "▲７六歩",
    "'+7776FU",
    "; % # & / \\ \"quoted\"",
    "手合割：平手\n先手：x\n[White \"y\"]",
];

/// Random notes on a line, and on the lines beside it.
pub fn annotate(
    game: &mut Game,
    moves: &[ashta_position::Move],
    numbers: &mut Numbers,
    depth: usize,
) -> Annotations {
    let mut notes = Annotations::default();
    for ply in 0..=moves.len() {
        if numbers.below(4) == 0 {
            notes.add_comment(ply, WORDS[numbers.below(WORDS.len())]);
        }
        if ply > 0 && numbers.below(6) == 0 {
            (0..=numbers.below(2)).for_each(|_| notes.add_glyph(ply, 1 + numbers.below(200) as u8));
        }
        if ply > 0 && numbers.below(3) == 0 {
            let fraction = if numbers.below(3) == 0 { numbers.below(1000) } else { 0 };
            notes.set_time(ply, (1 + numbers.below(8000)) as u64 * 1000 + fraction as u64);
        }
        // Sisters of a variation are its line's.
        let may_branch = depth < 3 && (depth == 0 || ply > 0);
        for _ in 0..if may_branch && numbers.below(8) == 0 { 1 + numbers.below(2) } else { 0 } {
            let mut line = Vec::new();
            while line.len() < 1 + numbers.below(6) {
                match step(game, numbers, 200) {
                    Some(mv) => line.push(mv),
                    None => break,
                }
            }
            line.iter().for_each(|_| _ = game.take_back());
            if !line.is_empty() {
                let its_notes = annotate(game, &line, numbers, depth + 1);
                notes.add_variation(ply, Variation { moves: line, notes: its_notes });
            }
        }
        if let Some(mv) = moves.get(ply) {
            game.play_unchecked(*mv);
        }
    }
    moves.iter().for_each(|_| _ = game.take_back());
    notes
}

/// Adds records to a collection as one segment.
pub fn add(writer: &mut CollectionWriter, records: &[GameRecord]) {
    let rules = writer.rules().clone();
    let mut builder = SegmentBuilder::new(writer.space().clone(), rules.rules().sides().len());
    for record in records {
        let mut game = record.begin(&rules).expect("a position");
        record.moves.iter().for_each(|mv| game.play_unchecked(*mv));
        let indexed = index_game(writer.space(), game);
        builder.push(record, &indexed);
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
