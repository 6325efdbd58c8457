//! Engine scores as each protocol writes them.

use ashta_search::engine::Score;

/// `cp 35`, `mate 3`, `mate -2`: UCI counts moves to mate.
pub fn uci_score(score: Score) -> String {
    match score {
        Score::Centipawns(points) => format!("cp {points}"),
        Score::WinIn(plies) => format!("mate {}", plies.div_ceil(2)),
        Score::LossIn(plies) => format!("mate -{}", plies / 2),
    }
}

/// USI counts plies to mate.
pub fn usi_score(score: Score) -> String {
    match score {
        Score::Centipawns(points) => format!("cp {points}"),
        Score::WinIn(plies) => format!("mate {plies}"),
        Score::LossIn(plies) => format!("mate -{plies}"),
    }
}

/// XBoard has one number: mate in n is 100000 + n.
pub fn xboard_score(score: Score) -> i32 {
    match score {
        Score::Centipawns(points) => points,
        Score::WinIn(plies) => 100_000 + plies.div_ceil(2) as i32,
        Score::LossIn(plies) => -100_000 - (plies / 2) as i32,
    }
}
