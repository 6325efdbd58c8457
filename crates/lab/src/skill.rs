//! How much of a result is skill and how much is luck.
//!
//! In: cells in which a stronger player meets a weaker one, sides changed about. Out: the stronger one's score, and the share
//! of the result's variance that who is stronger does not explain. Never: what strength is.
//!
//! A side's (or team's) score X is 1 for a win, 0 for a loss, 1/2 for a draw. With sides changed about its mean is 1/2; knowing
//! whether one is the stronger moves it to s or 1 - s, so skill explains `(s - 1/2)^2` of `Var X`, and luck, of dice and of random
//! choices, the rest. Where the stronger always wins luck has no share, where it scores one half luck has all.

use crate::estimate::{Estimate, mean, wilson};
use crate::results::{CellResult, distinct};
use crate::tally::GameRow;

/// What one player makes of its strength over another in one game.
#[derive(Clone, PartialEq, Debug)]
pub struct SkillResult {
    pub game: String,
    /// The stronger player.
    pub stronger: String,
    /// The weaker player.
    pub weaker: String,
    /// Its mean score.
    pub score: Estimate,
    /// The share of the result that luck decides.
    pub luck: Estimate,
}

/// Of the cells in which all of one team are one player and all others another; the stronger is the one who scores more.
pub fn skill_results(cells: &[CellResult]) -> Vec<SkillResult> {
    let mut found = Vec::new();
    for game in distinct(cells, |cell| &cell.game) {
        let of_game: Vec<&CellResult> = cells.iter().filter(|cell| cell.game == game).collect();
        let mut pairs: Vec<(String, String)> = Vec::new();
        for cell in &of_game {
            let Some(pair) = opponents(cell) else { continue };
            let turned = (pair.1.clone(), pair.0.clone());
            if !pairs.contains(&pair) && !pairs.contains(&turned) {
                pairs.push(pair);
            }
        }
        for (one, other) in pairs {
            let scores: Vec<f64> = of_game.iter().flat_map(|cell| scores_of(cell, &one, &other)).collect();
            let lost: Vec<f64> = scores.iter().map(|score| 1.0 - score).collect();
            found.push(if scores.iter().sum::<f64>() >= lost.iter().sum::<f64>() {
                of_scores(&game, one, other, &scores)
            } else {
                of_scores(&game, other, one, &lost)
            });
        }
    }
    found
}

/// The player of the first side's team and that of the others, if each team is one player and they differ.
fn opponents(cell: &CellResult) -> Option<(String, String)> {
    let is_first = |side: usize| cell.teams[side] == cell.teams[0];
    let n = cell.seats.len();
    let other = (0..n).find(|side| !is_first(*side))?;
    let (ours, theirs) = (&cell.seats[0], &cell.seats[other]);
    let settled =
        (0..n).all(|side| cell.seats[side] == if is_first(side) { ours.as_str() } else { theirs.as_str() });
    (settled && ours != theirs).then(|| (ours.clone(), theirs.clone()))
}

/// The stronger player's score in every game of a cell; none if others play there.
fn scores_of(cell: &CellResult, stronger: &str, weaker: &str) -> Vec<f64> {
    let Some((ours, theirs)) = opponents(cell) else { return Vec::new() };
    let is_first = match (ours == stronger && theirs == weaker, theirs == stronger && ours == weaker) {
        (true, _) => true,
        (_, true) => false,
        (false, false) => return Vec::new(),
    };
    let score = |row: &GameRow| match row.winner {
        None => 0.5,
        Some(winner) => {
            let first_team = cell.teams.get(usize::from(winner)) == cell.teams.first();
            if first_team == is_first { 1.0 } else { 0.0 }
        }
    };
    cell.tally.rows.iter().map(score).collect()
}

fn of_scores(game: &str, stronger: String, weaker: String, scores: &[f64]) -> SkillResult {
    let s = mean(scores);
    // Wilson's interval, as of wins alone: draws make it a little too wide, and it stays between 0 and 1 even where every game
    // was won.
    let (low, high) = wilson(s, scores.len().max(1) as f64);
    let score = Estimate { low, high, ..Estimate::mean(scores) };
    // Var X with sides changed about: the mean is one half, and the square's mean is the same from both sides.
    let square = scores.iter().map(|x| (x - 0.5) * (x - 0.5)).sum::<f64>() / scores.len().max(1) as f64;
    let luck = 1.0 - (s - 0.5) * (s - 0.5) / square;
    // d luck / d s and d luck / d square, by the delta method.
    let (by_s, by_square) = (-2.0 * (s - 0.5) / square, (s - 0.5) * (s - 0.5) / (square * square));
    let influences = scores.iter().map(|x| by_s * (x - s) + by_square * ((x - 0.5) * (x - 0.5) - square));
    let luck = Estimate::from_influences(luck, influences);
    // A share; and where results do not spread, the score may still be less than it was seen to be.
    let least_skill = (low - 0.5).max(0.0);
    let high = luck.high.max(1.0 - least_skill * least_skill / square).clamp(0.0, 1.0);
    let luck = Estimate { low: luck.low.clamp(0.0, 1.0), high, ..luck };
    SkillResult { game: game.to_string(), stronger, weaker, score, luck }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_luck_and_no_luck() {
        let of = |scores: &[f64]| of_scores("game", "P1".into(), "P0".into(), scores);
        assert_eq!(of(&[1.0, 1.0, 1.0]).luck.value, 0.0);
        assert_eq!(of(&[1.0, 0.0, 1.0, 0.0]).luck.value, 1.0);
        // s = 3/4: skill explains 1/16 of 1/4.
        assert_eq!(of(&[1.0, 1.0, 1.0, 0.0]).luck.value, 0.75);
        // Three wins of three leave room for luck, and no interval leaves the scale.
        let won = of(&[1.0, 1.0, 1.0]);
        assert!(won.score.low < 0.5 && won.score.high == 1.0, "{won:?}");
        assert_eq!((won.luck.low, won.luck.high), (0.0, 1.0));
        assert!(of(&[1.0; 400]).luck.high < 0.05);
        // Draws leave less to be explained.
        assert_eq!(of(&[1.0, 0.5, 0.5, 0.5]).luck.value, 1.0 - (0.125 * 0.125) / (0.25 / 4.0));
    }
}
