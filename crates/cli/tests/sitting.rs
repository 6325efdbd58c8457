//! Games at the terminal, line by line: what is typed and what is said.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What `ashta play` says to these lines, without prompts.
fn play(args: &[&str], lines: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ashta"))
        .arg("play")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("it reads");
    input.write_all(lines.as_bytes()).expect("it reads on");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sitting");
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder.join(name)
}

#[test]
fn the_first_lines_say_how_to_move_take_back_get_a_hint_and_leave() {
    let said = play(&["chess"], "");
    for word in ["e2e4", "undo", "hint", "quit", "?"] {
        assert!(said.contains(word), "{word} is not in\n{said}");
    }
}

#[test]
fn the_program_plays_by_the_values_it_is_given() {
    let choice =
        ["--position", "4k3/8/8/q2R2n1/8/8/8/6K1 w - - 0 1", "--players", "A3(1)/human", "--seed", "1"];
    let plain = play(&[&["chess"][..], &choice].concat(), "score\n");
    assert!(plain.contains("Rxa5"), "{plain}");
    let file = scratch("knights.values");
    fs::write(&file, "pawn = 1\nknight = 9\nbishop = 3\nrook = 5\nqueen = 1\n").expect("it can be written");
    let values = ["--values", file.to_str().expect("UTF-8")];
    let told = play(&[&["chess"][..], &choice, &values].concat(), "score\n");
    assert!(told.contains("Rxg5"), "{told}");
}

