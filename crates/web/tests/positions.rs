//! Positions, play, scores and contests over the API: every game, refusals as sentences, and rubbish.

use crate::asking::Laboratory;
use serde_json::{Value, json};

fn texts(list: &Value) -> Vec<String> {
    let text = |one: &Value| one["text"].as_str().unwrap_or_default().to_string();
    list.as_array().map_or_else(Vec::new, |list| list.iter().map(text).collect())
}

#[test]
fn every_game_stands_and_moves() {
    let laboratory = Laboratory::open();
    let games = laboratory.get("games").body;
    for game in games.as_array().expect("a list") {
        let id = game["id"].as_str().expect("an id");
        let sheet = laboratory.get(&format!("games/{id}")).body;
        let start = laboratory.granted("position", &json!({ "game": id }));
        assert_eq!(sheet["start"], start, "{id}");
        let squares: usize = sheet["squares"]
            .as_array()
            .map_or(0, |rows| rows.iter().map(|row| row.as_array().map_or(0, Vec::len)).sum());
        assert_eq!(
            squares as u64,
            game["files"].as_u64().unwrap_or(0) * game["ranks"].as_u64().unwrap_or(0),
            "{id}"
        );
        assert_eq!(sheet["pieces"].as_array().map(Vec::len), sheet["kinds"].as_array().map(Vec::len), "{id}");
        if sheet["contest"] == true {
            continue;
        }
        for text in texts(&start["moves"]) {
            let after = laboratory.granted("position", &json!({ "game": id, "moves": [text] }));
            assert_eq!(after["line"][0]["text"], text.as_str(), "{id}");
            let again = laboratory.granted("position", &json!({ "game": id, "position": after["text"] }));
            assert_eq!(texts(&again["moves"]), texts(&after["moves"]), "{id} {text}");
        }
    }
}

#[test]
fn moves_are_written_as_players_write_them() {
    let laboratory = Laboratory::open();
    let after =
        laboratory.granted("position", &json!({ "game": "shogi", "moves": ["7g7f", "P3d", "8h2b+"] }));
    assert_eq!(after["line"][2]["local"], "２二角成");
    assert_eq!(after["line"][2]["san"], "Bx2b+");
    assert_eq!(after["last"], json!({ "from": "8h", "to": "2b" }));
    assert_eq!(after["hands"][0], json!([{ "kind": 5, "count": 1 }]));
    let mate = json!({ "game": "chess", "moves": ["f3", "e5", "g4", "Qh4"] });
    let over = laboratory.granted("position", &mate);
    assert_eq!(
        over["outcome"],
        json!({ "winner": 1, "reason": "checkmate", "words": "Black wins: checkmate" })
    );
    assert_eq!((&over["moves"], &over["check"]), (&json!([]), &json!(["e1"])));
    assert_eq!(over["line"][3]["san"], "Qh4#");
}

