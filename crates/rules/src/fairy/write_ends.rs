//! How games end, as keys of a variants.ini.
//!
//! In: the ends of a game. Out: keys and values. Never: whether they say all; `write.rs` reads them back.

use super::squares;
use super::writer::{Writer, small_letters};
use crate::ends::{
    BareReply, Checker, Counting, DecidedByPoints, Extinction, GoalReply, GoalSafety, JudgedSide, Quiet,
    RegionGoal, Repetition, RoyalLoss, Verdict,
};
use crate::rule_parts::KindId;

/// Writes how games end.
pub fn write(writer: &mut Writer) {
    let ends = &writer.rules.ends;
    if ends.stalemate != Verdict::Draw {
        writer.set("stalemateValue", word(ends.stalemate));
    }
    repetition(writer, ends.repetition.as_ref());
    quiet(writer, ends.quiet.as_ref());
    if let Some(goal) = &ends.goal {
        write_goal(writer, goal);
    }
    if ends.checks.is_some() {
        writer.set("checkCounting", "true");
    }
    extinction(writer);
    if let Some(counting) = &ends.counting {
        writer.set("countingRule", counting_rule(counting));
    }
    if let Some(points) = &ends.points {
        // There they decide whatever would be a draw.
        if ends.repetition.is_some() && !points.decides.contains(&DecidedByPoints::Repetition) {
            writer.refuse("ends.points");
        }
        let is_weighted = points.half_points.iter().any(|n| *n > 2);
        writer.set("materialCounting", if is_weighted { "janggi" } else { "unweighted" });
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "win",
        Verdict::Loss => "loss",
        Verdict::Draw => "draw",
    }
}

fn repetition(writer: &mut Writer, rule: Option<&Repetition>) {
    let Some(rule) = rule else { return writer.set("nFoldRule", 0) };
    writer.set("nFoldRule", rule.fold);
    if rule.verdict != Verdict::Draw {
        writer.set("nFoldValue", word(rule.verdict));
    }
    if rule.judged == JudgedSide::First {
        writer.set("nFoldValueAbsolute", "true");
    }
    if rule.checker == Checker::Loses {
        writer.set("perpetualCheckIllegal", "true");
    }
}

fn quiet(writer: &mut Writer, rule: Option<&Quiet>) {
    let Some(rule) = rule else { return writer.set("nMoveRule", 0) };
    writer.set("nMoveRule", rule.plies / 2);
    let is_pawn = |kind: &KindId| writer.pieces.types[kind.index()] == "pawn";
    let has_pawn = writer.pieces.types.iter().any(|key| key == "pawn");
    let is_usual = rule.progress.iter().all(is_pawn) && rule.progress.is_empty() != has_pawn;
    if !is_usual {
        let letters = small_letters(writer, &rule.progress);
        writer.set("nMoveRuleTypes", if letters.is_empty() { "-" } else { &letters });
    }
}

fn write_goal(writer: &mut Writer, goal: &RegionGoal) {
    let grid = writer.rules.grid;
    if goal.verdict != Verdict::Win {
        writer.refuse("ends.goal");
    }
    if goal.pieces.len() < writer.rules.kinds.len() {
        let letters = small_letters(writer, &goal.pieces);
        writer.set("flagPiece", letters);
    }
    for (key, set) in ["whiteFlag", "blackFlag"].iter().zip(&goal.squares) {
        writer.set(key, squares::in_ini(set, grid));
    }
    if goal.reply != GoalReply::None {
        writer.set("flagMove", "true");
    }
    if goal.safety == GoalSafety::Unattacked {
        writer.set("flagPieceSafe", "true");
    }
}

/// Bare kings, lost kings that explode or may be taken, and other pieces that must not die out.
fn extinction(writer: &mut Writer) {
    let (rules, ends) = (writer.rules, &writer.rules.ends);
    let royal: Vec<KindId> = rules.kind_ids().filter(|kind| rules.kind(*kind).royal).collect();
    let is_pseudo = rules.explosion.is_some() && !royal.is_empty();
    let dies_out = ends.royal_loss == RoyalLoss::Capture && !royal.is_empty();
    if dies_out && (is_pseudo || ends.bare.is_some() || ends.extinction.is_some() || royal.len() > 1) {
        return writer.refuse("ends.royal");
    }
    if dies_out {
        let letters = small_letters(writer, &royal);
        writer.set("extinctionValue", "loss");
        return writer.set("extinctionPieceTypes", letters);
    }
    match (&ends.bare, &ends.extinction, is_pseudo) {
        (None, None, false) => {}
        (Some(bare), None, false) => {
            writer.set("extinctionValue", word(bare.verdict));
            writer.set("extinctionPieceTypes", "*");
            writer.set("extinctionPieceCount", 1);
            if bare.reply == BareReply::BareBack {
                writer.set("extinctionClaim", "true");
                writer.set("extinctionOpponentPieceCount", 2);
            }
        }
        (None, Some(rule), false) => write_extinction(writer, rule),
        (None, None, true) => {
            let letters = small_letters(writer, &royal);
            writer.set("extinctionValue", "loss");
            writer.set("extinctionPieceTypes", letters);
            writer.set("extinctionPseudoRoyal", "true");
        }
        (Some(_), ..) => writer.refuse("ends.bare"),
        (None, Some(_), true) => writer.refuse("ends.extinction"),
    }
}

fn write_extinction(writer: &mut Writer, rule: &Extinction) {
    writer.set("extinctionValue", word(rule.verdict));
    let types = match rule.of.len() == writer.rules.kinds.len() {
        true => "*".to_string(),
        false => small_letters(writer, &rule.of),
    };
    writer.set("extinctionPieceTypes", types);
    if rule.below > 1 {
        writer.set("extinctionPieceCount", rule.below - 1);
    }
}

/// The rule of the program that has such counts; another reads back as another game.
fn counting_rule(counting: &Counting) -> &'static str {
    match counting.others.as_ref().map(|others| others.moves) {
        None => "asean",
        Some(63) => "cambodian",
        Some(_) => "makruk",
    }
}
