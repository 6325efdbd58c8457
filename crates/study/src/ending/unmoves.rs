//! Unmoves (moves backwards, without captures and promotions) and board symmetries of a material.
//!
//! In: rules and a material. Out: for each piece and square its possible origins; symmetries of the board; or why no
//! tablebase can be built. Never: positions.

use ashta_messages::{Message, Tell, message};
use ashta_position::{Way, ways};
use ashta_rules::{
    CaptureDuty, Choice, GivingCheck, Hand, KindId, Pass, PromotesOn, RoyalLoss, Rules, Side, Square,
};

use super::ending_material::EndingMaterial;

#[derive(Clone, PartialEq, Eq, Debug, Tell)]
#[code("study.unsupported-ending")]
pub struct UnsupportedEnding {
    /// The ending or the game.
    pub name: String,
    pub why: Message,
}

/// An origin of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unmove {
    pub from: u8,
    /// Squares that must be empty, as bits.
    pub between: u128,
}

/// By piece, then by square.
pub type Unmoves = Vec<Vec<Vec<Unmove>>>;

const MAX_SQUARES: usize = 128;

/// Whether tablebases of a game can be built.
pub fn check_game(rules: &Rules) -> Result<(), UnsupportedEnding> {
    let no = |why| Err(UnsupportedEnding { name: rules.name().to_string(), why });
    if !rules.is_two_sided() {
        return no(message!("study.ending-two-sides"));
    }
    if rules.hand() != Hand::None {
        return no(message!("study.ending-hands"));
    }
    if rules.ends().royal_loss != RoyalLoss::Checkmate {
        return no(message!("study.ending-royal-capture"));
    }
    if rules.pass() != Pass::No {
        return no(message!("study.ending-pass"));
    }
    if rules.ends().impasse.is_some() {
        return no(message!("study.ending-points"));
    }
    if rules.ends().extinction.is_some() || rules.ends().checks.is_some() {
        return no(message!("study.ending-counts"));
    }
    let has_effects = rules.explosion().is_some()
        || rules.capture_duty() != CaptureDuty::Free
        || rules.giving_check() != GivingCheck::Allowed;
    if has_effects {
        return no(message!("study.ending-effects"));
    }
    if rules.grid().n_squares() > MAX_SQUARES {
        return no(message!("study.ending-board"));
    }
    Ok(())
}

pub fn unmoves(rules: &Rules, material: &EndingMaterial) -> Result<Unmoves, UnsupportedEnding> {
    let no = |why: Message| UnsupportedEnding { name: material.name(rules), why };
    let passing = |side: Side| {
        material.side(side).iter().any(|kind| rules.kind(*kind).moves.iter().any(|p| p.movement.en_passant))
    };
    if passing(Side::FIRST) && passing(Side::SECOND) {
        return Err(no(message!("study.ending-en-passant")));
    }
    let mut unmoves = Vec::new();
    for (side, kind) in material.pieces() {
        let mut of_man = vec![Vec::new(); rules.grid().n_squares()];
        for from in rules.grid().squares() {
            for way in ways(rules, side, kind, from) {
                if way.first_move || (way.hops && way.moves) {
                    return Err(no(message!("study.ending-movement", piece = rules.kind(kind))));
                }
                if way.moves && !must_promote(rules, side, kind, from, way.to) {
                    add_unmove(&mut of_man[way.to.0 as usize], from, &way);
                }
            }
        }
        unmoves.push(of_man);
    }
    Ok(unmoves)
}

/// Of two paths between the same squares, keep the one with fewer conditions.
fn add_unmove(found: &mut Vec<Unmove>, from: Square, way: &Way) {
    let between = way.between.iter().fold(0, |set, square| set | 1u128 << square.0);
    match found.iter_mut().find(|back| back.from == from.0) {
        Some(back) if between.count_ones() < back.between.count_ones() => back.between = between,
        Some(_) => {}
        None => found.push(Unmove { from: from.0, between }),
    }
}

fn must_promote(rules: &Rules, side: Side, kind: KindId, from: Square, to: Square) -> bool {
    let Some(promotion) = &rules.kind(kind).promotion else { return false };
    let zone = |square: Square| promotion.zone[side.index()].has(square);
    // Only for moves that capture nothing: unmoves are such.
    let promotes = |on: &PromotesOn| match on {
        PromotesOn::End => zone(to),
        PromotesOn::StartOrEnd => zone(from) || zone(to),
        PromotesOn::Enter => zone(to) && !zone(from),
        PromotesOn::LastRank => rules.last_rank(side).has(to),
        PromotesOn::Capture | PromotesOn::Stay => false,
    };
    promotion.on.iter().any(promotes)
        && match promotion.choice {
            Choice::Must => true,
            Choice::May => false,
            Choice::MayUnlessStuck => ways(rules, side, kind, to).is_empty(),
        }
}