#[test]
fn refusals_are_sentences() {
    let laboratory = Laboratory::open();
    let start = "the start position is rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let cases = [
        ("position", json!({ "game": "ches" }), "there is no game named `ches` (did you mean `chess`?)"),
        (
            "position",
            json!({ "game": "chess", "moves": ["e5"] }),
            "move 1: `e5` is not legal here: no pawn can move to e5 (it is played in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1)",
        ),
        (
            "position",
            json!({ "game": "chess", "position": "8/k1P5/8/8/8/8/8/K7 w - - 0 1", "moves": ["c7c8"] }),
            "move 1: `c7c8` is not legal here: the pawn on c7 must promote on c8 (write one of c7c8q, c7c8r, c7c8b, c7c8n)",
        ),
        (
            "position",
            json!({ "game": "chess", "moves": ["f3", "e5", "g4", "Qh4", "a3"] }),
            "the game is over before move 5: Black wins: checkmate",
        ),
        (
            "position",
            json!({ "game": "chess", "moves": vec!["e4"; 2001] }),
            "too many moves: 2001, at most 2000",
        ),
        (
            "position",
            json!({ "game": "chess", "position": "x".repeat(5000) }),
            "the position has more than 4096 bytes",
        ),
        ("position", json!({ "game": "chess", "moves": ["x".repeat(65)] }), "move 1 is too long"),
        (
            "reply",
            json!({ "game": "chess", "player": "uci:/bin/sh" }),
            "the server does not start external engines (`ashta match` in a terminal does)",
        ),
        (
            "reply",
            json!({ "game": "chess", "player": "xboard:sh" }),
            "the server does not start external engines (`ashta match` in a terminal does)",
        ),
        (
            "reply",
            json!({ "game": "chess", "player": "level:11" }),
            "unknown player `level:11` (did you mean `level:3`?)",
        ),
        (
            "reply",
            json!({ "game": "chess", "player": "engine:3600000ms" }),
            "engine:3600000ms takes too long for interactive play (use at most engine:60000ms)",
        ),
        (
            "reply",
            json!({ "game": "chess", "player": "depth:60" }),
            "depth:60 takes too long for interactive play (use at most depth:6, engine:depth=20)",
        ),
        (
            "reply",
            json!({ "game": "chess", "player": "expect:1" }),
            "expect:1 cannot play chess: the game has no dice and no teams",
        ),
        (
            "reply",
            json!({ "game": "chess", "player": "level:1", "values": "../../etc" }),
            "`../../etc` is not a valid name: use up to 64 letters, digits, - and _",
        ),
        (
            "reply",
            json!({ "game": "chess", "player": "level:1", "values": "none" }),
            "there are no piece values named `none` (the Learn view makes some)",
        ),
        (
            "reply",
            json!({ "game": "four-handed", "player": "P1" }),
            "four-handed has contest rules; this request is for games of moves (use POST /api/contest)",
        ),
        (
            "hint",
            json!({ "game": "chess", "moves": ["f3", "e5", "g4", "Qh4"] }),
            "the game is over: Black wins: checkmate (give a position with a legal move)",
        ),
        ("explain", json!({ "game": "chess", "level": 9 }), "`level` is 9; it must be from 1 to 4 plies"),
        ("perft", json!({ "game": "chess", "depth": 13 }), "`depth` is 13; at most 12 plies are counted"),
        (
            "score",
            json!({ "game": "chess", "format": "doc" }),
            "`doc` is not a game-record format (available formats: pgn, usi, tsv, csa, kif, ki2, jkf)",
        ),
        (
            "score",
            json!({ "game": "chess", "format": "pgn", "result": "2-0" }),
            "`2-0` is not a result (results are 1-0, 0-1, 1/2-1/2 and *)",
        ),
        (
            "score/read",
            json!({ "text": "hello" }),
            "unrecognised game-record format (supported formats: PGN, KIF, KI2, CSA, USI, JKF)",
        ),
        ("contest", json!({ "game": "four-handed" }), "neither `action` nor `player` is given"),
        (
            "contest",
            json!({ "game": "four-handed", "action": "9-9" }),
            "`9-9` is not a roll of this game's dice, which must be thrown now (a roll is written as `2-5`)",
        ),
        (
            "contest",
            json!({ "game": "chess", "action": "throw" }),
            "chess is not a contest (write BOARD SIDE TURNS ROLL MARKS, as in the `text` of a position)",
        ),
        (
            "contest",
            json!({ "game": "four-handed", "player": "level:3" }),
            "level:3 cannot play four-handed: it plays only games of two sides without dice",
        ),
    ];
    for (path, body, wanted) in cases {
        assert_eq!(laboratory.refused(path, &body), wanted, "{path} {body}");
    }
    let wrong = json!({ "game": "chess", "position": "rnbq/8" });
    assert_eq!(
        laboratory.refused("position", &wrong),
        format!("rank 8 has 4 squares, this board has 8 files at 4 ({start})")
    );
}

#[test]
fn rubbish_is_refused_and_nothing_breaks() {
    let laboratory = Laboratory::open();
    let paths = [
        "position",
        "reply",
        "hint",
        "evaluate",
        "explain",
        "perft",
        "score",
        "score/read",
        "contest",
        "games/check",
    ];
    let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    let odd = "\u{0}\u{202e}🂡".repeat(200);
    let bodies: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"{}".to_vec(),
        b"\xff\xfe{".to_vec(),
        deep.into_bytes(),
        json!({ "game": odd, "position": odd, "moves": [odd], "player": odd, "text": 1, "depth": -1 }).to_string().into_bytes(),
        json!({ "game": "chess+chess+chess", "depth": 1, "player": "P1", "format": "pgn", "action": "x" }).to_string().into_bytes(),
        json!({ "game": "../chess", "depth": 1, "player": "P1", "format": "pgn", "action": "x" }).to_string().into_bytes(),
        json!({ "game": "chess", "position": odd, "depth": 1, "player": "P1", "format": "pgn", "action": "x" }).to_string().into_bytes(),
        json!({ "game": "chess", "moves": [odd], "depth": 1, "player": "P1", "format": "pgn", "action": "x" }).to_string().into_bytes(),
    ];
    for path in paths {
        for body in &bodies {
            let answer = laboratory.send("POST", path, "application/json", body);
            let shown = String::from_utf8_lossy(&body[..body.len().min(80)]).to_string();
            assert!((400..500).contains(&answer.status), "{path} {shown}: {} {}", answer.status, answer.body);
            assert!(answer.body["error"].is_string(), "{path} {shown}: {}", answer.body);
        }
    }
    for path in [
        "players",
        "players?game=",
        "players?game=%FF",
        "games/%FF",
        "games/a%00b",
        "games/%2e%2e",
        "games/+",
        "lineage?lang=%FF",
        "nothing",
    ] {
        let answer = laboratory.get(path);
        assert!((400..500).contains(&answer.status), "{path}: {} {}", answer.status, answer.body);
        assert!(answer.body["error"].is_string(), "{path}: {}", answer.body);
    }
    let too_long = vec![b' '; 5 << 20];
    let answer = laboratory.send("POST", "position", "application/json", &too_long);
    assert!((400..500).contains(&answer.status) || answer.status == 413, "{}", answer.status);
    assert_eq!(laboratory.granted("position", &json!({ "game": "chess" }))["turn"], 0);
}

