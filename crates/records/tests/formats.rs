//! Records written and read again are the same, in every format that is written and for every game that it fits; and
//! what people's files have that the standards do not.

use std::io::Cursor;

use crate::common::{Numbers, annotate, compiled, random_record};
use ashta_position::notation::write_coordinates;
use ashta_position::{CompiledRules, Game, Move};
use ashta_records::annotations::{NotatedLine, write_line};
use ashta_records::notation::{MoveReader, Splitter, TextEncoding, parse};
use ashta_records::{Format, GameRecord, GameResult, Note, RecordError, tag, write_record};
use ashta_rules::Side;
use proptest::prelude::*;

fn read_bytes(format: Format, bytes: &[u8], rules: &CompiledRules) -> Vec<Result<GameRecord, RecordError>> {
    let encoding = TextEncoding::guess(&bytes[..bytes.len().min(1 << 16)], Some(format));
    let mut reader = MoveReader::new(rules.rules());
    let games = Splitter::new(Cursor::new(bytes), format, encoding);
    games.map(|raw| parse(format, &raw.expect("memory can be read"), rules, &mut reader)).collect()
}

fn read(format: Format, text: &str, rules: &CompiledRules) -> Vec<Result<GameRecord, RecordError>> {
    read_bytes(format, text.as_bytes(), rules)
}

