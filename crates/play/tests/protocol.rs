//! Sessions of UCI, USI and XBoard from text, without a process: what is answered, and that everything is survived.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use ashta_play::protocol::{Event, Host, Protocol, serve, serve_events};
use ashta_rules::load;

fn host(game: &str) -> Host {
    let start = Instant::now();
    Host {
        clock: Arc::new(move || start.elapsed()),
        read_file: Arc::new(|path| match path {
            "good.values" => Ok("pawn = 1\nknight = 3\nbishop = 3\nrook = 5\nqueen = 12\n".into()),
            _ => Err(format!("cannot read {path}")),
        }),
        rules: load(game).expect(game),
        game: game.into(),
        version: "test".into(),
    }
}

fn session(protocol: Protocol, game: &str, input: &str) -> String {
    let mut output = Vec::new();
    let input = Cursor::new(input.to_string().into_bytes());
    serve(protocol, input, &mut output, &host(game)).expect("it can write");
    String::from_utf8(output).expect("it is text")
}

/// Each of these must be a part of the answer, in this order.
fn check(protocol: Protocol, game: &str, input: &str, expected: &[&str]) {
    let output = session(protocol, game, input);
    let mut rest = output.as_str();
    for part in expected {
        let Some(at) = rest.find(part) else { panic!("{input}\nlacks `{part}` in\n{output}") };
        rest = &rest[at + part.len()..];
    }
}

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

#[test]
fn uci_sessions() {
    for (input, expected) in [
        (
            "uci\nisready\n",
            &["id name Ashtapada", "UCI_Variant type combo default chess var", "UCI_Elo", "uciok", "readyok"]
                [..],
        ),
        ("go depth 3\n", &["info depth 1 ", "info depth 3 ", " pv ", "bestmove "]),
        (
            "position startpos moves e2e4 e7e5\nd\n",
            &["info string rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq"],
        ),
        (&format!("position fen {BACK_RANK}\ngo mate 1\n"), &["score mate 1", "bestmove d1d8"]),
        ("go depth 4 searchmoves a2a3\n", &["bestmove a2a3"]),
        ("setoption name MultiPV value 2\ngo depth 4\n", &["multipv 1", "multipv 2", "bestmove"]),
        ("setoption name Level value 1\ngo infinite\nstop\n", &["bestmove"]),
        (
            "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1\ngo movetime 60000\n",
            &["bestmove"],
        ),
        ("setoption name UCI_Variant value minishogi\nposition startpos\ngo nodes 500\n", &["bestmove "]),
        ("setoption name EvalFile value good.values\ngo depth 2\n", &["bestmove"]),
        // Mated: there is no move.
        ("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1\ngo depth 3\n", &["bestmove 0000"]),
    ] {
        check(Protocol::Uci, "chess", input, expected);
    }
}

#[test]
fn what_is_wrong_is_told_and_survived() {
    for (input, expected) in [
        ("what is this\nisready\n", &["info string error: unknown command: `what is this`", "readyok"][..]),
        (
            "position startpos moves e2e5\nd\n",
            &["error: illegal move: `e2e5` is not legal here", "info string rnbqkbnr/pppppppp"],
        ),
        ("position fen 8/8 w\nd\n", &["info string error: illegal position:", "info string rnbqkbnr"]),
        ("position fen 4k3/8/8/8/8/8/8/8 w - - 0 1\n", &["White has no royal piece"]),
        ("setoption name Nonsense value 3\n", &["info string error: no such option: `Nonsense`"]),
        ("setoption name Hash value lots\n", &["`lots` is not a number"]),
        ("setoption name UCI_Variant value four-handed\n", &["not a game of two sides"]),
        ("setoption name EvalFile value none.values\n", &["cannot read none.values"]),
        ("go depth 2 searchmoves e2e5\n", &["`e2e5` is not legal here", "bestmove"]),
    ] {
        check(Protocol::Uci, "chess", input, expected);
    }
}

#[test]
fn usi_sessions() {
    let tsume = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1\ngo mate 2000\n";
    for (input, expected) in [
        ("usi\nisready\n", &["option name USI_Hash", "usiok", "readyok"][..]),
        ("position startpos moves 7g7f\ngo nodes 300\n", &["bestmove "]),
        ("position startpos\ngo btime 0 wtime 0 byoyomi 50\n", &["bestmove "]),
        (tsume, &["checkmate G*5b"]),
        ("position startpos\ngo mate 100\n", &["checkmate timeout"]),
        // No legal move: mated by a gold that the pawn guards.
        ("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1\ngo nodes 100\n", &["bestmove resign"]),
    ] {
        check(Protocol::Usi, "shogi", input, expected);
    }
}

