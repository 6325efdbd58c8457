//! Games that end with an illegal move, positions that are none of a game, and dialects of Japanese records.

use std::io::Cursor;

use crate::common::compiled;
use ashta_position::notation::write_coordinates;
use ashta_records::notation::{MoveReader, Splitter, TextEncoding, parse};
use ashta_records::{
    CollectionWriter, Format, GameRecord, GameResult, ImportPlan, ImportReport, RecordError,
};
use ashta_records::{ImportObserver, Rejection, import, read_query, tag};
use ashta_rules::Side;

fn read(format: Format, text: &str) -> Result<GameRecord, RecordError> {
    let rules = compiled(format.default_game());
    let encoding = TextEncoding::guess(text.as_bytes(), Some(format));
    let raw = Splitter::new(Cursor::new(text), format, encoding)
        .next()
        .expect("a game")
        .expect("memory can be read");
    parse(format, &raw, &rules, &mut MoveReader::new(rules.rules()))
}

fn moves(format: Format, record: &GameRecord) -> String {
    let mut game = record.begin(&compiled(format.default_game())).expect("a position");
    let mut words = Vec::new();
    for mv in &record.moves {
        words.push(write_coordinates(&game, *mv));
        game.play_unchecked(*mv);
    }
    words.join(" ")
}

const FIRST: GameResult = GameResult::Won(Side::FIRST);
const SECOND: GameResult = GameResult::Won(Side::SECOND);

