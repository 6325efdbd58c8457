//! A kill at any moment loses at most the batch under way; two writers are kept apart; reading while importing works.
//!
//! The program that is killed is this test itself, started again with a folder in its environment.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ashta_records::{Collection, CollectionWriter, GameRecord, Manifest};
use common::{Numbers, add, compiled, random_record};

const GAME: &str = "minishogi";
const BATCH: usize = 25;

/// The records of a batch, the same whoever asks.
fn batch(number: usize) -> Vec<GameRecord> {
    let rules = compiled(GAME);
    let mut numbers = Numbers(number as u64);
    (0..BATCH).map(|_| random_record(&rules, &mut numbers, 40, 3)).collect()
}

/// Not a test: the writer that is killed. It adds batches without end, and merges now and then.
#[test]
fn writer_that_is_killed() {
    let Ok(folder) = std::env::var("ASHTA_CRASH_FOLDER") else { return };
    let rules = compiled(GAME);
    let mut writer = CollectionWriter::open(Path::new(&folder), &rules, GAME).expect("nobody else writes");
    loop {
        let n_games: usize = writer.manifest().n_games();
        add(&mut writer, &batch(n_games / BATCH));
        if writer.manifest().segments.len() > 5 {
            writer.merge_step().expect("merged");
        }
    }
}

fn start_writer(folder: &Path) -> Child {
    let this = std::env::current_exe().expect("this program");
    let mut command = Command::new(this);
    command.args(["--exact", "writer_that_is_killed", "--nocapture"]).env("ASHTA_CRASH_FOLDER", folder);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

/// Everything that is committed is there, and only whole batches are.
fn check(folder: &Path) -> usize {
    let rules = compiled(GAME);
    let collection = match Collection::open(folder, &rules) {
        Ok(collection) => collection,
        // Killed before the first manifest.
        Err(ashta_records::CollectionError::None { .. }) => return 0,
        Err(error) => panic!("{error}"),
    };
    collection.check_all().expect("every byte is as it was written");
    let n_games = collection.n_games();
    assert_eq!(n_games % BATCH, 0, "half a batch");
    let listed: usize = collection.manifest().n_games();
    assert_eq!(listed, n_games);
    // The first, the last and some between; all of them would take the time of many kills.
    let n_batches = n_games / BATCH;
    let some = [0, n_batches / 2, n_batches.saturating_sub(2), n_batches.saturating_sub(1)];
    for number in some.into_iter().filter(|number| *number < n_batches) {
        for (n, record) in batch(number).into_iter().enumerate() {
            assert_eq!(collection.record(number * BATCH + n).expect("read"), Some(record));
        }
    }
    n_games
}

/// A writer is killed within this time, on a machine that does nothing else.
const LONGEST: Duration = Duration::from_millis(120);

/// How long a writer takes to its first batch: on a busy machine longer than it would live.
fn first_batch(path: &Path) -> Duration {
    let began = Instant::now();
    let mut child = start_writer(path);
    wait_for_games(path, BATCH);
    child.kill().expect("killed");
    child.wait().expect("gone");
    began.elapsed()
}

fn kill_at_random(n_kills: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut path = folder.path().join("0");
    let mut numbers = Numbers(7);
    let longest = LONGEST.max(first_batch(&folder.path().join("first")) * 3).as_micros() as usize;
    let (mut last, mut n_with_growth) = (0, 0);
    for kill in 0..n_kills {
        // A new collection now and then: the first moments have their own dangers.
        if kill % 40 == 0 {
            path = folder.path().join(kill.to_string());
            last = 0;
        }
        let mut child = start_writer(&path);
        std::thread::sleep(Duration::from_micros(1000 + numbers.below(longest) as u64));
        child.kill().expect("killed");
        child.wait().expect("gone");
        let n_games = check(&path);
        assert!(n_games >= last, "{n_games} games after {last}");
        n_with_growth += usize::from(n_games > last);
        last = n_games;
    }
    assert!(
        n_with_growth * 4 > n_kills,
        "most kills must hit a writer at work: {n_with_growth} of {n_kills}"
    );
}

#[test]
fn a_kill_loses_at_most_a_batch() {
    kill_at_random(25);
}

/// The bar is 200 kills: `cargo test -p ashta-records --test crash -- --ignored`.
#[test]
#[ignore = "takes a minute"]
fn two_hundred_kills_lose_at_most_a_batch() {
    kill_at_random(250);
}

fn wait_for_games(path: &Path, n_games: usize) {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let manifest = Manifest::read(path);
        let n: usize = manifest.map_or(0, |m| m.n_games());
        if n >= n_games {
            return;
        }
        assert!(Instant::now() < end, "the writer is too slow");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn one_writes_while_others_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join("games");
    let mut child = start_writer(&path);
    wait_for_games(&path, BATCH);
    let second = CollectionWriter::open(&path, &compiled(GAME), GAME).expect_err("one writer at a time");
    assert_eq!(second.to_string(), format!("another process is adding games to {}", path.display()));
    let mut last = 0;
    for _ in 0..30 {
        let n_games = check(&path);
        assert!(n_games >= last);
        last = n_games;
    }
    child.kill().expect("killed");
    child.wait().expect("gone");
    CollectionWriter::open(&path, &compiled(GAME), GAME).expect("the lock went with the writer");
}

#[test]
fn damage_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = compiled(GAME);
    let mut writer = CollectionWriter::open(folder.path(), &rules, GAME).expect("a collection");
    add(&mut writer, &batch(0));
    let segment = folder.path().join("00000001.seg");
    let whole = std::fs::read(&segment).expect("read");
    let told = || {
        let opened = Collection::open(folder.path(), &rules);
        opened.and_then(|collection| collection.check_all()).expect_err("damaged").to_string()
    };
    for at in [0, 9, 100, whole.len() / 2, whole.len() - 30, whole.len() - 4] {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        std::fs::write(&segment, &damaged).expect("written");
        let told = told();
        assert!(told.contains("00000001.seg"), "{told}");
    }
    std::fs::write(&segment, &whole[..whole.len() / 2]).expect("written");
    assert!(told().contains("is not a whole segment"));
    std::fs::write(&segment, &whole).expect("written");
    let manifest = folder.path().join("MANIFEST");
    let text = std::fs::read_to_string(&manifest).expect("read");
    std::fs::write(&manifest, text.replace("segment 1 25", "segment 1 26")).expect("written");
    assert!(told().contains("MANIFEST is damaged: it fails its checksum"));
}
