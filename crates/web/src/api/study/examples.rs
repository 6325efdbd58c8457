//! Problems to begin with, made here: `examples.tsv`, a line each.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::router::{ApiRouter, routes};
use crate::api_error::ApiResult;

/// Routes of examples.
pub fn routes() -> ApiRouter {
    routes![examples]
}

/// The file; its first line names the columns.
const EXAMPLES: &str = include_str!("examples.tsv");

/// A problem to begin with.
#[derive(Serialize, ToSchema, Debug)]
struct Example {
    game: &'static str,
    position: &'static str,
    /// Mate in so many moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<u16>,
    /// Mate by checks in so many plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u16>,
}

/// Problems to begin with, each with one solution.
#[utoipa::path(get, path = "/api/problems/examples", responses((status = 200, body = Vec<Example>)))]
async fn examples() -> ApiResult<Vec<Example>> {
    Ok(Json(read()))
}

fn read() -> Vec<Example> {
    let lines = EXAMPLES.lines().skip(1);
    lines
        .filter_map(|line| {
            let [game, kind, length, position] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
            let length = length.parse().ok()?;
            let (mate, plies) = if kind == "mate" { (Some(length), None) } else { (None, Some(length)) };
            Some(Example { game, position, mate, plies })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use ashta_position::CompiledRules;
    use ashta_study::problem::{Detail, Futile, TsumeAnswer, open_problem, solve_mate, solve_tsume};

    use super::*;

    #[test]
    fn every_example_has_one_key_and_is_as_long_as_it_says() {
        let examples = read();
        assert_eq!(examples.len() + 1, EXAMPLES.lines().count(), "a line cannot be read");
        let stop = AtomicBool::new(false);
        for example in examples {
            let rules = CompiledRules::new(ashta_rules::load(example.game).expect("a game of the library"));
            let game = open_problem(&rules, example.position).expect(example.position);
            if let Some(moves) = example.mate {
                let solution =
                    solve_mate(&game, moves, Detail::Keys, &stop).expect("the stop flag is never set");
                assert_eq!((solution.moves, solution.keys.len()), (Some(moves), 1), "{example:?}");
            } else {
                let answer =
                    solve_tsume(&game, 61, Futile::Count, &stop).expect("the stop flag is never set").0;
                let TsumeAnswer::Mate(tsume) = answer else { panic!("{example:?}") };
                assert_eq!((Some(tsume.plies), tsume.keys.len()), (example.plies, 1), "{example:?}");
            }
        }
    }
}
