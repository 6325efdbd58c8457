//! Compares games with tables of counts, verdicts and games that other programs agree on.
//!
//! `cargo run --release -p ashta-position --example oracle_rows -- FOLDER` reads `perft.csv`, `chu-*.tsv` and `dai-*.tsv` of a
//! folder and prints every row that differs. Columns are named in the first line of each file.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "an example is a program of its own"
)]

use std::collections::HashMap;
use std::error::Error;
use std::path::Path as FilePath;

use ashta_position::notation::{read_coordinates, read_kif, read_san, write_ki2, write_kif, write_san};
use ashta_position::{Action, CompiledRules, Game, Move, Reason, SetupUse};
use ashta_rules::{Delta, Path, Setup, Square, built_in_variant, load, turned_by_eighths};

type Row = HashMap<String, String>;
type Failure = Box<dyn Error>;

/// Rows that differ and rows that were read.
#[derive(Default)]
struct Tally {
    n_wrong: usize,
    n_rows: usize,
}

impl Tally {
    fn add(&mut self, file: &str, row: &Row, difference: Option<String>) {
        self.n_rows += 1;
        if let Some(difference) = difference {
            self.n_wrong += 1;
            println!("{file}: {difference}\n    {} {}", row["sfen"], row.get("before").map_or("", |s| s));
        }
    }
}

fn main() -> Result<(), Failure> {
    let folder = std::env::args().nth(1).ok_or("no folder given")?;
    let folder = FilePath::new(&folder);
    let mut all = perft_rows(&folder.join("perft.csv"))?;
    for (game, prefix, other) in [("chu-shogi", "chu", "chu-shogi+federation"), ("dai-shogi", "dai", "")] {
        let rules = compiled(game)?;
        let federation = if other.is_empty() { None } else { Some(compiled(other)?) };
        let mut tally = Tally::default();
        counts(&folder.join(format!("{prefix}-counts.tsv")), &rules, federation.as_ref(), &mut tally)?;
        legality(&folder.join(format!("{prefix}-legality.tsv")), &rules, federation.as_ref(), &mut tally)?;
        games(&folder.join(format!("{prefix}-games.tsv")), &rules, &mut tally)?;
        if let Some(federation) = &federation {
            ends(&folder.join(format!("{prefix}-ends.tsv")), &rules, federation, &mut tally)?;
            mates(&folder.join(format!("{prefix}-tsume.tsv")), &rules, &mut tally)?;
            notation(&folder.join(format!("{prefix}-notation.tsv")), &rules, &mut tally)?;
        }
        println!("{prefix}: {} of {} rows differ", tally.n_wrong, tally.n_rows);
        all.n_wrong += tally.n_wrong;
        all.n_rows += tally.n_rows;
    }
    println!("{} rows, {} differ", all.n_rows, all.n_wrong);
    if all.n_wrong > 0 { Err("some rows differ".into()) } else { Ok(()) }
}

/// What the rows of `perft.csv` call our games, where that is another name.
const PERFT_GAMES: &[(&str, &str)] = &[
    ("ai-wok", "ai-wok"),
    ("asean chess", "asean"),
    ("chu shogi distinct positions", "chu-shogi"),
    ("dai shogi distinct positions", "dai-shogi"),
    ("dobutsu shogi", "dobutsu"),
    ("gorogoro shogi", "gorogoro"),
    ("grand chess", "grand-chess"),
    ("heian 8x8", "heian-shogi+board-8x8"),
    ("heian 9x8", "heian-shogi"),
    ("heian 9x8 pawns on second rank", "heian-shogi+pawns-on-second-rank"),
    ("heian 9x9", "heian-shogi+board-9x9"),
    ("heian+large", "heian-large"),
    ("janggi", "janggi+tournament"),
    ("janggi casual", "janggi+casual"),
    ("janggi modern", "janggi+modern"),
    ("janggi traditional", "janggi+traditional"),
    ("judkins shogi", "judkins"),
    ("kar ouk", "kar-ouk"),
    ("kyoto shogi", "kyoto"),
    ("los alamos chess", "los-alamos"),
    ("manchu chess", "manchu"),
    ("micro shogi", "micro"),
    ("okisaki shogi", "okisaki"),
    ("omicron chess", "omega-chess+omicron"),
    ("opulent chess", "opulent"),
    ("ouk chaktrang", "ouk"),
    ("shatranj 10x10 with bishops", "shatranj-al-husun+no-citadels"),
    ("sho shogi", "sho-shogi"),
    ("tori shogi", "tori-shogi"),
    ("wa shogi", "wa-shogi"),
    ("yari shogi", "yari"),
];

