//! Counting rules, as a game file says them.
//!
//! In: the table `counting` inside `[ends]`. Out: a checked part. Never: positions.

use ashta_messages::message;

use super::Context;
use crate::ends::{CountForBare, CountForOthers, CountFrom, CountLimit, CountWaits, Counting};
use crate::fields::Fields;
use crate::problem::Place;

/// Most moves of each side that a count may allow.
const MAX_MOVES: u32 = 250;
/// Most limits that a position's text can tell apart.
const MAX_LIMITS: usize = 100;

// What to write when something else than a table stands there.
pub const COUNTING: &str = r#"counting = { without = "pawn", bare = { moves = 64 } }"#;
const OTHERS: &str = "others = { moves = 64 }";
const BARE: &str = r#"bare = { moves = 64, limits = ["rook rook 8", "rook 16"] }"#;

pub fn read(fields: &Fields, context: &Context) -> Counting {
    let counting = Counting {
        without: fields.texts("without").map(|texts| context.kinds(&texts)).unwrap_or_default(),
        others: fields.table("others", OTHERS).map(|table| read_others(&table)),
        bare: match fields.table("bare", BARE) {
            Some(table) => read_bare(&table, context),
            None => CountForBare { limits: Vec::new(), otherwise: None, from: CountFrom::Zero },
        },
    };
    let n_limits = counting.limits_in_plies().len();
    if n_limits == 0 || n_limits > MAX_LIMITS {
        let hint = message!("rules.such-as", example = COUNTING);
        context.report(fields.place(), message!("rules.counting", most = MAX_LIMITS), Some(hint));
    }
    fields.finish();
    counting
}

fn read_others(fields: &Fields) -> CountForOthers {
    let others = CountForOthers {
        moves: fields.number("moves", 1..=MAX_MOVES).unwrap_or(64) as u8,
        pieces: fields.number("men", 2..=256).unwrap_or(256),
        waits: fields.choice("waits", &[("yes", CountWaits::Waits), ("no", CountWaits::DoesNotWait)]),
    };
    fields.finish();
    others
}

fn read_bare(fields: &Fields, context: &Context) -> CountForBare {
    let texts = fields.texts("limits").unwrap_or_default();
    let bare = CountForBare {
        limits: texts.into_iter().filter_map(|text| read_limit(text, context)).collect(),
        otherwise: fields.number("moves", 1..=MAX_MOVES).map(|moves| moves as u8),
        from: fields.choice("from", &[("zero", CountFrom::Zero), ("men", CountFrom::Men)]),
    };
    fields.finish();
    bare
}

/// `rook rook 8`: with two rooks, eight moves.
fn read_limit((text, place): (&str, &Place), context: &Context) -> Option<CountLimit> {
    let limit = text.rsplit_once(' ').and_then(|(names, moves)| {
        let moves = moves.parse().ok().filter(|moves| (1..=MAX_MOVES).contains(moves))?;
        Some((names, moves as u8))
    });
    let Some((names, moves)) = limit else {
        let hint = message!("rules.such-as", example = "\"rook rook 8\"");
        context.report(place, message!("rules.counting-limit", most = MAX_MOVES), Some(hint));
        return None;
    };
    let mut has: Vec<_> = names.split_whitespace().map(|name| context.kind((name, place))).collect();
    has.sort_unstable();
    Some(CountLimit { has, moves })
}
