//! Files of opening books: several writers, changed bits, damaged lines, an old format.

use std::path::{Path, PathBuf};

use ashta_position::CompiledRules;
use ashta_study::opening::{
    Book, Edit, Import, Journal, JournalError, MoveStats, RepairReport, Step, Visited, repair,
};

fn rules(name: &str) -> CompiledRules {
    CompiledRules::new(ashta_rules::load(name).expect("the library is sound"))
}

/// Every reachable move with its counts and what is said of the position after it.
fn picture(book: &Book) -> Vec<String> {
    let mut lines = Vec::new();
    book.walk(&book.root(), &mut |Visited { depth, before, known, after, .. }| {
        let san = ashta_position::notation::write_san(before, known.mv);
        let node = book.node_of(after);
        let (name, comment) = (node.map(|node| &node.name), node.map(|node| &node.comment));
        lines.push(format!("{depth} {san} {:?} {name:?} {comment:?}", known.stats));
    });
    lines
}

fn add(book: &Book, line: &str) -> Edit {
    Edit::Add(book.read_line(line).expect("a line"))
}

/// A small book with every sort of line: edits, one taken back, an import.
fn small_book(folder: &Path, rules: &CompiledRules) -> PathBuf {
    let path = folder.join("small.book");
    let mut journal = Journal::create(&path, rules, "chess", None).expect("a new book");
    let line = |text: &str| Book::new(rules, None).expect("the start").read_line(text).expect("a line");
    let step = |depth: usize, text: &str, comment: Option<&str>| {
        let (mv, stats) =
            (*line(text).last().expect("a move"), MoveStats { n: 2, first: 1, draws: 1, second: 0 });
        Step { depth, mv, stats, comment: comment.map(str::to_string) }
    };
    let steps = vec![step(0, "e4", Some("strong")), step(1, "e4 c5", None), step(0, "c4", None)];
    for edit in [
        Edit::Add(line("e4 e5 Nf3")),
        Edit::Name(line("e4 e5"), "Königsbauer".into()),
        Edit::Comment(line("e4"), "best by test".into()),
        Edit::Import(Import { source: "games.pgn".into(), steps }),
        Edit::Add(line("d4 d5")),
    ] {
        journal.edit(edit).expect("an edit");
    }
    journal.undo().expect("taken back");
    path
}

/// A book that stays open has what others have written since, and takes nothing of it away.
#[test]
fn writers_of_one_book_do_not_lose_each_others_edits() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("chess");
    let path = folder.path().join("shared.book");
    let mut session = Journal::create(&path, &rules, "chess", None).expect("a new book");
    for line in ["e4 e5", "d4 d5", "c4 e5"] {
        let mut other = Journal::open(&path, &rules).expect("it opens");
        let edit = add(other.book(), line);
        other.edit(edit).expect("an edit");
    }
    let edit = add(session.book(), "Nf3 d5");
    session.edit(edit).expect("an edit");
    assert_eq!(session.book().size().1, 8, "{:?}", picture(session.book()));
    assert_eq!(picture(Journal::open(&path, &rules).expect("it opens").book()), picture(session.book()));
    // The last edit is the last of anybody.
    let mut other = Journal::open(&path, &rules).expect("it opens");
    session.undo().expect("taken back");
    assert!(other.refresh().expect("it opens"), "it has changed");
    assert!(!other.refresh().expect("it opens"), "it has not changed again");
    assert_eq!(other.n_edits(), (3, 1));
    other.redo().expect("made again");
    let edit = add(session.book(), "b3");
    session.edit(edit).expect("an edit");
    assert_eq!(session.n_edits(), (5, 0));
}

#[test]
fn a_flipped_bit_is_found_and_its_line_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("chess");
    let path = small_book(folder.path(), &rules);
    let bytes = std::fs::read(&path).expect("a file");
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        // A new file each time: a file written over is waited for by some file systems.
        std::fs::remove_file(&path).and_then(|()| std::fs::write(&path, &flipped)).expect("written");
        let line = bytes[..bit / 8].iter().filter(|byte| **byte == b'\n').count() + 1;
        match Journal::open(&path, &rules) {
            Err(JournalError::NotABook { .. } | JournalError::Format { .. }) => {
                assert_eq!(line, 1, "bit {bit}")
            }
            Err(JournalError::Line { line: told, .. }) => assert_eq!(told, line, "bit {bit}"),
            other => panic!("bit {bit} of line {line}: {other:?}"),
        }
        assert_eq!(std::fs::read(&path).expect("a file"), flipped, "a file that is refused is left alone");
    }
}

