//! What pictures cannot show: pipes, outputs that are full, lengths, and laws of all games.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

use ashta_rules::game_names;
use unicode_width::UnicodeWidthStr;

fn ashta(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ashta")).args(args).output().expect("the command runs")
}

fn stdout(args: &[&str]) -> String {
    let output = ashta(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

#[test]
fn a_closed_pipe_is_quiet_success() {
    // More than a pipe holds, so that writing goes on after the reader has left.
    let mut child = Command::new(env!("CARGO_BIN_EXE_ashta"))
        .args(["moves", "shogi", "--json", "--position"])
        .arg("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut line = String::new();
    BufReader::with_capacity(1, child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let mut said = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(said, "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let output = Command::new(env!("CARGO_BIN_EXE_ashta")).arg("games").stdout(full).output().expect("runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: cannot write the output"));
}

#[test]
fn every_board_has_straight_edges() {
    for name in game_names() {
        for style in [&[][..], &["--ascii"]] {
            let text = stdout(&[&["show", name], style].concat());
            let edges: Vec<usize> = text.lines().filter(|line| is_board(line)).map(right_edge).collect();
            assert!(edges.len() > 2, "{text}");
            assert!(edges.iter().all(|edge| *edge == edges[0]), "{text}");
            assert!(
                style.is_empty() || text.lines().filter(|line| is_board(line)).all(str::is_ascii),
                "{text}"
            );
        }
    }
}

/// What stands at both ends of a row: `~` where the board goes around.
const EDGES: [char; 3] = ['|', '+', '~'];

fn is_board(line: &str) -> bool {
    line.matches(EDGES).count() == 2
        && line.trim_end().len() > 4
        && (line.contains("--") || line.contains(['|', '~']))
}

fn right_edge(line: &str) -> usize {
    let end = line.rfind(EDGES).expect("an edge");
    line[..end].width()
}

#[test]
fn every_game_draws_its_pieces_within_the_page() {
    for name in game_names() {
        let text = stdout(&["show", name, "--pieces"]);
        let wide = text.lines().find(|line| line.width() > 80 && !line.contains('/'));
        assert_eq!(wide, None, "{name}");
    }
}

#[test]
fn positions_read_back() {
    for name in game_names() {
        let position = |args: &[&str]| {
            let text = stdout(args);
            let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            value["position"].as_str().expect("a position").to_string()
        };
        let start = position(&["show", name, "--json"]);
        assert_eq!(position(&["show", name, "--json", "--position", &start]), start);
    }
}

#[test]
fn completions_name_every_command() {
    let script = stdout(&["completions", "bash"]);
    for command in ["games", "show", "moves", "perft", "check", "bench", "completions"] {
        assert!(script.contains(command), "{command}");
    }
}

#[test]
fn help_is_the_same_however_it_is_asked_for() {
    for command in ["games", "show", "moves", "perft", "check", "bench", "completions"] {
        assert_eq!(stdout(&["help", command]), stdout(&[command, "--help"]));
    }
    assert_eq!(stdout(&["help"]), stdout(&["--help"]));
}

#[test]
fn perft_tells_a_count_as_soon_as_it_is_known() {
    // The first move mates, so nothing follows it; what follows the second nobody can wait for.
    let mut child = Command::new(env!("CARGO_BIN_EXE_ashta"))
        .args(["perft", "chess", "40", "--divide", "--position", "R7/8/8/8/8/6K1/8/6k1 w - - 0 1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    child.kill().expect("it is still counting");
    child.wait().expect("it ends");
    assert_eq!(line, "a8a1: 0\n");
}

#[test]
fn hostile_texts_are_told_not_panicked() {
    let texts =
        ["\u{0}", "+", "/", "++++", "....toml", "chess+", "+chess", "９", "\u{202e}x", "a\nb", "8/8[", "[]"];
    for text in texts.iter().filter(|text| !text.contains('\0')) {
        for args in [
            vec!["show", text],
            vec!["show", "chess", "--position", text],
            vec!["show", "shogi", "--moves", text],
            vec!["check", text],
        ] {
            let code = ashta(&args).status.code();
            assert_eq!(code, Some(2), "{args:?}");
        }
    }
}
