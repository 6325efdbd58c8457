//! Jobs that are refused: whatever a request, a report, an evolution or a journal names is looked up, never followed.

use crate::asking::{Laboratory, sentence};
use ashta_lab::{CellPlan, Journal, Kind, Plan, Preset, Stop, digest_text};
use serde_json::{Value, json};

/// A plan that can be carried out here, with this game and these players.
fn plan(game: &str, players: [&str; 2]) -> Plan {
    let rules = ashta_rules::load("minishogi").expect("a game of the library");
    let cell = CellPlan {
        name: "small".into(),
        game: game.into(),
        digest: digest_text(&rules),
        players: players.map(String::from).to_vec(),
        values: None,
    };
    Plan {
        kind: Kind::Analysis,
        command: "ashta analyze".into(),
        version: "ashta".into(),
        preset: Preset::Plain,
        conventions: Preset::Plain.conventions(),
        seed: 1,
        max_plies: 100,
        stop: Stop::Games(4),
        cells: vec![cell],
    }
}

fn rerun(plan: &Plan) -> Value {
    json!({ "kind": "rerun", "plan": plan })
}

#[test]
fn values_are_read_before_a_command_sees_them() {
    let laboratory = Laboratory::open();
    for shard in ["0/2", "3/2", "1/", "/2", "1/2/3", "--help", "1/10001", "-1/2", ""] {
        let request = json!({ "kind": "analyze", "games": ["chess"], "shard": shard });
        assert_eq!(laboratory.refused("jobs", &request), "a shard is written as 3/8, from 1/8 to 8/8");
    }
    let both = json!({ "kind": "analyze", "games": ["chess"], "shard": "1/2", "keep": "pgn" });
    assert!(laboratory.refused("jobs", &both).starts_with("a shard cannot keep game records"));
    let narrow = json!({ "kind": "evolve", "name": "heian-to-shogi", "shard": "1/2", "until": "E±2%" });
    assert!(laboratory.refused("jobs", &narrow).starts_with("`until` excludes `n_games` and `shard`"));
    let reading = json!({ "kind": "reproduce", "name": "001-table3", "reading": "next,--folder=/" });
    assert!(laboratory.refused("jobs", &reading).starts_with("there is no reading named"));
    let values = |values: &str| json!({ "kind": "reproduce", "name": "004-figure9", "values": values });
    for path in ["../secret", "job:../1", "job:", "job:1x"] {
        assert_ne!(laboratory.refused("jobs", &values(path)), "", "{path}");
    }
    assert_eq!(laboratory.refused("jobs", &values("job:12")), "there is no job 12");
    assert_eq!(laboratory.refused("jobs", &values("mine")), "there are no piece values named `mine`");
    let learning = json!({ "kind": "reproduce", "name": "004-table1", "keep": "pgn" });
    let told = "004-table1 has no players to measure, so `keep` does not apply (leave it out)";
    assert_eq!(laboratory.refused("jobs", &learning), told);
    for until in ["E", "E±0%", "X±2%", "E±x", "--help"] {
        let request = json!({ "kind": "analyze", "games": ["chess"], "until": until });
        assert!(laboratory.refused("jobs", &request).contains("is not a measure with a percentage"));
    }
    let alpha = json!({ "kind": "learn", "games": ["minishogi"], "alpha": "nonsense" });
    assert!(laboratory.refused("jobs", &alpha).contains("`nonsense` is not a learning rate"));
    let feature = json!({ "kind": "learn", "games": ["minishogi"], "features": ["hands"] });
    assert_eq!(
        laboratory.refused("jobs", &feature),
        "there is no feature named `hands` (did you mean `hand`?)"
    );
    let bared = json!({ "kind": "learn", "games": ["minishogi"], "bared": "--folder=/" });
    assert!(laboratory.refused("jobs", &bared).starts_with("there is no treatment of a bare side named"));
}

