//! The library, games of one's own, words and lineage over the API.

use crate::asking::{Laboratory, sentence};
use serde_json::{Value, json};

const SMALL: &str = r#"
extends = "chess"
name = "Small step"
about = "Chess with kings that leap."
descends = "chess"

[pieces.king]
moves = "KN"
"#;

fn ids(games: &Value) -> Vec<String> {
    games
        .as_array()
        .expect("a list")
        .iter()
        .map(|game| game["id"].as_str().unwrap_or_default().to_string())
        .collect()
}

#[test]
fn a_game_is_checked_kept_played_and_thrown_away() {
    let laboratory = Laboratory::open();
    let wrong = SMALL.replace("\"KN\"", "\"KX\"");
    let checked = laboratory.granted("games/check", &json!({ "text": wrong, "name": "small" }));
    let problem = &checked["problems"][0];
    assert_eq!(
        (&problem["line"], &problem["column"], &problem["file"]),
        (&json!(8), &json!(11), &json!("small.toml"))
    );
    assert!(checked["descriptor"].is_null());
    let refused = laboratory.put("games/own/small", &json!({ "text": wrong }));
    assert_eq!((refused.status, &refused.body["error"]), (400, &json!("the game file has 1 error")));
    let checked = laboratory.granted("games/check", &json!({ "text": SMALL }));
    assert_eq!((&checked["problems"], &checked["descriptor"]["name"]), (&json!([]), &json!("Small step")));
    assert_eq!(laboratory.put("games/own/small", &json!({ "text": SMALL })).body["id"], "small");
    let games = laboratory.get("games").body;
    assert!(
        games.as_array().expect("a list").iter().any(|game| game["id"] == "small" && game["own"] == true)
    );
    let after = laboratory.granted("position", &json!({ "game": "small", "moves": ["Kd3"] }));
    assert_eq!(after["line"][0]["text"], "e1d3");
    assert!(
        laboratory.granted("reply", &json!({ "game": "small", "player": "level:2" }))["move"].is_string()
    );
    let edges = laboratory.get("lineage").body["edges"].clone();
    let edge = edges
        .as_array()
        .expect("a list")
        .iter()
        .find(|edge| edge["to"] == "small")
        .cloned()
        .expect("it is in the tree");
    assert!(
        edge["differences"].as_array().expect("a list").contains(&json!({ "of": "moves", "text": "king" })),
        "{edge}"
    );
    // A file that is written anew is read anew.
    laboratory.put("games/own/small", &json!({ "text": SMALL.replace("\"KN\"", "\"K\"") }));
    assert_eq!(laboratory.post("position", &json!({ "game": "small", "moves": ["Kd3"] })).status, 400);
    assert_eq!(laboratory.delete("games/own/small").status, 200);
    assert!(!ids(&laboratory.get("games").body).contains(&"small".to_string()));
    assert_eq!(
        sentence(&laboratory.delete("games/own/small").body),
        "there is no game file named `small` in the data folder"
    );
}

#[test]
fn names_that_are_taken_or_lead_elsewhere_are_refused() {
    let laboratory = Laboratory::open();
    let put =
        |name: &str| sentence(&laboratory.put(&format!("games/own/{name}"), &json!({ "text": SMALL })).body);
    assert_eq!(
        put("chess"),
        "`chess` is a game of the library (choose another name; your game may extend the one of the library)"
    );
    for name in ["..%2F..%2Fx", "a.toml", "%00", "x+y", "%2e%2e"] {
        assert!(put(name).contains("is not a valid name"), "{name}: {}", put(name));
    }
    assert_eq!(std::fs::read_dir(laboratory.folder.path().join("games")).map(Iterator::count).ok(), Some(0));
    let long = laboratory.post("games/check", &json!({ "text": "#".repeat(200_000) }));
    assert_eq!(sentence(&long.body), "the file has 200000 bytes; a game file has at most 131072");
    let many = laboratory.post("games/check", &json!({ "text": "about = 1\n".repeat(301) }));
    assert_eq!(sentence(&many.body), "the file has more than 300 changes");
}

#[test]
fn a_file_with_a_mistake_is_listed_with_it() {
    let laboratory = Laboratory::open();
    std::fs::write(laboratory.folder.path().join("games/broken.toml"), "name = 3").expect("a file");
    let games = laboratory.get("games").body;
    let broken =
        games.as_array().expect("a list").iter().find(|game| game["id"] == "broken").expect("it is listed");
    assert!(
        broken["problem"].as_str().is_some_and(|problem| problem.starts_with("the game file has")),
        "{broken}"
    );
    assert_eq!(laboratory.get("lineage").status, 200);
}

#[test]
fn changes_are_switched_on_by_the_spec() {
    let laboratory = Laboratory::open();
    let sheet = laboratory.get("games/shatranj+stalemate-draws").body;
    let said = sheet["rules"].to_string();
    assert!(said.contains("not in check, draws"), "{said}");
    let on: Vec<&Value> =
        sheet["changes"].as_array().expect("a list").iter().filter(|change| change["on"] == true).collect();
    assert_eq!(on.len(), 1);
    assert_eq!(laboratory.get("games/shatranj+nothing").status, 400);
    assert_eq!(
        sentence(&laboratory.get("games/shogi?lang=tlh").body),
        "unknown language `tlh` (available languages: en, ja)"
    );
}

