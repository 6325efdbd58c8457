//! From a definition to checked rules: every name resolved, every contradiction reported.
//!
//! In: a [`Definition`]. Out: [`Rules`] or all problems at once. Never: half-checked rules.

mod ends;
mod pieces;

use std::cell::RefCell;

use crate::definition::{Definition, Value};
use crate::fields::{Collected, Fields};
use crate::grid::{Coordinates, Grid, Side, Square};
use crate::problem::{Place, Problem, Problems, did_you_mean};
use crate::region::{SquareSet, read_region};
use crate::rules::{Castling, Facing, Hand, Kind, KindId, MAX_HAND_KINDS, Pass, Region, Rules, SideRules};
use crate::setup::Setup;

/// What later parts of a definition refer to.
struct Context<'a> {
    grid: Grid,
    quarters: Vec<u8>,
    regions: Vec<(&'a str, Region)>,
    kind_names: Vec<&'a str>,
    problems: &'a Collected,
}

impl Rules {
    /// Checks a definition; the error lists everything that is wrong with it.
    pub fn check(definition: Definition) -> Result<Rules, Problems> {
        let problems = RefCell::default();
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
    let root = Fields::of(&definition.root, problems);
    let name = root.required_text("name").0.to_string();
    let about = root.required_text("about").0.to_string();
    let descends = root.text("descends").map(|(text, _)| text.to_string());
    let (grid, start) = read_grid(&root)?;
    let sides = read_sides(&root, grid);
    let quarters: Vec<u8> = sides.iter().map(|side| side.quarters).collect();
    let regions = read_regions(&root, grid, &quarters);
    let hand =
        root.choice("hand", &[("none", Hand::None), ("captures", Hand::Captures), ("set-up", Hand::SetUp)]);
    let pass = root.choice("pass", &[("no", Pass::No), ("allowed", Pass::Allowed)]);
    let facing = root.choice("facing", &[("allowed", Facing::Allowed), ("forbidden", Facing::Forbidden)]);
    let kind_names = pieces::names(&root);
    let context = Context { grid, quarters, regions, kind_names, problems };
    let kinds = pieces::read(&root, &context, hand);
    check_hand_size(&kinds, &context, root.place());
    let castlings = read_castlings(&root, &context);
    let ends = ends::read(&root, &context, &kinds);
    root.finish();
    if !problems.borrow().is_empty() {
        return None;
    }
    let mut rules = Rules {
        id: definition.id.clone(),
        name,
        about,
        descends,
        digest: definition.digest(),
        changes: definition.changes.clone(),
        grid,
        sides,
        kinds,
        castlings,
        first_move_squares: Vec::new(),
        hand,
        pass,
        facing,
        ends,
        start: Setup::default(),
    };
    read_start(&mut rules, start, problems);
    check_start(&rules, start.1, problems);
    Some(rules)
}

fn read_grid<'a>(root: &Fields<'a>) -> Option<(Grid, (&'a str, &'a Place))> {
    let Some(board) = root.table("board") else {
        root.report(Problem::new(root.place().clone(), "the table [board] is missing"));
        return None;
    };
    let length = |key: &'static str| {
        if board.node(key).is_none() {
            board.report(Problem::new(board.place().clone(), format!("the key `{key}` is missing")));
        }
        board.number(key, 1..=16)
    };
    let (files, ranks) = (length("files"), length("ranks"));
    let coordinates =
        board.choice("coordinates", &[("letters", Coordinates::Letters), ("numbers", Coordinates::Numbers)]);
    let start = board.required_text("start");
    board.finish();
    Grid::new(files? as u8, ranks? as u8, coordinates).map(|grid| (grid, start))
}

fn read_sides(root: &Fields, grid: Grid) -> Vec<SideRules> {
    let default: [(&str, char); 2] = match grid.coordinates() {
        Coordinates::Letters => [("White", 'w'), ("Black", 'b')],
        Coordinates::Numbers => [("Black", 'b'), ("White", 'w')],
    };
    let side =
        |name: &str, letter, team, quarters| SideRules { name: name.to_string(), letter, team, quarters };
    let Some(table) = root.table("sides") else {
        return vec![side(default[0].0, default[0].1, 0, 0), side(default[1].0, default[1].1, 1, 2)];
    };
    let names = table.texts("names").unwrap_or_default();
    let letters = table.texts("letters").unwrap_or_default();
    let teams = table.texts("teams").unwrap_or_else(|| names.clone());
    let place = table.place().clone();
    table.finish();
    let count = names.len();
    let single = |text: &str| text.len() == 1 && text.bytes().all(|b| b.is_ascii_lowercase());
    let mut problem = None;
    if !matches!(count, 2 | 4) || letters.len() != count || teams.len() != count {
        problem = Some("[sides] needs names and letters of 2 or 4 sides, and as many teams if it has any");
    } else if !letters.iter().all(|(text, _)| single(text)) {
        problem = Some("a side's letter is one lower-case letter");
    } else if (1..count).any(|n| letters[..n].iter().any(|(text, _)| *text == letters[n].0)) {
        problem = Some("two sides cannot have the same letter");
    } else if count == 4 && grid.files() != grid.ranks() {
        problem = Some("four sides need a square board, which each can turn to itself");
    }
    if let Some(what) = problem {
        root.report(Problem::new(place, what));
        return vec![side("First", 'w', 0, 0), side("Second", 'b', 1, 2)];
    }
    let team_of = |n: usize| teams.iter().position(|(team, _)| *team == teams[n].0).unwrap_or(n) as u8;
    let quarters = |n: usize| (n * 4 / count) as u8;
    (0..count)
        .map(|n| side(names[n].0, letters[n].0.chars().next().unwrap_or('w'), team_of(n), quarters(n)))
        .collect()
}