/// Counts beyond this take too long.
const MOST_NODES: u64 = 700_000_000;

/// Rows of `perft.csv`: game, setup, counts of plies 1 to 6, sources.
fn perft_rows(path: &FilePath) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    for line in std::fs::read_to_string(path)?.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (name, setup) = (fields[0], fields[1]);
        let expected = fields[2..].iter().take(6).map_while(|field| field.parse::<u64>().ok());
        let game = perft_game(name)?;
        let game = match setup.starts_with("start") {
            true => Game::start(&game),
            false => Game::from_text(&game, setup)?,
        };
        let by_paths = matches!(name, "chu shogi" | "dai shogi");
        let count = |depth| if by_paths { perft_by_paths(&game, depth) } else { game.perft(depth) };
        let wrong = (1..).zip(expected).filter(|(_, n)| *n <= MOST_NODES).find_map(|(depth, n)| {
            let found = count(depth);
            (found != n).then(|| format!("{name}, depth {depth}: {found}, expected {n}"))
        });
        tally.n_rows += 1;
        tally.n_wrong += usize::from(wrong.is_some());
        wrong.into_iter().for_each(|wrong| println!("perft.csv: {wrong}"));
    }
    println!("perft.csv: {} of {} rows differ", tally.n_wrong, tally.n_rows);
    Ok(tally)
}

fn perft_game(name: &str) -> Result<CompiledRules, Failure> {
    if name == "dobutsu shogi with check rule" {
        // As Fairy-Stockfish 11.1 knows it: the goal counts after a move of the other side.
        let game = built_in_variant("dobutsu").map_err(|problems| problems.to_string())?;
        let rules = game.rules().map_err(|problems| problems.to_string())?;
        return Ok(CompiledRules::new(rules));
    }
    let ours = PERFT_GAMES.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours);
    let spelled = name.replace(' ', "-");
    compiled(ours.unwrap_or(&spelled))
}

fn perft_by_paths(game: &Game, depth: u32) -> u64 {
    if depth <= 1 {
        return paths(game).len() as u64;
    }
    let after = |mv: Move| {
        let mut after = game.clone();
        after.play_unchecked(mv);
        perft_by_paths(&after, depth - 1)
    };
    paths(game).into_iter().map(after).sum()
}

fn compiled(name: &str) -> Result<CompiledRules, Failure> {
    Ok(CompiledRules::new(load(name).map_err(|problems| problems.to_string())?))
}

/// Moves as KIF, in English and in Japanese books, written and read back.
fn notation(path: &FilePath, rules: &CompiledRules, tally: &mut Tally) -> Result<(), Failure> {
    let plain = |text: &str| text.replace('（', "(").replace('）', ")");
    for row in rows(path)? {
        let game = Game::from_text(rules, &row["sfen"])?;
        let mv = read_coordinates(&game, &row["move"])?;
        let written = [write_kif(&game, mv)?, write_san(&game, mv), write_ki2(&game, mv)?];
        let expected = ["kif", "western", "japanese"].map(|column| &row[column]);
        let is_read = read_kif(&game, &row["kif"]) == Ok(mv)
            && read_san(&game, &row["western"]) == Ok(mv)
            && read_kif(&game, &row["japanese"]) == Ok(mv);
        // A pass is one move to us, whichever way it is written.
        let n_kif = usize::from(mv == Move::PASS);
        let is_same =
            written.iter().zip(expected).skip(n_kif).all(|(ours, theirs)| plain(ours) == plain(theirs));
        let differs =
            (!is_same || !is_read).then(|| format!("{written:?}, not {expected:?}; read back: {is_read}"));
        tally.add("notation", &row, differs);
    }
    Ok(())
}

