//! Journals that were cut, damaged, shared or mistaken for others.

use std::fs;

use ashta_position::Reason;
use tempfile::TempDir;

use super::*;
use crate::tally::{GameRow, KindTally, PlyTally};

const PLAN: &str = r#"{"games":["tiny"]}"#;

fn tally(n: u32) -> UnitTally {
    let row = GameRow {
        n_plies: n,
        n_moves: 9,
        winner: None,
        reason: Reason::Quiet,
        n_captures: 0,
        n_checks: 1,
        n_lead_changes: 0,
        openings: [7, 8],
    };
    let ply = PlyTally { n_games: 1, ..PlyTally::default() };
    let (rows, by_kind) = (vec![row; n as usize], vec![KindTally::default()]);
    UnitTally { rows, by_ply: vec![ply], by_kind, ..UnitTally::default() }
}

/// A journal of three units, its bytes, and where each frame ends.
fn three_units(folder: &TempDir) -> (PathBuf, Vec<u8>, Vec<usize>) {
    let path = folder.path().join("run.journal");
    let (mut journal, _) = Journal::open_or_create(&path, 5, PLAN).expect("the journal opens");
    let mut ends = vec![fs::metadata(&path).expect("a temporary file").len() as usize];
    for unit in 0..3 {
        journal.append(1, unit, &tally(unit + 1)).expect("the unit is written");
        ends.push(fs::metadata(&path).expect("a temporary file").len() as usize);
    }
    (path.clone(), fs::read(&path).expect("a temporary file"), ends)
}

fn units_before(ends: &[usize], damage: usize) -> usize {
    ends[1..].iter().filter(|end| **end <= damage).count()
}

#[test]
fn a_cut_at_any_byte_loses_only_the_units_it_touches() {
    let folder = TempDir::new().expect("a temporary file");
    let (path, bytes, ends) = three_units(&folder);
    for cut in 0..=bytes.len() {
        fs::write(&path, &bytes[..cut]).expect("a temporary file");
        let n_whole = units_before(&ends, cut);
        if cut >= ends[0] {
            assert_eq!(
                Journal::read(&path).expect("the journal opens").units.len(),
                n_whole,
                "read after a cut at {cut}"
            );
        } else {
            assert!(Journal::read(&path).is_err());
        }
        let (mut journal, contents) = Journal::open_or_create(&path, 5, PLAN).expect("the journal opens");
        assert_eq!(contents.units.len(), n_whole, "cut at {cut}");
        for unit in 0..3 {
            journal.append(1, unit, &tally(unit + 1)).expect("the unit is written");
        }
        assert_eq!(fs::read(&path).expect("a temporary file"), bytes, "went on after a cut at {cut}");
    }
}

/// A changed byte costs the unit that it is in, and no other; what was lost is written again behind the others.
#[test]
fn a_flipped_bit_costs_its_own_unit_alone() {
    let folder = TempDir::new().expect("a temporary file");
    let (path, bytes, ends) = three_units(&folder);
    for at in 0..bytes.len() {
        for bit in [1, 0x80] {
            let mut damaged = bytes.clone();
            damaged[at] ^= bit;
            fs::write(&path, &damaged).expect("a temporary file");
            let (mut journal, contents) = Journal::open_or_create(&path, 5, PLAN).expect("the journal opens");
            let lost = (0..3).find(|unit| (ends[*unit]..ends[*unit + 1]).contains(&at));
            let left: Vec<u32> = contents.units.keys().map(|id| id.unit).collect();
            let wanted: Vec<u32> = (0..3).filter(|unit| lost != Some(*unit as usize)).collect();
            assert_eq!(left, wanted, "byte {at}");
            assert!(contents.units.iter().all(|(id, found)| *found == tally(id.unit + 1)));
            // A length of the last frame that has grown looks as if the rest were missing.
            assert!(contents.n_damaged_bytes + contents.n_torn_bytes > 0, "byte {at}");
            assert!(contents.n_torn_bytes == 0 || at >= ends[2], "byte {at}");
            (0..3).for_each(|unit| journal.append(1, unit, &tally(unit + 1)).expect("the unit is written"));
            drop(journal);
            assert_eq!(Journal::read(&path).expect("the journal opens").units.len(), 3, "byte {at}");
        }
    }
}