fn one(format: Format, text: &str, game: &str) -> GameRecord {
    let mut records = read(format, text, &compiled(game));
    assert_eq!(records.len(), 1, "{records:?}");
    records.remove(0).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn refusal(format: Format, text: &str, game: &str) -> String {
    let found = read(format, text, &compiled(game)).into_iter().find_map(Result::err);
    found.unwrap_or_else(|| panic!("nothing was refused in {text}")).to_string()
}

/// A random record; most have something said beside their moves.
fn annotated(rules: &CompiledRules, numbers: &mut Numbers) -> GameRecord {
    let mut record = random_record(rules, numbers, 120, 200);
    // Of some nothing is known at all: only the moves tell where the next game begins.
    if numbers.below(4) == 0 {
        record.tags = Default::default();
    }
    if numbers.below(5) > 0 {
        let mut game = record.begin(rules).expect("a position");
        record.annotations = annotate(&mut game, &record.moves, numbers, 0);
    }
    record
}

fn moves_text(record: &GameRecord, game: &str) -> String {
    let mut record_builder = record.begin(&compiled(game)).expect("a position");
    let mut words = Vec::new();
    for mv in &record.moves {
        words.push(write_coordinates(&record_builder, *mv));
        record_builder.play_unchecked(*mv);
    }
    words.join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn records_read_back(seed in any::<u64>(), game in 0usize..8) {
        let name = ["shogi", "minishogi", "chess", "capablanca", "xiangqi", "makruk", "courier", "tori-shogi"][game];
        let rules = compiled(name);
        let mut numbers = Numbers(seed);
        let records: Vec<GameRecord> = (0..5).map(|_| annotated(&rules, &mut numbers)).collect();
        for format in Format::written_names().filter_map(Format::named) {
            let mut text = String::new();
            let written: Vec<_> = records.iter().map(|record| write_record(format, record, &rules, &mut text)).collect();
            if written.iter().any(Result::is_err) {
                prop_assert!(!matches!(format, Format::Pgn | Format::Usi) && name != "shogi", "{:?}", written);
                continue;
            }
            let read: Vec<GameRecord> = read(format, &text, &rules).into_iter().map(|r| r.unwrap_or_else(|e| panic!("{e}\n{text}"))).collect();
            prop_assert_eq!(read.len(), records.len(), "{}", text);
            for (read, record) in read.iter().zip(&records) {
                prop_assert_eq!(&read.moves, &record.moves);
                // Japanese records do not count the moves before their first position.
                let placed = |start: &Option<String>| match format {
                    Format::Csa | Format::Kif | Format::Ki2 | Format::Jkf => {
                        start.as_deref().and_then(|text| Some(text.rsplit_once(' ')?.0.to_string()))
                    }
                    Format::Pgn | Format::Usi | Format::Table => start.clone(),
                };
                prop_assert_eq!(placed(&read.start), placed(&record.start));
                // A game that is over is known to be, whatever the record did not say.
                if record.result != GameResult::Unknown {
                    prop_assert_eq!(read.result, record.result, "{}", text);
                }
                if matches!(format, Format::Pgn | Format::Kif | Format::Ki2) {
                    prop_assert_eq!(read.tags.get(tag::TERMINATION), None, "nobody said why: {}", text);
                }
                if format != Format::Usi {
                    prop_assert_eq!(&read.annotations, &record.annotations, "{}", text);
                    for name in [tag::PLAYERS[0], tag::PLAYERS[1], tag::DATE, tag::EVENT, tag::RATINGS[0]] {
                        prop_assert_eq!(read.tags.get(name), record.tags.get(name), "{} {}", name, text);
                    }
                }
            }
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), seed in any::<u64>()) {
        let rules = compiled("shogi");
        for format in Format::names().filter_map(Format::named) {
            read_bytes(format, &bytes, &rules);
            // Records with some bytes changed.
            let mut text = String::new();
            let record = annotated(&rules, &mut Numbers(seed));
            if write_record(format, &record, &rules, &mut text).is_ok() {
                let mut damaged = text.into_bytes();
                for (n, byte) in bytes.iter().enumerate().take(5) {
                    let at = (n * 37 + usize::from(*byte) * 3) % damaged.len();
                    damaged[at] = *byte;
                }
                read_bytes(format, &damaged, &rules);
            }
        }
    }
}

#[test]
fn pgn_as_people_have_it() {
    let text = "\u{feff}% for other programs\n[Event \"A \\\"big\\\" one\"]\n[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2400\"]\n[Result \"1-0\"]\n\n\
        1. e4! {[%clk 0:01:00] a comment with 1-0 inside} e5 $1 (1... c5 2. Nf3 (2. c3 d5) d6) 2.Nf3 Nc6 ; a rest of line\n\
        3.Bb5 a6?! 4. O-O\n{over\nlines} Nge7 1-0\n";
    let record = one(Format::Pgn, text, "chess");
    assert_eq!(moves_text(&record, "chess"), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 g8e7");
    assert_eq!(record.tags.get("Event"), Some("A \"big\" one"));
    assert_eq!(record.tags.get(tag::RATINGS[0]), Some("2400"));
    assert_eq!(record.result, GameResult::Won(Side::FIRST));
}

#[test]
fn pgn_games_follow_each_other() {
    let text = "1. e4 e5 *\n\n1. d4 d5 1/2-1/2\n[Event \"x\"]\n\n1. c4 *\n[Event \"y\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 10\"]\n\n10... Kd7 11. e4 *\n";
    let records = read(Format::Pgn, text, &compiled("chess"));
    let plies: Vec<usize> =
        records.iter().map(|record| record.as_ref().map_or(99, |r| r.moves.len())).collect();
    assert_eq!(plies, [2, 2, 1, 2]);
    let last = records[3].as_ref().expect("a record");
    assert_eq!(last.start.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 b - - 0 10"));
}

#[test]
fn bad_records_are_reported_and_the_rest_goes_on() {
    let text = "[Event \"a\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"b\"]\n\n1. d4 {no end *\n\n[Event \"c\"]\n\n1. c4 *\n";
    let records = read(Format::Pgn, text, &compiled("chess"));
    let told: Vec<String> =
        records.iter().map(|r| r.as_ref().map_or_else(ToString::to_string, |_| "fine".into())).collect();
    assert_eq!(
        told,
        ["line 3: move 3: `Ke3` is not legal here", "line 7: a comment is not closed: missing `}`", "fine"]
    );
    assert_eq!(
        refusal(Format::Pgn, "[Variant \"Atomic\"]\n\n1. e4 *\n", "chess"),
        "line 1: the record is of Atomic, not of Chess"
    );
    assert_eq!(
        refusal(Format::Usi, "startpos moves 7g7f 7g7f 3c3d\n", "shogi"),
        "line 1: move 2: `7g7f` is not legal here"
    );
    assert_eq!(
        refusal(Format::Csa, "V2.2\nPI\n+\n+7776FU\n+7675FU\n", "shogi"),
        "line 5: move 2: cannot read the move `+7675FU`: it is the other side's move"
    );
    assert_eq!(
        refusal(Format::Csa, "V2.2\nPI\n+\n%WHAT\n", "shogi"),
        "line 4: move 1: `%WHAT` is not an end of CSA"
    );
    assert_eq!(
        refusal(Format::Kif, "手合割：平手\n   1 ７七歩(77)\n   2 ３四歩(33)\n", "shogi"),
        "line 2: move 1: `７七歩(77)` is not legal here"
    );
    assert_eq!(refusal(Format::Kif, "手合割：百枚落ち\n", "shogi"), "line 1: unknown handicap `百枚落ち`");
    assert!(
        refusal(Format::Jkf, "{\"moves\":[{},\n{]}", "shogi").starts_with("line 2: the record is not JSON")
    );
}

const KIF: &str = "# KIF version 2.0\n開始日時：2014/10/12\n手合割：平手　　\n先手：sente\n後手：gote\n\
    手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n*a comment\n   2 ３四歩(33)\n   3 ２二角成(88)+\n   4 同　銀(31)\n   5 投了\n\
    まで4手で後手の勝ち\n\n変化：3手\n   3 ２六歩(27)\n";

#[test]
fn japanese_records_in_every_encoding() {
    let rules = compiled("shogi");
    for encoding in [encoding_rs::UTF_8, encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP] {
        let (bytes, _, _) = encoding.encode(KIF);
        let records = read_bytes(Format::Kif, &bytes, &rules);
        let [Ok(record)] = records.as_slice() else { panic!("{records:?}") };
        assert_eq!(moves_text(record, "shogi"), "7g7f 3c3d 8h2b+ 3a2b");
        assert_eq!((record.player(Side(0)), record.player(Side(1))), (Some("sente"), Some("gote")));
        assert_eq!(record.result, GameResult::Won(Side::SECOND));
        assert_eq!(record.tags.get(tag::TERMINATION), Some("resigns"));
    }
}

#[test]
fn whoever_mates_without_a_king_has_won() {
    let mated = "position sfen 8k/9/7G1/9/9/9/9/9/9 b G 1 moves G*2b";
    assert_eq!(one(Format::Usi, mated, "shogi").result, GameResult::Won(Side::FIRST));
    let not_yet = "position sfen 8k/9/7G1/9/9/9/9/9/9 b G 1 moves G*5b";
    assert_eq!(one(Format::Usi, not_yet, "shogi").result, GameResult::Unknown);
}

#[test]
fn what_is_no_record_is_refused() {
    for text in ["<!DOCTYPE html>\n<title>404: not found</title>\n", "# Read me\nkey: value\n"] {
        for format in [Format::Kif, Format::Ki2] {
            let told = refusal(format, text, "shogi");
            assert_eq!(told, "line 1: no line is a header or a move");
        }
    }
}

#[test]
fn openings_keep_their_codes_and_their_names() {
    let text = "[ECO \"C60\"]\n[Opening \"Ruy Lopez\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n";
    let record = one(Format::Pgn, text, "chess");
    assert_eq!((record.tags.get(tag::ECO), record.tags.get(tag::OPENING)), (Some("C60"), Some("Ruy Lopez")));
    assert_eq!(record.tags.opening().as_deref(), Some("C60 Ruy Lopez"));
    let mut written = String::new();
    write_record(Format::Pgn, &record, &compiled("chess"), &mut written).expect("written");
    assert!(written.contains("[ECO \"C60\"]\n[Opening \"Ruy Lopez\"]\n"), "{written}");
}

#[test]
fn books_and_handicaps() {
    let ki2 = "手合割：二枚落ち\n下手：a\n上手：b\n\n△６二銀    ▲７六歩 △５四歩▲４六歩\nまで4手で中断\n";
    let record = one(Format::Ki2, ki2, "shogi");
    assert_eq!(moves_text(&record, "shogi"), "7a6b 7g7f 5c5d 4g4f");
    assert_eq!(record.start.as_deref(), Some("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"));
    let csa = "V2.2\nN+a\nN-b\nPI82HI22KA\n-\n-7162GI,T1\n+7776FU\nT2\n%TORYO\n";
    let record = one(Format::Csa, csa, "shogi");
    assert_eq!(moves_text(&record, "shogi"), "7a6b 7g7f");
    assert_eq!(record.result, GameResult::Won(Side::FIRST));
    let tsume = "後手の持駒：飛　角　金四　銀三　桂四　香三　歩十七\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
        | ・ ・ ・ ・ ・ ・ ・ ・v香|一\n| ・ ・ ・ ・ 飛 馬 ・ ・v玉|二\n| ・ ・ ・ ・ ・ ・ ・v歩 ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ 銀|四\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| 玉 ・ ・ ・ ・ ・ ・ ・ ・|九\n\
        +---------------------------+\n先手の持駒：なし\n手数----指手---------消費時間--\n   1 ２三銀成(14)\n   2 同　玉(12)\n";
    let record = one(Format::Kif, tsume, "shogi");
    assert_eq!(record.start.as_deref(), Some("8l/4R+B2k/7p1/8S/9/9/9/9/K8 b rb4g3s4n3l17p 1"));
    assert_eq!(record.moves.len(), 2);
}

/// Chu shogi as lishogi exports it: a line for each leg, the origin behind an arrow; and a diagram with three columns a square.
#[test]
fn records_of_large_games() {
    let kif = "手合割：中将棋\n先手：a\n後手：b\n手数----指手---------消費時間--\n   1手目   6八獅子 （←7十）   ( 0:01/00:00:01)\n\
               *a comment\n   2手目   6五獅子 （←6三）\n   3手目一歩目 6七獅子 （←6八）\n   3手目二歩目 6八獅子(じっと) （←6七）\n\
               4手目   投了\n";
    let record = one(Format::Kif, kif, "chu-shogi");
    assert_eq!(moves_text(&record, "chu-shogi"), "7j6h 6c6e 6h7h6h");
    assert_eq!(record.result, GameResult::Won(Side::FIRST));
    let rank = "|  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・|\n";
    let diagram = |mv: &str| {
        format!(
            "手合割：その他\n後手の持駒：なし\n|  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・v 王|一\n\
             |  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・ 杏 成獅|二\n{}\
             |  玉  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・  ・|十二\n先手番\n   1 {mv}\n",
            rank.repeat(9)
        )
    };
    assert!(refusal(Format::Kif, &diagram("1二成獅 （←1三）"), "chu-shogi").contains("move 1"));
    let record = one(Format::Kif, &diagram("2一金将 （←2二）"), "chu-shogi");
    let start = record.start.expect("a diagram");
    assert_eq!(start, "11k/10+P+O/12/12/12/12/12/12/12/12/12/K11 b - 1");
}

#[test]
fn json_records() {
    let text = r#"{"header":{"先手":"a"},"initial":{"preset":"HIRATE"},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},
        {"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"}},{"move":{"from":{"x":8,"y":8},"to":{"x":2,"y":2},"piece":"KA","promote":true}},
        {"move":{"from":{"x":3,"y":1},"same":true,"piece":"GI"}},{"move":{"to":{"x":5,"y":5},"piece":"KA"}},{"special":"TORYO"}]}"#;
    let record = one(Format::Jkf, text, "shogi");
    assert_eq!(moves_text(&record, "shogi"), "7g7f 3c3d 8h2b+ 3a2b B*5e");
    assert_eq!(record.result, GameResult::Won(Side::FIRST));
}