fn rows(path: &FilePath) -> Result<Vec<Row>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().ok_or("an empty file")?.split('\t').collect();
    let row = |line: &str| {
        names
            .iter()
            .zip(line.split('\t'))
            .map(|(name, field)| (name.to_string(), field.to_string()))
            .collect()
    };
    Ok(lines.map(row).collect())
}

fn set_up(rules: &CompiledRules, sfen: &str) -> Result<Game, Failure> {
    let setup = Setup::read(sfen, rules.rules())?;
    Ok(Game::for_use(rules, &setup, SetupUse::Study)?)
}

fn play(game: &mut Game, moves: &str) -> Result<(), Failure> {
    for text in moves.split_whitespace().filter(|text| *text != "-") {
        let mv = read_coordinates(game, text)?;
        game.play(mv)?;
    }
    Ok(())
}

fn counts(
    path: &FilePath,
    rules: &CompiledRules,
    federation: Option<&CompiledRules>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    for row in rows(path)? {
        let game = set_up(rules, &row["sfen"])?;
        let mut found = vec![("boards", game.legal_moves().len()), ("paths", paths(&game).len())];
        if let Some(federation) = federation {
            found.push(("paths_jcsa", paths(&set_up(federation, &row["sfen"])?).len()));
            let free = compiled("chu-shogi+without-lion-trading")?;
            let sfen = without_remembered(&row["sfen"]);
            found.push(("paths_no_trade_rules", paths(&set_up(&free, &sfen)?).len()));
        }
        let differs = |(name, n): &(&str, usize)| {
            let expected = &row[*name];
            (*expected != n.to_string()).then(|| format!("{name} {n}, expected {expected}"))
        };
        tally.add("counts", &row, found.iter().find_map(differs));
    }
    Ok(())
}

/// A position without the square of a fallen lion, which rules without limits do not know.
fn without_remembered(sfen: &str) -> String {
    let mut fields: Vec<&str> = sfen.split(' ').collect();
    if let Some(field) = fields.get_mut(2) {
        *field = "-";
    }
    fields.join(" ")
}

/// The moves as lishogi counts them: every way over an empty square is a move of its own.
fn paths(game: &Game) -> Vec<Move> {
    let legal = game.legal_moves();
    let (rules, turn) = (game.rules(), game.turn());
    let grid = rules.grid();
    let quarters = rules.sides()[turn.index()].quarters;
    let going = |from: Square, to: Square| {
        let is_it =
            |mv: &&Move| matches!(mv.action(), Action::Go { from: f, to: t, .. } if (f, t) == (from, to));
        legal.iter().find(is_it).copied()
    };
    let mut found: Vec<Move> = legal.iter().copied().filter(|mv| *mv != Move::PASS).collect();
    for from in grid.squares() {
        let Some((_, kind)) = game.piece(from).filter(|(side, _)| *side == turn) else { continue };
        for part in &rules.kind(kind).moves {
            let Path::TwoLegs { turns } = &part.movement.path else { continue };
            for step in &part.movement.steps {
                let step: Delta = step.turned(quarters);
                let Some(middle) = grid.step(from, step).filter(|square| game.piece(*square).is_none())
                else {
                    continue;
                };
                let legs = turns.iter().filter_map(|turn| turned_by_eighths(step, *turn));
                let ends = legs.filter_map(|leg| grid.step(middle, leg));
                let way = |to: Square| if to == from { Some(Move::PASS) } else { going(from, to) };
                found.extend(ends.filter_map(way));
            }
        }
    }
    found
}

fn legality(
    path: &FilePath,
    rules: &CompiledRules,
    federation: Option<&CompiledRules>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    // Verdicts are those of lishogi's server; counts are those of its client library as well, which bans more.
    let server = federation.map(|_| compiled("chu-shogi+counter-strike-last-square")).transpose()?;
    let server = server.as_ref();
    for row in rows(path)? {
        let verdict = |rules: &CompiledRules| -> Result<&str, Failure> {
            let mut game = set_up(rules, &row["sfen"])?;
            play(&mut game, &row["before"])?;
            Ok(if read_coordinates(&game, &row["move"]).is_ok() { "legal" } else { "illegal" })
        };
        let asked = match (federation, server) {
            (Some(federation), Some(server)) => {
                vec![(server, "verdict_lishogi"), (federation, "verdict_jcsa")]
            }
            _ => vec![(rules, "verdict")],
        };
        let mut difference = None;
        for (rules, column) in asked {
            let found = verdict(rules)?;
            if found != row[column] {
                let note = row.get("note").map_or("", |note| note);
                difference =
                    Some(format!("{} is {found} for {column}; {} {note}", row["move"], row["topic"]));
            }
        }
        tally.add("legality", &row, difference);
    }
    Ok(())
}

