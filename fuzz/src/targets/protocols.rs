//! Lines and sessions of UCI, USI and XBoard.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use ashta_play::protocol::{Dialect, Event, Host, Protocol, UciCommand, XboardCommand, serve_events};
use ashta_rules::Rules;

use super::{Reading, Target};
use crate::fixtures::{compiled, with_game};

macro_rules! line_target {
    ($constant:ident, $name:literal, $reads:literal, $run:expr, $session:ident) => {
        #[doc = concat!("Any text as a line of ", $reads, ".")]
        pub const $constant: Target = Target {
            name: $name,
            reads: concat!("one line of ", $reads),
            run: $run,
            seeds: || $session.seeds_by_line(),
            words: $session.words,
            max_bytes: 512,
            share: 900,
        };
    };
}

macro_rules! session_target {
    ($constant:ident, $name:literal, $reads:literal, $session:ident) => {
        #[doc = concat!("Any lines as a session of ", $reads, ": it ends, and every question is answered.")]
        pub const $constant: Target = Target {
            name: $name,
            reads: concat!("a session of ", $reads),
            run: |bytes| $session.run(bytes),
            seeds: || $session.seeds(),
            words: $session.words,
            max_bytes: 1024,
            share: 100,
        };
    };
}

line_target!(UCI_LINE, "uci-line", "UCI", |bytes| uci_line(bytes, Dialect::Uci), UCI);
line_target!(USI_LINE, "usi-line", "USI", |bytes| uci_line(bytes, Dialect::Usi), USI);
line_target!(XBOARD_LINE, "xboard-line", "XBoard", xboard_line, XBOARD);
session_target!(UCI_SESSION, "uci-session", "UCI", UCI);
session_target!(USI_SESSION, "usi-session", "USI", USI);
session_target!(XBOARD_SESSION, "xboard-session", "XBoard", XBOARD);

/// The smallest game of the library.
const SMALL: &str = "minishogi";
/// Copies of each seed, so that the inputs that take long are few.
const N_STILL: usize = 40;
const N_SEARCHED: usize = 6;

struct Session {
    protocol: Protocol,
    /// The game of the first byte 0: compiling it takes longer than all else that a session does.
    large: &'static str,
    /// Sessions of the large game.
    large_texts: &'static [&'static str],
    /// Sessions of the small game, [`SMALL`], that start no search: most inputs, for an engine takes milliseconds to make.
    still_texts: &'static [&'static str],
    /// Sessions of the small game that do.
    texts: &'static [&'static str],
    words: &'static [&'static str],
}

const UCI: Session = Session {
    protocol: Protocol::Uci,
    still_texts: &[
        "uci\nposition startpos moves 5d5c 1b1c\nd\nsetoption name MultiPV value 3\nstop\n",
        "position fen rbsgk/4p/5/P4/KGSBR b - 1 moves 5d5c\nd\nposition fen rbsgk/4p/5/P4/KGSBR b - 1\nd\nponderhit\n",
        "setoption name Level value 3\nsetoption name EvalFile value good.values\nucinewgame\nsetoption name UCI_Elo value 1500\nd\nquit\n",
    ],
    large: "chess",
    texts: &[
        "uci\nisready\nposition startpos moves 5d5c\ngo depth 1\nd\n",
        "position fen rbsgk/4p/5/P4/KGSBR b - 1 moves 5d5c\ngo nodes 100\nstop\n",
        "setoption name MultiPV value 2\nucinewgame\ngo nodes 100 searchmoves 5d5c 1e1d\n",
        "setoption name Level value 1\ngo infinite\nstop\ngo wtime 100 btime 100 winc 1 binc 1 movestogo 2\n",
        "go mate 1\nsetoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1\ngo movetime 1\nquit\n",
    ],
    large_texts: &[
        "uci\nisready\nposition startpos moves e2e4 e7e5\ngo depth 1\nd\n",
        "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\ngo mate 1\nstop\n",
        "setoption name MultiPV value 2\nucinewgame\ngo nodes 100 searchmoves a2a3 b2b3\n",
        "setoption name Level value 1\ngo infinite\nstop\ngo wtime 100 btime 100 winc 1 binc 1 movestogo 2\n",
        "setoption name EvalFile value good.values\ngo movetime 1\nsetoption name Clear Hash\nquit\n",
    ],
    words: &[
        "go",
        "depth 1",
        "nodes 1",
        "infinite",
        "mate",
        "stop",
        "position",
        "startpos",
        "fen",
        "moves",
        "setoption name",
        "value",
        "UCI_Elo",
        "wtime",
        "movetime",
        "quit",
        "ponderhit",
        "\n",
    ],
};

