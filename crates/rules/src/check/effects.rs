//! What moves must do or may not do by what they bring about: obligatory captures, forbidden checks, explosions.
//!
//! In: keys of a game file. Out: checked parts. Never: how single pieces move.

use ashta_messages::{Message, message};

use super::Context;
use crate::betza::Path;
use crate::ends::{Ends, RoyalLoss};
use crate::fields::Fields;
use crate::problem::Place;
use crate::rule_parts::{CaptureDuty, DropMate, Explosion, GivingCheck, Kind, Part};

// What to write when something else than a table stands there.
const EXPLOSION: &str = r#"[explosion] with spares = ["pawn"]"#;

/// What moves bring about.
pub struct Effects {
    pub capture_duty: CaptureDuty,
    pub giving_check: GivingCheck,
    pub explosion: Option<Explosion>,
}

pub fn read(root: &Fields, context: &Context) -> Effects {
    Effects {
        capture_duty: root
            .choice("capture", &[("free", CaptureDuty::Free), ("obligatory", CaptureDuty::Obligatory)]),
        giving_check: root
            .choice("check", &[("allowed", GivingCheck::Allowed), ("forbidden", GivingCheck::Forbidden)]),
        explosion: root.table("explosion", EXPLOSION).map(|table| read_explosion(&table, context)),
    }
}

fn read_explosion(fields: &Fields, context: &Context) -> Explosion {
    let spares = fields.texts("spares").map(|texts| context.kinds(&texts)).unwrap_or_default();
    fields.finish();
    Explosion { spares }
}

impl Effects {
    /// Reports combinations that have no meaning.
    pub fn check(&self, kinds: &[Kind], ends: &Ends, place: &Place, context: &Context) {
        let report = |what: Message| context.report(place, what, None);
        let uses = [
            ("capture", self.capture_duty != CaptureDuty::Free),
            ("check", self.giving_check != GivingCheck::Allowed),
            ("explosion", self.explosion.is_some()),
        ];
        for (key, _) in uses.iter().filter(|(_, is_used)| *is_used && context.quarters.len() != 2) {
            report(message!("rules.two-sides-only", key));
        }
        if self.giving_check == GivingCheck::Forbidden && ends.royal_loss != RoyalLoss::Checkmate {
            report(message!("rules.no-check-to-forbid"));
        }
        if self.explosion.is_none() {
            return;
        }
        let goes_on = |part: &Part| matches!(part.movement.path, Path::TwoLegs { .. });
        if let Some(kind) = kinds.iter().find(|kind| kind.moves.iter().any(goes_on)) {
            report(message!("rules.explosion-two-legs", kind));
        }
        let forbids_mate = |kind: &&Kind| kind.drop.as_ref().is_some_and(|d| d.mate == DropMate::Forbidden);
        if let Some(kind) = kinds.iter().find(forbids_mate) {
            report(message!("rules.explosion-drop-mate", kind));
        }
    }
}