#[test]
fn tables_with_and_without_headings() {
    let text = "#id\tblack\twhite\tend\tinit_sfen\tmoves\n1\ta\tb\tresign\t\t7g7f 3c3d\n2\tc\td\t\t4k4/9/9/9/9/9/9/9/4K3R b - 1\t1i1a+\n";
    let records = read(Format::Table, text, &compiled("shogi"));
    let [Ok(first), Ok(second)] = records.as_slice() else { panic!("{records:?}") };
    assert_eq!((first.moves.len(), first.result), (2, GameResult::Won(Side::SECOND)));
    assert_eq!(second.player(Side(1)), Some("d"));
    let bare = one(Format::Table, "1\tmate\t2\t7g7f 3c3d\n", "shogi");
    assert_eq!((bare.moves.len(), bare.result), (2, GameResult::Won(Side::SECOND)));
}

#[test]
fn formats_are_detected_by_their_text() {
    let texts = [
        ("[Event \"x\"]\n", Some(Format::Pgn)),
        ("position startpos moves 7g7f\n", Some(Format::Usi)),
        ("V2.2\n", Some(Format::Csa)),
        (KIF, Some(Format::Kif)),
        ("▲７六歩\n", Some(Format::Ki2)),
        ("{\"header\":{}}", Some(Format::Jkf)),
        ("hello\n", None),
    ];
    for (text, format) in texts {
        assert_eq!(Format::of_text(text), format, "{text}");
    }
}

