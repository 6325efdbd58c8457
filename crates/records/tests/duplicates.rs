//! Duplicates: detected, merged or kept; and tags that are not dates.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::common::compiled;
use ashta_records::{
    Collection, CollectionWriter, DuplicatePolicy, GameRecord, ImportObserver, ImportPlan, ImportReport,
    Query, Rejection, import, read_query, tag, write_record,
};
use tempfile::TempDir;

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

/// A collection into which texts are imported.
struct TestCollection {
    folder: TempDir,
    game: &'static str,
    n_files: usize,
}

impl TestCollection {
    fn new(game: &'static str) -> TestCollection {
        TestCollection { folder: tempfile::tempdir().expect("a folder"), game, n_files: 0 }
    }

    /// One that an earlier program has begun.
    fn old(game: &'static str, name: &str) -> TestCollection {
        let shelf = TestCollection::new(game);
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name);
        std::fs::create_dir(shelf.path()).expect("made");
        for file in ["MANIFEST", "00000001.seg"] {
            std::fs::copy(from.join(file), shelf.path().join(file)).expect("copied");
        }
        shelf
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("collection")
    }

    fn import_with(&mut self, ending: &str, text: &str, plan: ImportPlan) -> ImportReport {
        self.n_files += 1;
        let file = self.folder.path().join(format!("{}.{ending}", self.n_files));
        std::fs::write(&file, text).expect("written");
        let mut writer =
            CollectionWriter::open(&self.path(), &compiled(self.game), self.game).expect("a collection");
        import(&mut writer, &[file], plan, &mut Nobody).expect("imported")
    }

    fn import(&mut self, ending: &str, text: &str) -> (usize, usize, usize) {
        let report = self.import_with(ending, text, ImportPlan::default());
        (report.n_added, report.n_known, report.n_merged)
    }

    fn open(&self) -> Collection {
        let collection = Collection::open(&self.path(), &compiled(self.game)).expect("opened");
        collection.check_all().expect("whole");
        collection
    }

    fn records(&self) -> Vec<GameRecord> {
        let collection = self.open();
        (0..collection.n_games()).map(|game| collection.record(game).expect("read").expect("there")).collect()
    }

    fn n_found(&self, query: &str) -> usize {
        let collection = self.open();
        let query = read_query(query, collection.rules().rules()).expect("a query");
        collection.find(&query).expect("an answer").n_games()
    }
}

const ONE: &str = "[Event \"Open\"]\n[White \"Doe, Jane\"]\n[Black \"Roe\"]\n[Date \"1971.08.??\"]\n[Result \"*\"]\n\n1. e4 {first} e5 2. Nf3 *\n";
const SAME: &str = "[Event \"The open\"]\n[Site \"Hastings\"]\n[White \"doe,  jane\"]\n[Date \"1971.08.12\"]\n[Result \"1-0\"]\n\n\
    1. e4! {second} (1. d4 d5) e5 2. Nf3 {[%emt 0:00:05]} 1-0\n";
const OTHER: &str = "[White \"Poe\"]\n[Black \"Roe\"]\n\n1. e4 e5 2. Nf3 *\n";

#[test]
fn what_a_second_copy_knows_more_is_added() {
    // In one file, in two imports, and in the other order.
    for texts in [vec![format!("{ONE}\n{SAME}")], vec![ONE.to_string(), SAME.to_string()]] {
        let mut shelf = TestCollection::new("chess");
        let sums = texts
            .iter()
            .map(|text| shelf.import("pgn", text))
            .fold((0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2));
        assert_eq!(sums, (1, 1, 1));
        let records = shelf.records();
        let [record] = records.as_slice() else { panic!("{records:?}") };
        let known =
            ["Event", "Site", tag::PLAYERS[0], tag::PLAYERS[1], tag::DATE].map(|name| record.tags.get(name));
        assert_eq!(
            known,
            [Some("Open"), Some("Hastings"), Some("Doe, Jane"), Some("Roe"), Some("1971.08.12")]
        );
        let mut text = String::new();
        write_record(ashta_records::Format::Pgn, record, &compiled("chess"), &mut text).expect("written");
        assert!(
            text.contains("1. e4! {first\nsecond} (1. d4 d5) 1... e5 2. Nf3 {[%emt 0:00:05]} 1-0"),
            "{text}"
        );
        // What is known is not added again, nor taken away.
        assert_eq!(shelf.import("pgn", &format!("{SAME}\n{ONE}")), (0, 2, 0));
        assert_eq!(shelf.records(), records);
        assert_eq!((shelf.n_found("date=1971-08-12"), shelf.n_found("result=1-0 player=doe")), (1, 1));
    }
}

