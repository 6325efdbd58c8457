//! Collections on disk: the manifest, and segments.
//!
//! The first byte of an input says whether its checksums are put right: then what lies behind them is read.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use ashta_position::{CompiledRules, Game};
use ashta_records::index::states::index_game;
use ashta_records::segment::SegmentBuilder;
use ashta_records::{Collection, CollectionWriter, Manifest, Query, read_query};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use super::{Reading, Target};
use crate::fixtures::{compiled, record, temporary_folder, with_game};
use crate::input::refused;

const GAME: &str = "minishogi";
const MANIFEST_FILE: &str = "MANIFEST";
const SEGMENT_FILE: &str = "00000001.seg";

/// Any bytes as the manifest of a collection.
pub const MANIFEST: Target = Target {
    name: "manifest",
    reads: "the manifest of a collection",
    run: manifest,
    seeds: || sealed_and_not(&collection_files().0),
    words: &[
        "segment",
        "game",
        "rules",
        "checksum",
        "ashta collection 1",
        "ashta collection 2",
        "segment 1 3 100 4000\n",
        "\n",
    ],
    max_bytes: 2 << 10,
    share: 150,
};

/// Any bytes as a segment: an error, or games that can be read, searched and explored.
pub const SEGMENT: Target = Target {
    name: "segment",
    reads: "a segment of a collection",
    run: segment,
    seeds: || sealed_and_not(&collection_files().1),
    words: &["ASHTASEG", "ASHTAEND", "moves", "bases", "states", "postings", "exact"],
    max_bytes: 64 << 10,
    share: 300,
};

fn sealed_and_not(bytes: &[u8]) -> Vec<Vec<u8>> {
    // Most inputs are sealed: a checksum that fails ends the reading at once.
    [0, 1, 1, 1].map(|first| with_game(first, bytes)).to_vec()
}

/// The manifest and the segment of a small collection, made once.
fn collection_files() -> &'static (Vec<u8>, Vec<u8>) {
    static FILES: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    FILES.get_or_init(|| {
        let (folder, rules) = (temporary_folder(), compiled(GAME));
        let mut writer = CollectionWriter::open(folder.path(), rules, GAME).expect("a new collection");
        let mut builder = SegmentBuilder::new(writer.space().clone(), rules.rules().sides().len());
        for number in 0..4 {
            let mut record = record(rules, 30, number);
            record.annotations.add_comment(3, "a comment");
            record.tags.set("White", "somebody");
            let mut game = Game::start(rules);
            record.moves.iter().for_each(|mv| game.play_unchecked(*mv));
            builder.push(&record, &index_game(writer.space(), game));
        }
        writer.commit(builder).expect("committed");
        let read = |name: &str| fs::read(folder.path().join(name)).expect("a file of the collection");
        (read(MANIFEST_FILE), read(SEGMENT_FILE))
    })
}

thread_local! {
    /// A collection whose files are replaced by inputs.
    static FOLDER: TempDir = temporary_folder();
}

fn open(manifest: &[u8], segment: &[u8], read: impl Fn(&Path, &CompiledRules) -> Reading) -> Reading {
    FOLDER.with(|folder| {
        let put = |name: &str, bytes: &[u8]| {
            // A mapped file is never changed: a new one takes its place.
            let path = folder.path().join(name);
            _ = fs::remove_file(&path);
            fs::write(&path, bytes).expect("written");
        };
        put(MANIFEST_FILE, manifest);
        put(SEGMENT_FILE, segment);
        read(folder.path(), compiled(GAME))
    })
}

fn manifest(bytes: &[u8]) -> Reading {
    let Some((first, rest)) = bytes.split_first() else { return Reading::Refused };
    let bytes = if first & 1 == 1 { sealed_manifest(rest) } else { rest.to_vec() };
    open(&bytes, &collection_files().1, |folder, rules| match Manifest::read(folder) {
        Err(error) => refused(error),
        Ok(manifest) => {
            _ = (manifest.n_games(), manifest.n_positions(), manifest.n_bytes());
            match Collection::open(folder, rules) {
                Ok(collection) => check_collection(&collection),
                Err(error) => _ = refused(error),
            }
            Reading::Accepted
        }
    })
}

