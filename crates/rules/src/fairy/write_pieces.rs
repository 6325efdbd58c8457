//! The pieces of a section of a variants.ini: types, letters, and what is said about them elsewhere.
//!
//! In: kinds of a game. Out: keys of pieces. Never: promotion and hands, which `write_parts.rs` writes.

use std::collections::BTreeSet;

use super::keys::{N_CUSTOM_PIECES, PIECES};
use super::settings::mobility_key;
use super::squares;
use super::writer::Writer;
use crate::betza::{Movement, Path, Target, read_betza};
use crate::betza_text::{Dialect, write_betza};
use crate::betza_xboard::read_xboard_betza;
use crate::ends::RoyalLoss;
use crate::grid::{Delta, Side};
use crate::region::SquareSet;
use crate::rule_parts::{InCheck, KindId, Part, Region};
use crate::rules::Rules;

/// A piece with what is said about it by keys of its own.
struct PieceKeys {
    /// Ways of moving by itself.
    plain: Vec<Movement>,
    /// The steps of pawns from where they start.
    first: Vec<Movement>,
    first_region: Option<Region>,
    within: Option<Region>,
    lines: Option<Region>,
    /// From where a soldier steps sideways.
    beyond: Option<Region>,
    is_cannon: bool,
    leaps_once: bool,
}

/// Writes the pieces.
pub fn write(writer: &mut Writer) {
    let rules = writer.rules;
    let grid = rules.grid;
    writer.set("maxRank", grid.ranks());
    writer.set("maxFile", grid.files());
    let mut shared = Shared::default();
    let mut done: BTreeSet<char> = BTreeSet::new();
    // Kinds of the start first: forms may be the same pieces.
    let is_form = |kind: &KindId| writer.pieces.forms.iter().any(|(_, form)| form == kind);
    let (plain, forms): (Vec<KindId>, Vec<KindId>) = rules.kind_ids().partition(|kind| !is_form(kind));
    let marked: Vec<KindId> = writer.pieces.marked.iter().map(|(marked, _)| *marked).collect();
    for kind in plain.into_iter().filter(|kind| !marked.contains(kind)).chain(forms) {
        let letter = writer.pieces.letters[kind.index()];
        if letter == '?' {
            writer.refuse(format!("pieces.{}.letter", rules.kind(kind).name));
        } else if done.insert(letter) {
            write_piece(writer, kind, letter, &mut shared);
        } else if let Some(same) =
            rules.kind_ids().find(|other| *other < kind && writer.pieces.letters[other.index()] == letter)
        {
            writer.pieces.types[kind.index()] = writer.pieces.types[same.index()].clone();
        }
    }
    write_shared(writer, &shared);
}

/// What keys say for several pieces at once.
#[derive(Default)]
struct Shared {
    double_step: Option<Region>,
    lines: Option<Region>,
    beyond: Option<Region>,
    leaps_once: bool,
    custom: usize,
}

fn write_piece(writer: &mut Writer, kind: KindId, letter: char, shared: &mut Shared) {
    let (rules, name) = (writer.rules, writer.rules.kind(kind).name.clone());
    let shape = shape(rules, kind);
    let is_king =
        rules.kind(kind).royal && rules.explosion.is_none() && rules.ends.royal_loss == RoyalLoss::Checkmate;
    let small = letter.to_ascii_lowercase();
    let fairy = match is_king {
        true => Some("king"),
        false => named_type(&shape, &writer.pieces.types),
    };
    let (key, value) = match fairy {
        Some("king") if !is_like(&shape.plain, "K") => match custom_moves(&shape) {
            Some(moves) => ("king".to_string(), format!("{small}:{moves}")),
            None => return writer.refuse(format!("pieces.{name}.moves")),
        },
        Some(fairy) => (fairy.to_string(), small.to_string()),
        None => match custom_moves(&shape).filter(|_| shared.custom < N_CUSTOM_PIECES) {
            Some(moves) => {
                shared.custom += 1;
                (format!("customPiece{}", shared.custom), format!("{small}:{moves}"))
            }
            None => return writer.refuse(format!("pieces.{name}.moves")),
        },
    };
    if writer.pieces.types.contains(&key) {
        return writer.refuse(format!("pieces.{name}.royal"));
    }
    writer.set(&key, value);
    if let Some(within) = &shape.within {
        for (side, set) in ["White", "Black"].iter().zip(within) {
            writer.set(&mobility_key(side, &key), squares::in_ini(set, rules.grid));
        }
    }
    shared.double_step = shared.double_step.take().or(shape.first_region);
    shared.lines = shared.lines.take().or(shape.lines);
    shared.beyond = shared.beyond.take().or(shape.beyond);
    shared.leaps_once |= shape.leaps_once;
    writer.pieces.types[kind.index()] = key;
}

