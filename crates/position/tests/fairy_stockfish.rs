//! Moves and counts from random positions are those of Fairy-Stockfish, an independent program, in every game it knows.
//!
//! It is run as a program (it is GPL and no part of ours). Where it is not installed the test says so and passes.
//! `ASHTA_DEEP=1` compares ten times as many positions.

use crate::walk;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use ashta_position::{Action, CompiledRules, Game, Move};
use ashta_rules::{Castling, Grid, Hand, KindId, Path, Rules, Setup, Side, Square, Target};

/// Positions in which the moves are compared, and how many of them two plies deep.
const N_POSITIONS: usize = 300;
const N_DEEPER: usize = 50;
const MAX_PLIES: usize = 140;

/// A game that both programs play.
struct Peer {
    /// As we call it.
    spec: &'static str,
    /// As Fairy-Stockfish calls it; `ashta-...` is defined in [`RULES`].
    variant: &'static str,
    unlike: Unlike,
}

/// Where the two programs play by different rules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unlike {
    Nowhere,
    /// It ends the game as soon as a king is bare; our moves do not ask whether the game is over.
    EndsAtBareKing,
    /// It has bikjang and the end by two passes, which reach back one ply: only the moves of one ply are compared, and
    /// only where the generals do not face each other or might.
    HasBikjang,
    /// It ends the game as soon as it is won; our moves do not ask whether the game is over, our counts do.
    EndsAtOnce,
    /// Pawns also promote with a diagonal step: moves that promote are left out, and so is the second ply.
    PromotesOtherwise,
}

const PEERS: &[Peer] = &[
    Peer { spec: "chess", variant: "chess", unlike: Unlike::Nowhere },
    Peer { spec: "three-check", variant: "3check", unlike: Unlike::Nowhere },
    Peer { spec: "king-of-the-hill", variant: "kingofthehill", unlike: Unlike::Nowhere },
    Peer { spec: "crazyhouse", variant: "crazyhouse", unlike: Unlike::Nowhere },
    Peer { spec: "antichess", variant: "antichess", unlike: Unlike::Nowhere },
    Peer { spec: "atomic", variant: "atomic", unlike: Unlike::Nowhere },
    Peer { spec: "horde", variant: "horde", unlike: Unlike::Nowhere },
    Peer { spec: "racing-kings", variant: "racingkings", unlike: Unlike::Nowhere },
    Peer { spec: "shatranj", variant: "shatranj", unlike: Unlike::EndsAtBareKing },
    Peer { spec: "shatranj+queen-and-bishop", variant: "ashta-queen-and-bishop", unlike: Unlike::Nowhere },
    Peer { spec: "chaturanga+facing-kings-and-mantri", variant: "shatranj", unlike: Unlike::EndsAtBareKing },
    Peer { spec: "makruk", variant: "makruk", unlike: Unlike::Nowhere },
    Peer { spec: "sittuyin", variant: "sittuyin", unlike: Unlike::PromotesOtherwise },
    Peer { spec: "shatar", variant: "shatar", unlike: Unlike::EndsAtBareKing },
    Peer { spec: "courier", variant: "courier", unlike: Unlike::EndsAtBareKing },
    Peer { spec: "capablanca", variant: "capablanca", unlike: Unlike::Nowhere },
    Peer { spec: "capablanca+gothic", variant: "gothic", unlike: Unlike::Nowhere },
    Peer { spec: "xiangqi", variant: "xiangqi", unlike: Unlike::Nowhere },
    Peer { spec: "janggi", variant: "janggi", unlike: Unlike::HasBikjang },
    Peer { spec: "shogi", variant: "shogi", unlike: Unlike::Nowhere },
    Peer { spec: "minishogi", variant: "minishogi", unlike: Unlike::Nowhere },
    Peer { spec: "sho-shogi", variant: "shoshogi", unlike: Unlike::Nowhere },
    Peer { spec: "tori-shogi", variant: "torishogi", unlike: Unlike::Nowhere },
    Peer { spec: "heian-large", variant: "ashta-heian-large", unlike: Unlike::Nowhere },
    Peer { spec: "heian-drops", variant: "ashta-heian-drops", unlike: Unlike::Nowhere },
    Peer { spec: "heian-shogi", variant: "ashta-heian-9x8", unlike: Unlike::Nowhere },
    Peer { spec: "heian-shogi+board-8x8", variant: "ashta-heian-8x8", unlike: Unlike::Nowhere },
    Peer { spec: "heian-shogi+board-9x9", variant: "ashta-heian-9x9", unlike: Unlike::Nowhere },
    Peer { spec: "ai-wok", variant: "ai-wok", unlike: Unlike::Nowhere },
    Peer { spec: "asean", variant: "asean", unlike: Unlike::Nowhere },
    Peer { spec: "euroshogi", variant: "euroshogi", unlike: Unlike::Nowhere },
    Peer { spec: "gorogoro", variant: "gorogoro", unlike: Unlike::Nowhere },
    Peer { spec: "grand-chess", variant: "grand", unlike: Unlike::Nowhere },
    Peer { spec: "janggi+casual", variant: "janggicasual", unlike: Unlike::Nowhere },
    Peer { spec: "janggi+modern", variant: "janggimodern", unlike: Unlike::Nowhere },
    Peer { spec: "janggi+traditional", variant: "janggitraditional", unlike: Unlike::Nowhere },
    Peer { spec: "janggi+tournament", variant: "janggi", unlike: Unlike::Nowhere },
    Peer { spec: "judkins", variant: "judkins", unlike: Unlike::Nowhere },
    Peer { spec: "kar-ouk", variant: "karouk", unlike: Unlike::EndsAtOnce },
    Peer { spec: "kyoto", variant: "kyotoshogi", unlike: Unlike::Nowhere },
    Peer { spec: "los-alamos", variant: "losalamos", unlike: Unlike::Nowhere },
    Peer { spec: "makpong", variant: "makpong", unlike: Unlike::Nowhere },
    Peer { spec: "manchu", variant: "manchu", unlike: Unlike::Nowhere },
    Peer { spec: "micro", variant: "micro", unlike: Unlike::Nowhere },
    Peer { spec: "minixiangqi", variant: "minixiangqi", unlike: Unlike::Nowhere },
    Peer { spec: "ouk", variant: "cambodian", unlike: Unlike::Nowhere },
    Peer { spec: "shako", variant: "shako", unlike: Unlike::Nowhere },
];