fn end_of(game: &Game) -> (String, &'static str) {
    let Some(outcome) = game.outcome() else { return ("playing".into(), "-") };
    let verdict = match outcome.reason {
        Reason::RoyalCaptured => "royals",
        Reason::Bare => "bare",
        Reason::BothBare | Reason::Insufficient => "draw",
        Reason::Stalemate => "stalemate",
        Reason::Repetition => "repetition",
        Reason::PerpetualAttack => "perpetual",
        other => other.code(),
    };
    let winner = match outcome.winner.map(|side| side.index()) {
        Some(0) => "first",
        Some(_) => "second",
        None => "-",
    };
    (verdict.to_string(), winner)
}

fn ends(
    path: &FilePath,
    rules: &CompiledRules,
    federation: &CompiledRules,
    tally: &mut Tally,
) -> Result<(), Failure> {
    for row in rows(path)? {
        let mut difference = None;
        for (rules, authority) in [(rules, "lishogi"), (federation, "jcsa")] {
            let mut game = set_up(rules, &row["sfen"])?;
            play(&mut game, &row["before"])?;
            let (verdict, winner) = end_of(&game);
            let expected = (&row[&format!("verdict_{authority}")], &row[&format!("winner_{authority}")]);
            if (&verdict, &winner.to_string()) != expected {
                difference =
                    Some(format!("{verdict} {winner}, {authority} says {expected:?}: {}", row["topic"]));
            }
        }
        tally.add("ends", &row, difference);
    }
    Ok(())
}

fn games(path: &FilePath, rules: &CompiledRules, tally: &mut Tally) -> Result<(), Failure> {
    for mut row in rows(path)? {
        let mut game = Game::start(rules);
        row.insert("sfen".into(), row["id"].clone());
        let difference = match play(&mut game, &row["moves"]) {
            Err(error) => Some(format!("ply {}: {error}", game.moves().len() + 1)),
            Ok(()) if game.text() != row["final_sfen"] => {
                Some(format!("ends with {}, not {}", game.text(), row["final_sfen"]))
            }
            Ok(()) => {
                let (verdict, winner) = end_of(&game);
                let is_rule = ["royals", "bare", "stalemate"].contains(&row["end"].as_str());
                let agrees = !is_rule || (verdict.as_str(), winner) == (&row["end"], &row["winner"]);
                (!agrees).then(|| format!("{verdict} {winner}, expected {} {}", row["end"], row["winner"]))
            }
        };
        tally.add("games", &row, difference);
    }
    Ok(())
}

/// Plays each line to its end, where every reply must leave the last royal piece to be captured.
fn mates(path: &FilePath, rules: &CompiledRules, tally: &mut Tally) -> Result<(), Failure> {
    for row in rows(path)? {
        let mut game = set_up(rules, &row["sfen"])?;
        let difference = match play(&mut game, &row["line"]) {
            Err(error) => Some(format!("ply {}: {error}", game.moves().len() + 1)),
            Ok(()) => (!is_mate(&mut game)).then(|| format!("{} does not end in mate", row["id"])),
        };
        tally.add("tsume", &row, difference);
    }
    Ok(())
}

/// Whether every reply lets the other side capture the last royal piece.
fn is_mate(game: &mut Game) -> bool {
    let defender = game.turn();
    let royals = |game: &Game| {
        let rules = game.rules();
        let is_royal = |square: &Square| {
            game.piece(*square).is_some_and(|(s, kind)| s == defender && rules.kind(kind).royal)
        };
        rules.grid().squares().filter(is_royal).count()
    };
    game.legal_moves().into_iter().all(|reply| {
        game.play_unchecked(reply);
        let captured = game.legal_moves().into_iter().any(|mv| {
            game.play_unchecked(mv);
            let is_lost = royals(game) == 0;
            game.take_back();
            is_lost
        });
        game.take_back();
        captured
    })
}
