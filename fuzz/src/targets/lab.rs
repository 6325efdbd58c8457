//! What the laboratory reads: values of pieces, plans, evolutions, journals, names of players.

use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use ashta_lab::learn::{
    Bared, Chunk, FeatureName, GameLearned, LearnError, LearnGame, LearnPlan, Learning, Mode, ReportOptions,
};
use ashta_lab::{
    CellPlan, Evolution, Experiment, JournalOf, JournalRecord, Kind, Plan, PlanError, Preset, Stop,
    UnitTally, digest_text, evolution_names, evolution_source, play_unit,
};
use ashta_play::PlayerPlan;
use ashta_rules::{Rules, game_names, load};
use ashta_search::{UnknownKeys, Values, read_numbers, write_numbers};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use super::{Reading, Target};
use crate::fixtures::{game_number, temporary_folder, with_game};
use crate::input::{game_and_text, refused};

const GAME: &str = "minishogi";

/// Any text as the weights of pieces: an error, or numbers that read back.
pub const WEIGHTS: Target = Target {
    name: "weights",
    reads: "values of pieces",
    run: weights,
    seeds: weight_seeds,
    words: &[
        "pawn",
        "rook",
        "hand",
        "mobility",
        "=",
        "#",
        "\n",
        "1e5",
        "-1e5",
        "100000.1",
        "5e",
        "e4",
        "queen = 9",
    ],
    max_bytes: 2 << 10,
    share: 500,
};

/// Any text as a plan: an error, or an experiment or learning that can be carried out.
pub const PLAN: Target = Target {
    name: "plan",
    reads: "the plan of an experiment, a reproduction or learning (JSON)",
    run: plan,
    seeds: plan_seeds,
    words: &[
        "\"games\"",
        "\"until\"",
        "\"analysis\"",
        "\"players\"",
        "\"P0\"",
        "\"level:2\"",
        "null",
        "[]",
        "{}",
        "true",
        "\"n_runs\"",
        "\"values\"",
    ],
    max_bytes: 4 << 10,
    share: 200,
};

/// Any text as an evolution: an error, or a lattice of games.
pub const EVOLUTION: Target = Target {
    name: "evolution",
    reads: "an evolution (TOML)",
    run: evolution,
    seeds: || {
        evolution_names()
            .into_iter()
            .filter_map(evolution_source)
            .map(|text| text.as_bytes().to_vec())
            .collect()
    },
    words: &[
        "[[changes]]",
        "[[questions]]",
        "change",
        "base",
        "earlier",
        "later",
        "\"a\"",
        "\"-",
        "+",
        "title",
        "player",
    ],
    max_bytes: 6 << 10,
    share: 300,
};

/// Any bytes as a journal of measured games.
pub const JOURNAL: Target = Target {
    name: "journal",
    reads: "the journal of an experiment",
    run: |bytes| journal::<UnitTally>(bytes),
    seeds: journal_seeds,
    words: &["ASHTAJNL"],
    max_bytes: 8 << 10,
    share: 300,
};

/// Any bytes as a journal of learned games.
pub const LEARNING_JOURNAL: Target = Target {
    name: "learning-journal",
    reads: "the journal of learning",
    run: |bytes| journal::<Chunk>(bytes),
    seeds: learning_journal_seeds,
    words: &["ASHTAJNL"],
    max_bytes: 8 << 10,
    share: 200,
};

/// Any text as the name of a player.
pub const PLAYER: Target = Target {
    name: "player",
    reads: "the name of a player",
    run: player,
    seeds: || {
        [
            "P0",
            "P3",
            "P'2",
            "A2(5)",
            "A3(3)",
            "level:3",
            "engine:500ms",
            "engine:depth=4",
            "nodes:100",
            "baba:2",
            "expect:2",
            "depth:3",
        ]
        .map(|text| text.as_bytes().to_vec())
        .to_vec()
    },
    words: &["P", "'", "(", ")", ":", "level", "engine", "ms", "depth=", "nodes", "@"],
    max_bytes: 128,
    share: 600,
};

fn weights(bytes: &[u8]) -> Reading {
    let Some((rules, text)) = game_and_text(bytes) else { return Reading::Refused };
    let rules = rules.rules();
    _ = read_numbers(text, rules, UnknownKeys::Ignore).map_err(refused);
    match read_numbers(text, rules, UnknownKeys::Reject) {
        Err(error) => refused(error),
        Ok(numbers) => {
            _ = Values::of_numbers(&numbers);
            let written = write_numbers(&numbers, rules, 6);
            let again =
                read_numbers(&written, rules, UnknownKeys::Reject).expect("what we write can be read");
            assert_eq!(write_numbers(&again, rules, 6), written);
            Reading::Accepted
        }
    }
}