#[test]
fn positions_of_chance_never_break_anything() {
    let laboratory = Laboratory::open();
    let pieces =
        ["k", "K", "p", "P", "8", "1", "/", " w ", " b ", "-", "KQkq", "e3", "0", "+", "[", "]", "RR", "é"];
    let mut state: u64 = 7;
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..24 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        for game in ["chess", "shogi", "four-handed"] {
            let answer = laboratory.post("position", &json!({ "game": game, "position": text }));
            assert!(answer.status == 200 || answer.status == 400, "{game} {text}: {}", answer.body);
        }
    }
}

#[test]
fn programs_reply_and_the_same_seed_is_the_same_move() {
    let laboratory = Laboratory::open();
    for player in [
        "level:1",
        "level:8",
        "engine:50ms",
        "engine:nodes=2000",
        "engine:depth=3",
        "P0",
        "P2",
        "P'1",
        "A2(3)",
        "A3(2)",
        "baba:2",
        "nodes:2000",
        "depth:2",
    ] {
        for game in ["chess", "minishogi", "xiangqi"] {
            let body = json!({ "game": game, "player": player, "seed": 11 });
            let reply = laboratory.granted("reply", &body);
            assert_eq!(reply["position_view"]["line"][0]["text"], reply["move"], "{game} {player}");
            if !player.ends_with("ms") {
                assert_eq!(laboratory.granted("reply", &body)["move"], reply["move"], "{game} {player}");
            }
        }
    }
    let mate = json!({ "game": "chess", "position": "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1" });
    let hint = laboratory.granted("hint", &mate);
    assert_eq!((&hint["move"], &hint["score"]["words"]), (&json!("a1a8"), &json!("White wins in 1 move")));
    assert_eq!(laboratory.granted("evaluate", &mate)["score"]["winner"], 0);
    // It minds its clock: by its own limit it would think for longer than an answer is waited for.
    let clock = json!({ "game": "chess", "player": "engine:60000ms", "clock": { "remaining_ms": 300 } });
    laboratory.granted("reply", &clock);
}

#[test]
fn explanations_name_their_points() {
    let laboratory = Laboratory::open();
    let body = json!({ "game": "chess", "moves": ["e4", "d5"], "move": "exd5", "level": 1 });
    let explained = laboratory.granted("explain", &body);
    assert_eq!(explained["moves"][0]["san"], "exd5");
    assert_eq!(explained["moves"][0]["parts"][0]["name"], "GAIN");
    let own: i64 = explained["moves"][0]["parts"]
        .as_array()
        .expect("parts")
        .iter()
        .filter_map(|part| part["points"].as_i64())
        .sum();
    assert_eq!(Some(own), explained["moves"][0]["own"].as_i64());
    let all = laboratory.granted("explain", &json!({ "game": "chess", "level": 1 }));
    assert_eq!(all["moves"].as_array().map(Vec::len), Some(20));
}