/// Every line is damaged in turn: what is mended has all the others, and the damaged file is still there.
#[test]
fn repair_keeps_every_intact_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("chess");
    let path = small_book(folder.path(), &rules);
    assert_eq!(repair(&path, &rules, "chess", None).expect("nothing to do"), RepairReport::default());
    let bytes = std::fs::read(&path).expect("a file");
    let whole = Journal::open(&path, &rules).expect("it opens");
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let name_of = |line: &[u8]| {
        String::from_utf8_lossy(&line[17..]).split(' ').next().unwrap_or_default().trim().to_string()
    };
    for damaged in 0..lines.len() {
        let mut text = lines.concat();
        let begin: usize = lines[..damaged].iter().map(|line| line.len()).sum();
        text[begin + 3] ^= 1;
        std::fs::write(&path, &text).expect("written");
        let report = repair(&path, &rules, "chess", None).expect("mended");
        let beside = report.damaged.expect("something was mended");
        assert_eq!(std::fs::read(&beside).expect("kept"), text, "the damaged file is kept");
        assert_eq!(report.lost[0].0, damaged + 1);
        let mut read =
            Journal::open(&path, &rules).unwrap_or_else(|error| panic!("line {}: {error}", damaged + 1));
        let picture = picture(read.book());
        match (damaged, name_of(lines[damaged]).as_str()) {
            (0 | 1, _) | (_, "end") => {
                assert_eq!(picture, self::picture(whole.book()), "line {}", damaged + 1)
            }
            // What is named is gone with it; the games still have its first move.
            (_, "add") => assert!(picture.iter().any(|line| line.contains("e4"))),
            (_, "undo") => assert!(picture.iter().any(|line| line.contains("d5"))),
            (_, "name") => assert!(!picture.iter().any(|line| line.contains("Königsbauer"))),
            (_, _) => {
                assert!(picture.iter().any(|line| line.contains("Königsbauer")), "line {}", damaged + 1)
            }
        }
        assert_eq!(repair(&path, &rules, "chess", None).expect("nothing to do"), RepairReport::default());
        let edit = add(read.book(), "b3");
        read.edit(edit).expect("it can be edited again");
    }
}

/// A line of spaces hides the line that began an import; nothing fails a checksum.
#[test]
fn repair_mends_an_import_without_its_first_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("chess");
    let path = folder.path().join("book");
    std::fs::write(&path, "ashta opening book 1\ngame chess\n import\n0 e2e4 1 1 0 0\nend\n")
        .expect("written");
    Journal::open(&path, &rules).expect_err("it is damaged");
    let report = repair(&path, &rules, "chess", None).expect("mended");
    let lost: Vec<_> = report.lost.iter().map(|(line, what)| (*line, what.to_string())).collect();
    assert_eq!(lost, [(4, "the first line of its import is missing".to_string())]);
    assert_eq!(Journal::open(&path, &rules).expect("it opens").book().size().1, 1);
}

#[test]
fn books_of_the_first_format_are_read_and_written_on_in_the_second() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("chess");
    let path = folder.path().join("old.book");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/format1.book"), &path)
        .expect("copied");
    let mut journal = Journal::open(&path, &rules).expect("it opens");
    let before = picture(journal.book());
    assert_eq!((journal.book().size(), journal.n_edits()), ((10, 9), (6, 1)), "{before:#?}");
    journal.redo().expect("made again");
    let text = std::fs::read_to_string(&path).expect("a text");
    assert!(text.starts_with("ashta opening book 2\n"), "{text}");
    assert_eq!(Journal::open(&path, &rules).expect("it opens").n_edits(), (7, 0));
    journal.undo().expect("taken back");
    assert_eq!(picture(Journal::open(&path, &rules).expect("it opens").book()), before);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left behind");
}
