//! Segments whose checksums are right and whose contents are not: read or refused, never a panic. Found by fuzzing.

use crate::common::{Numbers, add, compiled, random_record};
use ashta_records::{Collection, CollectionWriter, read_query};
use xxhash_rust::xxh3::xxh3_64;

const GAME: &str = "minishogi";
const TAIL: usize = 24;

/// Where a section of a file is, by its name in the footer.
fn section(bytes: &[u8], name: &str) -> std::ops::Range<usize> {
    let number = |at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().expect("eight bytes")) as usize;
    let footer = number(bytes.len() - TAIL);
    let entries = bytes[footer + 4..].windows(8).position(|window| window.starts_with(name.as_bytes()));
    let entry = footer + 4 + entries.expect(name);
    number(entry + 8)..number(entry + 8) + number(entry + 16)
}

/// Puts the checksums of a file of one page right.
fn seal(bytes: &mut [u8]) {
    let tail = bytes.len() - TAIL;
    let footer = u64::from_le_bytes(*bytes[tail..].first_chunk().expect("eight bytes")) as usize;
    let page = xxh3_64(&bytes[..footer]) as u32;
    bytes[tail - 4..tail].copy_from_slice(&page.to_le_bytes());
    let sum = xxh3_64(&bytes[footer..tail]);
    bytes[tail + 8..tail + 16].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn numbers_that_cannot_be_are_no_panic() {
    let (folder, rules, mut numbers) = (tempfile::tempdir().expect("a folder"), compiled(GAME), Numbers(1));
    let mut writer = CollectionWriter::open(folder.path(), &rules, GAME).expect("a collection");
    add(
        &mut writer,
        &[random_record(&rules, &mut numbers, 20, 3), random_record(&rules, &mut numbers, 20, 3)],
    );
    let path = folder.path().join("00000001.seg");
    let whole = std::fs::read(&path).expect("read");
    let shape = read_query("anywhere(5d=P 5c=empty)", rules.rules()).expect("a query");
    for name in ["bases", "exact", "states", "movedict", "moves", "columns"] {
        let place = section(&whole, name);
        for at in place.step_by(4).take(16) {
            let mut bytes = whole.clone();
            bytes[at..at + 4].fill(0xff);
            seal(&mut bytes);
            std::fs::remove_file(&path).and_then(|()| std::fs::write(&path, &bytes)).expect("written");
            let Ok(collection) = Collection::open(folder.path(), &rules) else {
                assert_eq!(name, "bases", "its checksums are right");
                continue;
            };
            for (_, segment) in collection.segments() {
                (0..segment.n_games() as u32)
                    .for_each(|game| _ = (segment.n_plies(game), segment.record(game)));
                segment.states().for_each(|state| _ = segment.list(state));
                _ = segment.find_key(&rules, 0);
            }
            _ = collection.find(&shape);
        }
    }
}
