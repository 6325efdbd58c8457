//! Opening books: edits and their undoing, lines that meet, files cut off anywhere, PGN and Polyglot in and out.

use std::path::{Path, PathBuf};
use std::process::Command;

use ashta_play::Random;
use ashta_position::notation::write_san;
use ashta_position::{CompiledRules, Game};
use ashta_rules::Side;
use ashta_study::opening::{
    Book, Drill, Edit, GrowPlan, Growth, Journal, Visited, game_of, polyglot_key, read_polyglot, write_pgn,
    write_polyglot,
};

fn rules(name: &str) -> CompiledRules {
    CompiledRules::new(ashta_rules::load(name).expect("the library is sound"))
}

/// Every reachable move with its counts and what is said of the position after it.
fn picture(book: &Book) -> Vec<String> {
    let mut lines = Vec::new();
    book.walk(&book.root(), &mut |Visited { depth, before: game, known, met, .. }| {
        let mut after = game.clone();
        after.play_unchecked(known.mv);
        let node = book.node(&after);
        let said = |text: Option<&String>| text.cloned().unwrap_or_default();
        let name = said(node.and_then(|node| node.name.as_ref()));
        let comment = said(node.and_then(|node| node.comment.as_ref()));
        lines.push(format!("{depth} {} {:?} {met} {name} {comment}", write_san(game, known.mv), known.stats));
    });
    lines
}

fn add(book: &Book, line: &str) -> Edit {
    Edit::Add(book.read_line(line).expect("a line"))
}

#[test]
fn transpositions_share_nodes() {
    let mut book = Book::new(&rules("chess"), None).expect("the start");
    for line in ["1.d4 Nf6 2.c4 e6 3.Nf3 d5", "c4 Nf6 d4 e6", "d2d4 g8f6 g1f3"] {
        book.apply(&add(&book, line)).expect("an edit");
    }
    let other = book.after(&book.read_line("c4 Nf6 d4 e6").expect("a line")).expect("legal");
    let next: Vec<String> =
        book.node(&other).expect("in the book").moves.iter().map(|m| write_san(&other, m.mv)).collect();
    assert_eq!(next, ["Nf3"], "what was added by another order of moves");
    // 6 moves, 2 more before they meet (c4 Nf6 d4), 1 of the third line.
    assert_eq!(book.size().1, 6 + 3 + 1);
    assert_eq!(book.read_line("e4 e4").expect_err("wrong").to_string(), "move 2: `e4` is not legal here");
}

#[test]
fn edits_are_kept_undone_and_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my.book");
    let rules = rules("chess");
    let mut journal = Journal::create(&path, &rules, "chess", None).expect("a new book");
    assert!(Journal::create(&path, &rules, "chess", None).is_err(), "it is there already");
    assert_eq!(game_of(&path).expect("a book"), "chess");
    let line = |journal: &Journal, text: &str| journal.book().read_line(text).expect("a line");
    let mut pictures = vec![picture(journal.book())];
    let steps: [&dyn Fn(&Journal) -> Edit; 6] = [
        &|j| Edit::Add(line(j, "e4 e5 Nf3 Nc6 Bb5")),
        &|j| Edit::Name(line(j, "e4 e5 Nf3 Nc6 Bb5"), "Ruy Lopez".into()),
        &|j| Edit::Comment(line(j, "e4"), "best by test | they say".into()),
        &|j| {
            Edit::Correct(line(j, "e4 e5 Nf3 Nc6 Bb5"), *line(j, "e4 e5 Nf3 Nc6 Bc4").last().expect("a move"))
        },
        &|j| Edit::Remove(line(j, "e4 e5 Nf3")),
        &|j| Edit::Add(line(j, "d4 d5")),
    ];
    for step in steps {
        let edit = step(&journal);
        journal.edit(edit).expect("an edit");
        pictures.push(picture(journal.book()));
        let read = Journal::open(&path, &rules).expect("it opens");
        assert_eq!(&picture(read.book()), pictures.last().expect("one"));
    }
    for wanted in pictures.iter().rev().skip(1) {
        journal.undo().expect("something to undo");
        assert_eq!(&picture(journal.book()), wanted);
    }
    assert_eq!(journal.undo().expect_err("nothing").to_string(), "there is nothing to undo");
    for wanted in pictures.iter().skip(1) {
        // Each step in a process of its own.
        journal = Journal::open(&path, &rules).expect("it opens");
        journal.redo().expect("something to make again");
        assert_eq!(&picture(journal.book()), wanted);
    }
    let absent = Edit::Remove(line(&journal, "c4"));
    assert_eq!(
        journal.edit(absent).expect_err("not there").to_string(),
        "the line leaves the book at move 1, c2c4"
    );
}