#[test]
fn damage_and_a_torn_tail_are_told_apart() {
    let folder = TempDir::new().expect("a temporary file");
    let (path, mut bytes, ends) = three_units(&folder);
    bytes[ends[0] + 20] ^= 1;
    let cut = bytes.len() - 3;
    fs::write(&path, &bytes[..cut]).expect("a temporary file");
    let contents = Journal::read(&path).expect("the journal opens");
    assert_eq!(contents.units.keys().map(|id| id.unit).collect::<Vec<_>>(), [1]);
    assert_eq!(contents.n_damaged_bytes, (ends[1] - ends[0]) as u64);
    assert_eq!(contents.n_torn_bytes, (cut - ends[2]) as u64);
    drop(Journal::open_or_create(&path, 5, PLAN).expect("the journal opens"));
    assert_eq!(
        fs::read(&path).expect("a temporary file"),
        bytes[..ends[2]],
        "what was torn is cut off, nothing else"
    );
}

/// Bytes that look like lengths everywhere are read in time that grows with the file.
#[test]
fn damage_that_looks_like_frames_is_read_in_bounded_work() {
    let mut bytes = header_bytes(5, PLAN);
    let n_numbers = 200_000u32;
    (0..n_numbers).for_each(|n| bytes.extend((4 * (n_numbers - n)).to_le_bytes()));
    let contents: JournalContents = parse(Path::new("hostile"), &bytes).expect("the header is whole");
    assert!(contents.units.is_empty());
}

#[test]
fn a_unit_written_twice_counts_once() {
    let folder = TempDir::new().expect("a temporary file");
    let (path, mut bytes, ends) = three_units(&folder);
    bytes.extend(frame_bytes(UnitId { cell: 1, unit: 0 }, &tally(9)));
    fs::write(&path, &bytes).expect("a temporary file");
    let (mut journal, contents) = Journal::open_or_create(&path, 5, PLAN).expect("the journal opens");
    assert_eq!(contents.units.len(), 3);
    assert_eq!(contents.units[&UnitId { cell: 1, unit: 0 }], tally(9), "the last counts");
    journal.append(1, 0, &tally(7)).expect("the unit is written");
    assert_eq!(fs::read(&path).expect("a temporary file").len(), bytes.len());
    assert_eq!(ends.len(), 4);
}

#[test]
fn refusals_are_sentences() {
    let folder = TempDir::new().expect("a temporary file");
    let (path, bytes, _) = three_units(&folder);
    let name = path.display();
    let says = |digest| Journal::open_or_create(&path, digest, PLAN).err().map(|error| error.to_string());
    let another =
        format!("the journal {name} belongs to another plan (0000000000000005, expected 0000000000000006)");
    assert_eq!(says(6), Some(another));
    let held = Journal::open_or_create(&path, 5, PLAN).expect("the journal opens");
    assert_eq!(says(5), Some(format!("the journal {name} is in use by another run")));
    assert_eq!(Journal::read(&path).expect("the journal opens").units.len(), 3);
    drop(held);
    let mut newer = header_bytes(5, PLAN);
    newer.truncate(newer.len() - CHECKSUM_BYTES);
    newer[8] = 3;
    fs::write(&path, sealed(newer)).expect("a temporary file");
    assert_eq!(says(5), Some(format!("the journal {name} has format 3; this program reads format 2")));
    fs::write(&path, "games to play at Christmas").expect("a temporary file");
    assert_eq!(says(5), Some(format!("{name} is not the journal of an experiment")));
    fs::write(&path, &bytes[..30]).expect("a temporary file");
    assert_eq!(says(6), Some(format!("the header of the journal {name} is damaged")));
    let nowhere = folder.path().join("no/such/folder");
    let error = Journal::open_or_create(&nowhere, 5, PLAN).expect_err("it is refused").to_string();
    assert!(error.starts_with(&format!("cannot open the journal {}", nowhere.display())), "{error}");
}

#[test]
fn a_strange_unit_is_named() {
    let folder = TempDir::new().expect("a temporary file");
    let (path, mut bytes, _) = three_units(&folder);
    let mut frame = vec![1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 77];
    frame = sealed(frame);
    bytes.extend(frame);
    fs::write(&path, &bytes).expect("a temporary file");
    let error = Journal::read(&path).expect_err("it is refused").to_string();
    let wanted = format!(
        "the journal {} has an unreadable unit 2 of cell 4: the tally ends at byte 1, inside a record",
        path.display()
    );
    assert_eq!(error, wanted);
}