#[test]
fn scores_are_written_and_read_again() {
    let laboratory = Laboratory::open();
    let cases = [
        ("chess", vec!["e2e4", "e7e5", "g1f3"], vec!["pgn", "usi"]),
        ("shogi", vec!["7g7f", "3c3d", "8h2b+", "3a2b"], vec!["pgn", "kif", "ki2", "csa", "jkf", "usi"]),
        ("shatranj+double-step", vec!["e2e4"], vec!["pgn", "usi"]),
    ];
    for (game, moves, formats) in cases {
        assert_eq!(laboratory.get(&format!("games/{game}")).body["formats"], json!(formats), "{game}");
        for format in formats {
            let body = json!({ "game": game, "moves": moves, "format": format, "tags": { "First": "Somebody" }, "result": "1-0" });
            let text = laboratory.granted("score", &body)["text"].clone();
            let read =
                laboratory.granted("score/read", &json!({ "text": text, "game": game, "format": format }));
            assert_eq!(read["moves"], json!(moves), "{game} {format} {text}");
            assert_eq!(read["result"], "1-0", "{game} {format} {text}");
        }
    }
    let counted = laboratory.granted("perft", &json!({ "game": "chess", "depth": 3 }));
    assert_eq!((&counted["nodes"], counted["divide"].as_array().map(Vec::len)), (&json!(8902), Some(20)));
}

#[test]
fn a_contest_is_played_to_its_end_by_programs() {
    let laboratory = Laboratory::open();
    let mut position_view = laboratory.granted("position", &json!({ "game": "four-handed" }));
    let mut n_done = 0;
    while position_view["contest"]["stage"] != "over" {
        let body = json!({ "game": "four-handed", "position": position_view["text"], "player": "P1", "seed": n_done });
        let answer = laboratory.granted("contest", &body);
        assert!(answer["did"].as_str().is_some_and(|did| !did.is_empty()));
        position_view = answer["position_view"].clone();
        n_done += 1;
        assert!(n_done < 4000, "it ends");
    }
    assert!(position_view["outcome"]["words"].is_string());
    let thrown = json!({ "game": "four-handed", "moves": ["2-5", "a1c3"] });
    assert_eq!(laboratory.granted("position", &thrown)["last"], json!({ "from": "a1", "to": "c3" }));
}

#[test]
fn what_a_score_says_beside_its_moves_is_told_and_written_again() {
    let laboratory = Laboratory::open();
    let text = "1. e4! {first} e5 (1... c5 {sharp} 2. Nf3 (2. c3)) 2. Nf3 {[%emt 0:00:05]} *";
    let read = laboratory.granted("score/read", &json!({ "text": text, "game": "chess", "format": "pgn" }));
    assert_eq!((&read["moves"], &read["tree"]["plies"]), (&json!(["e2e4", "e7e5", "g1f3"]), &json!(3)));
    let nodes = read["tree"]["nodes"].as_array().expect("a list").clone();
    let told: Vec<(&Value, &str)> =
        nodes.iter().map(|node| (&node["parent"], node["san"].as_str().expect("a text"))).collect();
    let parents = [json!(null), json!(0), json!(1), json!(1), json!(3), json!(3), json!(2)];
    let sans = ["", "e4", "e5", "c5", "Nf3", "c3", "Nf3"];
    assert_eq!(told, parents.iter().zip(sans).collect::<Vec<_>>());
    assert_eq!((&nodes[1]["glyphs"], &nodes[1]["comment"]), (&json!([1]), &json!("first")));
    assert_eq!((&nodes[4]["ply"], &nodes[6]["spent_ms"]), (&json!(3), &json!(5000)));
    let body = json!({ "game": "chess", "format": "pgn", "tree": read["tree"] });
    let written = laboratory.granted("score", &body)["text"].as_str().map(str::to_string);
    let written = written.expect("a text").replace('\n', " ");
    let moves = "1. e4! {first} 1... e5 (1... c5 {sharp} 2. Nf3 (2. c3)) 2. Nf3 {[%emt 0:00:05]} *";
    assert!(written.contains(moves), "{written}");
}

/// Every form of a record that the page is given comes back the same when it is written.
#[test]
fn trees_are_written_as_they_were_read() {
    let laboratory = Laboratory::open();
    let texts = [
        "{before all} 1. e4 e5 2. Nf3 1-0",
        "1. e4 ({so begins} 1. d4! $13 d5) ({or so} 1. c4 {english}) 1... e5 *",
        "1. e4 e5 (1... c5 (1... e6 2. d4 (2. d3)) 2. Nf3) 2. Nf3 Nc6 (2... d6) 1/2-1/2",
        "1. e4 e5 {after the end} (2. Bc4 Bc5) (2. Nc3) 0-1",
    ];
    for text in texts {
        let read =
            laboratory.granted("score/read", &json!({ "text": text, "game": "chess", "format": "pgn" }));
        let body = json!({ "game": "chess", "format": "pgn", "tree": read["tree"], "tags": read["tags"], "result": read["result"] });
        let written = laboratory.granted("score", &body)["text"].clone();
        let again =
            laboratory.granted("score/read", &json!({ "text": written, "game": "chess", "format": "pgn" }));
        assert_eq!((&again["tree"], &again["result"]), (&read["tree"], &read["result"]), "{written}");
    }
}