const GAMES: &str = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {strong} e5 2. Nf3 (2. f4 exf4) 2... Nc6 3. Bb5 1-0\n\n\
    [Event \"b\"]\n[Result \"1/2-1/2\"]\n\n1. e4 c5 2. Nf3 d6 1/2-1/2\n\n\
    [Event \"c\"]\n[Result \"0-1\"]\n\n1. Nf3 c5 2. e4 d6 3. d4 0-1\n";

fn grown(book: &Book, path: &Path, at_least: u64) -> Edit {
    let mut growth = Growth::new(book, GrowPlan { plies: 30, at_least });
    growth.add_file(path).expect("a file");
    let (import, report) = growth.finish("games");
    assert_eq!((report.n_games, report.n_unreadable), (3, 0), "{report:?}");
    Edit::Import(import)
}

/// A journal cut off at any byte opens as it was after the last whole edit, and takes new ones.
#[test]
fn a_kill_at_any_moment_loses_only_the_edit_under_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("games.pgn");
    std::fs::write(&games, GAMES).expect("written");
    let rules = rules("chess");
    let path = folder.path().join("my.book");
    let mut journal = Journal::create(&path, &rules, "chess", None).expect("a new book");
    let mut whole: Vec<(usize, Vec<String>)> = Vec::new();
    let length = || std::fs::metadata(&path).expect("a file").len() as usize;
    whole.push((length(), picture(journal.book())));
    let edits: [&dyn Fn(&Book) -> Edit; 3] =
        [&|book| add(book, "e4 e5"), &|book| grown(book, &games, 1), &|book| add(book, "d4 d5")];
    for edit in edits {
        let edit = edit(journal.book());
        journal.edit(edit).expect("an edit");
        whole.push((length(), picture(journal.book())));
    }
    let bytes = std::fs::read(&path).expect("a file");
    let cut = folder.path().join("cut.book");
    for end in whole[0].0..=bytes.len() {
        std::fs::write(&cut, &bytes[..end]).expect("written");
        let mut read = Journal::open(&cut, &rules).unwrap_or_else(|error| panic!("cut at {end}: {error}"));
        let wanted = whole.iter().rev().find(|(length, _)| *length <= end).expect("the first");
        assert_eq!(picture(read.book()), wanted.1, "cut at {end}");
        if end % 7 == 0 {
            let edit = add(read.book(), "b3");
            read.edit(edit).expect("an edit");
            let again = Journal::open(&cut, &rules).expect("it opens");
            assert_eq!(picture(again.book()), picture(read.book()), "cut at {end}");
        }
    }
}

#[test]
fn games_make_a_tree_with_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("games.pgn");
    std::fs::write(&games, GAMES).expect("written");
    let mut book = Book::new(&rules("chess"), None).expect("the start");
    book.apply(&grown(&book, &games, 1)).expect("an import");
    let root = book.root();
    let first = &book.node(&root).expect("in the book").moves[0];
    assert_eq!((write_san(&root, first.mv).as_str(), first.stats.n, first.stats.draws), ("e4", 2, 1));
    let sicilian = book.after(&book.read_line("Nf3 c5 e4").expect("a line")).expect("legal");
    let d6 = &book.node(&sicilian).expect("in the book").moves[0];
    assert_eq!((d6.stats.n, d6.stats.draws, d6.stats.second), (2, 1, 1), "by both orders of moves");
    let gambit = book.after(&book.read_line("e4 e5 f4").expect("a line")).expect("legal");
    assert_eq!(book.node(&gambit).expect("a variation").moves.len(), 1);
    let e4 = book.after(&book.read_line("e4").expect("a line")).expect("legal");
    assert_eq!(book.node(&e4).and_then(|node| node.comment.as_deref()), Some("strong"));
    // Written as PGN and read again: the same positions and moves.
    let text = write_pgn(&book);
    let again = folder.path().join("again.pgn");
    std::fs::write(&again, &text).expect("written");
    let mut other = Book::new(&rules("chess"), None).expect("the start");
    let mut growth = Growth::new(&other, GrowPlan { plies: 60, at_least: 1 });
    growth.add_file(&again).expect("a file");
    let (import, report) = growth.finish("again");
    assert_eq!(report.n_unreadable, 0, "{report:?}\n{text}");
    other.apply(&Edit::Import(import)).expect("an import");
    assert_eq!(other.size(), book.size(), "{text}");
}

