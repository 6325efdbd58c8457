//! The law of exports: whatever tags, names and comments a record has, what is written in any format is read back as the
//! same game with the same meaning.

use std::io::Cursor;

use crate::common::{Numbers, annotate, compiled, random_record};
use ashta_position::CompiledRules;
use ashta_records::notation::{MoveReader, Splitter, TextEncoding, parse};
use ashta_records::{Format, GameRecord, GameResult, Tags, tag, write_record};
use proptest::prelude::*;

/// Names that formats use for something else, and names that they cannot have.
const NAMES: [&str; 36] = [
    "SI E",
    "White",
    "WhiteElo",
    "UTCDate",
    "FEN",
    "SetUp",
    "Result",
    "Variant",
    "PlyCount",
    "EVENT",
    "START_TIME",
    "TERMINATION",
    "Termination",
    "Date",
    "先手",
    "後手",
    "開始日時",
    "手合割",
    "先手の持駒",
    "まで",
    "変化",
    "手数--",
    "備考",
    "持ち時間",
    "反則負け",
    "X_a",
    "X_SI_20_E",
    "a:b",
    "a：b",
    "[x]",
    "\"q\"",
    "N+",
    "black_rate",
    "*",
    "#",
    "a very long name of a tag, longer than any head",
];

const VALUES: [&str; 16] = [
    "1-0",
    "a\nb",
    "say \"x\\y\"",
    "]",
    "} {",
    "?",
    "- -",
    "：",
    "2014/10/12",
    "'*",
    "%TORYO",
    "$1",
    "変化：3手",
    "\u{feff}x",
    "09:10:01",
    "　wide　",
];

const COMMENTS: [&str; 12] = [
    "a } bracket {",
    "1-0\n*",
    "[Event \"x\"]\n\n1. e4",
    "変化：3手",
    "▲７六歩",
    "'+7776FU",
    "; % # & / \\",
    "手合割：平手\n先手：x",
    "まで3手で先手の勝ち",
    "/\nV2.2",
    "\"},{\"special\":\"TORYO\"}",
    "反則負け",
];

fn text(known: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(known).prop_map(str::to_string),
        "\\PC{1,12}",
        any::<String>().prop_map(|text| text.chars().take(30).collect()),
    ]
}

fn read(format: Format, text: &str, rules: &CompiledRules) -> Vec<GameRecord> {
    let encoding = TextEncoding::guess(text.as_bytes(), Some(format));
    let mut reader = MoveReader::new(rules.rules());
    let games = Splitter::new(Cursor::new(text), format, encoding);
    let one = |raw: std::io::Result<_>| parse(format, &raw.expect("memory can be read"), rules, &mut reader);
    games.map(one).map(|read| read.unwrap_or_else(|error| panic!("{format:?} {error}\n{text}"))).collect()
}

fn sorted(tags: &Tags) -> Vec<(String, String)> {
    let mut tags: Vec<_> = tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    tags.sort();
    tags
}

/// What a format says of the first position: Japanese records do not count the moves before it.
fn start(format: Format, record: &GameRecord) -> Option<String> {
    let text = record.start.clone();
    match format {
        Format::Csa | Format::Kif | Format::Ki2 | Format::Jkf => {
            text.and_then(|text| Some(text.rsplit_once(' ')?.0.to_string()))
        }
        Format::Pgn | Format::Usi | Format::Table => text,
    }
}

fn check(format: Format, record: &GameRecord, read: &GameRecord, text: &str) -> Result<(), TestCaseError> {
    prop_assert_eq!(&read.moves, &record.moves, "{:?}\n{}", format, text);
    prop_assert_eq!(start(format, read), start(format, record));
    // A game that is over is known to be, whatever the record did not say.
    if record.result != GameResult::Unknown {
        prop_assert_eq!(read.result, record.result, "{}", text);
    }
    if format == Format::Usi {
        return Ok(());
    }
    prop_assert_eq!(&read.annotations, &record.annotations, "{:?}\n{}", format, text);
    // CSA and JKF have no word for a win without a reason.
    let is_told_why =
        record.tags.get(tag::TERMINATION).is_some() || !matches!(format, Format::Csa | Format::Jkf);
    let told: Vec<_> =
        sorted(&read.tags).into_iter().filter(|(name, _)| is_told_why || name != tag::TERMINATION).collect();
    prop_assert_eq!(told, sorted(&record.tags), "{:?}\n{}", format, text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_exported_is_read_back(
        seed in any::<u64>(),
        game in prop::sample::select(&["shogi", "minishogi", "chess", "xiangqi", "chu-shogi"][..]),
        tags in prop::collection::vec((text(&NAMES), text(&VALUES)), 0..8),
        players in (text(&VALUES), text(&VALUES)),
        comments in prop::collection::vec((0usize..12, text(&COMMENTS)), 0..6),
    ) {
        let rules = compiled(game);
        let mut numbers = Numbers(seed);
        let mut record = random_record(&rules, &mut numbers, 10, 200);
        let mut record_builder = record.begin(&rules).expect("a position");
        record.annotations = annotate(&mut record_builder, &record.moves, &mut numbers, 1);
        for (ply, words) in &comments {
            // What a comment begins with may be glyphs and a time, in every format.
            record.annotations.set_comment(*ply % (record.moves.len() + 1), words.trim_start_matches(['$', '[', ' ', '\n']));
        }
        for (name, value) in &tags {
            record.tags.set(name, value);
        }
        record.tags.set(tag::PLAYERS[0], &players.0);
        record.tags.set(tag::PLAYERS[1], &players.1);
        for format in Format::written_names().filter_map(Format::named) {
            let mut text = String::new();
            if write_record(format, &record, &rules, &mut text).is_err() {
                prop_assert!(!matches!(format, Format::Pgn | Format::Usi) && game != "shogi");
                continue;
            }
            // Two of them: what one says does not run into the next.
            write_record(format, &record, &rules, &mut text).expect("written");
            let read = read(format, &text, &rules);
            prop_assert_eq!(read.len(), 2, "{:?}\n{}", format, text);
            for read in &read {
                check(format, &record, read, &text)?;
            }
        }
    }
}

/// Tag names that PGN does not have, from a file that has them.
#[test]
fn a_tag_of_csa_goes_through_pgn() {
    let rules = compiled("shogi");
    let csa = "V2.2\n$SI E:hello\nPI\n+\n+7776FU\n";
    let record = &read(Format::Csa, csa, &rules)[0];
    assert_eq!(record.tags.get("SI E"), Some("hello"));
    let mut pgn = String::new();
    write_record(Format::Pgn, record, &rules, &mut pgn).expect("written");
    assert!(pgn.contains("[X_SI_20_E \"hello\"]"), "{pgn}");
    assert_eq!(read(Format::Pgn, &pgn, &rules)[0].tags.get("SI E"), Some("hello"));
}