/// What is said beside the moves of a record, in brackets of its own.
fn said(record: &GameRecord, game: &str) -> String {
    let mut record_builder = record.begin(&compiled(game)).expect("a position");
    let mut write = |game: &Game, mv: Move| Ok::<_, ()>(write_coordinates(game, mv));
    let told =
        write_line(&mut record_builder, &record.moves, &record.annotations, &mut write).expect("written");
    let mut words = Vec::new();
    show(&told, &mut words);
    words.join(" ")
}

fn show(line: &NotatedLine<String>, words: &mut Vec<String>) {
    let note = |note: Option<&Note>, words: &mut Vec<String>| {
        let Some(note) = note else { return };
        words.extend(note.glyphs.iter().map(|glyph| format!("${glyph}")));
        words.extend(note.spent_ms.map(|spent_ms| format!("{spent_ms}ms")));
        if !note.comment.is_empty() {
            words.push(format!("{:?}", note.comment));
        }
    };
    let beside = |lines: &[NotatedLine<String>], words: &mut Vec<String>| {
        for line in lines {
            words.push("(".into());
            show(line, words);
            words.push(")".into());
        }
    };
    note(line.before, words);
    for mv in &line.moves {
        words.push(mv.text.clone());
        note(mv.note, words);
        beside(&mv.instead, words);
    }
    beside(&line.onward, words);
}

