//! What goes with a board whose ranks are rings.
//!
//! In: the parts of a game. Out: problems. Never: a change to them.

use ashta_messages::message;

use super::Context;
use crate::betza::Path;
use crate::grid::{Grid, Wraps};
use crate::problem::Place;
use crate::rule_parts::{Castling, Kind};

/// On fewer files, leaps to the left and to the right would meet on the other side.
const FEWEST_FILES: u8 = 8;

/// Reports what a ring does not know: castling, hops and bent rides, contests.
pub fn check(kinds: &[Kind], castlings: &[Castling], is_contest: bool, place: &Place, context: &Context) {
    let Some(files) = context.grid.filter(|grid| grid.wraps() == Wraps::Files).map(Grid::files) else {
        return;
    };
    if files < FEWEST_FILES {
        context.report(place, message!("rules.ring-files", n = files, least = FEWEST_FILES), None);
    }
    if !castlings.is_empty() {
        context.report(
            place,
            message!("rules.ring-castling"),
            Some(message!("rules.leave-out", key = "castling")),
        );
    }
    if is_contest {
        context.report(place, message!("rules.ring-contest"), None);
    }
    for kind in kinds {
        let meets = |path: &Path| match path {
            Path::Hop { .. } | Path::Bent { .. } => true,
            Path::Leap | Path::Lame | Path::Ride { .. } | Path::TwoLegs { .. } | Path::OutAndBack => false,
        };
        if kind.moves.iter().any(|part| meets(&part.movement.path)) {
            context.report(place, message!("rules.ring-path", kind), None);
        }
    }
}
