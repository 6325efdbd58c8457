//! What learning players read: Polyglot books, opening books, endgame tables, files of problems.

use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use ashta_position::Game;
use ashta_study::ending::{EndingMaterial, Endings, read_table};
use ashta_study::opening::{Book, Edit, Journal, Mark, game_of, read_polyglot, repair, write_polyglot};
use ashta_study::problem::{open_problem, read_problems};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use super::{Reading, Target};
use crate::fixtures::{compiled, game_number, record, temporary_folder, with_game};
use crate::input::{game_and_text, refused};

const GAME: &str = "chess";

/// Any bytes as a Polyglot book: an error, or legal moves.
pub const POLYGLOT: Target = Target {
    name: "polyglot",
    reads: "a Polyglot book",
    run: polyglot,
    seeds: || vec![write_polyglot(&small_book()).expect("a book of chess")],
    words: &[],
    max_bytes: 4 << 10,
    share: 300,
};

/// Any bytes as an opening book: an error, or a book; damage is repaired.
pub const BOOK: Target = Target {
    name: "book",
    reads: "an opening book",
    run: book,
    seeds: book_seeds,
    words: &[
        "add",
        "remove",
        "correct",
        "name",
        "comment",
        "mark",
        "undo",
        "redo",
        "import",
        "end",
        "game",
        "start",
        "|",
        "!",
        "e2e4",
        "\n",
        "ashta opening book 1",
        "0 e2e4 1 1 0 0",
    ],
    max_bytes: 4 << 10,
    share: 200,
};

/// Any bytes as an endgame table.
pub const ENDING_TABLE: Target = Target {
    name: "ending-table",
    reads: "an endgame table",
    run: ending_table,
    seeds: ending_seeds,
    words: &["ASHTAEND"],
    max_bytes: 32 << 10,
    share: 100,
};

/// Any text as a file of problems: EPD, lines, tables, PGN.
pub const PROBLEM_FILE: Target = Target {
    name: "problem-file",
    reads: "a file of problems",
    run: problem_file,
    seeds: problem_seeds,
    words: &["dm", "bm", "id", ";", "\t", "#", "sfen ", "[FEN \"", "\"]", "position", "moves", "w", "-"],
    max_bytes: 1024,
    share: 250,
};

fn small_book() -> Book {
    let mut book = Book::new(compiled(GAME), None).expect("an empty book");
    for number in 0..6 {
        let line = record(compiled(GAME), 6, number).moves;
        book.apply(&Edit::Add(line)).expect("legal moves");
    }
    book
}

fn polyglot(bytes: &[u8]) -> Reading {
    thread_local! {
        static EMPTY: Book = Book::new(compiled(GAME), None).expect("an empty book");
    }
    EMPTY.with(|empty| match read_polyglot(empty, bytes, "fuzz") {
        Err(error) => refused(error),
        Ok(import) => {
            let mut book = Book::new(compiled(GAME), None).expect("an empty book");
            book.apply(&Edit::Import(import)).expect("only legal moves are read");
            _ = write_polyglot(&book).expect("a book of chess can be written");
            Reading::Accepted
        }
    })
}

thread_local! {
    static FOLDER: TempDir = temporary_folder();
}

/// The first byte says whether checksums are put right (bit 0), and whether the book is repaired (bit 1).
fn book(bytes: &[u8]) -> Reading {
    let Some((first, rest)) = bytes.split_first() else { return Reading::Refused };
    let bytes = if first & 1 == 1 { sealed_lines(rest) } else { rest.to_vec() };
    FOLDER.with(|folder| {
        let path = folder.path().join("book");
        fs::write(&path, &bytes).expect("written");
        _ = game_of(&path).map_err(refused);
        match Journal::open(&path, compiled(GAME)) {
            Ok(journal) => {
                _ = (journal.n_edits(), journal.book().size());
                Reading::Accepted
            }
            Err(error) => {
                // Repairing waits for the disk: one in many is.
                if first & 2 == 2 && xxh3_64(&bytes).is_multiple_of(16) {
                    match repair(&path, compiled(GAME), GAME, None) {
                        Ok(_) => _ = Journal::open(&path, compiled(GAME)).expect("a repaired book opens"),
                        Err(error) => _ = refused(error),
                    }
                    fs::read_dir(folder.path())
                        .into_iter()
                        .flatten()
                        .flatten()
                        .for_each(|entry| _ = fs::remove_file(entry.path()));
                }
                refused(error)
            }
        }
    })
}

const DIGITS: usize = 16;

fn sealed_lines(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (n, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        match (n, line.strip_suffix(b"\n").and_then(|line| line.get(DIGITS + 1..))) {
            (1.., Some(text)) => {
                out.extend_from_slice(format!("{:016x} ", xxh3_64(text)).as_bytes());
                out.extend_from_slice(text);
                out.push(b'\n');
            }
            _ => out.extend_from_slice(line),
        }
    }
    out
}

