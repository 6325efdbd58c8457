//! From a definition to checked rules: every name resolved, every contradiction reported.
//!
//! In: a [`Definition`]. Out: [`Rules`] or all problems at once. Never: half-checked rules.

mod bans;
mod board;
mod castling;
mod contest;
mod counting;
mod effects;
mod ends;
mod pieces;
mod ring;
mod special_ends;
mod start;

use std::cell::RefCell;

use ashta_messages::{Message, message};

use crate::definition::Definition;
use crate::ends::RoyalLoss;
use crate::fields::{Collected, Fields};
use crate::grid::Grid;
use crate::problem::{Place, Problem, Problems, did_you_mean};
use crate::region::{SquareSet, is_region_name, read_region, region_hint};
use crate::rule_parts::{Facing, Hand, Kind, KindId, MAX_HAND_KINDS, Pass, Region, RoyalInCheck};
use crate::rules::Rules;
use crate::setup::Setup;

/// What later parts of a definition refer to.
struct Context<'a> {
    /// `None` if the board's size is wrong: squares are then taken on trust, and everything else is judged.
    grid: Option<Grid>,
    quarters: Vec<u8>,
    regions: Vec<(&'a str, Region)>,
    kind_names: Vec<&'a str>,
    /// Names for sets of kinds.
    sets: Vec<(&'a str, Vec<KindId>)>,
    problems: &'a Collected,
}

impl Rules {
    /// Checks a definition; the error lists everything that is wrong with it.
    pub fn check(definition: Definition) -> Result<Rules, Problems> {
        let problems = RefCell::new(definition.problems.clone());
        let rules = read_rules(&definition, &problems);
        let mut problems = problems.into_inner();
        match rules {
            Some(rules) if problems.is_empty() => Ok(rules),
            _ => {
                problems.sort_by_key(|problem| problem.place.offset);
                problems.dedup();
                Err(Problems(problems))
            }
        }
    }
}

fn read_rules(definition: &Definition, problems: &Collected) -> Option<Rules> {
    let root = Fields::of(&definition.root, "a game", problems);
    let board = board::read(&root);
    let sides = board::read_sides(&root, &board);
    let quarters: Vec<u8> = sides.iter().map(|side| side.quarters).collect();
    let regions = board::read_regions(&root, board.grid, &quarters);
    let hand =
        root.choice("hand", &[("none", Hand::None), ("captures", Hand::Captures), ("set-up", Hand::SetUp)]);
    let pass =
        root.choice("pass", &[("no", Pass::No), ("allowed", Pass::Allowed), ("when-stuck", Pass::WhenStuck)]);
    let facing = root.choice(
        "facing",
        &[("allowed", Facing::Allowed), ("forbidden", Facing::Forbidden), ("draw", Facing::Draws)],
    );
    let royal_in_check = root
        .choice("royal-in-check", &[("moves", RoyalInCheck::Moves), ("only-takes", RoyalInCheck::OnlyTakes)]);
    let pieces = pieces::table(&root);
    let kind_names = pieces::names(pieces.as_ref());
    let sets = Vec::new();
    let mut context = Context { grid: board.grid, quarters, regions, kind_names, sets, problems };
    bans::read_sets(&root, &mut context);
    let context = context;
    let kinds = pieces::read(pieces.as_ref(), &context, hand);
    check_hand_size(&kinds, &context, root.place());
    let bans = bans::read(&root, &context, &kinds, hand);
    let (castlings, castling_starts) = castling::read(&root, &context);
    let n_of_start = problems.borrow().len();
    let ends = ends::read(&root, &context, &kinds);
    special_ends::check(&ends, pass, facing, root.place(), &context);
    let effects = effects::read(&root, &context);
    effects.check(&kinds, &ends, root.place(), &context);
    if royal_in_check == RoyalInCheck::OnlyTakes && ends.royal_loss == RoyalLoss::Capture {
        let hint = message!("rules.leave-out", key = "royal-in-check");
        context.report(root.place(), message!("rules.royal-in-check"), Some(hint));
    }
    let contest = contest::read(&root, &context);
    contest::check_combination(contest.as_ref(), &kinds, &bans, &ends, &root, &context);
    ring::check(&kinds, &castlings, contest.is_some(), root.place(), &context);
    let [name, about] = ["name", "about"].map(|key| root.required_text(key).0.to_string());
    let descends = root.text("descends").map(|(text, _)| text.to_string());
    let kif = root.text("kif").map(|(text, _)| text.to_string());
    let pgn_variants = root.texts("pgn-variant").unwrap_or_default();
    let sources = root.texts("source").unwrap_or_default();
    let sources = sources.into_iter().map(|(text, _)| text.to_string()).collect();
    let n_elsewhere = problems.borrow().len() - n_of_start;
    root.finish();
    // A start is written with pieces, hands and castlings: only their mistakes would be told again as its own.
    let grid = board.grid.filter(|_| problems.borrow().len() == n_elsewhere)?;
    let mut rules = Rules {
        id: definition.id.clone(),
        name,
        about,
        descends,
        kif,
        pgn_variants: pgn_variants.iter().map(|(name, _)| name.to_string()).collect(),
        sources,
        digest: definition.digest(),
        changes: definition.changes.clone(),
        grid,
        sides,
        kinds,
        castlings,
        castling_starts,
        first_move_squares: Vec::new(),
        hand,
        pass,
        facing,
        capture_duty: effects.capture_duty,
        giving_check: effects.giving_check,
        explosion: effects.explosion,
        royal_in_check,
        bans,
        ends,
        contest,
        start: Setup::default(),
    };
    start::read(&mut rules, (&board.start.0, board.start.1), problems);
    Some(rules)
}

impl Context<'_> {
    fn report(&self, place: &Place, what: Message, hint: Option<Message>) {
        self.problems.borrow_mut().push(Problem { place: place.clone(), what, hint });
    }

    /// A region by its name in [regions], or written out in place.
    fn region(&self, (text, place): (&str, &Place)) -> Region {
        if let Some((_, region)) = self.regions.iter().find(|(name, _)| *name == text) {
            return region.clone();
        }
        let read = match self.grid {
            _ if is_region_name(text) => Err(message!("rules.no-region", name = text)),
            Some(grid) => read_region(grid, text),
            None => Ok(SquareSet::EMPTY),
        };
        let squares = read.unwrap_or_else(|what| {
            let names = self.regions.iter().map(|(name, _)| *name);
            let near = did_you_mean(text, names.filter(|_| !text.contains(' ')));
            self.report(place, what, near.or_else(|| self.grid.map(region_hint)));
            SquareSet::EMPTY
        });
        self.turned_for_each_side(|_| squares)
    }

    /// A set of squares as the first side sees it, made for the board and turned for each side.
    fn turned_for_each_side(&self, first: impl Fn(Grid) -> SquareSet) -> Region {
        match self.grid {
            Some(grid) => board::turned(first(grid), grid, &self.quarters),
            None => vec![SquareSet::EMPTY; self.quarters.len()],
        }
    }

    /// A kind by its name.
    fn kind(&self, text: (&str, &Place)) -> KindId {
        match self.kind_names.iter().position(|name| *name == text.0) {
            Some(kind) => KindId(kind as u8),
            None => {
                let names = self.kind_names.iter().chain(self.sets.iter().map(|(name, _)| name));
                let hint = did_you_mean(text.0, names.copied());
                self.report(text.1, message!("rules.no-piece", name = text.0), hint);
                KindId(0)
            }
        }
    }

    /// Kinds by their names or the names of their sets, in the order of the names.
    fn kinds(&self, texts: &[(&str, &Place)]) -> Vec<KindId> {
        let mut kinds = Vec::new();
        for text in texts {
            match self.sets.iter().find(|(name, _)| *name == text.0) {
                Some((_, set)) => kinds.extend(set),
                None => kinds.push(self.kind(*text)),
            }
        }
        kinds
    }
}

/// A position keeps a slot for each kind that may be in hand.
fn check_hand_size(kinds: &[Kind], context: &Context, place: &Place) {
    let droppable = kinds.iter().filter(|kind| kind.drop.is_some()).count();
    if droppable > MAX_HAND_KINDS {
        let what = message!("rules.many-hand-kinds", n = droppable, most = MAX_HAND_KINDS);
        context.report(place, what, None);
    }
}