/// Games that it does not know but can be told.
const RULES: &str = "
[ashta-queen-and-bishop:nocastle]
doubleStep = false
promotionPieceTypes = q
[ashta-heian-large:shogi]
pieceDrops = false
capturesToHand = false
[ashta-heian-drops:shogi]
startFen = lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL[-] w 0 1
[ashta-heian-9x9:shogi]
pieceDrops = false
capturesToHand = false
startFen = lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL w - - 0 1
[ashta-heian-9x8:shogi]
maxRank = 8
promotionRank = 6
pieceDrops = false
capturesToHand = false
startFen = lnsgkgsnl/9/ppppppppp/9/9/PPPPPPPPP/9/LNSGKGSNL w - - 0 1
[ashta-heian-8x8:shogi]
maxRank = 8
maxFile = 8
promotionRank = 6
pieceDrops = false
capturesToHand = false
startFen = lnsgksnl/8/pppppppp/8/8/PPPPPPPP/8/LNSKGSNL w - - 0 1
";

#[test]
fn moves_are_those_of_fairy_stockfish() {
    let Some(program) = find_program() else {
        eprintln!("NOT COMPARED: fairy-stockfish is not installed");
        eprintln!("  to install it: apt-get install fairy-stockfish (Debian, Ubuntu), or put it on the PATH");
        return;
    };
    let known = Engine::start(&program).variants();
    let (asked, unknown): (Vec<&Peer>, Vec<&Peer>) =
        PEERS.iter().partition(|peer| known.iter().any(|name| name == peer.variant));
    for peer in unknown {
        eprintln!("NOT COMPARED: this fairy-stockfish does not know {} ({})", peer.spec, peer.variant);
    }
    let wrong = walk::in_parallel(&asked, |peer| compare(&program, peer));
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

pub fn find_program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/games".into(), "/usr/local/bin".into()]);
    folders.map(|folder| folder.join("fairy-stockfish")).find(|file| file.is_file())
}

