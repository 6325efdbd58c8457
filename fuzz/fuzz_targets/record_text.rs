//! Any bytes as game records, in every format: errors, or records whose moves are legal and that read back.
//!
//! The bytes are: the game, the text.

#![no_main]

use std::io::Cursor;

use ashta_fuzz::library_game;
use ashta_records::notation::{MoveReader, Splitter, TextEncoding, parse};
use ashta_records::{Format, write_record};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [first, text @ ..] = bytes else { return };
    let rules = library_game(*first);
    let mut reader = MoveReader::new(rules.rules());
    for format in Format::names().filter_map(Format::named) {
        let encoding = TextEncoding::guess(text, Some(format));
        for raw in Splitter::new(Cursor::new(text), format, encoding) {
            let Ok(record) = parse(format, &raw.expect("memory can be read"), rules, &mut reader) else { continue };
            let mut game = record.begin(rules).expect("a record's first position can be played from");
            for mv in &record.moves {
                assert!(game.play(*mv).is_ok(), "{mv:?} in {}", game.text());
            }
            let mut written = String::new();
            write_record(Format::Usi, &record, rules, &mut written).expect("USI writes every game");
        }
    }
});
