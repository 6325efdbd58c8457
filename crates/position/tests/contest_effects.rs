//! What a turn of a contest does beyond moving: promotions, blocks and command, each happening and just not happening.

use crate::contest_position::{Row, check_all, place, play, shown};
use crate::walk;

const PROMOTIONS: &[Row] = &[
    ("two padatis: hasti", "four-handed", "r: FOUR rPc7", "5-4 c7c8", "c8=rR", None),
    (
        "one padati: hasti",
        "four-handed",
        "r: rKd1 rNa1 rPc7 gKa5 gPb7 yKe8 yPh7 bKh4 bPg2",
        "5-4 c7c8",
        "c8=rR",
        None,
    ),
    ("three padatis: none", "four-handed", "r: FOUR rPc7 rPd3", "5-4 c7c8", "c8=rP", None),
    ("four padatis: none", "four-handed", "r: FOUR rPc7 rPd3 rPf3", "5-4 c7c8", "c8=rP", None),
    ("on an ashwa's file", "four-handed", "r: FOUR rPg7", "5-4 g7g8", "g8=rN", None),
    ("three on an ashwa's file", "four-handed", "r: FOUR rPg7 rPd3", "5-4 g7g8", "g8=rP", None),
    ("green looks along ranks", "four-handed", "g: FOUR gPg6", "5-4 g6h6", "h6=gR", None),
    ("yellow looks down", "four-handed", "y: FOUR yPb2", "5-4 b2b1", "b1=yN", None),
    ("black looks back", "four-handed", "b: FOUR bPb3", "5-4 b3a3", "a3=bR", None),
    (
        "raja and padati: roca",
        "four-handed",
        "r: rKd1 rPa7 gKa5 gPb7 yKe8 yPh7 bKh4 bPg2",
        "5-4 a7a8",
        "a8=rO",
        None,
    ),
    (
        "raja, roca and padati: roca",
        "four-handed",
        "r: rKd1 rOa1 rPa7 gKa5 gPb7 yKe8 yPh7 bKh4 bPg2",
        "5-4 a7a8",
        "a8=rO a1=rO",
        None,
    ),
    (
        "with a hasti: none",
        "four-handed",
        "r: rKd1 rRa1 rPa7 gKa4 gPb7 yKe8 yPh7 bKh4 bPg2",
        "5-3 a7a8",
        "a8=rP",
        None,
    ),
    (
        "with an ashwa: none",
        "four-handed",
        "r: rKd1 rNa1 rPd7 gKa5 gPb7 yKf8 yPh7 bKh4 bPg2",
        "5-4 d7d8",
        "d8=rP",
        None,
    ),
    (
        "with two rocas: none",
        "four-handed",
        "r: rKd1 rOa1 rOe1 rPa7 gKa5 gPb7 yKe8 yPh7 bKh4 bPg2",
        "5-4 a7a8",
        "a8=rP",
        None,
    ),
    ("with another padati: none", "four-handed", "r: FOUR rPa7", "5-4 a7a8", "a8=rP", None),
    (
        "raja and padati: raja",
        "four-handed",
        "r: rKd1 rPd7 gKa5 gPb7 yKf8 yPh7 bKh4 bPg2",
        "5-4 d7d8",
        "d8=rK d1=rK",
        Some("draw: bare king"),
    ),
    (
        "raja, roca and padati: raja",
        "four-handed",
        "r: rKd1 rOa1 rPd7 gKa5 gPb7 yKf8 yPh7 bKh4 bPg2",
        "5-4 d7d8",
        "d8=rK d1=rK",
        None,
    ),
    (
        "a waiting padati promotes when another is taken",
        "four-handed",
        "g: rKd1 rPc8 rPa2 rPc5 gKa5 gPb4 yKe8 yPh7 bKh4 bPg2",
        "5-4 b4c5",
        "c8=rR",
        None,
    ),
    (
        "it does not while three are left",
        "four-handed",
        "g: rKd1 rPc8 rPa2 rPc5 rPd2 gKa5 gPb4 yKe8 yPh7 bKh4 bPg2",
        "5-4 b4c5",
        "c8=rP",
        None,
    ),
    (
        "on arrival or never",
        "four-handed+promotes-on-arrival",
        "g: rKd1 rPc8 rPa2 rPc5 gKa5 gPb4 yKe8 yPh7 bKh4 bPg2",
        "5-4 b4c5",
        "c8=rP",
        None,
    ),
    ("on arrival", "four-handed+promotes-on-arrival", "r: FOUR rPc7", "5-4 c7c8", "c8=rR", None),
    ("no promotion", "four-handed+no-promotion", "r: FOUR rPc7", "5-4 c7c8", "c8=rP", None),
    (
        "waiting ones count",
        "four-handed",
        "r: rKd1 rNb1 rPa8 rPh8 rPc7 gKa5 gPb7 yKe7 yPh7 bKh4 bPg2",
        "5-4 c7c8",
        "c8=rP",
        None,
    ),
    (
        "waiting ones do not count",
        "four-handed+waiting-not-counted",
        "r: rKd1 rNb1 rPa8 rPh8 rPc7 gKa5 gPb7 yKe7 yPh7 bKh4 bPg2",
        "5-4 c7c8",
        "c8=rR a8=rP h8=rP",
        None,
    ),
    ("by choice", "four-handed+promotion-optional", "r: FOUR rPc7", "5-4 c7c8=R", "c8=rR", None),
    ("by choice not", "four-handed+promotion-optional", "r: FOUR rPc7", "5-4 c7c8 | 5-4 -", "c8=rP", None),
    (
        "a new boat",
        "four-handed+original-boats-only",
        "r: rKd1 rPa7 gKa5 gPb7 yKe8 yPh7 bKh4 bPg2",
        "5-4 a7a8",
        "a8=r+O",
        None,
    ),
    (
        "the beaten get no raja",
        "four-handed",
        "g: rPd8 rPc5 gKa5 gPb4 yKf8 yPh7 bKh4 bPg2 / r<b1",
        "5-4 b4c5",
        "d8=rP turn=y marks=r<b1",
        None,
    ),
    (
        "promotion waits for the end of the turn",
        "four-handed",
        "r: rKd1 rPc7 rNd5 rPa2 gKa5 gPb7 yKe8 yPh7 bKh4 bPg2",
        "5-3 c7c8+d5c7",
        "c8=rR c7=rN",
        None,
    ),
];

