//! Collections over the API: imported, searched, explored, surveyed, exported; and what is refused.

use std::time::{Duration, Instant};

use crate::asking::{Answered, Laboratory, sentence};
use ashta_records::{Collection, Query, read_query};
use serde_json::{Value, json};

const GAMES: &str = "[Event \"Cup\"]\n[Date \"1990.05.01\"]\n[White \"Anna\"]\n[Black \"Boris\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
[Event \"Cup\"]\n[Date \"1991\"]\n[White \"Boris\"]\n[Black \"Anna\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 2. c4 e6 1/2-1/2\n\n\
[Event \"Other\"]\n[White \"Clara\"]\n[Black \"Dora, \\\"D\\\"\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 Nc6 0-1\n\n\
[Event \"Broken\"]\n\n1. e4 e4 2. d4 1-0\n";

fn with_games() -> Laboratory {
    let laboratory = Laboratory::open();
    let imported = import(&laboratory, "mine", "games.pgn", GAMES.as_bytes());
    assert_eq!(imported.status, 200, "{}", imported.body);
    laboratory
}

fn import(laboratory: &Laboratory, name: &str, file: &str, bytes: &[u8]) -> Answered {
    let path = format!("collections/{name}/import?file={file}");
    laboratory.send("PUT", &path, "application/octet-stream", bytes)
}

fn find(laboratory: &Laboratory, query: &str) -> Value {
    laboratory.granted("collections/mine/find", &json!({ "query": query }))
}

#[test]
fn a_file_goes_in_and_what_is_wrong_with_it_is_told() {
    let laboratory = Laboratory::open();
    let report = import(&laboratory, "mine", "games.pgn", GAMES.as_bytes()).body;
    let numbers = ["read", "added", "duplicates", "refused", "games"].map(|name| report[name].clone());
    assert_eq!(numbers, [json!(4), json!(3), json!(0), json!(1), json!(3)]);
    assert_eq!(
        report["refusals"],
        json!([{ "game": 4, "line": 26, "what": "move 2: `e4` is not legal here", "code": "records.at-move" }])
    );
    let again = import(&laboratory, "mine", "games.pgn", GAMES.as_bytes()).body;
    assert_eq!((&again["added"], &again["duplicates"]), (&json!(0), &json!(3)));
    let listed = laboratory.get("collections").body;
    let mine =
        listed.as_array().expect("a list").iter().find(|one| one["name"] == "mine").expect("it is there");
    assert_eq!((&mine["game"], &mine["games"], &mine["positions"]), (&json!("chess"), &json!(3), &json!(18)));
    assert!(
        std::fs::read_dir(laboratory.folder.path().join("uploads")).expect("a folder").all(|entry| {
            entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("sample"))
        })
    );
}

#[test]
fn what_is_no_file_of_records_is_refused_and_leaves_nothing() {
    let laboratory = Laboratory::open();
    let refused = |file: &str, bytes: &[u8]| sentence(&import(&laboratory, "new", file, bytes).body);
    assert_eq!(refused("a.pgn", b""), "the file is empty (send its bytes as the request body)");
    assert_eq!(
        refused("a.bin", b"\x01\x02\x03"),
        "unrecognised game-record format (supported formats: pgn, usi, tsv, csa, kif, ki2, jkf; the extension decides)"
    );
    let nothing = import(&laboratory, "new", "a.pgn", b"\x00\xff\xfe rubbish").body;
    assert_eq!(nothing["games"], 0);
    assert_eq!(
        sentence(&laboratory.get("collections/new").body),
        "there is no collection named `new` (the Records view and GET /api/collections list them)"
    );
    let path = "collections/..%2F..%2Fetc/import?file=a.pgn";
    let elsewhere = laboratory.send("PUT", path, "text/plain", GAMES.as_bytes());
    assert_eq!(
        sentence(&elsewhere.body),
        "`../../etc` is not a valid name: use up to 64 letters, digits, - and _"
    );
    let format = laboratory.send("PUT", "collections/new/import?file=a&format=doc", "text/plain", b"x");
    assert_eq!(
        sentence(&format.body),
        "unrecognised format (available formats: pgn, usi, tsv, csa, kif, ki2, jkf)"
    );
}