fn weight_seeds() -> Vec<Vec<u8>> {
    let table = |name: &str| {
        let rules = load(name).expect("the library has no problems");
        let pieces = rules.kinds().iter().filter(|kind| !kind.royal);
        let mut text: String =
            pieces.enumerate().map(|(n, kind)| format!("{} = {}.5\n", kind.name, n + 1)).collect();
        text += "mobility = 0.25 # squares\n";
        with_game(game_number(name), text)
    };
    let mut all: Vec<Vec<u8>> = game_names().into_iter().map(table).collect();
    all.push(with_game(game_number("shogi"), include_str!("../../../values/yss-hand.values")));
    all.push(with_game(game_number("chess"), include_str!("../../../values/kaufman.values")));
    all
}

/// Games of the library alone, and no changes: compiling them all would take the time of the run.
fn load_plain<E: From<PlanError>>(game: &str) -> Result<Rules, E> {
    static RULES: OnceLock<Rules> = OnceLock::new();
    let is_known = game == GAME;
    is_known
        .then(|| RULES.get_or_init(|| load(GAME).expect("the library has no problems")).clone())
        .ok_or_else(|| PlanError::Empty.into())
}

enum NoPlan {
    Said(String),
}

impl From<PlanError> for NoPlan {
    fn from(error: PlanError) -> NoPlan {
        NoPlan::Said(error.to_string())
    }
}

impl From<LearnError> for NoPlan {
    fn from(error: LearnError) -> NoPlan {
        NoPlan::Said(error.to_string())
    }
}

fn plan(bytes: &[u8]) -> Reading {
    let Ok(text) = std::str::from_utf8(bytes) else { return Reading::Refused };
    if let Ok(plan) = serde_json::from_str::<Plan>(text) {
        let written = serde_json::to_string(&plan).expect("plans can be written");
        let again: Plan = serde_json::from_str(&written).expect("what we write can be read");
        assert_eq!(serde_json::to_string(&again).ok(), Some(written));
        _ = plan.digest();
        return known(Experiment::new::<NoPlan>(plan, load_plain));
    }
    match serde_json::from_str::<LearnPlan>(text) {
        Ok(plan) => {
            _ = plan.digest();
            known(Learning::new::<NoPlan>(plan, load_plain))
        }
        Err(error) => refused(error),
    }
}

fn known<T>(read: Result<T, NoPlan>) -> Reading {
    match read {
        Ok(_) => Reading::Accepted,
        Err(NoPlan::Said(what)) => refused(what),
    }
}

fn plan_of(stop: Stop) -> Plan {
    let digest = digest_text(&load(GAME).expect("the library has no problems"));
    let players = vec!["P0".to_string(), "P0".to_string()];
    let cell = CellPlan { name: "a game".into(), game: GAME.into(), digest, players, values: None };
    let conventions = Preset::Plain.conventions();
    Plan {
        kind: Kind::Analysis,
        command: "ashta analyze".into(),
        version: "0".into(),
        preset: Preset::Plain,
        conventions,
        seed: 7,
        max_plies: 40,
        stop,
        cells: vec![cell],
    }
}

fn learn_plan() -> LearnPlan {
    let digest = digest_text(&load(GAME).expect("the library has no problems"));
    LearnPlan {
        command: String::new(),
        version: String::new(),
        seed: 5,
        n_games: 4,
        games: vec![LearnGame { name: GAME.into(), game: GAME.into(), digest }],
        lambdas: vec![0.8, 0.5],
        n_runs: 2,
        rate: "0.05:0.01@30".parse().expect("a rate"),
        depth: 1,
        quiescence: 2,
        mate: 1,
        max_plies: 60,
        n_opening_plies: 0,
        bared: Bared::PlaysOn,
        features: vec![FeatureName::Hand, FeatureName::Squares],
        mode: Mode::EveryMove,
        report_options: ReportOptions::default(),
    }
}

fn plan_seeds() -> Vec<Vec<u8>> {
    let until = Stop::Until { measure: ashta_lab::Measure::Complexity, percent: 2.0, most_games: 100 };
    let evolution = evolution_names().first().and_then(|name| evolution_source(name)).unwrap_or_default();
    let plans = [
        plan_of(Stop::Games(4)),
        plan_of(until),
        Plan { kind: Kind::Reproduction("000-table7".into()), ..plan_of(Stop::Games(10)) },
        Plan { kind: Kind::Evolution(evolution.chars().take(800).collect()), ..plan_of(Stop::Games(10)) },
    ];
    let mut all: Vec<Vec<u8>> = plans.iter().filter_map(|plan| serde_json::to_vec(plan).ok()).collect();
    all.extend(serde_json::to_vec(&learn_plan()));
    all
}

