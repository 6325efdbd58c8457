//! What `solve`, `ending` and `opening` say, as snapshots.
//!
//! After a change, `INSTA_UPDATE=always cargo test -p ashta --test study` writes them anew; read the difference.

use std::io::Write;
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