#[test]
fn polyglot_keys_are_those_of_the_format() {
    // From the description of the format, by Fabien Letouzey and Michel Van den Bergh.
    let rules = rules("chess");
    for (moves, key) in [
        ("", 0x463b96181691fc9c_u64),
        ("e2e4", 0x823c9b50fd114196),
        ("e2e4 d7d5", 0x0756b94461c50fb0),
        ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
    ] {
        let book = Book::new(&rules, None).expect("the start");
        let game = book.after(&book.read_line(moves).expect("a line")).expect("legal");
        assert_eq!(polyglot_key(&game), key, "{moves}");
    }
}

/// A book with castling, promotion and capture in passing, of lines and random moves.
fn rich_book() -> Book {
    let mut book = Book::new(&rules("chess"), None).expect("the start");
    for line in [
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7",
        "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O",
        "d4 Nf6 Bf4 d6 Nc3 Be6 Qd2 Nc6 O-O-O",
        "e4 d5 e5 f5 exf6 Nf6",
        "a4 b5 axb5 a6 bxa6 Bb7 a7 Nc6 axb8=N",
        "a4 b5 axb5 a6 bxa6 Bb7 a7 Nc6 a8=Q",
    ] {
        let moves: Vec<&str> = line.split(' ').collect();
        // Where our own list is wrong the line goes as far as it is legal.
        let longest = (0..=moves.len()).rev().find_map(|n| book.read_line(&moves[..n].join(" ")).ok());
        book.apply(&Edit::Add(longest.expect("the empty line"))).expect("an edit");
    }
    let mut seed = 3u64;
    for _ in 0..200 {
        let (mut game, mut line) = (Game::start(book.rules()), Vec::new());
        for _ in 0..30 {
            let moves = game.legal_moves();
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let Some(mv) = moves.get((seed >> 33) as usize % moves.len().max(1)) else { break };
            game.play_unchecked(*mv);
            line.push(*mv);
        }
        book.apply(&Edit::Add(line)).expect("an edit");
    }
    book
}

#[test]
fn polyglot_books_come_back_as_they_were() {
    let book = rich_book();
    let bytes = write_polyglot(&book).expect("a book of chess");
    let keys: Vec<&[u8]> = bytes.chunks(16).map(|entry| &entry[..8]).collect();
    assert!(keys.windows(2).all(|two| two[0] <= two[1]), "sorted by key");
    let mut other = Book::new(book.rules(), None).expect("the start");
    let import = read_polyglot(&other, &bytes, "book").expect("a book");
    other.apply(&Edit::Import(import)).expect("an import");
    assert_eq!(other.size(), book.size());
    assert!(read_polyglot(&other, &bytes[..17], "cut").is_err());
    let shogi = Book::new(&rules("shogi"), None).expect("the start");
    let error = write_polyglot(&shogi).expect_err("another game").to_string();
    assert_eq!(error, "Polyglot books are for chess, and Shogi has another board");
}

const AGREES: &str = r#"
import chess, chess.polyglot, sys
n = 0
with chess.polyglot.open_reader(sys.argv[1]) as reader:
    for line in open(sys.argv[2]):
        fen, wanted = line.rstrip("\n").split("\t")
        board = chess.Board(fen)
        found = sorted(entry.move.uci() for entry in reader.find_all(board))
        assert found == sorted(wanted.split()), (fen, found, wanted)
        n += len(found)
    assert n == len(reader), (n, len(reader))
print("agreed on", n)
"#;