/// The first few differences in one game.
fn compare(program: &PathBuf, peer: &Peer) -> Vec<String> {
    let rules = walk::compile(peer.spec);
    let mut engine = Engine::start(program);
    engine.choose(peer.variant);
    let n_positions = if walk::is_deep() { 10 * N_POSITIONS } else { N_POSITIONS };
    let mut wrong = Vec::new();
    let mut n_compared = 0;
    for (n, game) in walk::positions(&rules, 2, n_positions, MAX_PLIES).into_iter().enumerate() {
        let depth = if n % (N_POSITIONS / N_DEEPER) == 0 { 2 } else { 1 };
        let Some(depth) = comparable_depth(peer, &game, depth) else { continue };
        n_compared += 1;
        wrong.extend(compare_position(&mut engine, peer, &rules, &game, depth));
        if wrong.len() >= 5 {
            break;
        }
    }
    eprintln!("{:<34} {n_compared} positions compared with {}", peer.spec, peer.variant);
    if n_compared < n_positions / 3 && wrong.is_empty() {
        wrong.push(format!("{}: only {n_compared} positions could be compared", peer.spec));
    }
    wrong
}

/// How deep the two programs can be compared here, if at all.
fn comparable_depth(peer: &Peer, game: &Game, depth: u32) -> Option<u32> {
    // Random games are played on after their ends. It ends a game only by what the last move did.
    if game.perft(1) == 0 && !game.legal_moves().is_empty() {
        return None;
    }
    let setup = game.setup();
    let men = |side: Side| setup.board.iter().flatten().filter(|(owner, _)| *owner == side).count();
    match peer.unlike {
        Unlike::Nowhere => Some(depth),
        Unlike::EndsAtBareKing => match men(Side(0)).min(men(Side(1))) {
            0 | 1 => None,
            2 => Some(1),
            _ => Some(depth),
        },
        Unlike::EndsAtOnce => game.outcome().is_none().then_some(depth),
        Unlike::HasBikjang => (!generals_face(game)).then_some(1),
        Unlike::PromotesOtherwise => Some(1),
    }
}

/// Whether the royal pieces stand on one file with nothing between them.
pub fn generals_face(game: &Game) -> bool {
    let grid = game.rules().grid();
    let is_royal =
        |square: &Square| game.piece(*square).is_some_and(|(_, kind)| game.rules().kind(kind).royal);
    let royals: Vec<Square> = grid.squares().filter(is_royal).collect();
    let [a, b] = royals[..] else { return false };
    let (low, high) = (grid.rank(a).min(grid.rank(b)), grid.rank(a).max(grid.rank(b)));
    let is_between =
        |square: &Square| grid.file(*square) == grid.file(a) && (low + 1..high).contains(&grid.rank(*square));
    grid.file(a) == grid.file(b)
        && grid.squares().filter(is_between).all(|square| game.piece(square).is_none())
}

fn compare_position(
    engine: &mut Engine,
    peer: &Peer,
    rules: &CompiledRules,
    game: &Game,
    depth: u32,
) -> Option<String> {
    let fen = fen(game);
    let mut theirs = engine.divide(&fen, depth);
    let mut ours: BTreeMap<String, (u64, Move)> =
        game.divide(depth).into_iter().map(|(mv, count)| (text(game, mv), (count, mv))).collect();
    if peer.unlike == Unlike::PromotesOtherwise {
        let promotes = |text: &str| text.ends_with(|c: char| c.is_ascii_lowercase());
        theirs.retain(|text, _| !promotes(text));
        ours.retain(|text, _| !promotes(text));
    }
    theirs.retain(|text, _| ours.contains_key(text) || !is_theirs_alone(rules, game, text));
    let names = |texts: Vec<&String>| texts.into_iter().cloned().collect::<Vec<String>>();
    let (our_names, their_names) = (names(ours.keys().collect()), names(theirs.keys().collect()));
    let place = || format!("{}: {}\nin its words: {fen}", peer.spec, game.text());
    if our_names != their_names {
        let lists = walk::difference(["ours", "theirs"], [&our_names, &their_names]);
        return Some(format!("{}\n{lists}", place()));
    }
    // Counts may differ by forbidden mates a ply later, so each difference is looked into.
    for (text, (count, mv)) in ours.iter().filter(|(text, (count, _))| theirs[*text] != *count) {
        let mut after = game.clone();
        after.play_unchecked(*mv);
        if let Some(wrong) = compare_position(engine, peer, rules, &after, depth - 1) {
            return Some(wrong);
        }
        let forbidden = engine.divide(&self::fen(&after), depth - 1);
        let forbidden = forbidden.keys().filter(|text| is_theirs_alone(rules, &after, text)).count() as u64;
        if count + forbidden != theirs[text] {
            return Some(format!("{}\n{text}: {count}, not {}", place(), theirs[text]));
        }
    }
    None
}

/// Whether a move of its list is none by our rules: the drop of a pawn that mates, which shogi forbids, or a first-move leap
/// onto an enemy piece, where our source says that it goes to empty squares.
pub fn is_theirs_alone(rules: &CompiledRules, game: &Game, text: &str) -> bool {
    is_forbidden_mate(rules, game, text) || is_leap_onto_enemy(rules.rules(), game, text)
}

