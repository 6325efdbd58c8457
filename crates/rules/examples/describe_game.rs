//! Checks a game file, or describes a game of the library in words.
//!
//! `cargo run -p ashta-rules --example describe_game -- shatranj+double-step`, or a path such as `./my-game.toml`

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "an example is a program of its own"
)]

use std::error::Error;

use ashta_rules::words::{Language, rules_in_words};
use ashta_rules::{check_text, load};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or("shatranj".into());
    let loaded = if name.ends_with(".toml") {
        check_text(&name, &std::fs::read_to_string(&name)?)
    } else {
        load(&name)
    };
    // `Problems` holds every mistake of the file with its line and column, not only the first.
    let rules = loaded.map_err(|problems| problems.to_string())?;
    println!("{}: {}", rules.name(), rules.about());
    println!("{} squares, {} kinds of pieces", rules.grid().n_squares(), rules.kinds().len());
    for words in rules_in_words(&rules, Language::English) {
        println!("{}:", words.title);
        for sentence in &words.sentences {
            println!("  {sentence}");
        }
    }
    Ok(())
}