#[test]
fn reports_name_games_and_players_of_the_laboratory_only() {
    let laboratory = Laboratory::open();
    let refused = |plan: &Plan| laboratory.refused("jobs", &rerun(plan));
    let usual = ["P0", "P0"];
    assert!(refused(&plan("/etc/passwd", usual)).contains("is not a valid name"));
    assert!(refused(&plan("./../../x.toml", usual)).contains("is not a valid name"));
    assert!(refused(&plan("./x.toml", usual)).contains("there is no game named `x`"));
    assert!(refused(&plan("chess", usual)).contains("differ from those of the report"));
    assert!(refused(&plan("minishogi", ["uci:/bin/sh", "P0"])).contains("external engines"));
    let empty = Plan { cells: Vec::new(), ..plan("minishogi", usual) };
    assert!(refused(&empty).contains("from 1 to 4096"));
    let unknown = Plan { kind: Kind::Reproduction("../x".into()), ..plan("minishogi", usual) };
    assert!(refused(&unknown).contains("there is no experiment named"));
    let strange = Plan { command: "a\u{1b}[2Jb".into(), ..plan("minishogi", usual) };
    assert!(refused(&strange).contains("an invalid character"));
    for nothing in [json!(null), json!({}), json!("x"), json!([1])] {
        let request = json!({ "kind": "rerun", "plan": nothing });
        assert!(laboratory.refused("jobs", &request).starts_with("not a plan that can be run again"));
    }
}

#[test]
fn evolutions_name_games_of_the_laboratory_only() {
    let laboratory = Laboratory::open();
    let text = |base: &str, change: &str, player: &str| {
        let head = format!("title = \"t\"\nbase = \"{base}\"\nbase_name = \"b\"\nplayer = \"{player}\"\n");
        format!(
            "{head}preset = \"plain\"\ngames = 4\n[[changes]]\nchange = \"{change}\"\nabout = \"a change\"\n"
        )
    };
    let refused = |text: String| laboratory.refused("jobs", &json!({ "kind": "evolve", "text": text }));
    assert!(refused(text("../../x.toml", "double-step", "P0")).contains("is not a valid name"));
    assert!(refused(text("./shatranj.toml", "double-step", "P0")).contains("write the base as `shatranj`"));
    assert!(refused(text("shatranj", "nonsense", "P0")).contains("the game file has 1 error"));
    assert!(refused(text("shatranj", "double-step", "usi:sh")).contains("external engines"));
    assert!(refused("title = 3".into()).starts_with("line 1 of the evolution"));
}

#[test]
fn journals_are_read_before_they_are_kept() {
    let laboratory = Laboratory::open();
    let bring = |bytes: &[u8]| laboratory.send("POST", "jobs/parts", "application/octet-stream", bytes);
    let journal = |plan: &Plan, digest: u64| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let text = serde_json::to_string(plan).expect("plans are written");
        drop(Journal::open_or_create(&path, digest, &text).expect("a journal"));
        std::fs::read(path).expect("it was written")
    };
    let good = plan("minishogi", ["P0", "P0"]);
    let job = bring(&journal(&good, good.digest()));
    assert_eq!((job.status, &job.body["state"]), (200, &json!("done")), "{}", job.body);
    let again = laboratory.refused("jobs", &json!({ "kind": "part" }));
    assert_eq!(again, "a shard needs its journal (send the journal's bytes to /api/jobs/parts)");
    let wrong = |bytes: &[u8], said: &str| {
        let answer = bring(bytes);
        assert!((400..500).contains(&answer.status), "{}", answer.status);
        assert!(sentence(&answer.body).contains(said), "{}", answer.body);
    };
    wrong(b"ASHTAJNL and nothing that belongs there", "not a shard of an experiment");
    wrong(b"", "the file is empty");
    wrong(&journal(&good, 5), "not a shard of an experiment");
    let path = plan("./../x.toml", ["P0", "P0"]);
    wrong(&journal(&path, path.digest()), "is not a valid name");
    let program = plan("minishogi", ["uci:/bin/sh", "P0"]);
    wrong(&journal(&program, program.digest()), "external engines");
    assert_eq!(laboratory.get("jobs").body.as_array().map(Vec::len), Some(1));
}

#[test]
fn what_is_joined_are_jobs_with_a_journal() {
    let laboratory = Laboratory::open();
    let refused = |jobs: Value| laboratory.refused("jobs", &json!({ "kind": "merge", "jobs": jobs }));
    assert_eq!(refused(json!([])), "no shard given (name their jobs in `jobs`)");
    assert_eq!(refused(json!([7])), "there is no job 7");
}

#[test]
fn errors_have_a_code_and_the_language_of_the_request() {
    let laboratory = Laboratory::open();
    let body = |path: &str| laboratory.get(path).body;
    let told = |text: &str| json!({ "error": text, "code": "web.no-job", "args": { "id": 7 } });
    assert_eq!(body("jobs/7"), told("there is no job 7"));
    assert_eq!(body("jobs/7?lang=ja"), told("作業 7 はありません"));
    let unknown = body("nothing?lang=ja");
    assert_eq!(
        sentence(&unknown),
        "API にそのアドレスはありません (アドレスの一覧は /api/openapi.json にあります)"
    );
}