fn book_seeds() -> Vec<Vec<u8>> {
    let folder = temporary_folder();
    let path = folder.path().join("book");
    let mut journal = Journal::create(&path, compiled(GAME), GAME, None).expect("a new book");
    let line = record(compiled(GAME), 4, 1).moves;
    let import = read_polyglot(journal.book(), &write_polyglot(&small_book()).expect("bytes"), "small")
        .expect("an import");
    let edits = [
        Edit::Add(line.clone()),
        Edit::Name(line[..2].to_vec(), "a name".into()),
        Edit::Comment(line.clone(), "a comment".into()),
        Edit::Mark(line.clone(), Some(Mark::Good)),
        Edit::Import(import),
        Edit::Remove(line),
    ];
    edits.into_iter().for_each(|edit| journal.edit(edit).expect("an edit"));
    journal.undo().expect("an edit to take back");
    journal.redo().expect("an edit to make again");
    let sealed = fs::read(&path).expect("a book");
    // The first format has no checksums.
    let plain: String = String::from_utf8_lossy(&sealed)
        .lines()
        .map(|line| {
            format!(
                "{}\n",
                if line.starts_with("ashta") { "ashta opening book 1" } else { &line[DIGITS + 1..] }
            )
        })
        .collect();
    let seeds = [
        (0, sealed.clone()),
        (1, sealed.clone()),
        (3, sealed.clone()),
        (3, sealed),
        (0, plain.clone().into()),
        (2, plain.into()),
    ];
    seeds.map(|(first, bytes)| with_game(first, bytes)).to_vec()
}

const ENDING: (&str, &str) = (GAME, "KK");

fn material() -> &'static EndingMaterial {
    static MATERIAL: OnceLock<EndingMaterial> = OnceLock::new();
    MATERIAL.get_or_init(|| EndingMaterial::read(ENDING.1, compiled(ENDING.0).rules()).expect("a material"))
}

/// Bytes of an ending's header, in which nothing but the name has another length.
const FIXED_HEAD: usize = 40;

/// The first byte says whether the rest is a file, or a header and plain codes that are compressed here.
fn ending_table(bytes: &[u8]) -> Reading {
    let Some((first, rest)) = bytes.split_first() else { return Reading::Refused };
    let bytes = if first & 1 == 1 { compressed(rest) } else { Some(rest.to_vec()) };
    let Some(bytes) = bytes else { return Reading::Refused };
    let rules = compiled(ENDING.0);
    match read_table(&bytes, rules.rules(), material()) {
        Err(error) => refused(error),
        Ok(table) => {
            _ = (table.counts(0), table.counts(1), table.longest(0, 3), table.longest(1, 3));
            Reading::Accepted
        }
    }
}

fn compressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let (head, codes) = bytes.split_at_checked(FIXED_HEAD + ENDING.1.len())?;
    let mut out = head.to_vec();
    let at = head.len() - 8;
    out[at..].copy_from_slice(&xxh3_64(codes).to_le_bytes());
    out.extend(zstd::bulk::compress(codes, 1).ok()?);
    Some(out)
}

fn ending_seeds() -> Vec<Vec<u8>> {
    let folder = temporary_folder();
    let mut endings = Endings::new(compiled(ENDING.0), Some(folder.path().to_path_buf()));
    let never = AtomicBool::new(false);
    endings.prepare(material(), &mut |_| {}, &never).expect("a table");
    let files = fs::read_dir(folder.path()).expect("a folder").flatten();
    let file = files
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|ending| ending == "ending"));
    let bytes = fs::read(file.expect("the table is kept")).expect("a file");
    let (head, body) = bytes.split_at(FIXED_HEAD + ENDING.1.len());
    let mut plain = head.to_vec();
    plain.extend(zstd::bulk::decompress(body, 1 << 20).expect("codes"));
    vec![with_game(0, &bytes), with_game(1, &plain), with_game(1, &plain)]
}

fn problem_file(bytes: &[u8]) -> Reading {
    let Some((rules, text)) = game_and_text(bytes) else { return Reading::Refused };
    let mut reading = Reading::Refused;
    for problem in read_problems(text) {
        match problem.map(|problem| open_problem(rules, &problem.position)) {
            Ok(Ok(game)) => {
                let written = Game::text(&game);
                _ = open_problem(rules, &written).expect("a written problem can be read");
                reading = Reading::Accepted;
            }
            Ok(Err(error)) => _ = refused(error),
            Err(error) => _ = refused(error),
        }
    }
    reading
}

fn problem_seeds() -> Vec<Vec<u8>> {
    let texts = [
        ("chess", "8/8/8/8/8/k7/8/K6R w - - dm 2; bm Rh3#; id \"one\";\n"),
        ("chess", "[FEN \"8/8/8/8/8/k7/8/K6R w - - 0 1\"]\n[Id \"one\"]\n\n*\n"),
        ("shogi", "4k4/9/4P4/9/9/9/9/9/9 b G 1\nsfen 4k4/9/4G4/9/9/9/9/9/9 b 2G2r 1\n"),
        ("shogi", "#id\tsfen\tplies\n1\t4k4/9/4P4/9/9/9/9/9/9 b G 1\t1\n"),
    ];
    texts.map(|(game, text)| with_game(game_number(game), text)).to_vec()
}
