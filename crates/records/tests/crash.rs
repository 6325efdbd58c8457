//! A kill at any moment of an import loses at most the batch under way; two writers are kept apart; reading while importing
//! works.
//!
//! The program that is killed is this test itself, started again with a folder in its environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::common::{Numbers, add, compiled, random_record};
use ashta_records::{Collection, CollectionWriter, Format, GameRecord, ImportPlan, ImportReport, Manifest};
use ashta_records::{ImportObserver, Rejection, import, write_record};

const GAME: &str = "minishogi";
const N_GAMES: usize = 800;
/// Some twenty games: an import commits thirty times.
const BATCH_POSITIONS: usize = 500;

/// What is imported, the same whoever asks.
fn records() -> &'static [GameRecord] {
    static RECORDS: OnceLock<Vec<GameRecord>> = OnceLock::new();
    RECORDS.get_or_init(|| {
        let (rules, mut numbers) = (compiled(GAME), Numbers(11));
        let numbered = |n: usize| {
            let mut record = random_record(&rules, &mut numbers, 40, 3);
            record.tags.set("Round", n.to_string());
            record
        };
        (0..N_GAMES).map(numbered).collect()
    })
}

fn file_in(folder: &Path) -> PathBuf {
    let (path, rules) = (folder.join("games.pgn"), compiled(GAME));
    let mut text = String::new();
    for record in records() {
        write_record(Format::Pgn, record, &rules, &mut text).expect("written");
    }
    std::fs::write(&path, text).expect("written");
    path
}

struct Nobody;

impl ImportObserver for Nobody {
    fn rejected(&mut self, refusal: &Rejection) {
        panic!("{refusal:?}");
    }

    fn progress(&mut self, _: &ImportReport, _: u64) {}

    fn wants_stop(&mut self) -> bool {
        false
    }
}

/// Not a test: the import that is killed, and the merges after it.
#[test]
fn import_that_is_killed() {
    let Ok(folder) = std::env::var("ASHTA_CRASH_FOLDER") else { return };
    let file = std::env::var("ASHTA_CRASH_FILE").expect("a file beside the folder");
    let rules = compiled(GAME);
    let mut writer = CollectionWriter::open(Path::new(&folder), &rules, GAME).expect("nobody else writes");
    let plan = ImportPlan { batch_positions: BATCH_POSITIONS, ..ImportPlan::default() };
    import(&mut writer, &[file.into()], plan, &mut Nobody).expect("imported");
    while writer.merge_step().expect("merged") {}
}

fn start_import(folder: &Path, file: &Path) -> Child {
    let this = std::env::current_exe().expect("this program");
    let mut command = Command::new(this);
    command.args(["--exact", "crash::import_that_is_killed", "--nocapture"]);
    command.env("ASHTA_CRASH_FOLDER", folder).env("ASHTA_CRASH_FILE", file);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

fn kill(mut child: Child) {
    child.kill().expect("killed");
    child.wait().expect("gone");
}

fn n_committed(folder: &Path) -> usize {
    Manifest::read(folder).map_or(0, |manifest| manifest.n_games())
}

/// Tags by their names: a file has them in an order of its own.
fn tags_of(record: &GameRecord) -> BTreeMap<&str, &str> {
    record.tags.iter().collect()
}

/// The games that are there are the first of the file, each as it was written; gives how many.
fn check(folder: &Path) -> usize {
    let collection = match Collection::open(folder, &compiled(GAME)) {
        Ok(collection) => collection,
        // Killed before the first manifest.
        Err(ashta_records::CollectionError::None { .. }) => return 0,
        Err(error) => panic!("{error}"),
    };
    collection.check_all().expect("every byte is as it was written");
    for (n, record) in records()[..collection.n_games()].iter().enumerate() {
        let found = collection.record(n).expect("read").expect("it is there");
        assert_eq!((&found.moves, tags_of(&found)), (&record.moves, tags_of(record)));
    }
    collection.n_games()
}

/// How long a whole import and its merges take here and now.
fn whole_import(folder: &Path, file: &Path) -> Duration {
    let began = Instant::now();
    let status = start_import(folder, file).wait().expect("it ends");
    assert!(status.success());
    assert_eq!(check(folder), N_GAMES);
    began.elapsed()
}

/// The bar for kills.
const N_KILLS: usize = 200;

#[test]
fn two_hundred_kills_lose_at_most_a_batch_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = file_in(folder.path());
    let longest = whole_import(&folder.path().join("whole"), &file).as_micros() as usize;
    let mut numbers = Numbers(7);
    let (mut path, mut last) = (folder.path().join("0"), 0);
    for n in 0..N_KILLS {
        // A new collection when one is full, or its first moments would be hit only once.
        if last == N_GAMES || n % 5 == 0 {
            path = folder.path().join(n.to_string());
            last = 0;
        }
        let child = start_import(&path, &file);
        // Every third kill waits for another batch, so that imports at work are hit whatever else the machine does.
        if n % 3 == 0 {
            wait_for_games(&path, last);
        }
        std::thread::sleep(Duration::from_micros(numbers.below(longest) as u64));
        let n_before = n_committed(&path);
        kill(child);
        let n_games = check(&path);
        assert!(n_games >= n_before.max(last), "{n_games} games after {n_before} and {last}");
        last = n_games;
    }
}

/// Waits until more games are committed than before.
fn wait_for_games(path: &Path, before: usize) {
    let end = Instant::now() + Duration::from_secs(60);
    while n_committed(path) <= before {
        assert!(Instant::now() < end, "the writer is too slow");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn one_writes_while_others_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, file) = (folder.path().join("games"), file_in(folder.path()));
    let child = start_import(&path, &file);
    wait_for_games(&path, 0);
    let second = CollectionWriter::open(&path, &compiled(GAME), GAME).expect_err("one writer at a time");
    assert_eq!(second.to_string(), format!("another process is adding games to {}", path.display()));
    let mut last = 0;
    while last < N_GAMES {
        let n_games = check(&path);
        assert!(n_games >= last);
        last = n_games;
    }
    kill(child);
    CollectionWriter::open(&path, &compiled(GAME), GAME).expect("the lock went with the writer");
}

#[test]
fn damage_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = compiled(GAME);
    let mut writer = CollectionWriter::open(folder.path(), &rules, GAME).expect("a collection");
    add(&mut writer, &records()[..25]);
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
    assert!(told().contains("is not a complete segment"));
    std::fs::write(&segment, &whole).expect("written");
    let manifest = folder.path().join("MANIFEST");
    let text = std::fs::read_to_string(&manifest).expect("read");
    std::fs::write(&manifest, text.replace("segment 1 25", "segment 1 26")).expect("written");
    assert!(told().contains("MANIFEST is damaged: its checksum is wrong"));
}
