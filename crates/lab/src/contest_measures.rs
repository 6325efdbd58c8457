//! Measures that only contests have.

use crate::estimate::{Estimate, mean};
use crate::measures::{Average, Conventions, Drawn};
use crate::tally::{ContestRow, GameRow};

/// What is measured of a contest under one set of players.
#[derive(Clone, PartialEq, Debug)]
pub struct ContestMeasures {
    /// Legal turns that are to be expected before the throw.
    pub expected: Estimate,
    /// Legal turns before the throw, had any piece been allowed to move.
    pub before: Estimate,
    /// Moves of pieces in a turn.
    pub piece_moves: Estimate,
    /// Share of turns without a move.
    pub passes: Estimate,
    /// Exchanges of royal pieces in a game.
    pub exchanges: Estimate,
    /// Blocks filled in a game.
    pub blocks: Estimate,
    /// How often, in a game, each side takes each other's last royal piece: `takes[by][of]`.
    pub takes: Vec<Vec<Estimate>>,
    /// Share of games won, by team: the sides of a team and their wins.
    pub teams: Vec<(Vec<usize>, Estimate)>,
}

impl ContestMeasures {
    /// Measures contests of these sides' teams, in the order of the rows.
    pub fn of(
        rows: &[GameRow],
        contests: &[ContestRow],
        teams: &[u8],
        n_rolls: usize,
        conventions: Conventions,
    ) -> ContestMeasures {
        let counts = |row: &GameRow| conventions.drawn == Drawn::Counted || !row.is_drawn();
        let counted: Vec<(&GameRow, &ContestRow)> =
            rows.iter().zip(contests).filter(|(row, _)| counts(row)).collect();
        let per_turn = |value: &dyn Fn(&ContestRow) -> f64| per_turn(&counted, value, conventions.branching);
        let per_game = |value: &dyn Fn(&ContestRow) -> f64| {
            Estimate::mean(&contests.iter().map(value).collect::<Vec<f64>>())
        };
        let n_sides = teams.len();
        let taken = |by: usize, of: usize| per_game(&|row| f64::from(row.takes[by][of]));
        ContestMeasures {
            expected: per_turn(&|row| row.n_all_rolls as f64 / n_rolls.max(1) as f64),
            before: per_turn(&|row| row.n_before_doubled as f64 / 2.0),
            piece_moves: per_turn(&|row| f64::from(row.n_piece_moves)),
            passes: per_turn(&|row| f64::from(row.n_passes)),
            exchanges: per_game(&|row| f64::from(row.n_exchanges)),
            blocks: per_game(&|row| f64::from(row.n_blocks)),
            takes: (0..n_sides).map(|by| (0..n_sides).map(|of| taken(by, of)).collect()).collect(),
            teams: team_wins(rows, teams),
        }
    }
}

/// A count divided by turns, averaged as B is.
fn per_turn(
    counted: &[(&GameRow, &ContestRow)],
    value: &dyn Fn(&ContestRow) -> f64,
    average: Average,
) -> Estimate {
    let turns: Vec<f64> = counted.iter().map(|(row, _)| f64::from(row.n_plies)).collect();
    let values: Vec<f64> = counted.iter().map(|(_, row)| value(row)).collect();
    match average {
        Average::Games => {
            let of_game = |(x, n): (&f64, &f64)| if *n > 0.0 { x / n } else { 0.0 };
            Estimate::mean(&values.iter().zip(&turns).map(of_game).collect::<Vec<f64>>())
        }
        Average::Plies => {
            let length = mean(&turns);
            let rate = mean(&values) / length;
            let influence = |(x, n): (&f64, &f64)| (x - rate * n) / length;
            Estimate::from_influences(rate, values.iter().zip(&turns).map(influence))
        }
    }
}

fn team_wins(rows: &[GameRow], teams: &[u8]) -> Vec<(Vec<usize>, Estimate)> {
    let mut names: Vec<u8> = teams.to_vec();
    names.sort_unstable();
    names.dedup();
    let of_team = |team: u8| {
        let sides: Vec<usize> = (0..teams.len()).filter(|side| teams[*side] == team).collect();
        let won = |row: &&GameRow| row.winner.is_some_and(|winner| sides.contains(&winner.into()));
        let n_won = rows.iter().filter(won).count();
        (sides.clone(), Estimate::share(n_won, rows.len()))
    };
    names.into_iter().map(of_team).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ashta_position::Reason;

    fn game(n_plies: u32, winner: Option<u8>, row: ContestRow) -> (GameRow, ContestRow) {
        let reason = Reason::RoyalCaptured;
        let game = GameRow {
            n_plies,
            n_moves: 10,
            winner,
            reason,
            n_captures: 0,
            n_checks: 0,
            n_lead_changes: 0,
            openings: [0; 2],
        };
        (game, row)
    }

    #[test]
    fn measures_by_hand() {
        let mut takes = [[0; 4]; 4];
        takes[1][0] = 1;
        let first = ContestRow { n_all_rolls: 160, n_before_doubled: 20, takes, ..ContestRow::default() };
        let second = ContestRow { n_all_rolls: 480, n_before_doubled: 100, ..ContestRow::default() };
        let games = [game(1, Some(1), first), game(3, None, second)];
        let (rows, contests): (Vec<GameRow>, Vec<ContestRow>) = games.into_iter().unzip();
        let of = |branching, drawn| {
            ContestMeasures::of(&rows, &contests, &[0, 1, 0, 1], 16, Conventions { branching, drawn })
        };
        let by_turns = of(Average::Plies, Drawn::Counted);
        // 640 / 16 turns to choose from over four turns; 60 before the throw.
        assert_eq!((by_turns.expected.value, by_turns.before.value), (10.0, 15.0));
        // 10 and 10 in each game.
        assert_eq!(of(Average::Games, Drawn::Counted).expected.value, 10.0);
        assert_eq!(of(Average::Plies, Drawn::LeftOut).before.value, 10.0);
        assert_eq!(by_turns.takes[1][0].value, 0.5);
        assert_eq!(by_turns.takes[0][1].value, 0.0);
        assert_eq!(by_turns.teams[1].0, [1, 3]);
        assert_eq!((by_turns.teams[0].1.value, by_turns.teams[1].1.value), (0.0, 0.5));
    }
}
