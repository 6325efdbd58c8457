//! How the players of contests fare against each other: games are seeded, so the counts are always the same.

use ashta_play::{GameRunner, Observer, Playable, PlayerPlan, Random};
use ashta_position::{CompiledRules, Contest};
use ashta_rules::load;
use ashta_search::StopFlag;

struct Nobody;

impl<G: Playable> Observer<G> for Nobody {}

/// Wins of the first team, wins of the second, draws.
fn play(players: &str, n_games: u64) -> [u32; 3] {
    let CompiledRules::W64(tables) = CompiledRules::new(load("four-handed").expect("it is in the library"))
    else {
        unreachable!("the board has 64 squares")
    };
    let start = Contest::start(tables).expect("it is a contest");
    let mut runner = GameRunner::new(start.clone());
    let plans: Vec<PlayerPlan> = players.split('/').map(|text| text.parse().expect(text)).collect();
    let mut counts = [0; 3];
    for game in 0..n_games {
        let engine = |plan| start.player(plan, None, &StopFlag::default()).expect("it is for contests");
        let mut seats: Vec<_> = plans.iter().cycle().take(4).map(engine).collect();
        let outcome = runner.play(&mut seats, 2000, &mut Random::of_game(1, 2, game), &mut Nobody);
        counts[outcome.and_then(|outcome| outcome.winner).map_or(2, |side| side.index() % 2)] += 1;
    }
    counts
}

#[test]
fn expectimax_beats_random_players_more_often_than_the_look_ahead_of_the_paper_does() {
    let [expect_wins, ..] = play("expect:1/P0/expect:1/P0", 200);
    let [hunt_wins, ..] = play("P2(first)/P0/P2(first)/P0", 200);
    assert!(expect_wins >= 190, "{expect_wins} of 200");
    assert!(expect_wins > hunt_wins, "{expect_wins} against {hunt_wins}");
    let [deeper_wins, ..] = play("expect:2/P0/expect:2/P0", 20);
    assert!(deeper_wins >= 19, "{deeper_wins} of 20");
}

#[test]
fn expectimax_against_itself_seldom_draws() {
    let [.., draws] = play("expect:1", 200);
    assert!(draws < 30, "{draws} of 200");
    let [.., draws] = play("expect:2", 20);
    assert!(draws < 3, "{draws} of 20");
}
