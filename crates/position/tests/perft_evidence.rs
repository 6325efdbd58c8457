//! Every game's move counts are those of its `games/NAME.perft`.
//!
//! A line is `game+changes | position or start | D1 20 ;D2 400`. Comments say who else counted so.
//! Counts above three million are left out; `ASHTA_DEEP=1` counts everything. `UPDATE_PERFT=1` writes the file of a game
//! that has none, with counts on which the generator and the slow twin agree; others' counts are then added by hand.

use crate::contest_perft;
use crate::walk;
use std::fmt::Write as _;
use std::fs;

use crate::twin::Twin;
use ashta_position::{CompiledRules, Game};
use ashta_rules::{Rules, game_names};

/// Largest count that the short form of the test makes.
const MOST_NODES: u64 = 3_000_000;
/// Largest count that the slow twin is asked for when a file is written: about a second.
const MOST_TWIN_NODES: u64 = 100_000;

struct Evidence {
    place: String,
    spec: String,
    position: String,
    counts: Vec<(u32, u64)>,
}

/// Reads one line, if it is not a comment.
fn read_line(place: String, line: &str) -> Option<Evidence> {
    if line.trim().is_empty() || line.starts_with('#') {
        return None;
    }
    let mut fields = line.split('|').map(str::trim);
    let (Some(spec), Some(position), Some(counts), None) =
        (fields.next(), fields.next(), fields.next(), fields.next())
    else {
        panic!("{place}: three fields are wanted, divided by `|`");
    };
    let count = |text: &str| {
        let (depth, nodes) = text.trim().strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, nodes.parse().ok()?))
    };
    let counts =
        counts.split(';').map(|text| count(text).unwrap_or_else(|| panic!("{place}: `{text}` is no count")));
    let counts = counts.collect();
    Some(Evidence { place, spec: spec.to_string(), position: position.to_string(), counts })
}

fn read_evidence(name: &str) -> Vec<Evidence> {
    let path = walk::games_folder().join(format!("{name}.perft"));
    let text = fs::read_to_string(&path).unwrap_or_else(|_| {
        panic!("games/{name}.perft is missing; UPDATE_PERFT=1 writes what can be known without others")
    });
    let lines = text.lines().enumerate();
    let evidence: Vec<Evidence> =
        lines.filter_map(|(n, line)| read_line(format!("games/{name}.perft:{}", n + 1), line)).collect();
    let is_own =
        |spec: &str| spec == name || spec.strip_prefix(name).is_some_and(|rest| rest.starts_with('+'));
    assert!(
        evidence.iter().any(|line| line.spec == name),
        "games/{name}.perft counts nothing of {name} itself"
    );
    assert!(evidence.iter().all(|line| is_own(&line.spec)), "games/{name}.perft speaks of another game");
    evidence
}

/// What is wrong with a line, if anything.
fn check(line: &Evidence) -> Option<String> {
    let rules = walk::compile(&line.spec);
    let (text, count): (String, Box<dyn Fn(u32) -> u64>) = if rules.rules().contest().is_some() {
        let contest = walk::read_contest(&rules, &line.position);
        (contest.text(), Box::new(move |depth| contest_perft::perft(&mut contest.clone(), depth)))
    } else {
        let game =
            Game::from_text(&rules, &line.position).unwrap_or_else(|error| panic!("{}: {error}", line.place));
        (game.text(), Box::new(move |depth| game.perft(depth)))
    };
    let is_as_written = line.position == "start" || line.position == text;
    assert!(is_as_written, "{}: a position is written as the program writes it: {text}", line.place);
    let wanted = line.counts.iter().filter(|(_, nodes)| walk::is_deep() || *nodes <= MOST_NODES);
    let wrong = wanted.filter_map(|(depth, nodes)| {
        let found = count(*depth);
        (found != *nodes).then(|| format!("depth {depth}: {found}, not {nodes}"))
    });
    let wrong: Vec<String> = wrong.collect();
    (!wrong.is_empty())
        .then(|| format!("{}: {} {}\n{}", line.place, line.spec, line.position, wrong.join("\n")))
}

#[test]
fn every_game_has_its_counts() {
    if std::env::var_os("UPDATE_PERFT").is_some() {
        write_missing();
    }
    let evidence: Vec<Evidence> = game_names().into_iter().flat_map(read_evidence).collect();
    let wrong: Vec<String> = walk::in_parallel(&evidence, check).into_iter().flatten().collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn write_missing() {
    let missing = |name: &&str| !walk::games_folder().join(format!("{name}.perft")).exists();
    let names: Vec<&str> = game_names().into_iter().filter(missing).collect();
    walk::in_parallel(&names, |name| {
        let path = walk::games_folder().join(format!("{name}.perft"));
        let evidence = if walk::is_contest(name) { contest_evidence(name) } else { new_evidence(name) };
        fs::write(&path, evidence).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    });
}

/// Counts of a contest and its changes; those that make it a game of moves come last.
fn contest_evidence(name: &str) -> String {
    let mut out = contest_perft::new_evidence(name);
    let is_own = |spec: &String| spec.starts_with(&format!("{name}+"));
    for spec in walk::every_game_and_change().into_iter().filter(is_own) {
        out += &counted(&spec, &walk::compile(&spec), 2);
    }
    out
}

/// Counts of a game and of its changes that move differently: at the start and in positions of random games.
fn new_evidence(name: &str) -> String {
    let rules = walk::compile(name);
    let mut out = format!("# {}: how many sequences of moves there are.\n", rules.rules().name());
    out += "# game+changes | position or start | D<plies> <sequences> ;...\n\n";
    out += "# agreed by: our generator and its slow twin\n";
    out += &counted(name, &rules, 6);
    for change in rules.rules().changes() {
        let spec = format!("{name}+{}", change.name);
        let changed = walk::compile(&spec);
        if moves_differ(rules.rules(), changed.rules()) {
            out += &counted(&spec, &changed, 2);
        }
    }
    out
}

fn counted(spec: &str, rules: &CompiledRules, n_positions: usize) -> String {
    let mut out = format!("{spec} | start | {}\n", counts_of(rules, &Game::start(rules)));
    for game in walk::positions(rules, 1, n_positions, 120) {
        _ = writeln!(out, "{spec} | {} | {}", game.text(), counts_of(rules, &game));
    }
    out
}

fn counts_of(rules: &CompiledRules, game: &Game) -> String {
    let twin = Twin::new(rules.rules(), &game.setup());
    let mut out = Vec::new();
    for depth in 1..=5 {
        let count = game.perft(depth);
        if depth > 1 && count > MOST_TWIN_NODES {
            break;
        }
        assert_eq!(count, twin.perft(depth), "{}: {} depth {depth}", rules.rules().id(), game.text());
        out.push(format!("D{depth} {count}"));
    }
    out.join(" ;")
}

/// Whether two games differ in more than how they end.
fn moves_differ(a: &Rules, b: &Rules) -> bool {
    let moving = |rules: &Rules| {
        let kinds = rules
            .kinds()
            .iter()
            .map(|kind| (&kind.moves, &kind.promotion, &kind.drop, kind.royal, kind.demoted));
        let kinds = format!("{:?}", kinds.collect::<Vec<_>>());
        let board = format!("{:?} {:?} {:?}", rules.grid(), rules.start(), rules.castlings());
        (kinds, board, rules.hand(), rules.pass(), rules.facing())
    };
    moving(a) != moving(b)
}
