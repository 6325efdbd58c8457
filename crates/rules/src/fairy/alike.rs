//! Whether a variant reads back as the game that it was written from.
//!
//! In: two sets of rules, and which kinds of the one are which of the other. Out: the keys of a game file in which they differ.
//! Never: names, pictures, and ends that only spare a game its last moves.

use std::collections::BTreeSet;

use crate::betza::{Path, Target};
use crate::ends::{CountedKinds, Ends, Extinction, RoyalLoss, Verdict};
use crate::grid::{MAX_LENGTH, Side, Square};
use crate::region::SquareSet;
use crate::rule_parts::{
    CastlingStarts, Choice, DropRule, Hand, Kind, KindId, Part, PromotesOn, Promotion, Region, StuckDrop,
    Targets,
};
use crate::rules::Rules;

/// For each kind of a game, the kind of another.
pub type KindMap = Vec<KindId>;

/// The keys in which two games differ. `map` leads from the kinds of the first to those of the second.
pub fn differences(one: &Rules, two: &Rules, map: &KindMap) -> Vec<String> {
    let mut keys = Vec::new();
    for (key, is_same) in [
        (
            "board",
            (one.grid.files(), one.grid.ranks(), one.grid.wraps(), one.grid.holes())
                == (two.grid.files(), two.grid.ranks(), two.grid.wraps(), two.grid.holes()),
        ),
        ("hand", one.hand == two.hand),
        ("pass", one.pass == two.pass),
        ("facing", one.facing == two.facing),
        ("capture", one.capture_duty == two.capture_duty),
        ("check", one.giving_check == two.giving_check),
        ("royal-in-check", one.royal_in_check == two.royal_in_check),
        ("explosion", explosion(one, map) == explosion(two, &identity(two))),
        ("bans", one.bans == two.bans),
        ("castling", castlings(one, map) == castlings(two, &identity(two))),
        ("board.start", start(one, map) == start(two, &identity(two))),
    ] {
        if !is_same {
            keys.push(key.to_string());
        }
    }
    for kind in one.kind_ids() {
        let other = map[kind.index()];
        for (key, is_same) in kind_differences((one, kind, map), (two, other)) {
            if !is_same {
                keys.push(format!("pieces.{}.{key}", one.kind(kind).name));
            }
        }
    }
    keys.extend(end_differences(one, two, map));
    keys
}

fn identity(rules: &Rules) -> KindMap {
    rules.kind_ids().collect()
}