#[test]
fn what_people_say_in_pgn_is_kept() {
    let texts = [
        ("{first} 1. e4! {good} e5 $2 $14 *", "\"first\" e2e4 $1 \"good\" e7e5 $2 $14"),
        ("1. e4 ; to the end\n; and on\ne5 +/- *", "e2e4 \"to the end\\nand on\" e7e5 $16"),
        ("1. e4 {a} {b} e5 *", "e2e4 \"a\\nb\" e7e5"),
        (
            "1. e4 e5 (1... c5 {Sicilian} 2. Nf3 (2. c3 d5) d6) 2. d4 *",
            "e2e4 e7e5 ( c7c5 \"Sicilian\" g1f3 ( c2c3 d7d5 ) d7d6 ) d2d4",
        ),
        // Sisters, however they are nested.
        ("1. e4 (1. d4 (1. c4)) *", "e2e4 ( d2d4 ) ( c2c4 )"),
        // A line that goes on where the game ended, told by its number.
        ("1. e4 e5 (2. Nf3 Nc6) *", "e2e4 e7e5 ( g1f3 b8c6 )"),
        // What cannot be read of a variation is kept as text.
        ("1. e4 e5 (1... c5 2. -- {x} d6) 2. d4 *", "e2e4 e7e5 ( c7c5 \"-- {x} d6\" ) d2d4"),
        ("1. e4 e5 (1... Ke3 (2. d4)) 2. d4 *", "e2e4 e7e5 \"(Ke3 (2. d4))\" d2d4"),
        ("(1. d4) 1. e4 *", "e2e4 ( d2d4 )"),
        ("(1... d5) 1. e4 *", "\"(1... d5)\" e2e4"),
        ("1. e4 e5 (1... c5 1-0) 1-0 {resigns}", "e2e4 e7e5 \"resigns\" ( c7c5 \"1-0\" )"),
        (
            "1. e4 {[%emt 0:00:05] [%clk 0:01:00]} e5 {[%clk 1:00]} *",
            "e2e4 5000ms \"[%clk 0:01:00]\" e7e5 \"[%clk 1:00]\"",
        ),
    ];
    for (text, kept) in texts {
        assert_eq!(said(&one(Format::Pgn, text, "chess"), "chess"), kept, "{text}");
    }
    assert_eq!(refusal(Format::Pgn, "1. e4 (1. d4 *\n", "chess"), "line 2: a variation is not closed");
    assert_eq!(refusal(Format::Pgn, "1. e4 -- 2. d4 *\n", "chess"), "line 1: move 2: `--` is not legal here");
}

