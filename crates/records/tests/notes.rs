//! What is said beside the moves is kept by segments: written, merged, checked; and segments of before it are read.

use std::path::Path;

use crate::common::{Numbers, add, annotate, collection, compiled, random_record};
use ashta_records::query::naive::Positions;
use ashta_records::segment::Section;
use ashta_records::{Collection, CollectionWriter, Format, GameRecord, ImportPlan, ImportReport, Rejection};
use ashta_records::{ImportObserver, import, read_query};

fn records(seed: u64, n: usize) -> Vec<GameRecord> {
    let (rules, mut numbers) = (compiled("shogi"), Numbers(seed));
    let one = |n: usize| {
        let mut record = random_record(&rules, &mut numbers, 60, 200);
        if !n.is_multiple_of(3) {
            let mut game = record.begin(&rules).expect("a position");
            record.annotations = annotate(&mut game, &record.moves, &mut numbers, 0);
        }
        record
    };
    (0..n).map(one).collect()
}

fn all(opened: &Collection) -> Vec<GameRecord> {
    let record = |game| opened.record(game).expect("it is whole").expect("it is there");
    (0..opened.n_games()).map(record).collect()
}

#[test]
fn segments_keep_what_is_said_and_merges_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = compiled("shogi");
    let batches = [records(1, 20), records(2, 30), vec![records(3, 1).remove(0)], records(4, 25)];
    let mut writer = collection(folder.path(), "shogi", &rules, &batches);
    let whole = batches.concat();
    assert_eq!(all(&writer.collection().expect("opened")), whole);
    while writer.merge_step().expect("merged") {}
    let opened = writer.collection().expect("opened");
    assert!(opened.segments().count() < batches.len());
    assert_eq!(all(&opened), whole);
    opened.check_all().expect("checksums are right");
    let n_said: usize =
        opened.segments().map(|(_, segment)| segment.annotated().expect("read").count()).sum();
    assert_eq!(n_said, whole.iter().filter(|record| !record.annotations.is_empty()).count());
}

#[test]
fn games_of_which_nothing_is_said_take_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = compiled("shogi");
    let mut bare = records(5, 12);
    bare.iter_mut().for_each(|record| record.annotations = Default::default());
    let writer = collection(folder.path(), "shogi", &rules, &[bare]);
    let opened = writer.collection().expect("opened");
    for (_, segment) in opened.segments() {
        assert_eq!(segment.file().section_length(Section::Notes), 0);
        let bytes = std::fs::read(segment.file().path()).expect("read");
        assert_eq!(bytes[8..12], [1, 0, 0, 0], "older programs can read it");
    }
}

/// A count of material and a shape find what a naive scan finds, in segments with or without material timelines.
fn check_queries(opened: &Collection, timelines: &str) {
    for (_, segment) in opened.segments() {
        assert_eq!(segment.file().section_length(Section::Material) > 0, timelines == "with");
    }
    let rules = opened.rules();
    for text in ["count(P|p)>=15 count(R)=2", "anywhere(e4=P e5=empty d5=empty)"] {
        let query = read_query(text, rules.rules()).expect("a query");
        let naive = |record: &GameRecord| {
            let found = Positions::of(record, rules).expect("a record").found(&query);
            found.iter().filter(|is| **is).count()
        };
        let expected: usize = all(opened).iter().map(naive).sum();
        assert!(expected > 0, "{text}");
        assert_eq!(opened.find(&query).expect("found").n_positions(), expected, "{text}");
    }
}

#[test]
fn segments_of_format_1_are_read_and_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/format1");
    for name in ["MANIFEST", "00000001.seg"] {
        std::fs::copy(old.join(name), folder.path().join(name)).expect("copied");
    }
    let rules = compiled("chess");
    let mut writer = CollectionWriter::open(folder.path(), &rules, "chess").expect("an old collection");
    let before = all(&writer.collection().expect("opened"));
    assert_eq!(before.iter().map(|record| record.moves.len()).collect::<Vec<_>>(), [7, 2]);
    assert!(before.iter().all(|record| record.annotations.is_empty()));
    // Segments without material timelines are counted from posting lists.
    check_queries(&writer.collection().expect("opened"), "without");
    let mut said = before[1].clone();
    said.annotations.add_comment(1, "new words");
    add(&mut writer, std::slice::from_ref(&said));
    while writer.merge_step().expect("merged") {}
    let after = all(&writer.collection().expect("opened"));
    assert_eq!(after, [&before[..], &[said]].concat());
    check_queries(&writer.collection().expect("opened"), "with");
}

#[derive(Default)]
struct Quiet(Vec<String>);

impl ImportObserver for Quiet {
    fn rejected(&mut self, refusal: &Rejection) {
        self.0.push(refusal.what.to_string());
    }
    fn progress(&mut self, _: &ImportReport, _: u64) {}
    fn wants_stop(&mut self) -> bool {
        false
    }
}

#[test]
fn problems_without_a_king_go_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = compiled("shogi");
    let mut writer = CollectionWriter::open(&folder.path().join("c"), &rules, "shogi").expect("a collection");
    let path = folder.path().join("one.usi");
    std::fs::write(&path, "sfen 4k4/9/4G4/9/9/9/9/9/9 b G 1 moves G*5b\nsfen 4K4/9/9/9/9/9/9/9/9 b G 1\n")
        .expect("written");
    let mut observer = Quiet::default();
    let report = import(&mut writer, &[path], ImportPlan::default(), &mut observer).expect("imported");
    assert_eq!((report.n_added, report.n_diagrams, observer.0.len()), (2, 1, 0), "{:?}", observer.0);
    let record = writer.collection().expect("opened").record(0).expect("read").expect("there");
    let mut text = String::new();
    ashta_records::write_record(Format::Kif, &record, &rules, &mut text).expect("written");
    assert!(text.contains("   1 ５二金打"), "{text}");
}
