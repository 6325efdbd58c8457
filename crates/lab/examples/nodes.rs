//! x
use ashta_play::*; use ashta_position::*; use ashta_search::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let rules = CompiledRules::new(ashta_rules::load(&args[1]).unwrap());
    let n: u32 = args[2].parse().unwrap();
    let f = Features::new(rules.rules(), FeatureChoice::default());
    let names = f.names().len();
    let w: Vec<f64> = (0..names).map(|i| 0.26 + 0.1731 * i as f64).collect();
    let mut t = Thinker::new(rules.rules(), f.values(&w), Look { depth: 3, quiescence: 6, mate: 3 });
    let (mut plies, mut b) = (0u64, 0u64);
    let start = std::time::Instant::now();
    let mut sum = 0u64;
    for g in 0..n {
        let mut r = Random::of_game(1, 2, g.into());
        let mut game = Game::start(&rules);
        t.begin_game();
        for _ in 0..400 {
            let moves = game.legal_moves();
            if game.outcome().is_some() { break }
            b += moves.len() as u64; plies += 1;
            let mv = with_line!(game.line_mut(), line => { let mut p = line.position().clone(); t.choose(&mut p, &moves, &mut r) });
            game.play_unchecked(mv);
        }
        sum = sum.wrapping_mul(31).wrapping_add(game.key());
    }
    let s = start.elapsed().as_secs_f64();
    println!("{} plies {plies} B {:.1} nodes/ply {:.0} ms/ply {:.3} ns/node {:.0} check {sum:x}", args[1], b as f64 / plies as f64, t.n_nodes() as f64 / plies as f64, s * 1e3 / plies as f64, s * 1e9 / t.n_nodes() as f64);
}