#[test]
fn positions_are_counted_and_paged() {
    let laboratory = with_games();
    let found = find(&laboratory, "e4=P e5=p");
    assert_eq!((&found["games"], &found["of_games"]), (&json!(2), &json!(3)));
    let hit = &found["hits"][0];
    let told = ["game", "from", "to", "ply", "players", "date", "result"].map(|name| hit[name].clone());
    let expected = json!([1, 2, 7, 2, ["Anna", "Boris"], "1990.05.01", "1-0"]);
    assert_eq!(Value::from(told.to_vec()), expected);
    assert_eq!(hit["next"]["san"], "Qh5");
    assert_eq!(hit["diagram"]["board"].as_array().map(Vec::len), Some(32));
    let second = laboratory
        .granted("collections/mine/find", &json!({ "query": "e4=P e5=p", "offset": 1, "limit": 1 }));
    assert_eq!((&second["hits"][0]["game"], &second["intervals"]), (&json!(3), &json!(2)));
    assert_eq!(find(&laboratory, "player=anna result=draw")["games"], 1);
    // Where a whole game is found, its end is shown.
    assert_eq!(find(&laboratory, "")["hits"][0]["ply"], 7);
    let far =
        laboratory.granted("collections/mine/find", &json!({ "offset": 1u64 << 60, "limit": 1u64 << 60 }));
    assert_eq!(far["hits"], json!([]));
}

#[test]
fn a_new_collection_is_of_the_game_that_its_records_name() {
    let laboratory = Laboratory::open();
    let text = "[Event \"E\"]\n[Variant \"minishogi\"]\n\n1. G3d *\n";
    let imported = import(&laboratory, "small", "game.pgn", text.as_bytes());
    assert_eq!((imported.status, &imported.body["game"]), (200, &json!("minishogi")), "{}", imported.body);
    assert_eq!(imported.body["added"], 1);
}

#[test]
fn players_are_listed_with_their_games_on_each_side() {
    let laboratory = with_games();
    let players = |asked: &Value| laboratory.granted("collections/mine/players", asked);
    let all = players(&json!({}));
    let listed = all["listed"].as_array().expect("players");
    assert_eq!(all["players"], listed.len());
    for player in listed {
        let sides = player["by_side"].as_array().expect("two sides");
        let sum: u64 = sides.iter().filter_map(|side| side["games"].as_u64()).sum();
        assert_eq!(player["games"], sum);
    }
    assert_eq!(players(&json!({ "limit": 1, "skip": 1 }))["listed"][0], listed[1]);
    assert_eq!(players(&json!({ "query": "player=nobody" }))["players"], 0);
    let told = laboratory.refused("collections/mine/players", &json!({ "query": "length=9..2" }));
    assert!(told.starts_with("the range ends before it begins at 7"), "{told}");
}

#[test]
fn queries_that_cannot_be_answered_are_refused() {
    let laboratory = with_games();
    let refused = |query: &str| laboratory.refused("collections/mine/find", &json!({ "query": query }));
    assert_eq!(
        refused("e4=P e9=p"),
        "`e9` is neither a square nor a word of the query language at 5 (squares go up to h8; words are hand, count, turn, ply, position, player, event, opening, date, result, rating, length, tag, game, lasting, anywhere, mirrored, swapped)"
    );
    assert_eq!(
        refused("anywhere(anywhere(anywhere(e4=P)))"),
        "the query has 262144 parts once its patterns are expanded, more than 40000 (use patterns without patterns inside)"
    );
    assert_eq!(refused(&"e4=P ".repeat(3000)), "the query has 15000 bytes, more than 10000 (split it)");
    assert!(refused(&"(".repeat(5000)).starts_with("brackets are nested more than 100 deep"));
    for hostile in
        ["position \"\u{0}\"", "e4=\u{1F600}", "date=99999", "hand(P)>=1", "\"", "not", "é=P", "tag(=x"]
    {
        assert!(!refused(hostile).is_empty(), "{hostile}");
    }
    assert_eq!(
        laboratory.refused("collections/none/find", &json!({ "query": "" })),
        "there is no collection named `none` (the Records view and GET /api/collections list them)"
    );
}