fn sealed_manifest(bytes: &[u8]) -> Vec<u8> {
    let end = bytes.trim_ascii_end();
    let body = end.iter().rposition(|byte| *byte == b'\n').map_or(end, |at| &end[..=at]);
    // It is read as text, where other bytes have become a character.
    let text = String::from_utf8_lossy(body).into_owned();
    let checksum = xxh3_64(text.as_bytes());
    format!("{text}checksum {checksum:016x}\n").into_bytes()
}

fn segment(bytes: &[u8]) -> Reading {
    let Some((first, rest)) = bytes.split_first() else { return Reading::Refused };
    let mut bytes = rest.to_vec();
    if first & 1 == 1 {
        seal_segment(&mut bytes);
    }
    open(&collection_files().0, &bytes, |folder, rules| match Collection::open(folder, rules) {
        Ok(collection) => {
            check_collection(&collection);
            Reading::Accepted
        }
        Err(error) => refused(error),
    })
}

const PAGE: usize = 1 << 16;
const TAIL: usize = 24;
const ENTRY: usize = 24;

/// Puts the checksums of pages and of the footer right, as far as the footer can be found.
fn seal_segment(bytes: &mut [u8]) -> Option<()> {
    let tail = bytes.len().checked_sub(TAIL)?;
    let begin = u64::from_le_bytes(*bytes[tail..].first_chunk()?) as usize;
    let n_sections = u32::from_le_bytes(*bytes.get(begin..tail)?.first_chunk()?) as usize;
    let sums = begin.checked_add(4 + n_sections.checked_mul(ENTRY)?)?;
    for page in 0..begin.div_ceil(PAGE) {
        let sum = xxh3_64(&bytes[page * PAGE..begin.min((page + 1) * PAGE)]) as u32;
        bytes[..tail].get_mut(sums + page * 4..)?.first_chunk_mut::<4>()?.copy_from_slice(&sum.to_le_bytes());
    }
    let sum = xxh3_64(&bytes[begin..tail]);
    bytes[tail + 8..tail + 16].copy_from_slice(&sum.to_le_bytes());
    Some(())
}

const QUERIES: &[&str] = &[
    "3c=K or 2b=p|empty",
    "hand(P)>=1 then 5d!=any",
    "not count(R|r)>=2",
    "player=somebody length>=3",
    "anywhere(5d=P 5c=empty)",
    "lasting(1a=k)=2..9",
];

/// Everything that reads a collection, on its first games.
fn check_collection(collection: &Collection) {
    _ = collection.check_all();
    for game in 0..collection.n_games().min(8) {
        match collection.record(game) {
            Ok(Some(record)) => _ = record.begin(collection.rules()),
            Ok(None) => panic!("game {game} is counted and not there"),
            Err(error) => _ = refused(error),
        }
    }
    let never = AtomicBool::new(false);
    let rules = collection.rules().rules();
    let start = Query::position(&Game::start(collection.rules()));
    for query in QUERIES.iter().map(|text| read_query(text, rules).expect("a query")).chain([start]) {
        match collection.find(&query) {
            Ok(answer) => _ = (answer.n_games(), answer.n_positions(), answer.page(0, 10).map_err(refused)),
            Err(error) => _ = refused(error),
        }
        _ = collection.explore(&query).map_err(refused);
        _ = collection.players(&query, &never).map_err(refused);
    }
    for (_, segment) in collection.segments() {
        for state in segment.states().take(64) {
            _ = segment.list(state).map_err(refused);
        }
        _ = segment.game_keys(collection.rules()).map_err(refused);
    }
}
