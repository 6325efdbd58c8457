//! What `solve`, `ending` and `opening` say, as snapshots.
//!
//! After a change, `INSTA_UPDATE=always cargo test -p ashta study::` writes them anew; read the difference.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("study").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/mates.epd"),
        folder.join("mates.epd"),
    )
    .expect("the file of problems");
    folder
}

/// Runs `ashta` with some lines typed, and gives all that it says.
fn ashta(folder: &Path, args: &[&str], typed: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ashta"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    // It may leave before it has read everything.
    let _ = child.stdin.take().expect("piped").write_all(typed.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let words: Vec<String> = args
        .iter()
        .map(|arg| if arg.contains(' ') || arg.is_empty() { format!("{arg:?}") } else { arg.to_string() })
        .collect();
    let status = output.status.code().expect("it ends by itself");
    format!("$ ashta {}\n{stdout}--- stderr\n{}\n--- status {status}\n", words.join(" "), stderr.trim_end())
}

fn check(name: &str, commands: &[(&[&str], &str)]) {
    let folder = folder(name);
    let said: Vec<String> = commands.iter().map(|(args, typed)| ashta(&folder, args, typed)).collect();
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, said.join("\n"));
    });
}

#[test]
fn solving() {
    const MORPHY: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - -";
    check(
        "study_solve",
        &[
            (&["solve", "chess", "--position", MORPHY, "--mate", "2"], ""),
            (&["solve", "chess", "--position", MORPHY, "--mate", "2", "--tries"], ""),
            (&["solve", "chess", "--position", MORPHY, "--mate", "1"], ""),
            (&["solve", "chess", "--position", "8/8/8/8/8/2k5/7r/K7 b - -", "--mate", "2", "--json"], ""),
            (&["solve", "shatranj", "--position", "k7/p7/P2K4/8/8/8/8/8 w - -", "--mate", "1"], ""),
            (&["solve", "shogi", "--tsume", "--position", "8k/6S2/4R2G1/9/9/9/9/9/9 b g 1"], ""),
            (
                &[
                    "solve",
                    "shogi",
                    "--tsume",
                    "--futile",
                    "ignore",
                    "--position",
                    "8k/6S2/4R2G1/9/9/9/9/9/9 b g 1",
                ],
                "",
            ),
            (&["solve", "shogi", "--tsume", "--position", "9/9/9/4k4/9/9/9/9/9 b P 1"], ""),
        ],
    );
}

/// Games without the rule of check: a mate is told where the last royal piece can no longer be saved.
#[test]
fn solving_where_royal_pieces_are_captured() {
    const LION: &str = "12/2k9/3e8/12/1G10/N2p8/12/12/12/12/12/12 b - 1";
    check(
        "study_solve_captured",
        &[
            (&["solve", "chu-shogi", "--position", LION, "--mate", "2"], ""),
            (&["solve", "chu-shogi", "--position", LION, "--mate", "2", "--keys", "--json"], ""),
            (&["solve", "chu-shogi", "--position", LION, "--tsume"], ""),
            (&["solve", "chu-shogi", "--position", LION, "--mate", "1"], ""),
            (&["solve", "dobutsu", "--position", "l1G/3/1L1/3 b E 1", "--mate", "1"], ""),
            (&["solve", "antichess", "--position", LION, "--mate", "2"], ""),
        ],
    );
}

#[test]
fn solving_a_file() {
    check(
        "study_solve_file",
        &[
            (&["solve", "chess", "mates.epd"], ""),
            (&["solve", "chess", "absent.epd"], ""),
            (&["solve", "chess"], ""),
            (&["solve", "chess", "--position", "7k/8/4K3/6R1/8/8/8/8 w - -"], ""),
            (&["solve", "chess", "--position", "7k/8/4K3/6R1/8 w - -", "--mate", "2"], ""),
            (&["solve", "four-handed", "--position", "8", "--mate", "2"], ""),
        ],
    );
}

#[test]
fn endings() {
    check(
        "study_ending",
        &[
            (&["ending", "chess"], ""),
            (&["ending", "shatranj", "--json"], ""),
            (&["ending", "chess", "KQK"], ""),
            (&["ending", "chess", "KQK", "--json"], ""),
            (&["ending", "chess", "KQK", "--position", "8/8/8/4k3/8/8/8/KQ6 w - -"], ""),
            (&["ending", "chess", "KQK", "--position", "8/8/8/8/8/2k5/1R6/K7 w - -"], ""),
            (&["ending", "chess", "KXK"], ""),
            (&["ending", "shogi", "KGK"], ""),
            (&["ending", "chess", "--position", "8/8/8/4k3/8/8/8/KQ6 w - -"], ""),
            (
                &[
                    "ending",
                    "chess",
                    "--practice",
                    "--ascii",
                    "--seed",
                    "5",
                    "--position",
                    "k7/8/K7/8/8/8/8/1Q6 w - -",
                ],
                "Qb7\n",
            ),
            (&["ending", "chess", "KQK", "--practice", "--position", "8/8/8/8/8/2k5/1R6/K7 w - -"], ""),
            (&["ending", "chess", "KQK", "--practice", "--position", "8/8/8/4k3/8/8/8/KQ6 b - -"], ""),
            (&["ending", "chess", "--practice", "--position", "nonsense"], ""),
            (&["ending", "chess", "KK", "--practice"], ""),
            (
                &["ending", "chess", "KQK", "--practice", "--seed", "5", "--ascii"],
                "hint\nz9\nposition\nquit\n",
            ),
        ],
    );
}