const USI: Session = Session {
    protocol: Protocol::Usi,
    still_texts: &[
        "usi\nusinewgame\nposition startpos moves 5d5c 1b1c\nd\nstop\n",
        "position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 5d5c\nd\nposition sfen 4k/5/5/5/K4 w RBGSPrbgsp 9\nd\n",
        "setoption name USI_Ponder value true\nsetoption name Level value 3\ngameover lose\nd\nquit\n",
    ],
    large: "shogi",
    large_texts: &["usi\nposition startpos moves 7g7f 3c3d 8h2b+\ngo depth 1\n"],
    texts: &[
        "usi\nisready\nusinewgame\nposition startpos\ngo depth 1\nd\n",
        "position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 5d5c\ngo nodes 100\ngameover win\n",
        "go mate 1\ngo mate infinite\nstop\n",
        "go btime 10 wtime 10 byoyomi 10\nponderhit\nquit\n",
        "setoption name USI_Variant value minishogi\ngo infinite\nstop\n",
    ],
    words: &[
        "go", "depth 1", "nodes 1", "infinite", "mate", "stop", "position", "startpos", "sfen", "moves",
        "P*3c", "byoyomi", "btime", "gameover", "quit", "\n",
    ],
};

const XBOARD: Session = Session {
    protocol: Protocol::Xboard,
    still_texts: &[
        "xboard\nprotover 2\nnew\nforce\nusermove a2a3\nping 1\nundo\nremove\n",
        "force\nsetboard rbsgk/4p/5/P4/KGSBR[] w 0 1\na2a3\nP@c3\nping 3\nresult 1-0 {x}\n",
        "force\nlevel 40 0:01 0.1\ntime 1\notim 1\nst 0.01\nsd 3\noption Level=2\naccepted setboard\nping 4\nquit\n",
    ],
    large: "chess",
    texts: &[
        "xboard\nprotover 2\nnew\nsd 1\nusermove a2a3\nping 1\n",
        "force\na2a3\nundo\nremove\nsetboard rbsgk/4p/5/P4/KGSBR[] w 0 1\nsd 1\ngo\n",
        "level 40 0:01 0.1\ntime 1\notim 1\nst 0.01\npost\nanalyze\n.\nexit\n",
        "hint\nplayother\n?\nresult 1-0 {x}\nnopost\nquit\n",
        "option Level=1\nsd 1\ngo\nping 2\n",
    ],
    large_texts: &[
        "xboard\nprotover 2\nnew\nsd 1\nusermove e2e4\nping 1\n",
        "new\nforce\ne2e4\ne7e5\nundo\nremove\nsetboard 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\nsd 1\ngo\n",
        "level 40 0:01 0.1\ntime 1\notim 1\nst 0.01\npost\nanalyze\n.\nexit\n",
        "variant crazyhouse\nhint\nplayother\n?\nresult 1-0 {x}\nnopost\nquit\n",
        "option Level=1\nsd 1\ngo\nping 2\n",
    ],
    words: &[
        "go",
        "sd 1",
        "st",
        "level",
        "time",
        "otim",
        "usermove",
        "setboard",
        "variant",
        "analyze",
        "exit",
        "undo",
        "remove",
        "force",
        "ping",
        "?",
        "@@@@",
        "O-O",
        "\n",
        "playother",
        "option",
    ],
};