#[test]
fn xboard_sessions() {
    let mates = format!("new\nforce\nsetboard {BACK_RANK}\nsd 4\ngo\n");
    for (game, input, expected) in [
        ("chess", "xboard\nprotover 2\n", &["feature", "variants=\"", "normal", "done=1"][..]),
        ("chess", "new\nsd 3\nusermove e2e4\nping 5\n", &["pong 5", "move "]),
        ("chess", "new\nforce\nusermove e2e4\nusermove e2e5\n", &["Illegal move: e2e5"]),
        ("chess", &mates, &["move d1d8", "1-0 {White wins: checkmate}"]),
        ("chess", "setboard nonsense\nping 1\n", &["tellusererror", "pong 1"]),
        ("chess", "variant xiangqi\nsd 2\ngo\n", &["move "]),
        ("chess", "variant nonsense\n", &["Error (no game is named `nonsense`)"]),
        ("chess", "new\nforce\ne2e4\ne7e5\nremove\nsd 1\ngo\n", &["move "]),
        ("shogi", "new\nforce\nsd 2\nusermove c3c4\ngo\n", &["move "]),
        ("chess", "post\nnew\nsd 3\ngo\n", &["1 ", "2 ", "3 ", "move "]),
        ("chess", "gibberish\nhint\n", &["Error (unknown command): gibberish", "Hint: "]),
    ] {
        check(Protocol::Xboard, game, input, expected);
    }
}

/// A search is stopped after any time, and a question is answered while it goes on.
#[test]
fn stop_is_heard_at_any_moment() {
    for wait_ms in [0, 1, 3, 10, 40, 120] {
        for (protocol, start, stop, answer) in [
            (Protocol::Uci, vec!["go infinite", "isready"], "stop", "bestmove "),
            (Protocol::Usi, vec!["go infinite", "isready"], "stop", "bestmove "),
            (Protocol::Xboard, vec!["new", "st 1000", "go", "ping 1"], "?", "move "),
        ] {
            let (events, queue) = channel();
            let sender = events.clone();
            let speaker = thread::spawn(move || {
                start.iter().for_each(|line| drop(sender.send(Event::Line((*line).to_string()))));
                thread::sleep(Duration::from_millis(wait_ms));
                drop(sender.send(Event::Line(stop.to_string())));
                drop(sender.send(Event::End));
            });
            let (begun, mut output) = (Instant::now(), Vec::new());
            serve_events(protocol, &queue, &events, &mut output, &host("chess")).expect("it can write");
            speaker.join().expect("it speaks");
            let output = String::from_utf8_lossy(&output);
            assert!(output.contains(answer), "{protocol:?} {wait_ms}: {output}");
            assert!(output.contains("readyok") || output.contains("pong 1"), "{output}");
            assert!(begun.elapsed() < Duration::from_secs(20), "{protocol:?}: {:?}", begun.elapsed());
        }
    }
}

#[test]
fn a_new_question_ends_the_old_one_and_both_are_answered() {
    let input = "go infinite\nposition startpos moves e2e4\ngo depth 3\nquit\n";
    let output = session(Protocol::Uci, "chess", input);
    assert_eq!(output.matches("bestmove").count(), 2, "{output}");
}

const WORDS: &str = "uci usi xboard go depth 3 nodes 50 movetime 1 position startpos moves e2e4 7g7f fen sfen stop setoption \
    name value Hash MultiPV -1 99999999999999999999 new force usermove undo remove level time st sd ping variant shogi \
    setboard \u{0} é漢 w b - 8/8/8/8/8/8/8/8 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR result analyze exit ? 0.01 mate \
    infinite searchmoves option Level=3 Level protover 2";

/// Words of all protocols in any order, with rubbish between them.
#[test]
fn rubbish_is_survived() {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut seed = 1u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    for protocol in [Protocol::Uci, Protocol::Usi, Protocol::Xboard] {
        for _ in 0..12 {
            let mut text = String::from("setoption name Level value 1\nmemory 1\noption Level=1\n");
            for _ in 0..60 {
                let n_words = below(6) + 1;
                let line: Vec<&str> = (0..n_words).map(|_| words[below(words.len())]).collect();
                text.push_str(&line.join(" "));
                text.push('\n');
            }
            // Whatever was begun is ended, and it still answers.
            text.push_str("stop\n?\nforce\nisready\nping 77\n");
            let output = session(protocol, "chess", &text);
            assert!(output.contains("readyok") || output.contains("pong 77"), "{text}\n{output}");
        }
    }
}
