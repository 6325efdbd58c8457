//! Random plies at the start of a game, so that players who would always begin alike do not.
//!
//! In: a position to begin from, random numbers. Out: a line of play. Never: a game that is over.

use ashta_play::Random;
use ashta_position::Line;
use ashta_search::SearchWord;

/// Plays so many random plies; fewer if they would end the game.
pub fn play_random_plies<W: SearchWord>(line: &mut Line<W>, n_plies: u32, random: &mut Random) {
    for _ in 0..n_plies {
        let moves = line.position().legal_moves();
        let Some(mv) = moves.get(random.below(moves.len() as u32) as usize) else { break };
        line.play_unchecked(*mv);
        if line.outcome().is_some() {
            line.take_back();
            break;
        }
    }
}