fn is_leap_onto_enemy(rules: &Rules, game: &Game, text: &str) -> bool {
    let grid = rules.grid();
    // Of `a1` and `a10` the longer one is meant.
    let named = grid.squares().filter(|square| text.starts_with(&square_text(grid, *square)));
    let Some(from) = named.max_by_key(|square| grid.rank(*square)) else { return false };
    let rest = &text[square_text(grid, from).len()..];
    let Some(to) = grid.squares().find(|square| square_text(grid, *square) == rest) else { return false };
    let Some((side, kind)) = game.piece(from) else { return false };
    let leaps = rules.kind(kind).moves.iter().any(|part| {
        let movement = &part.movement;
        let is_leap = matches!(movement.path, Path::Leap | Path::Lame);
        movement.first_move_only && is_leap && movement.target == Target::Empty
    });
    let is_double_step = grid.file(from) == grid.file(to) && grid.rank(from).abs_diff(grid.rank(to)) == 2;
    leaps && is_double_step && game.piece(to).is_some_and(|(owner, _)| owner != side)
}

fn is_forbidden_mate(rules: &CompiledRules, game: &Game, text: &str) -> bool {
    let Some((letter, to)) = text.split_once('@') else { return false };
    let grid = rules.rules().grid();
    let kinds = rules.rules().kind_ids().find(|kind| rules.rules().kind(*kind).letter == letter);
    let (Some(kind), Some(to)) = (kinds, grid.squares().find(|square| square_text(grid, *square) == to))
    else {
        return false;
    };
    let forbids =
        rules.rules().kind(kind).drop.as_ref().is_some_and(|d| d.mate == ashta_rules::DropMate::Forbidden);
    let mut after: Setup = game.setup();
    let side = Side(after.turn);
    if !forbids || after.hands[side.index()][kind.index()] == 0 || after.board[to.0 as usize].is_some() {
        return false;
    }
    after.hands[side.index()][kind.index()] -= 1;
    after.board[to.0 as usize] = Some((side, kind));
    after.turn = 1 - after.turn;
    Game::from_setup(rules, &after).is_ok_and(|game| game.is_in_check() && game.legal_moves().is_empty())
}

/// A position in its dialect: FEN with letters for the hands, white first.
pub fn fen(game: &Game) -> String {
    let (setup, rules) = (game.setup(), game.rules());
    let text = setup.write(rules);
    let board = text.split([' ', '[']).next().unwrap_or_default();
    let hands = match rules.hand() {
        Hand::None => String::new(),
        Hand::Captures | Hand::SetUp => format!("[{}]", hand_letters(&setup, rules)),
    };
    let turn = ["w", "b"][setup.turn as usize];
    let has = |(n, castling): (usize, &Castling)| {
        (setup.rights.unbounded_shr(n as u32) & 1 == 1).then_some(castling.letter)
    };
    let mut castlings: String = rules.castlings().iter().enumerate().filter_map(has).collect();
    castlings += &unmoved(&setup, rules);
    if castlings.is_empty() {
        castlings.push('-');
    }
    let en_passant = setup.en_passant.map_or("-".to_string(), |square| square_text(rules.grid(), square));
    let checks = checks(&setup, rules);
    format!("{board}{hands} {turn} {castlings} {en_passant}{checks} 0 1")
}

/// Files of pieces that may still make a first move, in the case of their side: where it writes pieces that may be gated.
fn unmoved(setup: &Setup, rules: &Rules) -> String {
    let first = rules.castlings().len();
    let squares = rules.first_move_squares().iter().enumerate();
    let kept = squares.filter(|(n, _)| setup.rights >> (first + n) & 1 == 1);
    let letter = |square: &Square| {
        let file = (b'a' + rules.grid().file(*square)) as char;
        let is_first = rules.start().board[square.0 as usize].is_some_and(|(side, _)| side == Side::FIRST);
        if is_first { file.to_ascii_uppercase() } else { file }
    };
    kept.map(|(_, square)| letter(square)).collect()
}

/// ` 3+3`: the checks that each side must still give.
fn checks(setup: &Setup, rules: &Rules) -> String {
    if rules.ends().checks.is_none() {
        return String::new();
    }
    let left = |side| (setup.rights & rules.check_rights(side)).count_ones().to_string();
    format!(" {}", rules.side_ids().map(left).collect::<Vec<_>>().join("+"))
}

