//! Game records in every format, and queries.

use std::io::Cursor;

use ashta_position::CompiledRules;
use ashta_records::notation::{MoveReader, Splitter, TextEncoding, parse};
use ashta_records::{Format, GameRecord, read_query, write_query, write_record};

use super::{Reading, Target};
use crate::fixtures::{game_number, record, two_sided, with_game};
use crate::input::{game_and_rest, game_and_text, refused};

macro_rules! format_target {
    ($constant:ident, $name:literal, $reads:literal, $format:expr, $share:literal, $words:expr) => {
        #[doc = concat!("Any bytes as records in ", $reads, ": errors, or records whose moves are legal and that read back.")]
        pub const $constant: Target = Target {
            name: $name,
            reads: $reads,
            run: |bytes| read_records($format, bytes),
            seeds: || record_seeds($format),
            words: $words,
            max_bytes: 4 << 10,
            share: $share,
        };
    };
}

format_target!(
    PGN,
    "pgn",
    "PGN",
    Format::Pgn,
    400,
    &[
        "[FEN \"",
        "[Variant \"",
        "\"]",
        "{",
        "}",
        "(",
        ")",
        "$1",
        "$255",
        "1-0",
        "0-1",
        "1/2-1/2",
        "*",
        "1.",
        "1...",
        "e4",
        "O-O",
        ";",
        "%",
        "[%clk 0:00:01]",
        "[%eval 0.1]",
        "e8=Q+",
        "--",
        "!?",
        "[SetUp \"1\"]",
        "[Date \"2000.01.01\"]",
    ]
);
format_target!(
    KIF,
    "kif",
    "KIF",
    Format::Kif,
    300,
    &[
        "手合割：平手",
        "手合割：香落ち",
        "先手：",
        "後手の持駒：",
        "手数----指手---------消費時間--",
        "▲",
        "△",
        "同　歩(77)",
        "７六歩(77)",
        "打",
        "成",
        "変化：3手",
        "*",
        "&",
        "投了",
        "中断",
        "反則勝ち",
        "( 0:01/00:00:01)",
        "|",
        "+---------------------------+",
        "飛二",
        "+",
    ]
);
format_target!(
    KI2,
    "ki2",
    "KI2",
    Format::Ki2,
    300,
    &[
        "▲",
        "△",
        "７六歩",
        "同歩",
        "右",
        "左",
        "上",
        "引",
        "寄",
        "直",
        "成",
        "不成",
        "打",
        "変化：2手",
        "まで",
        "手で先手の勝ち",
        "手合割：",
        "*",
    ]
);
format_target!(
    CSA,
    "csa",
    "CSA",
    Format::Csa,
    300,
    &[
        "V2.2",
        "N+",
        "N-",
        "PI",
        "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY",
        "P+00FU",
        "P-00AL",
        "P+",
        "+",
        "-",
        "+7776FU",
        "T1",
        "%TORYO",
        "%CHUDAN",
        "%MATTA",
        "'*",
        "$EVENT:",
        "/",
        ",",
        "AL",
        "RY",
    ]
);
format_target!(
    JKF,
    "jkf",
    "JKF",
    Format::Jkf,
    300,
    &[
        "\"header\"",
        "\"moves\"",
        "\"move\"",
        "\"forks\"",
        "\"initial\"",
        "\"preset\"",
        "\"OTHER\"",
        "\"HIRATE\"",
        "\"data\"",
        "\"board\"",
        "\"hands\"",
        "\"from\"",
        "\"to\"",
        "\"piece\"",
        "\"FU\"",
        "{\"x\":7,\"y\":6}",
        "null",
        "[[",
        "\"special\"",
        "\"TORYO\"",
        "\"time\"",
        "\"comments\"",
        "true",
    ]
);
format_target!(
    USI,
    "usi",
    "USI records",
    Format::Usi,
    400,
    &["startpos", "moves", "sfen", "fen", "position", "7g7f", "P*5e", "8h2b+", "0000", "w", "b", "-",]
);
format_target!(
    TSV,
    "tsv",
    "tables with USI moves",
    Format::Table,
    150,
    &["\t", "startpos", "moves", "sfen", "7g7f", "#", "1-0", "2000-01-01"]
);

fn read_records(format: Format, bytes: &[u8]) -> Reading {
    let Some((rules, text)) = game_and_rest(bytes) else { return Reading::Refused };
    let mut reader = MoveReader::new(rules.rules());
    let encoding = TextEncoding::guess(text, Some(format));
    let mut reading = Reading::Refused;
    for raw in Splitter::new(Cursor::new(text), format, encoding) {
        match parse(format, &raw.expect("memory can be read"), rules, &mut reader) {
            Ok(record) => {
                check_record(&record, rules, &mut reader);
                reading = Reading::Accepted;
            }
            Err(error) => _ = refused(error),
        }
    }
    reading
}

fn check_record(record: &GameRecord, rules: &CompiledRules, reader: &mut MoveReader) {
    let mut game = record.begin(rules).expect("a record's first position can be played from");
    for mv in &record.moves {
        assert!(game.play(*mv).is_ok(), "{mv:?} in {}", game.text());
    }
    for format in Format::written_names().filter_map(Format::named) {
        let mut written = String::new();
        match write_record(format, record, rules, &mut written) {
            Err(error) => {
                assert!(format != Format::Usi, "USI writes every game: {error}");
                _ = refused(error);
            }
            Ok(()) if format == Format::Usi => check_written(record, &written, rules, reader),
            Ok(()) => {}
        }
    }
}