#[test]
fn the_explorer_counts_what_followed() {
    let laboratory = with_games();
    let explored = laboratory.granted("collections/mine/explore", &json!({ "moves": ["e4", "e7e5"] }));
    assert_eq!((&explored["games"], &explored["position_view"]["line"][1]["san"]), (&json!(2), &json!("e5")));
    let moves: Vec<&Value> =
        explored["moves"].as_array().expect("a list").iter().map(|next| &next["move"]["text"]).collect();
    assert_eq!(moves, [&json!("g1f3"), &json!("d1h5")]);
    assert_eq!(explored["moves"][1]["wins"], json!([1, 0]));
    let filtered = laboratory.granted("collections/mine/explore", &json!({ "query": "player=anna" }));
    assert_eq!(filtered["games"], 2);
    assert_eq!(
        laboratory.refused("collections/mine/explore", &json!({ "moves": ["e2e5"] })).split(" (").next(),
        Some("move 1: `e2e5` is not legal here: the pawn on e2 does not move to e5")
    );
}

#[test]
fn a_game_is_told_and_written() {
    let laboratory = with_games();
    let game = laboratory.get("collections/mine/games/1?ply=2").body;
    assert_eq!(
        (&game["players"], &game["tree"]["nodes"][3]["san"], &game["position_view"]["turn"]),
        (&json!(["Anna", "Boris"]), &json!("Qh5"), &json!(0))
    );
    assert_eq!(game["formats"], json!(["pgn", "usi"]));
    assert_eq!(laboratory.get("collections/mine/games/1/plies/7").body["outcome"]["winner"], 0);
    let refused = |path: &str| sentence(&laboratory.get(&format!("collections/mine/{path}")).body);
    assert_eq!(refused("games/4"), "there is no game 4 (games are numbered from 1 to 3)");
    assert_eq!(refused("games/0/plies/1"), "there is no game 0 (games are numbered from 1 to 3)");
    assert_eq!(refused("games/x"), "`x` is not the number of a game or a ply");
    assert_eq!(
        refused("games/1/file?format=doc"),
        "`doc` is not an export format (available formats: pgn, usi, csa, kif, ki2, jkf)"
    );
    assert_eq!(
        refused("export?format=csa"),
        "game 1: CSA cannot represent Chess: its board does not have up to nine numbered files and ranks (pgn and usi can write every game)"
    );
    // What is exported can be imported.
    let path = format!("{}/collections/mine/export?format=pgn&query=player%3Danna", "api");
    let text = raw(&laboratory, &path);
    let report = import(&laboratory, "copy", "copy.pgn", text.as_bytes()).body;
    assert_eq!((&report["added"], &report["refused"]), (&json!(2), &json!(0)), "{text}");
    let table = raw(&laboratory, "api/collections/mine/export?format=csv&query=e5%3Dp");
    assert!(table.contains("game,first_ply,last_ply,white,black,date,event,result,plies\n1,2,7,Anna,Boris,1990.05.01,Cup,1-0,7\n"), "{table}");
    assert!(table.contains("\"Dora, \"\"D\"\"\""), "{table}");
}

/// The body of an answer that is no JSON; pieces of a stream are put together.
fn raw(laboratory: &Laboratory, path: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(laboratory.address).expect("it listens");
    write!(stream, "GET /{path} HTTP/1.0\r\nhost: {}\r\n\r\n", laboratory.address).expect("it reads");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("text");
    text.split_once("\r\n\r\n").expect("a head").1.to_string()
}

#[test]
fn a_survey_has_numbers_and_series() {
    let laboratory = with_games();
    let survey = laboratory.get("collections/mine/survey").body;
    assert_eq!(
        (&survey["games"], &survey["positions"], &survey["distinct"]),
        (&json!(3), &json!(18), &json!(14))
    );
    assert_eq!(survey["results"], json!({ "games": 3, "wins": [1, 1], "draws": 1, "unknown": 0 }));
    assert_eq!(survey["years"].as_array().map(Vec::len), Some(2));
    assert_eq!((&survey["players"][0]["name"], &survey["players"][0]["won"]), (&json!("Anna"), &json!(1)));
    assert_eq!(survey["first_moves"][0]["move"]["san"], "e4");
    assert_eq!(
        sentence(&laboratory.get("collections/mine/survey?format=doc").body),
        "`format` must be json or csv"
    );
    laboratory.post("collections", &json!({ "name": "empty", "game": "shogi" }));
    assert_eq!(laboratory.get("collections/empty/survey").body["games"], 0);
}