fn evolution(bytes: &[u8]) -> Reading {
    let Ok(text) = std::str::from_utf8(bytes) else { return Reading::Refused };
    match Evolution::read(text) {
        Ok(evolution) => {
            assert!(evolution.n_cells() > 1);
            _ = (evolution.cell(0), evolution.cell(evolution.n_cells() - 1));
            Reading::Accepted
        }
        Err(error) => refused(error),
    }
}

thread_local! {
    static FOLDER: TempDir = temporary_folder();
}

/// The first byte says whether checksums are put right.
fn journal<U: JournalRecord>(bytes: &[u8]) -> Reading {
    let Some((first, rest)) = bytes.split_first() else { return Reading::Refused };
    let mut bytes = rest.to_vec();
    if first & 1 == 1 {
        seal_journal(&mut bytes);
    }
    FOLDER.with(|folder| {
        let path = folder.path().join("journal");
        fs::write(&path, &bytes).expect("written");
        match JournalOf::<U>::read(&path) {
            Err(error) => refused(error),
            Ok(contents) => {
                assert!(contents.n_torn_bytes + contents.n_damaged_bytes <= bytes.len() as u64);
                let opened = JournalOf::<U>::open_or_create(&path, contents.plan_digest, &contents.plan_text);
                let (_, again) = opened.expect("a journal that can be read can be gone on with");
                assert_eq!(again.units.len(), contents.units.len(), "opening loses nothing");
                Reading::Accepted
            }
        }
    })
}

const JOURNAL_HEAD: usize = 24;
const FRAME_HEAD: usize = 12;

fn seal_journal(bytes: &mut [u8]) -> Option<()> {
    let length_at =
        |bytes: &[u8], at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize);
    let mut begin = 0;
    let mut end = JOURNAL_HEAD + length_at(bytes, 20)?;
    loop {
        let sum = xxh3_64(bytes.get(begin..end)?);
        bytes.get_mut(end..)?.first_chunk_mut::<8>()?.copy_from_slice(&sum.to_le_bytes());
        begin = end + 8;
        end = begin + FRAME_HEAD + length_at(bytes, begin)?;
    }
}

fn journal_of<U: JournalRecord>(digest: u64, text: &str, units: &[U]) -> Vec<Vec<u8>> {
    let folder = temporary_folder();
    let path = folder.path().join("journal");
    let (mut journal, _) = JournalOf::<U>::open_or_create(&path, digest, text).expect("a new journal");
    for (n, unit) in units.iter().enumerate() {
        journal.append(0, n as u32, unit).expect("written");
    }
    let bytes = fs::read(&path).expect("a journal");
    [0, 1, 1, 1].map(|first| with_game(first, &bytes)).to_vec()
}

fn journal_seeds() -> Vec<Vec<u8>> {
    let never = AtomicBool::new(false);
    let plan = plan_of(Stop::Games(2));
    let text = serde_json::to_string(&plan).expect("plans can be written");
    let experiment =
        Experiment::new::<NoPlan>(Plan { max_plies: 12, ..plan.clone() }, load_plain).ok().expect("a plan");
    let units: Vec<UnitTally> = (0..2).filter_map(|unit| play_unit(&experiment, 0, unit, &never)).collect();
    journal_of(plan.digest(), &text, &units)
}

fn learning_journal_seeds() -> Vec<Vec<u8>> {
    let games = vec![GameLearned { n_plies: 30, result: 0.5, worths: vec![1.0, 2.0, 3.5] }];
    let chunk = Chunk { games, weights: vec![0.1, 0.2, 0.3, 0.4] };
    let text = serde_json::to_string(&learn_plan()).expect("plans can be written");
    journal_of(learn_plan().digest(), &text, &[chunk.clone(), chunk])
}

fn player(bytes: &[u8]) -> Reading {
    let Ok(text) = std::str::from_utf8(bytes) else { return Reading::Refused };
    match text.parse::<PlayerPlan>() {
        Ok(player) => {
            let written = player.to_string();
            let again: PlayerPlan = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(again.to_string(), written);
            Reading::Accepted
        }
        Err(error) => refused(error),
    }
}
