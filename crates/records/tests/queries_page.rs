//! The examples of docs/queries.md find what the page says.

use std::io::Cursor;

use crate::common::{add, compiled};
use ashta_records::notation::{MoveReader, Splitter, TextEncoding, parse};
use ashta_records::{Collection, CollectionWriter, Format, GameRecord, read_query};

const SHOGI: &str = "\
startpos moves 7g7f 3c3d 2g2f 4c4d 3i4h 8c8d
startpos moves 7g7f 3c3d 8h2b+ 3a2b 6g6f 2b3c
startpos moves 2g2f 3c3d 7g7f 2b8h+ 7i8h 8c8d
startpos moves 7g7f 8c8d 6g6f 8d8e 8h7g
";

const CHESS: &str = "\
[Event \"City cup\"]\n[Date \"1985.05.01\"]\n[White \"Anna K\"]\n[Black \"Boris\"]\n[WhiteElo \"2450\"]\n[BlackElo \"2410\"]\n[ECO \"C60\"]\n[Round \"1\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O 1-0\n
[Event \"City cup\"]\n[Date \"1993.02.??\"]\n[White \"Chen\"]\n[Black \"Anna K\"]\n[WhiteElo \"2300\"]\n[Round \"2\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 2. c4 e6 1/2-1/2\n
[Event \"World cup\"]\n[Date \"2001\"]\n[White \"Chen\"]\n[Black \"Dora\"]\n[Result \"0-1\"]\n\n1. e4 d6 2. d4 Nf6 3. Nc3 0-1\n";

fn collection(folder: &std::path::Path, game: &str, format: Format, text: &str) -> Collection {
    let rules = compiled(game);
    let mut reader = MoveReader::new(rules.rules());
    let encoding = TextEncoding::guess(text.as_bytes(), Some(format));
    let games = Splitter::new(Cursor::new(text.as_bytes()), format, encoding);
    let records: Vec<GameRecord> =
        games.map(|raw| parse(format, &raw.expect("text"), &rules, &mut reader).expect("a record")).collect();
    let mut writer = CollectionWriter::open(folder, &rules, game).expect("a collection");
    add(&mut writer, &records);
    writer.collection().expect("opened")
}

fn answer(collection: &Collection, query: &str) -> String {
    match read_query(query, collection.rules().rules()) {
        Err(error) => format!("character {}: {}", error.offset + 1, error.what),
        Ok(query) => {
            let n_games = collection.find(&query).expect("answered").n_games();
            format!("{n_games} game{}", if n_games == 1 { "" } else { "s" })
        }
    }
}

#[test]
fn examples_find_what_the_page_says() {
    let page = include_str!("../../../docs/queries.md");
    let folder = tempfile::tempdir().expect("a folder");
    let shogi = collection(&folder.path().join("s"), "shogi", Format::Usi, SHOGI);
    let chess = collection(&folder.path().join("c"), "chess", Format::Pgn, CHESS);
    let (mut current, mut n_examples, mut wrong) = (&shogi, 0, Vec::new());
    for line in page.lines() {
        if line.starts_with("In `chess`") {
            current = &chess;
        } else if line.starts_with("## When") {
            current = &shogi;
        }
        let Some((query, said)) = line.strip_prefix("$ ").and_then(|line| line.split_once("=> ")) else {
            continue;
        };
        let found = answer(current, query.trim());
        n_examples += 1;
        if !said.starts_with(&found) || said[found.len()..].starts_with(char::is_alphanumeric) {
            wrong.push(format!("{}: the page says {said}, found {found}", query.trim()));
        }
    }
    assert!(n_examples > 35, "the page has its examples: {n_examples}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