#[test]
fn other_players_or_another_date_make_another_game() {
    let mut shelf = TestCollection::new("chess");
    assert_eq!(shelf.import("pgn", ONE), (1, 0, 0));
    assert_eq!(shelf.import("pgn", OTHER), (1, 0, 0), "another player");
    assert_eq!(shelf.import("pgn", &ONE.replace("1971.08.??", "1972.??.??")), (1, 0, 0), "another year");
    assert_eq!(shelf.import("pgn", &ONE.replace("2. Nf3", "2. Nc3")), (1, 0, 0), "other moves");
    assert_eq!(shelf.import("pgn", &ONE.replace("1971.08.??", "yesterday")), (0, 1, 0), "no date");
    assert_eq!(shelf.import("pgn", &ONE.replace("[Event \"Open\"]\n", "")), (0, 1, 0), "no event");
    assert_eq!(shelf.import("usi", "startpos moves e2e4 e7e5 g1f3\n"), (0, 1, 0), "nobody is named");
    let from = "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n2. Nf3 *\n";
    assert_eq!(shelf.import("pgn", from), (1, 0, 0), "another start");
    // A position is the same whatever number its first move has.
    assert_eq!(shelf.import("pgn", &from.replace("0 2", "0 9").replace("2. Nf3", "9. Nf3")), (0, 1, 0));
}

#[test]
fn both_are_kept_if_that_is_wanted() {
    let mut shelf = TestCollection::new("chess");
    let plan = ImportPlan { duplicates: DuplicatePolicy::KeepBoth, ..ImportPlan::default() };
    let both = format!("{ONE}\n{SAME}\n{ONE}");
    assert_eq!(shelf.import_with("pgn", &both, plan).n_added, 2, "what says the same is one");
    let again = shelf.import_with("pgn", &both, plan);
    assert_eq!((again.n_added, again.n_known), (0, 3), "the same command goes on where it left off");
    assert_eq!(shelf.records().len(), 2);
}

#[test]
fn many_games_of_the_same_moves_are_distinguished_by_their_players() {
    let mut shelf = TestCollection::new("chess");
    let games: String =
        (0..100).map(|n| format!("[White \"Player {n}\"]\n[Black \"x\"]\n\n1. e4 0-1\n\n")).collect();
    assert_eq!(shelf.import("pgn", &games), (100, 0, 0));
    assert_eq!(shelf.import("pgn", &games), (0, 100, 0));
    assert_eq!(shelf.import("pgn", &games.replace("\n\n1.", "\n[Event \"e\"]\n\n1.")), (0, 100, 100));
    assert_eq!(shelf.n_found("event=e"), 100);
}

#[test]
fn segments_of_earlier_programs_know_their_games() {
    let mut shelf = TestCollection::old("shogi", "times");
    let before = shelf.records();
    let text = "V2.2\nN+Anna\nN-Boris\n$EVENT:Cup\nPI\n+\n+7776FU\n'*words\n-3334FU\n%TORYO\n";
    assert_eq!(shelf.import("csa", text), (0, 1, 1));
    let after = shelf.records();
    assert_eq!((after.len(), &after[1]), (2, &before[1]));
    assert_eq!((after[0].tags.get("Event"), after[0].annotations.comment(1)), (Some("Cup"), "words"));
}

#[test]
fn times_are_no_dates_and_are_kept_as_text() {
    let text = "V2.2\nN+Anna\n$START_TIME: 09:10:01\nPI\n+\n+7776FU\n/\nV2.2\nN+Chen\n$START_TIME:2014/10/14 01:19:14\nPI\n+\n+2726FU\n";
    let mut shelf = TestCollection::new("shogi");
    let report = shelf.import_with("csa", text, ImportPlan::default());
    assert_eq!((report.n_added, report.n_not_dates), (2, 1));
    for shelf in [shelf, TestCollection::old("shogi", "times")] {
        assert_eq!(shelf.records()[0].tags.get(tag::DATE), Some("09:10:01"));
        assert_eq!((shelf.n_found("date<=1900"), shelf.n_found("date=2014-10")), (0, 1));
        let collection = shelf.open();
        let players = collection.players(&Query::All(Vec::new()), &AtomicBool::new(false)).expect("players");
        let years: Vec<Option<(u16, u16)>> = players.iter().map(|player| player.years).collect();
        assert!(years.contains(&None) && years.contains(&Some((2014, 2014))), "{years:?}");
    }
}
