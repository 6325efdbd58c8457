//! What a section of a variants.ini says besides its pieces: promotion, castling, hands and what moves bring about.
//!
//! In: rules. Out: keys and values. Never: whether they say all; `write.rs` reads them back.

use super::alike;
use super::squares;
use super::write_ends;
use super::write_start::start_fen;
use super::writer::{Writer, small_letters};
use crate::grid::{Side, Square};
use crate::region::SquareSet;
use crate::rule_parts::{
    CaptureDuty, Castling, CastlingStarts, Choice, DropFace, DropMate, Facing, GivingCheck, Hand, KindId,
    Pass, PromotesOn, Promotion, RoyalInCheck, StuckDrop, Supply, Targets,
};
use crate::rules::Rules;

/// Writes everything but the pieces.
pub fn write(writer: &mut Writer) {
    let fen = start_fen(writer);
    writer.set("startFen", fen);
    promotion(writer);
    castling(writer);
    hands(writer);
    effects(writer);
    write_ends::write(writer);
}

fn is_form(writer: &Writer, kind: KindId) -> bool {
    writer.pieces.forms.iter().any(|(_, form)| *form == kind)
}

fn has_form(writer: &Writer, kind: KindId) -> bool {
    writer.pieces.forms.iter().any(|(plain, _)| *plain == kind)
}

/// What pieces become.
fn promotion(writer: &mut Writer) {
    let rules = writer.rules;
    let promoting = |kind: &KindId| rules.kind(*kind).promotion.is_some() && !is_form(writer, *kind);
    let (forms, pawns): (Vec<KindId>, Vec<KindId>) =
        rules.kind_ids().filter(promoting).partition(|kind| has_form(writer, *kind));
    let first = forms.iter().chain(&pawns).next();
    if let Some(promotion) = first.and_then(|kind| rules.kind(*kind).promotion.as_ref()) {
        zone(writer, promotion);
    }
    pawn_promotion(writer, &pawns);
    form_promotion(writer, &forms);
    if is_stuck_illegal(rules) {
        writer.set("immobilityIllegal", "true");
    }
}

fn zone(writer: &mut Writer, promotion: &Promotion) {
    let (rules, grid) = (writer.rules, writer.rules.grid);
    let sets: Vec<SquareSet> = match promotion.on.as_slice() {
        [PromotesOn::LastRank] => rules.side_ids().map(|side| rules.last_rank(side)).collect(),
        _ => promotion.zone.clone(),
    };
    let rank = sets[0].iter().map(|square| grid.rank(square)).min().unwrap_or(0);
    let is_ranks = [false, true]
        .iter()
        .zip(&sets)
        .all(|(is_second, set)| *set == squares::ranks(grid, rank, grid.ranks() - 1, *is_second));
    if is_ranks {
        return writer.set("promotionRank", rank + 1);
    }
    for (side, set) in ["White", "Black"].iter().zip(&sets) {
        writer.set(&format!("promotionRegion{side}"), squares::in_ini(set, grid));
    }
}

fn pawn_promotion(writer: &mut Writer, pawns: &[KindId]) {
    let rules = writer.rules;
    let Some(promotion) = pawns.first().and_then(|kind| rules.kind(*kind).promotion.as_ref()) else {
        return writer.set("promotionPieceTypes", "-");
    };
    let to: Vec<KindId> = match &promotion.to {
        Targets::Kinds(kinds) => kinds.clone(),
        Targets::ByFile(_) => return writer.refuse(format!("pieces.{}.promotes", rules.kind(pawns[0]).name)),
    };
    let is_pawn = |kind: &KindId| writer.pieces.types[kind.index()] == "pawn";
    if !pawns.iter().all(is_pawn) {
        let letters = small_letters(writer, pawns);
        writer.set("promotionPawnTypes", letters);
    }
    let letters = small_letters(writer, &to);
    writer.set("promotionPieceTypes", letters);
    if promotion.choice != Choice::Must {
        writer.set("mandatoryPawnPromotion", "false");
    }
    let at_start = |kind: KindId| {
        let is_it = |piece: &&Option<(Side, KindId)>| **piece == Some((Side::FIRST, kind));
        rules.start.board.iter().filter(is_it).count()
    };
    let limit = |kind: KindId| match promotion.supply {
        Supply::Unlimited => None,
        Supply::Lost => Some(at_start(kind)),
        Supply::AtMost(n) => Some(usize::from(n)),
    };
    let limits: Vec<String> = to
        .iter()
        .filter_map(|kind| {
            Some(format!("{}:{}", writer.pieces.letters[kind.index()].to_ascii_lowercase(), limit(*kind)?))
        })
        .collect();
    if !limits.is_empty() {
        writer.set("promotionLimit", limits.join(" "));
    }
}