#[test]
fn collections_are_begun_and_deleted() {
    let laboratory = with_games();
    let begin =
        |name: &str, game: &str| laboratory.refused("collections", &json!({ "name": name, "game": game }));
    assert_eq!(begin("mine", "chess"), "there is already a collection named `mine` (choose another name)");
    assert_eq!(begin("a/b", "chess"), "`a/b` is not a valid name: use up to 64 letters, digits, - and _");
    assert_eq!(begin("new", "ches"), "there is no game named `ches` (did you mean `chess`?)");
    laboratory.granted("collections", &json!({ "name": "新棋譜", "game": "shogi" }));
    let path = "collections/mine/import?file=a.kif&game=shogi";
    let another = laboratory.send("PUT", path, "text/plain", GAMES.as_bytes());
    assert_eq!(
        sentence(&another.body),
        "`mine` holds games of chess, not of shogi (a collection holds one game; choose another name)"
    );
    assert_eq!(laboratory.delete("collections/mine").status, 200);
    assert_eq!(laboratory.delete("collections/mine").status, 404);
    assert!(!laboratory.folder.path().join("collections/mine").exists());
}

#[test]
fn games_that_others_add_are_seen() {
    let laboratory = with_games();
    assert_eq!(find(&laboratory, "e4=P")["games"], 2);
    let more = "[White \"New\"]\n\n1. e4 c5 1-0\n";
    import(&laboratory, "mine", "more.pgn", more.as_bytes());
    assert_eq!(find(&laboratory, "e4=P")["games"], 3);
}

#[test]
fn queries_are_kept() {
    let laboratory = Laboratory::open();
    let keep = |name: &str, game: &str, text: &str| {
        laboratory.put(&format!("queries/{name}"), &json!({ "game": game, "text": text }))
    };
    assert_eq!(keep("my%20pawns", "chess", "e4=P").status, 200);
    assert_eq!(keep("%E6%A3%92%E9%8A%80", "shogi", "2f=S").status, 200);
    let kept = laboratory.get("queries").body;
    assert_eq!(kept[0], json!({ "name": "my pawns", "game": "chess", "text": "e4=P" }));
    assert_eq!(kept[1]["name"], "棒銀");
    assert!(sentence(&keep("bad", "chess", "e4=").body).starts_with("expected a piece, `empty` or `any`"));
    assert_eq!(sentence(&keep("empty", "chess", "").body), "no query given");
    assert_eq!(
        sentence(&keep(&"x".repeat(81), "chess", "e4=P").body),
        "a query's name has from 1 to 80 characters"
    );
    assert_eq!(laboratory.delete("queries/my%20pawns").status, 200);
    assert_eq!(
        sentence(&laboratory.delete("queries/my%20pawns").body),
        "there is no saved query named `my pawns`"
    );
}

#[test]
fn samples_are_played_at_the_first_start() {
    let laboratory = Laboratory::at_first_start();
    let listed = laboratory.get("collections").body;
    let names: Vec<&Value> = listed.as_array().expect("a list").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, [&json!("sample-chess"), &json!("sample-shogi")]);
    let until = Instant::now() + Duration::from_secs(240);
    // An empty collection is there for a moment before its games are.
    while laboratory.get("collections").body[0]["games"] != json!(200) {
        assert!(Instant::now() < until, "the sample takes too long");
        std::thread::sleep(Duration::from_millis(200));
    }
    let folder = laboratory.folder.path().join("collections/sample-chess");
    let rules = ashta_position::CompiledRules::new(ashta_rules::load("chess").expect("chess"));
    let collection = Collection::open(&folder, &rules).expect("a collection");
    assert_eq!(collection.n_games(), 200);
    let found = |query: &Query| collection.find(query).expect("an answer").n_games();
    let draws = read_query("result=draw", rules.rules()).expect("a query");
    assert!(found(&draws) < 100, "most games are won");
    let start =
        collection.explore(&read_query("position start", rules.rules()).expect("a query")).expect("moves");
    assert!(start.moves.len() >= 6, "openings differ: {}", start.moves.len());
}