/// Takes apart what a piece does by keys of its own.
fn shape(rules: &Rules, kind: KindId) -> PieceKeys {
    let mut shape = PieceKeys {
        plain: Vec::new(),
        first: Vec::new(),
        first_region: None,
        within: None,
        lines: None,
        beyond: None,
        is_cannon: false,
        leaps_once: false,
    };
    for part in &rules.kind(kind).moves {
        let is_line = part.from.is_some() && part.from == part.within;
        if is_line {
            shape.lines.clone_from(&part.from);
        } else if is_cambodian(part) {
            shape.leaps_once = true;
        } else if part.movement.first_move_only || is_double_step(part) {
            let starts = || [Side::FIRST, Side::SECOND].map(|side| starts_of(rules, kind, side)).to_vec();
            let here = part.from.clone().unwrap_or_else(starts);
            shape.first_region = Some(match shape.first_region.take() {
                Some(sets) => {
                    sets.iter().zip(&here).map(|(a, b)| a.iter().chain(b.iter()).collect()).collect()
                }
                None => here,
            });
            shape.first.push(Movement { first_move_only: true, ..part.movement.clone() });
            shape.within = shape.within.or_else(|| part.within.clone());
        } else {
            if part.movement.steps.iter().all(|step| step.rank == 0) {
                shape.beyond = shape.beyond.or_else(|| part.from.clone());
            }
            shape.is_cannon |= !part.not_over.is_empty();
            shape.within = shape.within.or_else(|| part.within.clone());
            shape.plain.push(part.movement.clone());
        }
    }
    shape
}

/// The leaps that pieces of Cambodia make once.
fn is_cambodian(part: &Part) -> bool {
    let is_leap = part.movement.path == Path::Leap && part.movement.target == Target::Empty;
    let is_two_on = part.movement.steps == [Delta::new(0, 2)];
    part.in_check == InCheck::Forbidden || part.movement.first_move_only && is_leap && is_two_on
}

fn is_double_step(part: &Part) -> bool {
    let movement = &part.movement;
    part.from.is_some() && movement.target == Target::Empty && movement.path == Path::Lame
}

fn starts_of(rules: &Rules, kind: KindId, side: Side) -> SquareSet {
    let board = &rules.start.board;
    rules.grid.squares().filter(|square| board[square.index()] == Some((side, kind))).collect()
}

/// Movements without captures in passing, which other keys say.
fn without_passing(movements: &[Movement]) -> BTreeSet<Movement> {
    let mut all = BTreeSet::new();
    for movement in movements {
        let targets = match movement.target {
            Target::Any => vec![Target::Empty, Target::Capture],
            target => vec![target],
        };
        for (step, target) in movement.steps.iter().flat_map(|s| targets.iter().map(move |t| (*s, *t))) {
            let path = match movement.path.clone() {
                Path::Ride { least: 0 | 1, limit: 1 } => Path::Leap,
                path => path,
            };
            all.insert(Movement {
                steps: vec![step],
                target,
                path,
                en_passant: false,
                first_move_only: false,
            });
        }
    }
    all
}

fn is_like(movements: &[Movement], xboard: &str) -> bool {
    read_xboard_betza(xboard).is_ok_and(|other| without_passing(&other) == without_passing(movements))
}