const BLOCKS: &[Row] = &[
    (
        "the fourth takes three",
        "four-handed",
        "r: FOUR rOe5 yOb2 bOb3 gOc2",
        "2-3 e5c3",
        "c3=rO b2=. b3=. c2=.",
        None,
    ),
    ("three are no block", "four-handed", "r: FOUR rOe5 yOb2 bOb3", "2-3 e5c3", "c3=rO b2=yO b3=bO", None),
    (
        "another piece is no boat",
        "four-handed",
        "r: FOUR rOe5 yOb2 bOb3 gNc2",
        "2-3 e5c3",
        "c2=gN b2=yO b3=bO",
        None,
    ),
    (
        "another piece fills nothing",
        "four-handed",
        "r: FOUR rNe4 yOb2 bOb3 gOc2",
        "2-3 e4c3",
        "c3=rN b2=yO b3=bO",
        None,
    ),
    (
        "no block",
        "four-handed+no-block",
        "r: FOUR rOe5 yOb2 bOb3 gOc2",
        "2-3 e5c3",
        "b2=yO b3=bO c2=gO",
        None,
    ),
    (
        "a new boat is none",
        "four-handed+original-boats-only",
        "r: FOUR rOe5 yOb2 b+Ob3 gOc2",
        "2-3 e5c3",
        "b2=yO b3=b+O c2=gO",
        None,
    ),
    (
        "nor does it fill a block",
        "four-handed+original-boats-only",
        "r: FOUR r+Oe5 yOb2 bOb3 gOc2",
        "2-3 e5c3",
        "b2=yO b3=bO c2=gO",
        None,
    ),
    ("one's own boat, too", "four-handed", "r: FOUR rOe5 rOb2 bOb3 gOc2", "2-3 e5c3", "b2=. b3=. c2=.", None),
    (
        "spared partners' boats too",
        "four-handed+partner-spared",
        "r: FOUR rOe5 yOb2 bOb3 gOc2",
        "2-3 e5c3",
        "b2=. b3=. c2=.",
        None,
    ),
    (
        "riding boats",
        "four-handed+boat-rides",
        "r: FOUR rOc6 yOb2 bOb3 gOc2",
        "2-3 c6c3",
        "b2=. b3=. c2=.",
        None,
    ),
    (
        "points for a block",
        "four-handed+points",
        "r: FOUR rOe5 yOb2 bOb3 gOc2",
        "2-3 e5c3",
        "marks=r+6",
        None,
    ),
    (
        "a block bares",
        "four-handed",
        "r: rKd1 rPa2 rOe5 gKa5 gOc2 yKe8 yPh7 yOb2 bKh4 bPg2 bOb3",
        "2-3 e5c3",
        "",
        Some("draw: bare king"),
    ),
];