/// A written line has the same moves.
fn check_written(record: &GameRecord, written: &str, rules: &CompiledRules, reader: &mut MoveReader) {
    let games = Splitter::new(
        Cursor::new(written.as_bytes()),
        Format::Usi,
        TextEncoding::guess(written.as_bytes(), Some(Format::Usi)),
    );
    let again: Vec<GameRecord> = games
        .map(|raw| {
            parse(Format::Usi, &raw.expect("memory can be read"), rules, reader)
                .expect("what we write can be read")
        })
        .collect();
    let [again] = again.as_slice() else { panic!("{} records of {written}", again.len()) };
    assert_eq!(again.moves, record.moves, "{written}");
}

/// Real texts in small: what our own writers do not write.
const FOREIGN: &[(Format, &str, &str)] = &[
    (
        Format::Pgn,
        "chess",
        "[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 {[%clk 0:01:00] good} (1. e3 Kd7 (1... Ke7)) Kd7 $2 2. e5!? *\n",
    ),
    (
        Format::Kif,
        "shogi",
        "# KIF\n手合割：香落ち\n手数----指手---------消費時間--\n   1 ３四歩(33)   ( 0:01/00:00:01)\n*comment\n   2 ７六歩(77)\n   3 投了\n\n変化：2手\n   2 ２六歩(27)\n",
    ),
    (Format::Ki2, "shogi", "先手：a\n後手：b\n\n▲７六歩 △３四歩 ▲２二角成 △同　銀\nまで4手で後手の勝ち\n"),
    (
        Format::Csa,
        "shogi",
        "V2.2\nN+a\nN-b\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \nP+00FU\n+\n+7776FU,T1\n'*comment\n-3334FU\nT2\n%TORYO\n",
    ),
    (
        Format::Jkf,
        "shogi",
        "{\"header\":{\"先手\":\"a\"},\"initial\":{\"preset\":\"HIRATE\"},\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"},\"comments\":[\"c\"],\"time\":{\"now\":{\"m\":0,\"s\":1},\"total\":{\"h\":0,\"m\":0,\"s\":1}}},{\"move\":{\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4},\"piece\":\"FU\"},\"forks\":[[{\"move\":{\"from\":{\"x\":8,\"y\":3},\"to\":{\"x\":8,\"y\":4},\"piece\":\"FU\"}}]]},{\"special\":\"TORYO\"}]}",
    ),
    (Format::Table, "shogi", "# id\tresult\tmoves\n1\t1-0\t7g7f 3c3d 8h2b+\n2\t0-1\tstartpos moves 2g2f\n"),
];

fn record_seeds(format: Format) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let foreign = FOREIGN.iter().filter(|(of, ..)| *of == format);
    all.extend(foreign.map(|(_, game, text)| with_game(game_number(game), text)));
    for (number, rules) in two_sided() {
        for n_plies in [6, 40] {
            let mut written = String::new();
            if format.is_written()
                && write_record(format, &record(rules, n_plies, 3), rules, &mut written).is_ok()
            {
                all.push(with_game(number, &written));
            }
        }
    }
    if format == Format::Kif {
        let sjis = [0x8e, 0xe8, 0x8d, 0x87, 0x8a, 0x84, 0x81, 0x46, 0x95, 0xbd, 0x8e, 0xe8, b'\n'];
        all.push(with_game(game_number(format.default_game()), sjis));
    }
    all
}

/// Any text as a query: an error at a character of it, or a query that reads back.
pub const QUERY: Target = Target {
    name: "query",
    reads: "a query",
    run: query,
    seeds: query_seeds,
    words: &[
        "and",
        "or",
        "not",
        "then",
        "(",
        ")",
        "anywhere(",
        "mirrored(",
        "swapped(",
        "lasting(",
        "game(",
        "=",
        ">=",
        "<=",
        "!=",
        "..",
        "player=",
        "date>=",
        "result=",
        "rating=",
        "length<",
        "ply=",
        "turn=",
        "hand(",
        "count(",
        "tag(",
        "\"",
        "position start",
        "position \"",
        "e4=P",
        "5e=empty",
        "1-0",
        "2000-01-01",
        "2000-12",
        "1999",
        "any",
        "|",
        "first",
    ],
    max_bytes: 1024,
    share: 500,
};

fn query(bytes: &[u8]) -> Reading {
    let Some((rules, text)) = game_and_text(bytes) else { return Reading::Refused };
    let rules = rules.rules();
    match read_query(text, rules) {
        Ok(query) => {
            let written = write_query(&query, rules);
            let again = read_query(&written, rules).unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(write_query(&again, rules), written);
            _ = query.n_parts(rules);
            Reading::Accepted
        }
        Err(error) => {
            assert!(error.offset <= text.len(), "{error}");
            refused(error)
        }
    }
}

/// The examples of the documentation.
fn query_seeds() -> Vec<Vec<u8>> {
    let mut number = game_number("shogi");
    let mut all = Vec::new();
    for line in include_str!("../../../docs/queries.md").lines() {
        if line.starts_with("In `chess`") {
            number = game_number("chess");
        }
        if let Some((query, _)) = line.strip_prefix("$ ").and_then(|line| line.split_once("=> ")) {
            all.push(with_game(number, query.trim()));
        }
    }
    all
}