/// A type with a name that moves so and is not taken yet.
fn named_type(shape: &PieceKeys, taken: &[String]) -> Option<&'static str> {
    let is_double =
        read_betza("mfnD").is_ok_and(|step| without_passing(&step) == without_passing(&shape.first));
    let suits = |name: &str, moves: &str| match name {
        "king" => false,
        "soldier" => shape.first.is_empty() && is_like(&shape.plain, "fsW"),
        "janggiCannon" => shape.is_cannon && is_like(&shape.plain, moves),
        "pawn" => (shape.first.is_empty() || is_double) && is_like(&shape.plain, moves),
        _ => {
            shape.first.is_empty()
                && !shape.is_cannon
                && shape.beyond.is_none()
                && !moves.is_empty()
                && is_like(&shape.plain, moves)
        }
    };
    let found =
        PIECES.iter().find(|piece| suits(piece.name, piece.moves) && !taken.iter().any(|t| t == piece.name));
    found.map(|piece| piece.name)
}

/// Moves in XBoard's dialect, if it has words for them.
fn custom_moves(shape: &PieceKeys) -> Option<String> {
    if shape.is_cannon || shape.beyond.is_some() {
        return None;
    }
    let movements: Vec<Movement> = shape.plain.iter().chain(&shape.first).cloned().collect();
    let plain: Vec<Movement> =
        movements.into_iter().map(|movement| Movement { en_passant: false, ..movement }).collect();
    write_betza(&plain, Dialect::Xboard).ok()
}

fn write_shared(writer: &mut Writer, shared: &Shared) {
    let grid = writer.rules.grid;
    let pawn = writer.pieces.types.iter().any(|key| key == "pawn");
    match &shared.double_step {
        None => writer.set("doubleStep", "false"),
        Some(region) => {
            if !pawn {
                writer.set("doubleStep", "false");
            }
            write_region(
                writer,
                region,
                "doubleStepRank",
                ["doubleStepRegionWhite", "doubleStepRegionBlack"],
            );
            write_en_passant(writer);
        }
    }
    if let Some(lines) = &shared.lines {
        writer.set("diagonalLines", squares::in_ini(&lines[0], grid));
    }
    if let Some(rank) = shared.beyond.as_ref().and_then(|sets| sets[0].iter().map(|s| grid.rank(s)).min()) {
        writer.set("soldierPromotionRank", rank + 1);
    }
    if shared.leaps_once {
        writer.set("gating", "true");
        writer.set("cambodianMoves", "true");
    }
}

/// A rank of each side's own, as every version has it, or squares.
fn write_region(writer: &mut Writer, region: &Region, rank_key: &str, keys: [&str; 2]) {
    let grid = writer.rules.grid;
    let rank = region[0].iter().map(|square| grid.rank(square)).min().unwrap_or(0);
    let is_rank = [false, true]
        .iter()
        .zip(region)
        .all(|(is_second, set)| *set == squares::ranks(grid, rank, rank, *is_second));
    if is_rank {
        return writer.set(rank_key, rank + 1);
    }
    for (key, set) in keys.iter().zip(region) {
        writer.set(key, squares::in_ini(set, grid));
    }
}

/// Who captures in passing, if it is not pawns alone.
fn write_en_passant(writer: &mut Writer) {
    let rules = writer.rules;
    let takes = |kind: &KindId| rules.kind(*kind).moves.iter().any(|part| part.movement.en_passant);
    let is_pawn = |kind: &KindId| writer.pieces.types[kind.index()] == "pawn";
    let kinds: Vec<KindId> = rules.kind_ids().filter(takes).collect();
    if kinds.is_empty() {
        return writer.set("enPassantRegion", "-");
    }
    if !kinds.iter().all(is_pawn) {
        let letters: String =
            kinds.iter().map(|kind| writer.pieces.letters[kind.index()].to_ascii_lowercase()).collect();
        writer.set("enPassantTypes", letters);
    }
}