#[test]
fn moves_are_read_in_many_ways_and_refused_with_a_reason() {
    let two = ["chess", "--players", "human"];
    let mated = play(&two, "f3\ne7e5\ng2g4\nQd8-h4\nscore\nquit\n");
    assert!(mated.contains("Black wins"), "{mated}");
    let castled =
        play(&[&two[..], &["--position", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"]].concat(), "k\nscore\n");
    assert!(castled.contains("O-O"), "{castled}");
    for (typed, why) in [
        ("e2e5", "the pawn on e2 does not move to e5; legal targets are e3 or e4"),
        ("e5e6", "there is no piece on e5"),
        ("e7e5", "the pawn on e7 belongs to Black"),
        (
            "a1a2",
            "the rook on a1 may not capture the pawn on a2: it is on the same side; the piece has no legal move",
        ),
        ("Nd4", "no knight can move to d4; `list` shows the legal moves"),
        ("xyzzy", "neither a move nor a command; `?` lists the commands"),
    ] {
        let said = play(&two, &format!("{typed}\n"));
        assert!(said.contains(why), "{typed}:\n{said}");
    }
    let check = play(&[&two[..], &["--position", "4k3/8/8/8/8/8/8/r3K2R w - - 0 1"]].concat(), "h1h2\n");
    let japanese = play(&["shogi", "--players", "human"], "８八歩打\n５五歩\n１一玉\n");
    for why in ["there is no pawn in hand", "no pawn can move to 5e", "the king on 5i does not move to 1a"] {
        assert!(japanese.contains(why), "{why} is not in\n{japanese}");
    }
    let still = "the king on e1 would still be in check from the rook on a1; the piece has no legal move";
    assert!(check.contains(still), "{check}");
    let promotion =
        play(&[&two[..], &["--position", "8/4P3/8/8/8/8/k7/2K5 w - - 0 1"]].concat(), "e7e8\ne8=N\nscore\n");
    assert!(promotion.contains("must promote: type e7e8q") && promotion.contains("1. e8=N"), "{promotion}");
}

#[test]
fn the_program_answers_and_moves_are_taken_back() {
    let said = play(&["chess", "--seed", "5", "--level", "1"], "e4\nundo\nposition\n");
    assert!(said.contains("Black plays"), "{said}");
    assert!(said.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "{said}");
    let black = play(&["chess", "--seed", "5", "--side", "black"], "quit\n");
    assert!(
        black.contains("White plays") && black.contains("To go on: ashta play chess --position"),
        "{black}"
    );
    assert_eq!(play(&["chess", "--seed", "5"], "e4\nd4\n"), play(&["chess", "--seed", "5"], "e4\nd4\n"));
}

#[test]
fn an_engine_limited_by_time_has_a_clock_at_the_board() {
    let said = play(&["chess", "--players", "human/engine:10ms"], "e4\nquit\n");
    assert!(said.contains("Black plays"), "{said}");
}

#[test]
fn a_saved_game_is_loaded_with_its_comments() {
    let file = scratch("game.pgn");
    let name = file.display().to_string();
    let two = ["chess", "--players", "human"];
    play(&two, &format!("e4\ncomment best }} by test\ne5\nNf3\nsave {name}\n"));
    let text = fs::read_to_string(&file).expect("it was saved");
    assert!(text.contains("1. e4 ; best } by test\n1... e5 2. Nf3 *"), "{text}");
    assert!(text.contains("[Date \"?\"]"), "{text}");
    let said = play(&two, &format!("load {name}\nscore\n"));
    assert!(said.contains("1. e4 (best } by test) e5 2. Nf3"), "{said}");
    let said = play(&two, "load nowhere.pgn\nsave x.txt\nsave\n");
    assert!(said.contains("cannot read nowhere.pgn"), "{said}");
    assert!(
        said.contains("unrecognised record format of x.txt") && said.contains("give a file name"),
        "{said}"
    );
}

#[test]
fn games_end_by_resigning_by_agreement_and_by_time() {
    let two = ["chess", "--players", "human"];
    assert!(play(&two, "resign\n").contains("Black wins: White resigns"));
    assert!(play(&two, "draw\n").contains("a draw, agreed"));
    let slow = play(&[&two[..], &["--clock", "0.0000000002"]].concat(), "e4\n");
    assert!(slow.contains("Black wins: the time of White is over"), "{slow}");
    // A side that is a queen ahead does not agree to a draw.
    let ahead = ["chess", "--position", "q3k3/8/8/8/8/8/8/4K3 w - - 0 1", "--level", "1"];
    assert!(play(&ahead, "draw\n").contains("the draw offer is declined"));
}

#[test]
fn every_game_of_two_sides_can_be_sat_down_to() {
    for game in ["chess", "shogi", "xiangqi", "makruk", "shatranj", "janggi", "tori-shogi", "grant-acedrex"] {
        let said = play(
            &[game, "--level", "1", "--seed", "1", "--eval"],
            "1\nhint\nlist\nboard\nflip\nboard\nscore\n",
        );
        assert!(said.contains("try ") && said.contains(" plays "), "{game}:\n{said}");
    }
}

#[test]
fn the_program_plays_from_a_book() {
    let book = scratch("lines.book");
    let _ = fs::remove_file(&book);
    let name = book.display().to_string();
    for words in [&["new", "chess"][..], &["add", "e4 c6 d4 d5"], &["name", "e4 c6", "Caro-Kann"]] {
        let status = Command::new(env!("CARGO_BIN_EXE_ashta")).args(["opening", &name]).args(words).output();
        assert!(status.is_ok_and(|output| output.status.success()), "{words:?}");
    }
    let said = play(&["chess", "--book", &name, "--level", "1", "--seed", "1"], "book\ne4\nbook\nd4\nbook\n");
    for expected in
        ["book: e4", "Black plays c6", "Caro-Kann", "Black plays d5", "the position is not in the book"]
    {
        assert!(said.contains(expected), "{expected} is not in\n{said}");
    }
}

#[test]
fn a_board_that_is_turned_has_its_pieces_turned() {
    let said = play(&["shogi", "--players", "human"], "flip\nboard\n");
    assert!(said.contains("|v香v桂v銀v金v王v金v銀v桂v香| a"), "as the first side sees it:\n{said}");
    assert!(said.contains("| 香 桂 銀 金 王 金 銀 桂 香| a"), "as the second side sees it:\n{said}");
}

#[test]
fn hostile_lines_are_answered() {
    let lines = "\0\n\u{7f}\n999999999999999999999\nlevel x\nlevel 11\nsetup x\nsetup\nload\nsave /\n\u{202e}e4\n  \n'\"\n";
    let said = play(&["chess", "--players", "human"], lines);
    assert!(said.contains("levels are numbers from 1 to 10"), "{said}");
    assert!(said.ends_with("> "), "{said}");
}

/// Red and Green are left and hold each other's partners: Red's rook takes Black's raja, and both are asked.
const BEFORE_EXCHANGE: &str = "8/gP6yP/8/gK7/7bK/8/rP5bP1/3rK3rR r 0 4-3 y<g1";

#[test]
fn yes_is_yes_and_anything_else_is_asked_again() {
    let people = ["four-handed", "--players", "human", "--seed", "1", "--position", BEFORE_EXCHANGE];
    let said = play(&people, "h1h4\nmaybe\nYES\nyes\nquit\n");
    assert!(said.contains("answer yes or no"), "{said}");
    assert!(said.contains("Green wants the royal pieces exchanged"), "{said}");
    assert!(said.contains("Red wants the royal pieces exchanged"), "{said}");
    let left = play(&people, "h1h4\nquit\n");
    assert!(left.contains("To go on: --position") && left.contains("g?"), "{left}");
    // No is no, and `undo` takes it back: the question comes again.
    let refused = play(&people, "h1h4\nNo\nundo\nyes\nno\nquit\n");
    assert!(refused.contains("This is asked once"), "{refused}");
    assert_eq!(refused.matches("Green does not want an exchange").count(), 1, "{refused}");
    assert_eq!(refused.matches("Green wants the royal pieces exchanged").count(), 1, "{refused}");
}

#[test]
fn a_refused_exchange_is_offered_again_where_the_rules_say_so() {
    let again = ["four-handed+exchange-any-turn", "--players", "human", "--seed", "1"];
    let again = [&again[..], &["--position", BEFORE_EXCHANGE]].concat();
    let said = play(&again, "h1h4\nno\n-\nno\n-\nyes\nquit\n");
    assert!(!said.contains("asked once"), "{said}");
    assert_eq!(said.matches("does not want an exchange").count(), 2, "{said}");
    assert_eq!(said.matches("wants the royal pieces exchanged").count(), 1, "{said}");
}

#[test]
fn turns_that_may_not_be_taken_are_refused_with_the_reason() {
    let people = ["four-handed", "--players", "human", "--position", BEFORE_EXCHANGE];
    let said = play(&people, "a2a3\nh1g3\na8a7\nquit\n");
    for why in [
        "the padati on a2 moves on a 5, which was not thrown",
        "the hasti on h1 does not move to g3",
        "there is no piece on a8",
    ] {
        assert!(said.contains(why), "{why} is not in\n{said}");
    }
}

#[test]
fn clocks_are_shown_line_by_line() {
    let two = ["chess", "--players", "human", "--clock", "5+3", "--plain"];
    let said = play(&two, "e4\nboard\n");
    assert!(said.contains("clocks: White 5:00, Black 5:00"), "{said}");
    assert!(said.contains("clocks: White 5:0") && said.matches("clocks: ").count() == 3, "{said}");
    assert!(!play(&["chess", "--players", "human", "--plain"], "e4\n").contains("clocks"));
}
