use ashta_lab::learn::*;
use ashta_lab::*;
use std::sync::atomic::AtomicBool;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let rules = ashta_rules::load(&args[1]).unwrap();
    let digest = digest_text(&rules);
    let plan = LearnPlan { command: String::new(), version: String::new(), seed: 1, n_games: args[2].parse().unwrap(),
        games: vec![LearnGame { name: args[1].clone(), game: args[1].clone(), digest }], lambdas: vec![0.8], n_runs: 1,
        rate: "0.05:0.002@3000".parse().unwrap(), depth: 3, quiescence: 6, mate: 3, max_plies: 1000, bared: Bared::BreaksOff, features: vec![], mode: Mode::EveryMove };
    let learning = Learning::new(plan, |g| Ok::<_, LearnError>(ashta_rules::load(g).unwrap())).unwrap();
    let path = std::env::temp_dir().join(format!("speed-{}", std::process::id()));
    let (mut j, c) = JournalOf::open_or_create(&path, 1, "x").unwrap();
    let start = std::time::Instant::now();
    let Learned::Whole(curves) = learn(&learning, &mut j, c.units, 1, &AtomicBool::new(false), |_| {}).unwrap() else { panic!() };
    let plies: u32 = curves.games[0].iter().map(|g| g.n_plies).sum();
    let t = start.elapsed().as_secs_f64();
    let wins = curves.games[0].iter().filter(|g| g.result == 1.0 || g.result == 0.0).count();
    println!("{t:.2}s {plies} plies {:.1} plies/game {:.3} ms/ply decisive {wins} -> 10000 games {:.1} min", plies as f64/curves.games[0].len() as f64, t*1e3/plies as f64, t/60.0*10000.0/curves.games[0].len() as f64);
    for (n, w) in learning.cells[0].features.names().iter().zip(&curves.weights[0]) { print!("{n} {w:.4}  "); }
    println!();
    std::fs::remove_file(path).ok();
}