impl Session {
    fn seeds(&self) -> Vec<Vec<u8>> {
        let copies = |texts: &'static [&'static str], n: usize, first: u8| {
            texts.iter().cycle().take(texts.len() * n).map(move |text| with_game(first, text))
        };
        let small = copies(self.still_texts, N_STILL, 1).chain(copies(self.texts, N_SEARCHED, 1));
        small.chain(copies(self.large_texts, 1, 0)).collect()
    }

    fn seeds_by_line(&self) -> Vec<Vec<u8>> {
        self.texts
            .iter()
            .chain(self.large_texts)
            .flat_map(|text| text.lines())
            .map(|line| line.as_bytes().to_vec())
            .collect()
    }

    fn run(&self, bytes: &[u8]) -> Reading {
        let Some((first, bytes)) = bytes.split_first() else { return Reading::Refused };
        let game = if *first == 0 { self.large } else { SMALL };
        let text = String::from_utf8_lossy(bytes);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !is_costly(line)).collect();
        let (events, queue) = channel();
        // A bounded search is stopped like any other: how long a search may take is no question here.
        let (small, stop, quit) = match self.protocol {
            Protocol::Uci => ("setoption name Hash value 1", "stop", "quit"),
            Protocol::Usi => ("setoption name USI_Hash value 1", "stop", "quit"),
            Protocol::Xboard => ("memory 1", "?", "quit"),
        };
        for line in [&[small], lines.as_slice(), &[stop, quit]].concat() {
            events.send(Event::Line(line.to_string())).expect("the queue is open");
        }
        let mut output = Vec::new();
        serve_events(self.protocol, &queue, &events, &mut output, &host(game))
            .expect("memory can be written");
        let output = String::from_utf8(output).expect("answers are text");
        let (asked, answered) = self.counts(&lines, &output);
        assert_eq!(answered, asked, "{text}\n-- was answered --\n{output}");
        if output.to_lowercase().contains("error") { Reading::Refused } else { Reading::Accepted }
    }

    /// How many lines want an answer, and how many answers there are.
    fn counts(&self, lines: &[&str], output: &str) -> (usize, usize) {
        let answers = |words: &[&str]| {
            output.lines().filter(|line| words.iter().any(|word| line.starts_with(word))).count()
        };
        let go_commands = |dialect| {
            let commands = lines.iter().map(|line| UciCommand::read(line, dialect));
            commands
                .take_while(|command| *command != UciCommand::Quit)
                .filter(|command| matches!(command, UciCommand::Go(_)))
                .count()
        };
        match self.protocol {
            Protocol::Uci => (go_commands(Dialect::Uci), answers(&["bestmove"])),
            Protocol::Usi => (go_commands(Dialect::Usi), answers(&["bestmove", "checkmate"])),
            Protocol::Xboard => {
                let commands = lines.iter().map(|line| XboardCommand::read(line));
                let before_end = commands.take_while(|command| *command != XboardCommand::Quit);
                (
                    before_end.filter(|command| matches!(command, XboardCommand::Ping(_))).count(),
                    answers(&["pong"]),
                )
            }
        }
    }
}

/// Lines that ask for much memory or many threads, which they may have.
fn is_costly(line: &str) -> bool {
    let line = line.to_lowercase();
    ["hash", "threads", "cores", "memory"].iter().any(|word| line.contains(word))
        && !line.ends_with("clear hash")
}

fn host(game: &str) -> Host {
    let start = Instant::now();
    Host {
        clock: Arc::new(move || start.elapsed().max(Duration::from_nanos(1))),
        read_file: Arc::new(|path| match path {
            "good.values" => Ok("pawn = 1\nknight = 3\nbishop = 3\nrook = 5\nqueen = 12\n".into()),
            _ => Err(format!("cannot read {path}")),
        }),
        rules: Rules::clone(compiled(game).rules()),
        game: game.into(),
        version: "fuzz".into(),
    }
}

fn uci_line(bytes: &[u8], dialect: Dialect) -> Reading {
    match UciCommand::read(&String::from_utf8_lossy(bytes), dialect) {
        UciCommand::Unknown => Reading::Refused,
        _ => Reading::Accepted,
    }
}

fn xboard_line(bytes: &[u8]) -> Reading {
    match XboardCommand::read(&String::from_utf8_lossy(bytes)) {
        XboardCommand::Unknown => Reading::Refused,
        _ => Reading::Accepted,
    }
}