fn read_regions<'a>(root: &Fields<'a>, grid: Grid, quarters: &[u8]) -> Vec<(&'a str, Region)> {
    let Some(table) = root.table("regions") else { return Vec::new() };
    let mut regions = Vec::new();
    for entry in table.all() {
        let texts: Vec<_> = match &entry.node.value {
            Value::Text(text) => vec![(text.as_str(), &entry.node.place)],
            Value::List(nodes) => nodes
                .iter()
                .filter_map(|node| match &node.value {
                    Value::Text(text) => Some((text.as_str(), &node.place)),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let region = match texts.len() {
            1 => one_for_all(grid, quarters, texts[0], root.problems()),
            n if n == quarters.len() => {
                texts.iter().map(|(text, place)| squares(grid, text, place, root.problems())).collect()
            }
            _ => {
                let what = "a region is a text of squares, or a list with one text for each side";
                root.report(Problem::new(entry.node.place.clone(), what));
                continue;
            }
        };
        regions.push((entry.key.as_str(), region));
    }
    regions
}

/// A region given from the first side's view, turned for the others.
fn one_for_all(grid: Grid, quarters: &[u8], text: (&str, &Place), problems: &Collected) -> Region {
    let first = squares(grid, text.0, text.1, problems);
    quarters.iter().map(|turns| first.iter().map(|square| grid.turned(square, *turns)).collect()).collect()
}

fn squares(grid: Grid, text: &str, place: &Place, problems: &Collected) -> SquareSet {
    read_region(grid, text).unwrap_or_else(|what| {
        let hint = "regions look like `rank 8`, `ranks 7-9`, `d1-f3` or `a1 h1`";
        problems.borrow_mut().push(Problem::new(place.clone(), what).hint(hint));
        SquareSet::EMPTY
    })
}

impl<'a> Context<'a> {
    fn report(&self, place: &Place, what: impl Into<String>, hint: Option<String>) {
        self.problems.borrow_mut().push(Problem { place: place.clone(), what: what.into(), hint });
    }

    /// A region by its name in [regions], or written out in place.
    fn region(&self, text: (&str, &Place)) -> Region {
        match self.regions.iter().find(|(name, _)| *name == text.0) {
            Some((_, region)) => region.clone(),
            None => one_for_all(self.grid, &self.quarters, text, self.problems),
        }
    }

    /// A kind by its name.
    fn kind(&self, text: (&str, &Place)) -> KindId {
        match self.kind_names.iter().position(|name| *name == text.0) {
            Some(kind) => KindId(kind as u8),
            None => {
                let hint = did_you_mean(text.0, self.kind_names.iter().copied());
                self.report(text.1, format!("no piece is named `{}`", text.0), hint);
                KindId(0)
            }
        }
    }

    fn kinds(&self, texts: &[(&str, &Place)]) -> Vec<KindId> {
        texts.iter().map(|text| self.kind(*text)).collect()
    }
}

/// A position keeps a slot for each kind that may be in hand.
fn check_hand_size(kinds: &[Kind], context: &Context, place: &Place) {
    let droppable = kinds.iter().filter(|kind| kind.drop.is_some()).count();
    if droppable > MAX_HAND_KINDS {
        let what = format!("{droppable} kinds may be in hand, and {MAX_HAND_KINDS} is the most");
        context.report(place, what, None);
    }
}

/// `K = "e1g1 h1f1"`: the royal piece's way and its partner's; the second side's is mirrored.
fn read_castlings(root: &Fields, context: &Context) -> Vec<Castling> {
    let Some(table) = root.table("castling") else { return Vec::new() };
    let mut castlings = Vec::new();
    let mut chars_of = |letter: char, text: &str, place: &Place| {
        let ways: Vec<(Square, Square)> =
            text.split_whitespace().filter_map(|way| read_way(context.grid, way)).collect();
        let (2, true) = (ways.len(), context.quarters.len() == 2) else {
            let what = "castling is two ways over squares of this board, such as \"e1g1 h1f1\", in a game of two sides";
            context.report(place, what, None);
            return;
        };
        let mirror = |square: Square| {
            let (file, rank) = (context.grid.file(square) as i16, context.grid.rank(square) as i16);
            context.grid.at(file, context.grid.ranks() as i16 - 1 - rank).unwrap_or(square)
        };
        let both = |way: (Square, Square)| (mirror(way.0), mirror(way.1));
        castlings.push(Castling { side: Side::FIRST, letter, royal: ways[0], partner: ways[1] });
        let letter = letter.to_ascii_lowercase();
        castlings.push(Castling { side: Side::SECOND, letter, royal: both(ways[0]), partner: both(ways[1]) });
    };
    for entry in table.all() {
        match (&entry.node.value, entry.key.as_bytes()) {
            (Value::Text(text), [letter]) if letter.is_ascii_uppercase() => {
                chars_of(*letter as char, text, &entry.node.place);
            }
            _ => context.report(&entry.key_place, "a castling is one capital letter = \"e1g1 h1f1\"", None),
        }
    }
    // Each is a bit of a position's rights, of which there are 32.
    if castlings.len() >= 32 {
        context.report(table.place(), format!("{} castlings, and 30 is the most", castlings.len()), None);
    }
    castlings.sort_by_key(|castling| castling.side);
    castlings
}

fn read_way(grid: Grid, text: &str) -> Option<(Square, Square)> {
    let (from, rest) = grid.read_square(text)?;
    let (to, rest) = grid.read_square(rest)?;
    rest.is_empty().then_some((from, to))
}

fn read_start(rules: &mut Rules, (text, place): (&str, &Place), problems: &Collected) {
    match Setup::read(text, rules) {
        Ok(start) => rules.start = start,
        Err(error) => {
            let inside = Place { offset: place.offset + 1 + error.offset, ..place.clone() };
            problems
                .borrow_mut()
                .push(Problem::new(inside, format!("in the start position: {}", error.what)));
            return;
        }
    }
    let remembers = |square: &Square| {
        rules.start.board[square.0 as usize].is_some_and(|(_, kind)| {
            let kind = rules.kind(kind);
            kind.moves.iter().any(|part| part.movement.first_move_only) && !Rules::only_goes_forward(kind)
        })
    };
    let first_moves: Vec<Square> = rules.grid.squares().filter(remembers).collect();
    rules.first_move_squares = first_moves;
    if rules.first_move_squares.len() + rules.castlings.len() > 32 {
        let what = "more than 32 pieces have rights that depend on not having moved";
        problems.borrow_mut().push(Problem::new(place.clone(), what));
        return;
    }
    let unmoved = rules.start.unmoved_rights(rules);
    let writes_castlings =
        rules.grid.coordinates() == Coordinates::Letters && text.split_whitespace().count() > 2;
    let castling_rights = ((1u64 << rules.castlings.len()) - 1) as u32;
    // Castlings as the text has them, if it has them; everything that has not moved may make its first move.
    rules.start.rights |= if writes_castlings { unmoved & !castling_rights } else { unmoved };
}

fn check_start(rules: &Rules, place: &Place, problems: &Collected) {
    if rules.start.board.is_empty() {
        return;
    }
    for castling in &rules.castlings {
        let at =
            |square: Square| rules.start.board[square.0 as usize].filter(|(side, _)| *side == castling.side);
        let royal = at(castling.royal.0).is_some_and(|(_, kind)| rules.kind(kind).royal);
        if !royal || at(castling.partner.0).is_none() {
            let (grid, side) = (rules.grid, &rules.sides[castling.side.index()].name);
            let (from, with) = (grid.name(castling.royal.0), grid.name(castling.partner.0));
            let what = format!(
                "castling `{}` needs {side}'s royal piece on {from} and a piece on {with}, and the start has not both",
                castling.letter
            );
            let hint = "state [castling] for this array, or castling = \"none\"";
            problems.borrow_mut().push(Problem::new(place.clone(), what).hint(hint));
        }
    }
    for (side, names) in rules.sides.iter().enumerate() {
        let royals =
            rules.start.board.iter().flatten().filter(|(s, k)| s.index() == side && rules.kind(*k).royal);
        let in_hand = rules.kind_ids().any(|k| rules.kind(k).royal && rules.start.hands[side][k.index()] > 0);
        if royals.count() == 0 && !in_hand {
            let what = format!("{} starts without a royal piece", names.name);
            let hint = "mark one kind `royal = true` and put it on the board";
            problems.borrow_mut().push(Problem::new(place.clone(), what).hint(hint));
        }
    }
}