fn form_promotion(writer: &mut Writer, forms: &[KindId]) {
    let rules = writer.rules;
    let Some(promotion) = forms.first().and_then(|kind| rules.kind(*kind).promotion.as_ref()) else { return };
    let small = |kind: KindId| writer.pieces.letters[kind.index()].to_ascii_lowercase();
    let pairs: Vec<String> = writer
        .pieces
        .forms
        .iter()
        .map(|(plain, form)| format!("{}:{}", small(*plain), small(*form)))
        .collect();
    let turns_back = writer.pieces.forms.iter().any(|(_, form)| rules.kind(*form).promotion.is_some());
    writer.set("promotedPieceType", pairs.join(" "));
    for (key, is_so) in [
        ("piecePromotionOnCapture", promotion.on == [PromotesOn::Capture]),
        ("mandatoryPiecePromotion", promotion.choice == Choice::Must),
        ("pieceDemotion", turns_back),
    ] {
        if is_so {
            writer.set(key, "true");
        }
    }
}

/// Whether no piece may come to where it can never move.
fn is_stuck_illegal(rules: &Rules) -> bool {
    rules.kinds.iter().filter(|kind| Rules::only_goes_forward(kind)).any(|kind| {
        let is_dropped = rules.hand == Hand::Captures
            && kind.drop.as_ref().is_some_and(|drop| drop.stuck == StuckDrop::Forbidden)
            // Where it may not be dropped anyway, this says nothing.
            && !kind.drop.as_ref().is_some_and(|drop| alike::is_kept_from_last_rank(rules, drop));
        is_dropped || kind.promotion.as_ref().is_some_and(|p| p.choice == Choice::MayUnlessStuck)
    })
}

fn castling(writer: &mut Writer) {
    let (rules, grid) = (writer.rules, writer.rules.grid);
    let firsts: Vec<&Castling> = rules.castlings.iter().filter(|c| c.side == Side::FIRST).collect();
    writer.set("castling", !firsts.is_empty());
    let Some(any) = firsts.first() else { return };
    let file = |square: Square| char::from(b'a' + grid.file(square));
    for castling in &firsts {
        let is_right = grid.file(castling.royal.1) > grid.file(castling.partner.1);
        let key = if is_right { "castlingKingsideFile" } else { "castlingQueensideFile" };
        let line = format!("{key} = {}", file(castling.royal.1));
        if !writer.lines.contains(&line) {
            writer.lines.push(line);
        }
    }
    if grid.rank(any.royal.0) > 0 {
        writer.set("castlingRank", grid.rank(any.royal.0) + 1);
    }
    // A side may start without these pieces.
    let at = |square: Square| rules.start.board[square.index()].map(|(_, kind)| kind);
    let has_right = |castling: &&Castling| rules.start.rights >> castling.right & 1 == 1;
    let stands = rules.castlings.iter().find(has_right);
    let partner = match rules.castling_starts {
        CastlingStarts::AnyFile { partner } => {
            writer.set("chess960", "true");
            Some(partner)
        }
        CastlingStarts::Fixed => stands.and_then(|castling| at(castling.partner.0)),
    };
    let king = rules
        .kind_ids()
        .find(|kind| rules.kind(*kind).royal)
        .or_else(|| stands.and_then(|castling| at(castling.royal.0)));
    for (kind, usual, key) in [(partner, "rook", "castlingRookPiece"), (king, "king", "castlingKingPiece")] {
        if let Some(kind) = kind.filter(|kind| writer.pieces.types[kind.index()] != usual) {
            let letter = small_letters(writer, &[kind]);
            writer.set(key, letter);
        }
    }
}