/// Squares on which a piece can be: a promoting kind that is in the initial position must be able to get there; none
/// can be where it would have had to promote, or could never move.
pub fn reachable_squares(rules: &Rules, side: Side, kind: KindId) -> Vec<bool> {
    let promotes = rules.kind(kind).promotion.as_ref();
    let starts: Vec<Square> = rules
        .grid()
        .squares()
        .filter(|square| rules.start().board[square.0 as usize] == Some((side, kind)))
        .collect();
    let reached = if promotes.is_some() && !starts.is_empty() {
        reached_from(rules, side, kind, starts)
    } else {
        vec![true; rules.grid().n_squares()]
    };
    let promoted_there = |square: Square| {
        promotes.is_some_and(|promotion| {
            promotion.on == [PromotesOn::End]
                && promotion.choice == Choice::Must
                && promotion.zone[side.index()].has(square)
        })
    };
    let reachable = |square: Square| {
        reached[square.0 as usize] && !promoted_there(square) && !ways(rules, side, kind, square).is_empty()
    };
    rules.grid().places().map(reachable).collect()
}

fn reached_from(rules: &Rules, side: Side, kind: KindId, starts: Vec<Square>) -> Vec<bool> {
    let mut reached = vec![false; rules.grid().n_squares()];
    let mut todo = starts;
    while let Some(square) = todo.pop() {
        if !std::mem::replace(&mut reached[square.0 as usize], true) {
            todo.extend(ways(rules, side, kind, square).into_iter().map(|way| way.to));
        }
    }
    reached
}

/// Symmetries of the board, the identity first, under which all pieces move and promote alike. Conversions have
/// symmetries of their own.
pub fn symmetries(rules: &Rules, material: &EndingMaterial) -> Vec<Vec<u8>> {
    let kinds: Vec<(Side, KindId)> = material.pieces().collect();
    let n = rules.grid().n_squares();
    let identity: Vec<u8> = (0..n as u8).collect();
    let mut maps = vec![identity];
    for turn in 1..8 {
        if let Some(map) = board_map(rules, turn)
            && kinds.iter().all(|(side, kind)| moves_alike(rules, *side, *kind, &map))
        {
            maps.push(map);
        }
    }
    maps
}

/// One of the eight symmetries of a square board; of four otherwise.
fn board_map(rules: &Rules, turn: u8) -> Option<Vec<u8>> {
    let grid = rules.grid();
    let (files, ranks) = (i16::from(grid.files()), i16::from(grid.ranks()));
    let (across, upward, diagonal) = (turn & 1 == 1, turn & 2 == 2, turn & 4 == 4);
    if diagonal && files != ranks {
        return None;
    }
    let image = |square: Square| {
        let (mut file, mut rank) = (i16::from(grid.file(square)), i16::from(grid.rank(square)));
        if across {
            file = files - 1 - file;
        }
        if upward {
            rank = ranks - 1 - rank;
        }
        if diagonal {
            (file, rank) = (rank, file);
        }
        let place = (file * ranks + rank) as u8;
        (grid.holes().has(square) == grid.holes().has(Square(place))).then_some(place)
    };
    grid.places().map(image).collect()
}

fn moves_alike(rules: &Rules, side: Side, kind: KindId, map: &[u8]) -> bool {
    let image = |square: Square| Square(map[square.0 as usize]);
    let grid = rules.grid();
    let zones_alike = rules.kind(kind).promotion.as_ref().is_none_or(|promotion| {
        let zone = &promotion.zone[side.index()];
        grid.squares().all(|square| zone.has(square) == zone.has(image(square)))
    });
    zones_alike
        && grid.squares().all(|from| {
            let mapped = ways(rules, side, kind, from).into_iter().map(|way| {
                let mut between: Vec<Square> = way.between.iter().map(|square| image(*square)).collect();
                between.sort_unstable();
                Way { to: image(way.to), between, ..way }
            });
            let mut mapped: Vec<Way> = mapped.collect();
            let mut there = ways(rules, side, kind, image(from));
            there.iter_mut().for_each(|way| way.between.sort_unstable());
            mapped.sort_unstable();
            there.sort_unstable();
            mapped == there
        })
}