#[test]
fn a_foul_ends_the_game_and_loses_it() {
    let kif =
        |rest: &str| format!("手合割：平手\n   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)\n{rest}");
    let cases = [
        // As 81Dojo, ShogiGUI and others write it; two pawns on a file, a king left in check, a piece that cannot go there.
        (Format::Kif, kif("   3 ７五飛打   ( 0:15/0:10:24)\n*反則手にて終局\n"), "7g7f 3c3d", SECOND),
        (Format::Kif, kif("   3 ７五歩(77)\n   4 反則勝ち\n*王手放置の反則\nまで3手で後手の勝ち\n"), "7g7f 3c3d", SECOND),
        (Format::Kif, kif("   3 ７五歩(77)\n   4 反則勝ち\nまで3手で後手の反則勝ち\n"), "7g7f 3c3d", SECOND),
        (Format::Kif, kif("   3 ８八角成(88)\n   4 投了\n\n変化：3手\n   3 ２六歩(27)\n"), "7g7f 3c3d", SECOND),
        (Format::Ki2, "手合割：平手\n▲７六歩 △３四歩 ▲７五飛\nまで3手で先手の反則負け\n".into(), "7g7f 3c3d", SECOND),
        (Format::Csa, "V2.2\nPI\n+\n+7776FU\n-3333FU\nT9\n%TORYO\n".into(), "7g7f", FIRST),
        (Format::Csa, "V2.2\nPI\n+\n+7776FU\n-0055FU\n%ILLEGAL_MOVE\n".into(), "7g7f", FIRST),
        (Format::Usi, "startpos moves 7g7f 7g7f\n".into(), "7g7f", FIRST),
        (Format::Table, "1\tfoulWin\t7g7f 3c3d 7f7d\n".into(), "7g7f 3c3d", SECOND),
        (
            Format::Jkf,
            r#"{"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":5},"piece":"FU"}},{"special":"ILLEGAL_MOVE"}]}"#.into(),
            "",
            SECOND,
        ),
        (Format::Pgn, "1. e4 e5 2. Ke3 0-1\n".into(), "e2e4 e7e5", SECOND),
        (Format::Pgn, "[Termination \"rules infraction\"]\n\n1. e4 Ke6 *\n".into(), "e2e4", FIRST),
    ];
    for (format, text, played, result) in cases {
        let record = read(format, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!((moves(format, &record).as_str(), record.result), (played, result), "{text}");
        let why = record.tags.get(tag::TERMINATION).expect("it says why");
        assert!(matches!(why, "illegal move" | "rules infraction"), "{why} {text}");
        // What was played is still there to be read.
        let said: String = record.annotations.iter().map(|(_, note)| note.comment.as_str()).collect();
        assert!(!said.is_empty(), "{text}");
    }
}

#[test]
fn an_illegal_move_that_is_no_foul_is_refused() {
    for (format, text) in [
        (Format::Kif, "手合割：平手\n   1 ７七歩(77)\n   2 ３四歩(33)\n"),
        (Format::Csa, "V2.2\nPI\n+\n+7775FU\n-3334FU\n"),
        (Format::Csa, "V2.2\nPI\n+\n+7775FU\n%SENNICHITE\n"),
        (Format::Usi, "startpos moves 7g7f 7g7f 3c3d\n"),
        (Format::Pgn, "1. e4 e5 2. Ke3 1-0\n"),
        (Format::Pgn, "1. e4 e5 2. Ke3 *\n"),
        (Format::Pgn, "1. e4 e5 2. Ke3 1/2-1/2\n"),
        (Format::Pgn, "1. e4 e5 2. which 0-1\n"),
    ] {
        let error = read(format, text).expect_err(text).to_string();
        assert!(error.contains("is not legal here") || error.contains("cannot read the move"), "{error}");
    }
}

/// A diagram of KIF with some pieces on its ranks.
fn diagram(ranks: &[(usize, &str)], rest: &str) -> String {
    let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|";
    let lines: String = (1..=9)
        .map(|rank| format!("{}\n", ranks.iter().find(|(n, _)| *n == rank).map_or(empty, |(_, text)| text)))
        .collect();
    format!(
        "後手の持駒：なし\n+---------------------------+\n{lines}+---------------------------+\n先手の持駒：金\n{rest}"
    )
}

struct Nobody;

impl ImportObserver for Nobody {
    fn rejected(&mut self, refusal: &Rejection) {
        panic!("{refusal:?}");
    }
    fn progress(&mut self, _: &ImportReport, _: u64) {}
    fn wants_stop(&mut self) -> bool {
        false
    }
}

#[test]
fn positions_that_are_none_of_a_game_go_in_as_diagrams() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = "手数----指手---------消費時間--\n";
    let texts = [
        // A castle alone: its moves can be played.
        diagram(&[(8, "| ・ 玉 銀 ・ ・ ・ ・ ・ ・|")], &format!("{head}   1 ７七銀(78)\n   2 パス\n")),
        diagram(&[(8, "| ・ ・ 銀 ・ ・ ・ ・ ・ ・|")], &format!("{head}   1 ７七銀(78)\n")),
        // Two kings of one side, and one that can be taken at once: nobody knows what may be played there.
        diagram(
            &[(8, "| ・ 玉 銀 ・ 玉 ・ ・ ・ ・|"), (1, "| ・ ・v玉 ・ ・ ・ ・ ・ ・|")],
            &format!("{head}   1 ７七銀(78)\n"),
        ),
        diagram(
            &[
                (8, "| ・ 玉 ・ ・ ・ ・ ・ ・ ・|"),
                (1, "| ・v玉 ・ ・ ・ ・ ・ ・ ・|"),
                (2, "| ・ 金 ・ ・ ・ ・ ・ ・ ・|"),
            ],
            "",
        ),
    ];
    let files: Vec<_> = texts
        .iter()
        .enumerate()
        .map(|(n, text)| {
            let path = folder.path().join(format!("{n}.kif"));
            std::fs::write(&path, text).expect("written");
            path
        })
        .collect();
    let rules = compiled("shogi");
    let mut writer = CollectionWriter::open(&folder.path().join("c"), &rules, "shogi").expect("a collection");
    let report = import(&mut writer, &files, ImportPlan::default(), &mut Nobody).expect("imported");
    assert_eq!((report.n_added, report.n_diagrams), (4, 4));
    let first = report.first_diagram.expect("the first").to_string();
    assert!(first.ends_with("0.kif:1: game 1: White has no royal piece"), "{first}");
    let collection = writer.collection().expect("opened");
    let records: Vec<GameRecord> =
        (0..4).map(|n| collection.record(n).expect("read").expect("there")).collect();
    assert_eq!(records.iter().map(|record| record.moves.len()).collect::<Vec<_>>(), [1, 1, 0, 0]);
    assert!(records.iter().all(|record| record.result == GameResult::Unknown));
    let problem =
        read(Format::Usi, "sfen 4k4/9/4G4/9/9/9/9/9/9 b G 1 moves G*5b 5a9i 5c5d").expect("a problem");
    assert_eq!((problem.moves.len(), problem.annotations.comment(1)), (1, "5a9i\n5c5d"));
    assert_eq!(records[2].annotations.comment(0), "７七銀(78)", "what cannot be played is kept as text");
    let n_found = |query: &str| {
        let query = read_query(query, rules.rules()).expect("a query");
        collection.find(&query).expect("answered").n_games()
    };
    assert_eq!((n_found("7h=S"), n_found("8h=K 5h=K"), n_found("8h=K")), (3, 1, 3));
    // What is exported reads back.
    for (n, record) in records.iter().enumerate() {
        let mut text = String::new();
        ashta_records::write_record(Format::Kif, record, &rules, &mut text).expect("written");
        let again = read(Format::Kif, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(
            (&again.start, &again.moves, &again.annotations),
            (&record.start, &record.moves, &record.annotations),
            "{n}"
        );
    }
}

#[test]
fn dialects_of_japanese_records() {
    let cases = [
        // A promotion behind the name of the piece, and times behind a space.
        (Format::Csa, "V2.2\nPI\n+\n+7776FU T3\n-3334FU T0\n+8822KA+\n%TORYO T1\n", "7g7f 3c3d 8h2b+"),
        // The head of a KIF file.
        (Format::Csa, "V2.2\n先手：Anna, of Kyoto\n後手：Boris\nPI\n+\n+7776FU\n反則負け\n", "7g7f"),
        // An end as a line without a number, and what is said behind the time.
        (Format::Kif, "手合割：平手\n   1 ７六歩(77)\n反則負け\n", "7g7f"),
        (
            Format::Kif,
            "手合割：平手#a\n   1 ７六歩(77)    (00:00 / 00:00:00)#b\n   2 反則負け      (00:24 / 00:01:01)#c\n",
            "7g7f",
        ),
        (Format::Ki2, "手合割：平手\n▲７六歩\n反則負け\n", "7g7f"),
    ];
    for (format, text, played) in cases {
        let record = read(format, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(moves(format, &record), played, "{text}");
        if text.contains("反則負け") {
            assert_eq!(
                (record.result, record.tags.get(tag::TERMINATION)),
                (FIRST, Some("illegal move")),
                "{text}"
            );
        }
        if text.contains("Anna") {
            assert_eq!(record.player(Side::FIRST), Some("Anna, of Kyoto"));
        }
    }
}