#[test]
fn every_rule_of_every_game_is_said_in_japanese_too() {
    let laboratory = Laboratory::open();
    for id in ids(&laboratory.get("games").body) {
        let (english, japanese) = (
            laboratory.get(&format!("games/{id}")).body,
            laboratory.get(&format!("games/{id}?lang=ja")).body,
        );
        let n = |sheet: &Value| sheet["rules"].as_array().map(Vec::len);
        assert_eq!(n(&english), n(&japanese), "{id}");
        // Sources are named as they are written.
        let is_told = |rule: &&Value| rule["title"] != "典拠";
        for rule in japanese["rules"].as_array().expect("a list").iter().filter(is_told) {
            for sentence in rule["sentences"].as_array().expect("a list") {
                let text = sentence.as_str().expect("a text");
                assert!(text.chars().any(|c| c as u32 > 0x3000), "{id}: {text}");
            }
        }
    }
}

#[test]
fn diagrams_tell_moves_from_captures() {
    let laboratory = Laboratory::open();
    let sheet = laboratory.get("games/xiangqi").body;
    let of = |name: &str| {
        let kind = sheet["kinds"]
            .as_array()
            .expect("a list")
            .iter()
            .position(|kind| kind["name"] == name)
            .expect(name);
        sheet["pieces"][kind]["targets"].as_array().expect("a list").clone()
    };
    assert!(
        of("horse").iter().all(|target| target["how"] == "lame" && target["when"] == "both"),
        "{:?}",
        of("horse")
    );
    assert!(of("cannon").iter().any(|target| target["when"] == "screen"), "{:?}", of("cannon"));
    let chess = laboratory.get("games/chess").body;
    let pawn: Vec<&str> = chess["pieces"][0]["targets"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|target| target["when"].as_str())
        .collect();
    assert_eq!(pawn, ["first", "capture", "move", "capture"]);
}

#[test]
fn sheets_tell_what_positions_say_besides_pieces() {
    let laboratory = Laboratory::open();
    let of = |spec: &str| laboratory.get(&format!("games/{spec}")).body["position"].clone();
    let letters = |fields: &Value| -> Vec<String> {
        let castlings = fields["castlings"].as_array().expect("a list");
        castlings.iter().filter_map(|one| one["letter"].as_str()).map(str::to_string).collect()
    };
    let chess = of("chess");
    assert_eq!(
        (letters(&chess), &chess["en_passant"]),
        (["K", "Q", "k", "q"].map(str::to_string).to_vec(), &json!(true))
    );
    assert_eq!(chess["castlings"][1]["partner"], json!(["a1", "d1"]));
    let acedrex = of("grant-acedrex");
    assert_eq!((&acedrex["first_moves"], &acedrex["en_passant"]), (&json!(["g1", "g12"]), &json!(false)));
    assert_eq!(
        of("xiangqi"),
        json!({
            "castlings": [], "castling_partner": null, "first_moves": [], "en_passant": false,
            "checks": null, "counts": false, "contest": null
        })
    );
    let contest = of("four-handed+lasting-command")["contest"].clone();
    assert_eq!((contest["rolls"].as_array().map(Vec::len), &contest["commands"]), (Some(16), &json!(true)));
    assert_eq!(of("four-handed+no-dice+points")["contest"]["rolls"], json!([]));
}

#[test]
fn lineage_tells_what_changed() {
    let laboratory = Laboratory::open();
    let sheet = laboratory.get("games/chess").body;
    let ancestors: Vec<&str> =
        sheet["lineage"].as_array().expect("a list").iter().filter_map(|one| one["id"].as_str()).collect();
    assert_eq!(ancestors, ["shatranj", "chaturanga"]);
    let lineage = laboratory.get("lineage").body;
    assert_eq!(lineage["evolutions"].as_array().map(Vec::len), Some(2));
    let edge = lineage["edges"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|edge| edge["to"] == "capablanca")
        .cloned()
        .expect("an edge");
    assert_eq!(edge["differences"][0], json!({ "of": "board", "text": "8 × 8 → 10 × 8" }));
    // As much changed for those who read it in Japanese.
    let n_differences = |lineage: &Value| -> Vec<Option<usize>> {
        let edges = lineage["edges"].as_array().expect("a list");
        edges.iter().map(|edge| edge["differences"].as_array().map(Vec::len)).collect()
    };
    assert_eq!(n_differences(&lineage), n_differences(&laboratory.get("lineage?lang=ja").body));
}

#[test]
fn the_description_names_every_address() {
    let laboratory = Laboratory::open();
    let described = laboratory.get("openapi.json").body;
    let paths = [
        "games",
        "games/{spec}",
        "games/check",
        "games/own/{name}",
        "lineage",
        "position",
        "contest",
        "players",
        "reply",
        "hint",
        "evaluate",
        "explain",
        "score",
        "score/read",
        "perft",
    ];
    for path in paths {
        assert!(described["paths"][format!("/api/{path}")].is_object(), "{path}");
    }
}
