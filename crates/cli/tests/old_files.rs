//! Files that version 0.1.0 wrote (`tests/files/0.1.0`): they are read, and nothing is played, built or written again.
//!
//! `records/tests/files/format1` and `study/tests/files/format1.book` are older still; those crates test them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use ashta_rules::load;
use ashta_search::Values;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/0.1.0")
}

/// A copy of a folder of fixtures, and the path to it.
fn copy_of(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let copy = folder.path().join(name);
    fs::create_dir(&copy).expect("a folder");
    for entry in fs::read_dir(fixtures().join(name)).expect("fixtures") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, copy.join(path.file_name().expect("a name"))).expect("copied");
    }
    (folder, copy)
}

/// Runs a command that must succeed, and gives its output.
fn ashta(folder: &Path, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ashta")).args(args).current_dir(folder).output();
    let output = output.expect("the command runs");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The figures of a report; the names of some columns are new.
fn figures(report: &Path) -> Vec<String> {
    let text = fs::read_to_string(report).expect("a report");
    text.lines().skip(1).map(str::to_string).collect()
}

/// The command that made a journal finds all its units there: it adds none, and reports the same figures.
fn check_journal(name: &str, args: &[&str]) {
    let (folder, copy) = copy_of(name);
    ashta(folder.path(), &[args, &["--seed", "5", "--folder", name]].concat());
    let bytes = |folder: &Path| fs::read(folder.join("journal")).expect("a journal");
    assert_eq!(bytes(&copy), bytes(&fixtures().join(name)), "{name}: units were played again");
    let expected = figures(&fixtures().join(name).join("report.csv"));
    assert!(!expected.is_empty());
    assert_eq!(figures(&copy.join("report.csv")), expected, "{name}");
}

#[test]
fn journals_of_experiments_are_read() {
    check_journal("analysis", &["analyze", "minishogi", "--player", "P0", "--games", "2"]);
    check_journal("learning", &["learn", "minishogi", "--games", "3", "--runs", "1", "--depth", "1"]);
    check_journal("match", &["match", "minishogi", "ones", "mobility", "--pairs", "2", "--depth", "1"]);
}

/// Segments of format 2 have annotations; those of 0.1.0 have no material timelines.
#[test]
fn a_collection_of_format_2_is_read() {
    let (folder, copy) = copy_of("collection");
    let segment = fs::read(copy.join("00000001.seg")).expect("a segment");
    assert_eq!((&segment[..8], &segment[8..12]), (&b"ASHTASEG"[..], &2u32.to_le_bytes()[..]));
    let said = ashta(folder.path(), &["records", "check", "collection"]);
    assert!(said.contains("2 games"), "{said}");
    for (query, n_games) in [("f7=Q", 1), ("count(P|p)=16 ply>=4", 2), ("h4=q", 1), ("player=\"first\"", 2)] {
        let found = ashta(folder.path(), &["find", "collection", query]);
        assert!(
            found.lines().next().is_some_and(|line| line.ends_with(&format!("in {n_games} games"))),
            "{found}"
        );
    }
    let first = ashta(folder.path(), &["records", "show", "collection", "1", "--format", "pgn"]);
    let moves = "1. e4 {a comment} 1... e5! 2. Bc4 (2. Nf3 Nc6) 2... Nc6 3. Qh5 Nf6 4. Qxf7# 1-0";
    assert!(first.contains(moves), "{first}");
}

#[test]
fn a_book_of_format_2_is_read() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    fs::copy(fixtures().join("old.book"), folder.path().join("old.book")).expect("copied");
    let tree = |plies: &str| ashta(folder.path(), &["opening", "old.book", "show", "", "--depth", plies]);
    let before = tree("5");
    assert!(before.contains("3.Bb5  Ruy Lopez") && before.contains("1...c5"), "{before}");
    assert!(!before.contains("1.f3"), "the import was undone: {before}");
    ashta(folder.path(), &["opening", "old.book", "redo"]);
    assert!(tree("5").contains("1.f3"), "{}", tree("5"));
}

/// An unreadable table would be built and written again: a new file.
#[test]
fn an_endgame_table_is_read() {
    let (folder, copy) = copy_of("endings");
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let files: Vec<PathBuf> =
        fs::read_dir(&copy).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    for file in &files {
        let opened = fs::File::options().write(true).open(file).expect("a file");
        opened.set_modified(long_ago).expect("a time");
    }
    let said = ashta(folder.path(), &["ending", "shatranj", "KRK", "--cache", "endings"]);
    assert!(said.contains("White to move: won 21,959 (100.0%)"), "{said}");
    assert!(said.contains("Black to move: won 0 (0.0%), drawn 2,787 (9.9%), lost 25,269 (90.1%)"), "{said}");
    assert_eq!(fs::read_dir(&copy).expect("a folder").count(), files.len());
    for file in &files {
        let modified = fs::metadata(file).and_then(|file| file.modified()).expect("a time");
        assert_eq!(modified, long_ago, "{} was built again", file.display());
    }
}

#[test]
fn learned_weights_are_read() {
    let path = fixtures().join("learning/minishogi-lambda0.8-run1.values");
    let text = fs::read_to_string(&path).expect("a weight file");
    let rules = load("minishogi").expect("a game of the library");
    let values = Values::read(&text, &rules).expect("values");
    let value = |name: &str| {
        let kind = rules.kinds().iter().position(|kind| kind.name == name).expect(name);
        f64::from(values.of(ashta_rules::KindId(kind as u8)))
    };
    let in_pawns = |name| (value(name) / value("pawn") * 100.0).round();
    assert_eq!(["silver", "gold", "rook"].map(in_pawns), [106.0, 87.0, 96.0]);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let weights = path.to_str().expect("UTF-8");
    let args = ["match", "minishogi", "ones", weights, "--pairs", "1", "--depth", "1", "--folder", "played"];
    assert!(ashta(folder.path(), &args).contains("minishogi: ones scores"));
}