fn mapped(kinds: &[KindId], map: &KindMap) -> Vec<KindId> {
    let mut kinds: Vec<KindId> = kinds.iter().map(|kind| map[kind.index()]).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// Kinds that stay by name, without those that never get where it matters.
fn explosion(rules: &Rules, map: &KindMap) -> Option<Vec<KindId>> {
    rules.explosion.as_ref().map(|explosion| mapped(&explosion.spares, map))
}

fn castlings(rules: &Rules, map: &KindMap) -> (Vec<String>, bool) {
    let partner = match rules.castling_starts {
        CastlingStarts::Fixed => None,
        CastlingStarts::AnyFile { partner } => Some(map[partner.index()]),
    };
    let mut texts: Vec<String> = rules
        .castlings
        .iter()
        .map(|c| format!("{} {:?} {:?} {partner:?}", c.side.0, c.royal, c.partner))
        .collect();
    texts.sort();
    (texts, partner.is_some())
}

/// A start with rights by what they stand for.
fn start(rules: &Rules, map: &KindMap) -> impl PartialEq + use<> {
    let setup = &rules.start;
    let board: Vec<_> =
        setup.board.iter().map(|piece| piece.map(|(side, kind)| (side, map[kind.index()]))).collect();
    let mut hands: Vec<(usize, KindId, u8)> = Vec::new();
    for (side, hand) in setup.hands.iter().enumerate() {
        let held = hand.iter().enumerate().filter(|(_, n)| **n > 0);
        hands.extend(held.map(|(kind, n)| (side, map[kind], *n)));
    }
    hands.sort_unstable();
    let has = |n: usize| setup.rights >> n & 1 == 1;
    let castlings: BTreeSet<_> = rules
        .castlings
        .iter()
        .filter(|c| has(usize::from(c.right)) && rules.stand_to_castle(c, setup))
        .map(|c| (c.side.0, c.royal, c.partner))
        .collect();
    let n = rules.n_castling_rights();
    let firsts: BTreeSet<_> =
        rules.first_move_squares.iter().enumerate().filter(|(at, _)| has(n + at)).map(|(_, s)| *s).collect();
    (board, hands, castlings, firsts, setup.turn, setup.en_passant)
}

type OfGame<'a> = (&'a Rules, KindId, &'a KindMap);

fn kind_differences((one, kind, map): OfGame, (two, other): (&Rules, KindId)) -> Vec<(&'static str, bool)> {
    let (ours, theirs) = (one.kind(kind), two.kind(other));
    let same_map = identity(two);
    let is_held = one.hand != Hand::None && ours.demoted == kind && !ours.royal;
    vec![
        ("royal", is_king(one, ours) == is_king(two, theirs)),
        ("moves", ways(one, ours, map) == ways(two, theirs, &same_map)),
        ("promotes", promotion(one, ours, map) == promotion(two, theirs, &same_map)),
        ("demotes", one.hand != Hand::Captures || ours.royal || map[ours.demoted.index()] == theirs.demoted),
        ("drop", !is_held || drop_rule(one, ours) == drop_rule(two, theirs)),
        (
            "first-move-lost-to",
            mapped(&ours.first_move_lost_to, map) == mapped(&theirs.first_move_lost_to, &same_map),
        ),
    ]
}

/// Every way of moving by itself: one step, and a move or a capture.
pub fn ways(rules: &Rules, kind: &Kind, map: &KindMap) -> BTreeSet<Part> {
    let takes_in_passing = rules.kind_ids().any(|kind| rules.can_be_taken_in_passing(kind));
    let longest = rules.grid.files().max(rules.grid.ranks());
    let everywhere: Region = vec![SquareSet::all(rules.grid); rules.sides.len()];
    let mut all = BTreeSet::new();
    for part in &kind.moves {
        let targets = match part.movement.target {
            Target::Any => vec![Target::Empty, Target::Capture],
            target => vec![target],
        };
        for (step, target) in part.movement.steps.iter().flat_map(|s| targets.iter().map(move |t| (*s, *t))) {
            let mut part = part.clone();
            part.movement.steps = vec![step];
            part.movement.target = target;
            part.movement.en_passant &= takes_in_passing && target == Target::Capture;
            part.movement.path = plain_path(part.movement.path, longest);
            if part.movement.first_move_only && Rules::only_goes_forward(kind) {
                // Told from the square alone.
                part.movement.first_move_only = false;
                part.from = Some(starts_within(rules, kind, part.from.as_ref()));
            }
            part.from = part.from.filter(|region| *region != everywhere);
            part.within = part.within.filter(|region| *region != everywhere);
            part.not_over = mapped(&part.not_over, map);
            part.not_onto = mapped(&part.not_onto, map);
            all.insert(part);
        }
    }
    all
}

/// The squares of a region, or of the board, on which each side has such a piece at the start.
fn starts_within(rules: &Rules, kind: &Kind, region: Option<&Region>) -> Region {
    let is_start = |side: Side, square: Square| {
        let found = rules.start.board.get(square.index()).copied().flatten();
        found.is_some_and(|(owner, id)| owner == side && rules.kind(id).letter == kind.letter)
    };
    let within = |side: Side, square: Square| region.is_none_or(|sets| sets[side.index()].has(square));
    let squares =
        |side: Side| rules.grid.squares().filter(move |s| is_start(side, *s) && within(side, *s)).collect();
    rules.side_ids().map(squares).collect()
}

fn plain_path(path: Path, longest: u8) -> Path {
    let no_limit = |limit: u8| if limit + 1 >= longest { MAX_LENGTH } else { limit };
    match path {
        Path::Ride { least: 0 | 1, limit: 1 } => Path::Leap,
        Path::Ride { least, limit } => Path::Ride { least: least.max(1), limit: no_limit(limit) },
        Path::Hop { limit } => Path::Hop { limit: no_limit(limit) },
        path => path,
    }
}

/// What a piece becomes, where, when and whether it must. A piece that can never be stuck need not be told from one that may
/// be.
fn promotion(rules: &Rules, kind: &Kind, map: &KindMap) -> Option<impl PartialEq + use<>> {
    let promotion: &Promotion = kind.promotion.as_ref()?;
    let to = match &promotion.to {
        Targets::Kinds(kinds) => mapped(kinds, map),
        Targets::ByFile(kinds) => mapped(&kinds.iter().flatten().copied().collect::<Vec<_>>(), map),
    };
    let last: Region = rules.side_ids().map(|side| rules.last_rank(side)).collect();
    let is_last_rank = promotion.on == [PromotesOn::LastRank];
    let zone = if is_last_rank { last } else { promotion.zone.clone() };
    let on = promotes_on(rules, kind, promotion);
    let choice = match promotion.choice {
        Choice::MayUnlessStuck if !Rules::only_goes_forward(kind) => Choice::May,
        choice => choice,
    };
    let is_by_file = matches!(promotion.to, Targets::ByFile(_));
    Some((to, is_by_file, zone, on, choice, promotion.supply, promotion.company.is_empty()))
}

/// A rule of drops; whether a piece may land where it is stuck says nothing where it may not land there or never is.
fn drop_rule(rules: &Rules, kind: &Kind) -> Option<DropRule> {
    let mut rule = kind.drop.clone()?;
    if !Rules::only_goes_forward(kind) || is_kept_from_last_rank(rules, &rule) {
        rule.stuck = StuckDrop::Allowed;
    }
    Some(rule)
}

/// Whether a piece is not dropped where pieces that only go forward are stuck.
pub fn is_kept_from_last_rank(rules: &Rules, drop: &DropRule) -> bool {
    rules.side_ids().zip(&drop.region).all(|(side, set)| set.and(&rules.last_rank(side)).is_empty())
}

/// Which moves promote. Moves that end in the zone are all that start or end there, where it is the whole board, or the last rank
/// of a piece that only goes forward.
pub fn promotes_on(rules: &Rules, kind: &Kind, promotion: &Promotion) -> Vec<PromotesOn> {
    let is_all = |sets: &Region| sets.iter().all(|set| *set == SquareSet::all(rules.grid));
    let is_left = |sets: &Region| {
        let is_last = |(side, set): (Side, &SquareSet)| set.and(&rules.last_rank(side)) == *set;
        Rules::only_goes_forward(kind) && rules.side_ids().zip(sets).all(is_last)
    };
    match promotion.on.as_slice() {
        [PromotesOn::LastRank] => vec![PromotesOn::End],
        [PromotesOn::StartOrEnd] if !is_all(&promotion.zone) && is_left(&promotion.zone) => {
            vec![PromotesOn::End]
        }
        [PromotesOn::End] if is_all(&promotion.zone) => vec![PromotesOn::StartOrEnd],
        on => on.to_vec(),
    }
}

/// Whether the piece is royal in the way that only a king is. One that is simply captured dies out.
fn is_king(rules: &Rules, kind: &Kind) -> bool {
    kind.royal && rules.ends.royal_loss == RoyalLoss::Checkmate
}

fn end_differences(one: &Rules, two: &Rules, map: &KindMap) -> Vec<String> {
    let (ours, theirs) = (ends(one, map), ends(two, &identity(two)));
    let checks = [
        ("stalemate", ours.stalemate == theirs.stalemate),
        ("bare", ours.bare == theirs.bare),
        ("repetition", ours.repetition == theirs.repetition),
        ("quiet", ours.quiet == theirs.quiet),
        ("goal", ours.goal == theirs.goal),
        ("extinction", ours.extinction == theirs.extinction),
        ("checks", ours.checks == theirs.checks),
        ("passes", ours.passes == theirs.passes),
        ("points", points(one, map) == points(two, &identity(two))),
        ("counting", ours.counting == theirs.counting),
    ];
    checks.iter().filter(|(_, is_same)| !is_same).map(|(key, _)| format!("ends.{key}")).collect()
}

/// Ends with the kinds of the other game; every kind of a game is written as none.
fn ends(rules: &Rules, map: &KindMap) -> Ends {
    let of_all = |kinds: &[KindId]| match kinds.len() == rules.kinds.len() {
        true => Vec::new(),
        false => mapped(kinds, map),
    };
    let mut ends = rules.ends.clone();
    if ends.royal_loss == RoyalLoss::Capture && ends.extinction.is_none() {
        let of = rules.kind_ids().filter(|kind| rules.kind(*kind).royal).collect();
        let (verdict, counted) = (Verdict::Loss, CountedKinds::Together);
        ends.extinction = Some(Extinction { verdict, of, below: 1, counted });
    }
    if let Some(bare) = &mut ends.bare {
        bare.uncounted = mapped(&bare.uncounted, map);
    }
    if let Some(quiet) = &mut ends.quiet {
        quiet.progress = mapped(&quiet.progress, map);
    }
    if let Some(goal) = &mut ends.goal {
        goal.pieces = of_all(&goal.pieces);
    }
    if let Some(extinction) = &mut ends.extinction {
        let is_one = extinction.of.len() == 1;
        extinction.of = of_all(&extinction.of);
        if is_one || extinction.of.is_empty() {
            extinction.counted = CountedKinds::Together;
        }
    }
    if let Some(counting) = &mut ends.counting {
        counting.without = mapped(&counting.without, map);
        for limit in &mut counting.bare.limits {
            limit.has.iter_mut().for_each(|kind| *kind = map[kind.index()]);
            limit.has.sort_unstable();
        }
    }
    ends
}

/// Half points by kind, those that each side has without any piece, and what they decide.
fn points(rules: &Rules, map: &KindMap) -> Option<impl PartialEq + use<>> {
    let points = rules.ends.points.as_ref()?;
    let counted = points.half_points.iter().enumerate().filter(|(_, n)| **n > 0);
    let mut counted: Vec<(KindId, u32)> = counted.map(|(kind, n)| (map[kind], *n)).collect();
    counted.sort_unstable();
    let mut decides: Vec<String> = points.decides.iter().map(|end| format!("{end:?}")).collect();
    decides.sort();
    Some((counted, points.extra_half_points.clone(), decides))
}