#[test]
fn what_people_say_in_japanese_is_kept() {
    let kif = "手合割：平手\n備考：a head\n*first\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 1:01/00:01:01)\n*a comment\n*  of two lines\n   2 ３四歩(33)   ( 0:00/00:00:00)\n&mark\n   3 ２二角成(88)+\n   4 投了\n\
        まで3手で先手の勝ち\n\n変化：4手\n   4 同　銀(31)\n   5 ４五角打\n変化：   5手\n   5 ９五角打\n変化：3手\n*before\n   3 ２六歩(27)\n   4 投了\n変化：9手\n   9 x\n変化：2手\n   2 ８八歩(33)\n";
    let record = one(Format::Kif, kif, "shogi");
    assert_eq!(record.tags.get("備考"), Some("a head"));
    assert_eq!(
        said(&record, "shogi"),
        "\"first\" 7g7f 61000ms \"a comment\\n  of two lines\" 3c3d 0ms \"&mark\\n(８八歩(33))\" 8h2b+ \
         ( \"before\" 2g2f \"投了\\n変化：9手\\nx\" ) ( 3a2b B*4e ( B*9e ) )"
    );
    let ki2 = "手合割：平手\n\n*first\n▲７六歩    △３四歩\n*a comment\n▲２六歩\nまで3手で先手の勝ち\n\n変化：2手\n△８四歩 ▲２六歩\n*x\n";
    let shown = said(&one(Format::Ki2, ki2, "shogi"), "shogi");
    assert_eq!(shown, "\"first\" 7g7f 3c3d \"a comment\" ( 8c8d 2g2f \"x\" ) 2g2f");
    let csa =
        "V2.2\n'a plain one\nPI\n+\n+7776FU,T12\n'*a comment\n-3334FU\nT0\n%TORYO,T3\n'* after the end\n";
    let shown = said(&one(Format::Csa, csa, "shogi"), "shogi");
    assert_eq!(shown, "\"a plain one\" 7g7f 12000ms \"a comment\" 3c3d 0ms \"after the end\"");
    let jkf = r#"{"header":{"備考":"x","手合割":"平手"},"moves":[{"comments":["first","second"]},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"},"time":{"now":{"m":1,"s":1}},
        "forks":[[{"move":{"from":{"x":2,"y":7},"to":{"x":2,"y":6},"piece":"FU"},"comments":["x"]},{"special":"CHUDAN"}],[{"move":{"from":{"x":2,"y":7},"to":{"x":2,"y":4},"piece":"FU"}}]]},{"special":"TORYO"}]}"#;
    let shown = said(&one(Format::Jkf, jkf, "shogi"), "shogi");
    assert!(shown.starts_with("\"first\\nsecond\" 7g7f 61000ms"), "{shown}");
    assert!(shown.ends_with("( 2g2f \"x\\nCHUDAN\" )"), "{shown}");
}

#[test]
fn lines_within_lines_have_an_end() {
    let rules = compiled("chess");
    for depth in [5, 31, 32, 33, 500, 20_000] {
        let open = "(1. e4 e5 ".repeat(depth);
        let text = format!("1. e4 e5 {open}{}*\n", ") ".repeat(depth));
        let records = read(Format::Pgn, &text, &rules);
        let [Ok(record)] = records.as_slice() else { panic!("{depth}: {records:?}") };
        let mut again = String::new();
        write_record(Format::Pgn, record, &rules, &mut again).expect("written");
        let reread = read(Format::Pgn, &again, &rules).remove(0).expect("a record");
        assert_eq!(&reread.annotations, &record.annotations, "{depth}");
    }
    // Many variations of a long game do not play it again each.
    let shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(500);
    let text = format!("{shuffle}{}*\n", "(1. Nf3 Nf6) ".repeat(20_000));
    assert_eq!(read(Format::Pgn, &text, &rules).len(), 1);
}
