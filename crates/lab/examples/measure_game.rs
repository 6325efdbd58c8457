//! Plays 200 random games and prints branching factor, length and draws with their 95% intervals:
//! `cargo run --release -p ashta-lab --example measure_game -- shatranj`

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "an example is a program of its own"
)]

use std::error::Error;
use std::sync::atomic::AtomicBool;

use ashta_lab::{CellPlan, Division, Experiment, Journal, Kind, Measure, Plan, Preset, RunEnd, Shard, Stop};
use ashta_lab::{digest_text, results, run};

fn main() -> Result<(), Box<dyn Error>> {
    let game = std::env::args().nth(1).unwrap_or("shatranj".into());
    let load = |name: &str| ashta_rules::load(name).map_err(|problems| problems.to_string());
    let (players, digest) = (vec!["P0".into(), "P0".into()], digest_text(&load(&game)?));
    let plan = Plan {
        kind: Kind::Analysis,
        command: String::new(),
        version: env!("CARGO_PKG_VERSION").into(),
        preset: Preset::Plain,
        conventions: Preset::Plain.conventions(),
        seed: 1,
        max_plies: 1000,
        stop: Stop::Games(200),
        cells: vec![CellPlan { name: game.clone(), game, digest, players, values: None }],
    };
    let experiment = Experiment::new::<Box<dyn Error>>(plan, |name| Ok(load(name)?))?;
    // Finished units are in the journal; a run that was killed continues from it.
    let digest = experiment.plan.digest();
    let path = std::env::temp_dir().join(format!("{digest:x}.journal"));
    let (mut journal, contents) = Journal::open_or_create(path, digest, "")?;
    let division = Division { n_threads: 2, shard: Shard { index: 0, of: 1 } };
    let end = run(&experiment, &mut journal, contents.units, division, &AtomicBool::new(false), |_| ())?;
    let (RunEnd::Complete(schedule) | RunEnd::Cancelled(schedule)) = end;
    let cells = results(&experiment, schedule.tallies().into_iter().flatten().collect());
    for measure in [Measure::Branching, Measure::Length, Measure::Draws] {
        let found = cells[0].measures.get(measure);
        println!("{measure:?}: {:.3} [{:.3}, {:.3}]", found.value, found.low, found.high);
    }
    Ok(())
}