const COMMAND: &[Row] = &[
    (
        "a visit is remembered",
        "four-handed+lasting-command",
        "r: rKe7 rPa2 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2",
        "5-4 e7e8",
        "marks=r^",
        None,
    ),
    ("or not", "four-handed", "r: rKe7 rPa2 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2", "5-4 e7e8", "marks=-", None),
    (
        "a raja taken by a raja on its throne counts twice",
        "four-handed+throne-doubles",
        "r: rKb5 rPa2 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2",
        "5-4 b5a5",
        "marks=r+10,g<r1",
        None,
    ),
    (
        "once, unless the rules say so",
        "four-handed+points",
        "r: rKb5 rPa2 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2",
        "5-4 b5a5",
        "marks=r+5,g<r1",
        None,
    ),
    (
        "once, if it stands elsewhere",
        "four-handed+throne-doubles",
        "r: rKb5 rPa2 gKa6 gPb7 yKd6 yPh7 bKh4 bPg2",
        "5-4 b5a6",
        "marks=r+5,g<r1",
        None,
    ),
    (
        "once, if another piece takes it",
        "four-handed+throne-doubles",
        "r: rKd1 rRa1 rPc2 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2",
        "4-2 a1a5",
        "marks=r+5,g<r1",
        None,
    ),
    (
        "only the partner's throne",
        "four-handed+lasting-command",
        "r: rKb5 rPa2 gKd8 gPb7 yKd6 yPh7 bKh4 bPg2",
        "5-4 b5a5",
        "marks=-",
        None,
    ),
    (
        "on the throne a bare raja plays on",
        "four-handed",
        "r: rKe7 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2 rPa6",
        "5-4 e7e8 | 5-2 a5a6",
        "a6=gK",
        None,
    ),
    (
        "off it there is a draw",
        "four-handed",
        "r: rKe7 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2 rPa6",
        "5-4 e7f8 | 5-2 a5a6",
        "",
        Some("draw: bare king"),
    ),
    (
        "on leaving it too",
        "four-handed",
        "r: rKe8 gKa5 gPb7 yKd6 yPh7 bKh4 bPg2",
        "5-4 e8f8",
        "",
        Some("draw: bare king"),
    ),
    (
        "command of a beaten partner's men",
        "four-handed",
        "r: rKe8 gKa5 gPb7 yPh7 bKh4 bPg2 / y<g1",
        "5-4 h7h6",
        "h6=yP turn=g",
        None,
    ),
    (
        "and of nothing",
        "four-handed",
        "r: rKe8 gKa5 gPb7 bKh4 bPg2 / y<g1",
        "5-4 -",
        "",
        Some("draw: bare king"),
    ),
];

#[test]
fn promotions() {
    check_all(PROMOTIONS);
}

#[test]
fn blocks() {
    check_all(BLOCKS);
}

#[test]
fn command() {
    check_all(COMMAND);
}

/// The boats of the start can fill five blocks, whoever comes last.
#[test]
fn boats_meet_in_five_places() {
    let rules = walk::compile("four-handed");
    let grid = rules.rules().grid();
    let homes = [("r", "a1"), ("g", "a8"), ("y", "h8"), ("b", "h1")];
    // A boat's squares are those an even number of files and ranks away, both halves odd or both even.
    let on_orbit = |home: &str, file: i16, rank: i16| {
        let (home, _) = grid.read_square(home).expect("a square");
        let (df, dr) = (file - i16::from(grid.file(home)), rank - i16::from(grid.rank(home)));
        df % 2 == 0 && dr % 2 == 0 && (df / 2 - dr / 2) % 2 == 0
    };
    let mut places = Vec::new();
    for (file, rank) in (0..7).flat_map(|file| (0..7).map(move |rank| (file, rank))) {
        let squares = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(f, r)| (file + f, rank + r));
        let owners: Vec<Option<&str>> = squares
            .iter()
            .map(|(f, r)| homes.iter().find(|(_, home)| on_orbit(home, *f, *r)).map(|(side, _)| *side))
            .collect();
        let mut distinct: Vec<&str> = owners.iter().flatten().copied().collect();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() == 4 {
            places.push((squares, owners));
        }
    }
    assert_eq!(places.len(), 5);
    for (squares, owners) in &places {
        for last in 0..4 {
            fill(&rules, squares, owners, last);
        }
    }
}

/// The boat on one square of a block comes last and takes the three others.
fn fill(
    rules: &ashta_position::CompiledRules,
    squares: &[(i16, i16); 4],
    owners: &[Option<&str>],
    last: usize,
) {
    let grid = rules.rules().grid();
    let name = |(f, r): (i16, i16)| grid.at(f, r).map(|square| grid.name(square).to_string());
    let names: Vec<String> = squares.iter().map(|square| name(*square).expect("on the board")).collect();
    let mover = owners[last].expect("every square is some boat's");
    let (f, r) = squares[last];
    let rajas = "rKa3 rPa2 gKa5 gPa7 yKh6 yPh7 bKh4 bPh3";
    let leaps = [(2, 2), (2, -2), (-2, 2), (-2, -2)];
    let from = leaps.iter().filter_map(|(df, dr)| name((f + df, r + dr))).find(|from| !rajas.contains(from));
    let from = from.expect("a leap away");
    let others =
        (0..4).filter(|n| *n != last).map(|n| format!("{}O{}", owners[n].expect("a boat"), names[n]));
    let others = others.collect::<Vec<String>>().join(" ");
    let mut contest = place(rules, &format!("{mover}: {rajas} {mover}O{from} {others}"));
    play(&mut contest, &format!("2-3 {from}{}", names[last]));
    for (n, name) in names.iter().enumerate() {
        let wanted = if n == last { format!("{mover}O") } else { ".".to_string() };
        assert_eq!(shown(&contest, name), wanted, "{}", contest.text());
    }
    assert_eq!(contest.turn_state().n_blocks(), 1);
}
