//! Imports records into a collection and runs a query.
//!
//! `cargo run --release -p ashta-records --example find_positions -- chess games.pgn my-games "e4=P c5=p"`

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "an example is a program of its own"
)]

use std::error::Error;
use std::path::{Path, PathBuf};

use ashta_position::CompiledRules;
use ashta_records::{CollectionWriter, ImportObserver, ImportPlan, ImportReport, Rejection};
use ashta_records::{import, read_query};

/// Says which records were refused; `progress` and `wants_stop` are for long imports.
struct Refusals;
impl ImportObserver for Refusals {
    fn rejected(&mut self, refused: &Rejection) {
        println!("refused: {refused:?}");
    }
    fn progress(&mut self, _: &ImportReport, _bytes_read: u64) {}
    fn wants_stop(&mut self) -> bool {
        false
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, file, folder, query] = arguments.as_slice() else {
        return Err("usage: find_positions GAME FILE COLLECTION QUERY".into());
    };
    let rules = CompiledRules::new(ashta_rules::load(game).map_err(|problems| problems.to_string())?);
    let mut writer = CollectionWriter::open(Path::new(folder), &rules, game)?;
    let report = import(&mut writer, &[PathBuf::from(file)], ImportPlan::default(), &mut Refusals)?;
    println!("{} games added, {} known already", report.n_added, report.n_known);
    let collection = writer.collection()?;
    let found = collection.find(&read_query(query, rules.rules())?)?;
    println!("{} positions in {} games", found.n_positions(), found.n_games());
    let first = found.page(0, 10)?;
    first.iter().for_each(|hit| println!("game {}, from ply {}: {:?}", hit.game + 1, hit.from, hit.players));
    Ok(())
}
