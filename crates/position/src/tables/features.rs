//! The features that a game needs of the generator.
//!
//! In: rules and compiled sides. Out: which of the compiled generators serves. Never: tables.
//!
//! Generators are compiled for each set of features, so that code which a game does not need costs it nothing.

use ashta_rules::{
    CaptureDuty, Delta, DropFace, Facing, GivingCheck, Hand, InCheck, Kind, KindId, Part, Pass, Path,
    PromotesOn, RoyalInCheck, RoyalLoss, Rules, Side, Supply, Target, Targets, Wraps,
};

use super::SideTables;

/// Steps, leaps, rides; one royal piece a side under the rule of check; plain promotions; castling; en passant.
pub const PLAIN: u8 = 0;
/// And hands to drop from.
pub const DROPS: u8 = 1;
/// And everything else: lame leapers, hoppers, bent riders, limited promotions, several royals, four sides...
pub const EVERYTHING: u8 = 3;

/// Pieces at the start that make stepping all of them at once worth its shifts.
const MANY_PIECES: usize = 4;
/// Directions up to which stepping all pieces at once is worth it.
const FEW_STEPS: usize = 3;

/// The generator that knows everything the game needs.
pub fn needed_features<W>(rules: &Rules, sides: &[SideTables<W>]) -> u8 {
    let mut royals = rules.kinds().iter().filter(|kind| kind.royal);
    let royal = royals.next();
    let one_royal = royal.is_some() && royals.next().is_none();
    let one_each = (0..rules.sides().len()).all(|side| {
        let of_side = |(s, kind): &&(Side, KindId)| s.index() == side && rules.kind(*kind).royal;
        rules.start().board.iter().flatten().filter(of_side).count() == 1
    });
    let plain_promotions = rules
        .kinds()
        .iter()
        .filter_map(|kind| kind.promotion.as_ref())
        .all(|p| p.supply == Supply::Unlimited && p.on.iter().all(is_plain_promotion));
    let plain_moves = rules.kinds().iter().all(|kind| {
        let forward = Rules::only_goes_forward(kind);
        kind.moves.iter().all(|part| {
            let movement = &part.movement;
            let path = match movement.path {
                Path::Leap => true,
                Path::Ride { least, .. } => least == 1,
                Path::Lame => steps_at_once(rules, kind, part),
                Path::Hop { .. } | Path::Bent { .. } | Path::TwoLegs { .. } | Path::OutAndBack => false,
            };
            path && part.not_onto.is_empty() && (!movement.first_move_only || forward)
        })
    });
    let royal_leaps = sides.iter().all(|side| {
        let classes = &side.royals;
        classes.leaps.len() == 1 && classes.leaps[0].class.target == Target::Any && classes.rides.is_empty()
    });
    let one_face =
        rules.kinds().iter().all(|kind| kind.drop.as_ref().is_none_or(|drop| drop.face == DropFace::Own));
    let plain = one_royal
        && one_face
        && royal_leaps
        && one_each
        && !promotes_to_royal(rules)
        && sides.iter().all(|side| side.movers.overlapping.is_empty() && side.royals.overlapping.is_empty())
        && plain_promotions
        && plain_moves
        && rules.grid().wraps() == Wraps::No
        && rules.bans().is_empty()
        && rules.capture_duty() == CaptureDuty::Free
        && rules.giving_check() == GivingCheck::Allowed
        && rules.explosion().is_none()
        && !binds_in_check(rules)
        && rules.sides().len() == 2
        && rules.ends().royal_loss == RoyalLoss::Checkmate
        && rules.hand() != Hand::SetUp
        && rules.pass() == Pass::No;
    match (plain, rules.hand()) {
        (true, Hand::None) => PLAIN,
        (true, _) => DROPS,
        (false, _) => EVERYTHING,
    }
}

/// Whether a promotion depends on the squares of the move alone.
fn is_plain_promotion(on: &PromotesOn) -> bool {
    match on {
        PromotesOn::End | PromotesOn::StartOrEnd | PromotesOn::Enter | PromotesOn::LastRank => true,
        PromotesOn::Capture | PromotesOn::Stay => false,
    }
}

/// Whether check, or facing royal pieces, limit more than where moves end.
pub fn binds_in_check(rules: &Rules) -> bool {
    let mut parts = rules.kinds().iter().flat_map(|kind| &kind.moves);
    rules.ends().royal_loss == RoyalLoss::Checkmate
        && (rules.facing() == Facing::Draws
            || rules.royal_in_check() == RoyalInCheck::OnlyTakes
            || parts.any(|part| part.in_check == InCheck::Forbidden))
}

/// Whether a piece may become royal.
pub fn promotes_to_royal(rules: &Rules) -> bool {
    let royal = |kind: &KindId| rules.kind(*kind).royal;
    rules.kinds().iter().filter_map(|kind| kind.promotion.as_ref()).any(|promotion| match &promotion.to {
        Targets::Kinds(kinds) => kinds.iter().any(royal),
        Targets::ByFile(kinds) => kinds.iter().flatten().any(royal),
    })
}

/// Whether all pieces of a kind make a part's steps at once, by shifting their bitboard.
pub fn steps_at_once(rules: &Rules, kind: &Kind, part: &Part) -> bool {
    let forward = Rules::only_goes_forward(kind);
    let count = rules
        .start()
        .board
        .iter()
        .flatten()
        .filter(|(side, k)| *side == Side::FIRST && rules.kind(*k).name == kind.name);
    let movement = &part.movement;
    let shape = match movement.path {
        Path::Leap => true,
        // What captures must be seen by `Scene::danger`, which does not look at squares between.
        Path::Lame => {
            let one_between =
                |step: &Delta| ashta_rules::crossed(*step).len() == 1 && ashta_rules::is_straight(*step);
            movement.target == Target::Empty && movement.steps.iter().all(one_between)
        }
        Path::Ride { .. } | Path::Hop { .. } | Path::Bent { .. } => false,
        Path::TwoLegs { .. } | Path::OutAndBack => false,
    };
    shape
        // A shift does not go around a ring.
        && rules.grid().wraps() == Wraps::No
        && count.count() >= MANY_PIECES
        && movement.steps.len() <= FEW_STEPS
        && !kind.royal
        && part.not_onto.is_empty()
        && (!movement.first_move_only || forward)
}