fn hands(writer: &mut Writer) {
    let rules = writer.rules;
    match rules.hand {
        Hand::None => return,
        Hand::Captures => {
            writer.set("pieceDrops", "true");
            writer.set("capturesToHand", "true");
        }
        Hand::SetUp => {
            writer.set("pieceDrops", "true");
            writer.set("mustDrop", "true");
        }
    }
    let is_held = |kind: &KindId| rules.kind(*kind).drop.is_some() && rules.kind(*kind).demoted == *kind;
    let held: Vec<KindId> = rules.kind_ids().filter(is_held).collect();
    drop_regions(writer, &held);
    let rule = |kind: &KindId| rules.kind(*kind).drop.as_ref();
    let keeps_kind = rules.hand == Hand::Captures && writer.pieces.marked.is_empty();
    if keeps_kind && held.iter().any(|kind| is_pawn_promoting(writer, *kind)) {
        writer.set("dropLoop", "true");
    }
    if held.iter().filter_map(rule).any(|drop| drop.face == DropFace::Either) {
        writer.set("dropPromoted", "true");
    }
    if held.iter().filter_map(rule).any(|drop| drop.mate == DropMate::Forbidden) {
        writer.set("shogiPawnDropMateIllegal", "true");
    }
    if let Some((kind, n)) = held.iter().find_map(|kind| Some((*kind, rule(kind)?.per_file?))) {
        if writer.pieces.types[kind.index()] == "shogiPawn" && n == 1 {
            writer.set("shogiDoubledPawn", "false");
        } else {
            let letter = small_letters(writer, &[kind]);
            writer.set("dropNoDoubled", letter);
            writer.set("dropNoDoubledCount", n);
        }
    }
}

fn is_pawn_promoting(writer: &Writer, kind: KindId) -> bool {
    writer.rules.kind(kind).promotion.is_some() && !has_form(writer, kind) && !is_form(writer, kind)
}

/// Where pieces are dropped: a region for all, and ranks where pawns are not.
fn drop_regions(writer: &mut Writer, held: &[KindId]) {
    let (rules, grid) = (writer.rules, writer.rules.grid);
    let pawns: Vec<KindId> = held.iter().copied().filter(|kind| is_pawn_promoting(writer, *kind)).collect();
    let region = |kind: &KindId| rules.kind(*kind).drop.as_ref().map(|drop| drop.region.clone());
    let others = held.iter().filter(|kind| !pawns.contains(kind)).filter_map(region);
    // The widest region is that of all; what is narrower reads back as another game, and is refused.
    let widest = others.max_by_key(|sets| sets[0].iter().count());
    let everywhere = SquareSet::all(grid);
    if let Some(sets) = widest.filter(|sets| sets.iter().any(|set| *set != everywhere)) {
        for (key, set) in ["whiteDropRegion", "blackDropRegion"].iter().zip(&sets) {
            writer.set(key, squares::in_ini(set, grid));
        }
        let is_rook = |kind: &&KindId| writer.pieces.types[kind.index()] == "rook";
        let rook = held.iter().find(is_rook).and_then(region);
        if rook.is_some_and(|rook| rook != sets && rook[0] == squares::ranks(grid, 0, 0, false)) {
            writer.set("sittuyinRookDrop", "true");
        }
    }
    for pawn in pawns {
        let Some(sets) = region(&pawn) else { continue };
        let zone = rules.kind(pawn).promotion.as_ref().map(|promotion| promotion.zone[0]).unwrap_or_default();
        if !sets[0].and(&zone).is_empty() {
            writer.set("promotionZonePawnDrops", "true");
        }
        if !sets[0].and(&squares::ranks(grid, 0, 0, false)).is_empty() {
            writer.set("firstRankPawnDrops", "true");
        }
    }
}

fn effects(writer: &mut Writer) {
    let rules = writer.rules;
    for (is_so, key, value) in [
        (rules.capture_duty == CaptureDuty::Obligatory, "mustCapture", "true"),
        (rules.giving_check == GivingCheck::Forbidden, "checking", "false"),
        (rules.royal_in_check == RoyalInCheck::OnlyTakes, "makpongRule", "true"),
        (rules.explosion.is_some(), "blastOnCapture", "true"),
        (rules.facing == Facing::Forbidden, "flyingGeneral", "true"),
        (rules.facing == Facing::Draws, "bikjangRule", "true"),
        (rules.pass == Pass::Allowed, "kingPass", "true"),
        (rules.pass == Pass::WhenStuck, "kingPassOnStalemate", "true"),
    ] {
        if is_so {
            writer.set(key, value);
        }
    }
}
