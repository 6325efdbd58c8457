//! Any text as a query: an error at a character of it, or a query that reads back.
//!
//! The bytes are: the game, the text.

#![no_main]

use ashta_fuzz::library_game;
use ashta_records::{read_query, write_query};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [first, text @ ..] = bytes else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let rules = library_game(*first).rules();
    match read_query(text, rules) {
        Ok(query) => {
            let written = write_query(&query, rules);
            let again = read_query(&written, rules).expect("what we write can be read");
            assert_eq!(write_query(&again, rules), written);
        }
        Err(error) => assert!(error.offset <= text.len(), "{error}"),
    }
});