fn hand_letters(setup: &Setup, rules: &Rules) -> String {
    let mut out = String::new();
    for (side, hand) in setup.hands.iter().enumerate() {
        for (kind, count) in hand.iter().enumerate() {
            let letter = ashta_rules::piece_text(Side(side as u8), KindId(kind as u8), rules);
            out += &letter.repeat(*count as usize);
        }
    }
    out
}

/// A move in its dialect: files are letters from the left in every game, and a pass is the king's stay.
pub fn text(game: &Game, mv: Move) -> String {
    let rules = game.rules();
    let name = |square: Square| square_text(rules.grid(), square);
    match mv.action() {
        Action::Pass => {
            let is_own_royal = |square: &Square| {
                game.piece(*square).is_some_and(|(side, kind)| side == game.turn() && rules.kind(kind).royal)
            };
            let royal = rules.grid().squares().find(is_own_royal).map(name).unwrap_or_default();
            format!("{royal}{royal}")
        }
        Action::Drop { kind, to } => format!("{}@{}", rules.kind(kind).letter, name(to)),
        Action::Castle { from, to } | Action::EnPassant { from, to, .. } => name(from) + &name(to),
        Action::TwoLegs { .. } => unreachable!("Fairy-Stockfish plays no game with moves of two legs"),
        Action::Go { from, to, becomes } => {
            let ending = becomes.map_or(String::new(), |kind| match rules.kind(kind).letter.as_str() {
                letter if letter.starts_with('+') => "+".to_string(),
                _ if is_promoted(game, from) => "-".to_string(),
                letter => letter.trim_end_matches('~').to_ascii_lowercase(),
            });
            name(from) + &name(to) + &ending
        }
    }
}

fn is_promoted(game: &Game, square: Square) -> bool {
    game.piece(square).is_some_and(|(_, kind)| game.rules().kind(kind).letter.starts_with('+'))
}

fn square_text(grid: Grid, square: Square) -> String {
    format!("{}{}", (b'a' + grid.file(square)) as char, grid.rank(square) + 1)
}

/// A running Fairy-Stockfish.
pub struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    pub fn start(program: &PathBuf) -> Engine {
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fairy_stockfish.ini");
        if std::fs::read_to_string(&file).is_ok_and(|text| text != RULES) || !file.exists() {
            std::fs::write(&file, RULES).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        }
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let input = process.stdin.take().expect("its input is a pipe");
        let output = BufReader::new(process.stdout.take().expect("its output is a pipe"));
        let mut engine = Engine { process, input, output };
        engine.say(&format!("setoption name VariantPath value {}", file.display()));
        engine
    }

    pub fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).expect("fairy-stockfish listens");
    }

    /// Its lines up to one that starts so.
    pub fn hear(&mut self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let n_bytes = self.output.read_line(&mut line).expect("fairy-stockfish writes text");
            assert!(n_bytes > 0, "fairy-stockfish ended before it said `{last}`");
            if line.starts_with(last) {
                return lines;
            }
            lines.push(line.trim_end().to_string());
        }
    }

    pub fn variants(&mut self) -> Vec<String> {
        self.say("uci");
        let lines = self.hear("uciok");
        let list = lines.iter().find(|line| line.starts_with("option name UCI_Variant"));
        list.map(|line| line.split(" var ").skip(1).map(|name| name.trim().to_string()).collect())
            .unwrap_or_default()
    }

    pub fn choose(&mut self, variant: &str) {
        self.say(&format!("setoption name UCI_Variant value {variant}"));
    }

    /// Its moves, each with the number of sequences that it begins.
    pub fn divide(&mut self, fen: &str, depth: u32) -> BTreeMap<String, u64> {
        self.counts(&format!("fen {fen}"), depth)
    }

    /// The same from the start.
    pub fn divide_from_start(&mut self, depth: u32) -> BTreeMap<String, u64> {
        self.counts("startpos", depth)
    }

    fn counts(&mut self, position: &str, depth: u32) -> BTreeMap<String, u64> {
        self.say(&format!("position {position}\ngo perft {depth}"));
        let lines = self.hear("Nodes searched");
        let count = |line: &String| {
            let (mv, count) = line.split_once(": ")?;
            Some((mv.to_string(), count.trim().parse().ok()?))
        };
        lines.iter().filter_map(count).collect()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may be gone already; then there is nothing to end.
        _ = writeln!(self.input, "quit");
        _ = self.process.wait();
    }
}