/// python-chess finds in the file, for every position of the book, the book's moves and no others.
#[test]
fn python_chess_reads_our_polyglot_books() {
    let python: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/clients/bin/python");
    if !python.exists() {
        eprintln!(
            "NOTICE: python-chess is not installed, the comparison is left out: `cargo xtask test` installs it"
        );
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let book = rich_book();
    let mut positions: std::collections::BTreeMap<String, Vec<String>> = Default::default();
    let mut by_key: std::collections::HashMap<u64, String> = Default::default();
    book.walk(&book.root(), &mut |Visited { before: game, known, .. }| {
        let text = by_key.entry(polyglot_key(game)).or_insert_with(|| game.text()).clone();
        let mv = ashta_position::notation::write_coordinates(game, known.mv);
        positions.entry(text).or_default().push(mv);
    });
    let lines: Vec<String> =
        positions.iter().map(|(fen, moves)| format!("{fen}\t{}\n", moves.join(" "))).collect();
    let (bin, table) = (folder.path().join("book.bin"), folder.path().join("book.tsv"));
    std::fs::write(&bin, write_polyglot(&book).expect("a book of chess")).expect("written");
    std::fs::write(&table, lines.concat()).expect("written");
    let output =
        Command::new(python).args(["-c", AGREES]).arg(bin).arg(table).output().expect("python starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

#[test]
fn a_drill_asks_for_moves_of_the_book() {
    let book = rich_book();
    let mut random = Random::of_game(1, 0, 0);
    for side in [Side::FIRST, Side::SECOND] {
        let mut drill = Drill::new(&book, side);
        let mut n_asked = 0;
        while drill.advance(&mut random, &mut Vec::new()) {
            assert_eq!(drill.game().turn(), side);
            let mv = drill.moves()[0].mv;
            let wrong =
                drill.game().legal_moves().into_iter().find(|mv| drill.moves().iter().all(|m| m.mv != *mv));
            if n_asked == 0
                && let Some(wrong) = wrong
            {
                assert!(!drill.answer(wrong));
            }
            assert!(drill.answer(mv));
            n_asked += 1;
        }
        let (right, asked) = drill.score();
        assert!(asked == n_asked && right + 1 >= asked && asked > 0, "{right} {asked} {n_asked}");
    }
}

/// Other games have books too; their moves are written as their players do.
#[test]
fn a_book_of_another_game_from_another_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shogi.book");
    let rules = rules("shogi");
    let start = "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let mut journal = Journal::create(&path, &rules, "shogi", Some(start)).expect("a new book");
    let line = journal.book().read_line("3c3d 7g7f").expect("a line");
    journal.edit(Edit::Add(line)).expect("an edit");
    let read = Journal::open(&path, &rules).expect("it opens");
    assert_eq!((read.book().start(), read.book().size()), (Some(start), (3, 2)));
}

/// No bytes make a reader panic: files changed at random, and things of other sorts.
#[test]
fn hostile_files_are_refused_or_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("chess");
    let path = folder.path().join("my.book");
    let games = folder.path().join("games.pgn");
    std::fs::write(&games, GAMES).expect("written");
    let mut journal = Journal::create(&path, &rules, "chess", None).expect("a new book");
    let edit = add(journal.book(), "e4 e5 Nf3");
    journal.edit(edit).expect("an edit");
    let edit = grown(journal.book(), &games, 1);
    journal.edit(edit).expect("an edit");
    let texts =
        [std::fs::read(&path).expect("a file"), GAMES.as_bytes().to_vec(), "{\u{e9}".into(), vec![0xFF; 40]];
    let bad = folder.path().join("bad.pgn");
    let mut seed = 77u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    for turn in 0..400 {
        let mut bytes = texts[turn % texts.len()].clone();
        for _ in 0..turn % 5 {
            let at = random(bytes.len());
            match random(3) {
                0 => bytes[at] = b"\n {}()|0*#=\xC3x"[random(13)],
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, random(256) as u8),
            }
        }
        std::fs::write(&bad, &bytes).expect("written");
        let _ = game_of(&bad);
        if let Ok(mut journal) = Journal::open(&bad, &rules) {
            let edit = add(journal.book(), "d4");
            let _ = journal.edit(edit);
        }
        let book = Book::new(&rules, None).expect("the start");
        let mut growth = Growth::new(&book, GrowPlan { plies: 30, at_least: 1 });
        let _ = growth.add_file(&bad);
        let _ = read_polyglot(&book, &bytes, "bad");
        for problem in ashta_study::problem::read_problems(&String::from_utf8_lossy(&bytes)) {
            let _ = problem;
        }
    }
}