#[test]
fn hostile_trees_are_refused() {
    let laboratory = Laboratory::open();
    let node = |parent: Value, text: &str| json!({ "parent": parent, "text": text });
    let start = node(json!(null), "");
    let deep = |n: u64| -> Vec<Value> {
        let line = (0..n).flat_map(|at| {
            let (forth, back) = if at % 4 < 2 { ("g1f3", "g8f6") } else { ("f3g1", "f6g8") };
            let mv = if at % 2 == 0 { forth } else { back };
            let beside = if at % 2 == 0 { "a2a3" } else { "a7a6" };
            // Each goes on from the second child of the one before.
            let parent = if at == 0 { 0 } else { 2 * at };
            [node(json!(parent), beside), node(json!(parent), mv)]
        });
        std::iter::once(start.clone()).chain(line).collect()
    };
    let cases = [
        (json!({ "plies": 0, "nodes": [] }), "the tree has no root"),
        (json!({ "plies": 1, "nodes": [start] }), "the tree has 0 plies, not 1"),
        (
            json!({ "plies": 0, "nodes": [start, node(json!(1), "e2e4")] }),
            "node 1 of the tree has no parent before it",
        ),
        (
            json!({ "plies": 0, "nodes": [start, node(json!(null), "e2e4")] }),
            "node 1 of the tree has no parent before it",
        ),
        (
            json!({ "plies": 0, "nodes": [start, node(json!(0), "e2e5")] }),
            "node 1 of the tree: `e2e5` is not legal here",
        ),
        (json!({ "plies": 0, "nodes": deep(40) }), "variations are nested more than 32 deep"),
    ];
    for (tree, said) in cases {
        let refused = laboratory.refused("score", &json!({ "game": "chess", "format": "pgn", "tree": tree }));
        assert!(refused.contains(said), "{refused}");
    }
    let both = json!({ "game": "chess", "format": "pgn", "moves": ["e2e4"], "tree": { "plies": 0, "nodes": [start] } });
    assert!(laboratory.refused("score", &both).contains("either the moves or the tree of a game, not both"));
}

#[test]
fn illegal_moves_are_refused_with_the_reason() {
    let laboratory = Laboratory::open();
    let pinned = "4k3/8/8/8/4q3/8/4R3/4K3 w - - 0 1";
    let refused =
        laboratory.post("position", &json!({ "game": "chess", "position": pinned, "moves": ["e2d2"] }));
    assert_eq!((refused.status, &refused.body["reason"]), (400, &json!("position.pinned")));
    let said = "move 1: `e2d2` is not legal here: the rook on e2 is pinned by the queen on e4";
    assert_eq!(refused.body["error"], said);
    let why = |body: Value| laboratory.granted("why", &body);
    let pin = why(json!({ "game": "chess", "position": pinned, "from": "e2", "to": "d2" }));
    assert_eq!(
        pin,
        json!({ "code": "position.pinned", "words": "the rook on e2 is pinned by the queen on e4" })
    );
    let legal = why(json!({ "game": "chess", "moves": ["e2e4"], "from": "e7", "to": "e5" }));
    assert_eq!(legal, json!({ "code": null, "words": null }));
    let two_pawns = "4k4/9/9/9/9/9/4P4/9/4K4 b P 1";
    let drop = why(json!({ "game": "shogi", "position": two_pawns, "drop": 0, "to": "5e" }));
    assert_eq!(drop["code"], "position.file-is-full");
    let dice = json!({ "game": "four-handed", "moves": ["2-4"], "from": "a2", "to": "a3" });
    assert_eq!(why(dice)["words"], "the padati on a2 moves on a 5, which was not thrown");
    let turn = laboratory.post("position", &json!({ "game": "four-handed", "moves": ["2-4", "a2a3"] }));
    assert_eq!((turn.status, &turn.body["reason"]), (400, &json!("position.not-thrown")));
    for wrong in [
        json!({ "game": "chess", "to": "e4" }),
        json!({ "game": "chess", "from": "e2", "to": "z9" }),
        json!({ "game": "chess", "drop": 77, "to": "e4" }),
        json!({ "game": "chess", "from": "e2", "drop": 0, "to": "e4" }),
        json!({ "game": "four-handed", "moves": ["2-4"], "to": "a3" }),
    ] {
        assert_eq!(laboratory.post("why", &wrong).status, 400, "{wrong}");
    }
}