#[test]
fn openings() {
    check(
        "study_opening",
        &[
            (&["opening", "my.book", "show"], ""),
            (&["opening", "my.book", "new", "chess"], ""),
            (&["opening", "my.book", "new", "chess"], ""),
            (&["opening", "my.book", "show"], ""),
            (&["opening", "my.book", "add", "1.e4 e5 2.Nf3 Nc6 3.Bb5"], ""),
            (&["opening", "my.book", "add", "e4 e5 Nc3 Nc6 Nf3"], ""),
            (&["opening", "my.book", "add", "e4 e4"], ""),
            (&["opening", "my.book", "name", "e4 e5 Nf3 Nc6 Bb5", "Ruy Lopez"], ""),
            (&["opening", "my.book", "show", "e4 e5", "--depth", "5"], ""),
            (&["opening", "my.book", "show", "e4 e5", "--json"], ""),
            (&["opening", "my.book", "remove", "d4"], ""),
            (&["opening", "my.book", "correct", "e4 e5 Nf3 Nc6 Bb5", "Bc4"], ""),
            (&["opening", "my.book", "undo"], ""),
            (&["opening", "my.book", "export", "my.pgn"], ""),
            (&["opening", "my.book", "export", "my.bin"], ""),
            (&["opening", "my.book", "export", "my.txt"], ""),
            (&["opening", "other.book", "new", "chess"], ""),
            (&["opening", "other.book", "import", "my.pgn"], ""),
            (&["opening", "other.book", "import", "my.bin"], ""),
            (&["opening", "my.book", "practice", "--seed", "1", "--ascii"], "d4\ne4\ntell\nquit\n"),
            (&["opening", "my.book", "edit"], "e4\nc5\nback\nname King's pawn\nfoo\nundo\nundo\nquit\n"),
        ],
    );
}

/// The lines of a book, as `show` tells them.
fn shown(folder: &Path, book: &str) -> String {
    ashta(folder, &["opening", book, "show", "--depth", "9"], "")
}

#[test]
fn a_session_left_open_takes_nothing_away_from_other_writers() {
    let folder = folder("session");
    ashta(&folder, &["opening", "my.book", "new", "chess"], "");
    let mut session = Command::new(env!("CARGO_BIN_EXE_ashta"))
        .args(["opening", "my.book", "edit"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let (mut typed, mut told) =
        (session.stdin.take().expect("piped"), BufReader::new(session.stdout.take().expect("piped")));
    // It has read the book when it asks for the first move.
    told.read_until(b'>', &mut Vec::new()).expect("a prompt");
    for line in ["e4 e5", "d4 d5", "c4 c5", "Nf3 d5", "b3 e5"] {
        let said = ashta(&folder, &["opening", "my.book", "add", line], "");
        assert!(said.ends_with("status 0\n"), "{said}");
    }
    typed.write_all(b"f4\nquit\n").expect("typed");
    drop(typed);
    let mut said = String::new();
    told.read_to_string(&mut said).expect("it ends");
    assert!(session.wait().expect("it ends").success());
    assert!(said.contains("the book was changed elsewhere"), "{said}");
    let shown = shown(&folder, "my.book");
    for mv in ["e4", "d4", "c4", "Nf3", "b3", "f4"] {
        assert!(shown.contains(mv), "{mv} was lost: {shown}");
    }
}

#[test]
fn sixteen_writers_at_once_lose_nothing() {
    let folder = folder("writers");
    ashta(&folder, &["opening", "my.book", "new", "chess"], "");
    let firsts: Vec<String> =
        "abcdefgh".chars().flat_map(|file| [format!("{file}3"), format!("{file}4")]).collect();
    let seconds = ["a6", "b6", "c6", "d6", "e6", "f6"];
    std::thread::scope(|scope| {
        for first in &firsts {
            let folder = &folder;
            scope.spawn(move || {
                for second in seconds {
                    let said =
                        ashta(folder, &["opening", "my.book", "add", &format!("{first} {second}")], "");
                    assert!(said.ends_with("status 0\n"), "{said}");
                }
            });
        }
    });
    let said = ashta(&folder, &["opening", "my.book", "add", ""], "");
    assert!(said.contains("113 positions, 112 moves"), "16 first moves and 96 answers: {said}");
}

#[test]
fn damaged_books_are_told_and_mended() {
    let folder = folder("damaged");
    for words in
        [&["new", "chess"][..], &["add", "e4 e5"], &["add", "d4 d5"], &["name", "d4", "Queen's pawn"]]
    {
        ashta(&folder, &[&["opening", "my.book"][..], words].concat(), "");
    }
    let path = folder.join("my.book");
    let text = std::fs::read_to_string(&path).expect("a book");
    std::fs::write(&path, text.replace("d2d4 d7d5", "d2d4 c7c5")).expect("written");
    let said: Vec<String> = [
        &["opening", "my.book", "show"][..],
        &["opening", "my.book", "add", "c4"],
        &["opening", "my.book", "repair"],
        &["opening", "my.book", "repair"],
        &["opening", "my.book", "show", "--depth", "3"],
    ]
    .iter()
    .map(|words| ashta(&folder, words, ""))
    .collect();
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("study_repair", said.join("\n"));
    });
    assert!(folder.join("my.book.damaged-1").exists());
}
