//! Movements as text: in our own notation, and in the dialect of XBoard and Fairy-Stockfish.
//!
//! In: movements. Out: text that reads back as the same movements, or what the dialect has no word for. Never: regions or other
//! pieces.

use ashta_messages::{Message, message};

use crate::betza::{ATOMS, BACK, Movement, Path, Target, read_betza};
use crate::grid::{Delta, MAX_LENGTH};

/// How movements are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// As game files have it: in a pair of letters for an oblique leap, the first is its longer part.
    Ours,
    /// As XBoard has it: there it is the second. Captures in passing are `e` beside `c`, and a second leg does not return
    /// unless it says so.
    Xboard,
}

/// Writes movements, each as an atom with its modifiers.
///
/// ```
/// use ashta_rules::{Dialect, read_betza, write_betza};
///
/// let pawn = read_betza("mfWcefF").unwrap();
/// assert_eq!(write_betza(&pawn, Dialect::Ours).unwrap(), "mfWcefF");
/// assert_eq!(write_betza(&read_betza("lfN").unwrap(), Dialect::Xboard).unwrap(), "flN");
/// ```
pub fn write_betza(movements: &[Movement], dialect: Dialect) -> Result<String, Message> {
    let movements = match dialect {
        Dialect::Ours => movements.to_vec(),
        Dialect::Xboard => movements.iter().flat_map(without_return).collect(),
    };
    let mut out = String::new();
    let mut rest = movements.as_slice();
    while let Some((first, tail)) = rest.split_first() {
        // Both halves of Q and K, which read_betza keeps apart.
        let second = tail.first().filter(|second| are_halves_of_one(first, second));
        match second.and_then(|_| compound(first)) {
            Some(atom) => {
                out += &modifiers(first, dialect)?;
                out += &atom;
                rest = &tail[1..];
            }
            None => {
                out += &single(first, dialect)?;
                rest = tail;
            }
        }
    }
    Ok(out)
}

/// A second leg that may turn anywhere, as XBoard says it: anywhere but back, and back.
fn without_return(movement: &Movement) -> Vec<Movement> {
    match &movement.path {
        Path::TwoLegs { turns } if turns.len() == 8 => {
            let legs = [turns.iter().copied().filter(|turn| *turn != BACK).collect(), vec![BACK]];
            legs.into_iter()
                .map(|turns| Movement { path: Path::TwoLegs { turns }, ..movement.clone() })
                .collect()
        }
        _ => vec![movement.clone()],
    }
}

/// Whether two movements are the straight and the diagonal half of one, in all four directions each.
fn are_halves_of_one(first: &Movement, second: &Movement) -> bool {
    let like_first = Movement { steps: second.steps.clone(), ..first.clone() };
    let (straight, diagonal) = (all_steps(0, 1), all_steps(1, 1));
    *second == like_first && same(&first.steps, &straight) && same(&second.steps, &diagonal)
}

fn compound(movement: &Movement) -> Option<String> {
    match &movement.path {
        Path::Leap => Some("K".to_string()),
        Path::Ride { least, limit } => Some(format!("Q{}", range(*least, *limit))),
        Path::Hop { limit } => Some(format!("Q{}", range(1, *limit))),
        Path::TwoLegs { .. } | Path::OutAndBack => Some("K".to_string()),
        Path::Lame | Path::Bent { .. } => None,
    }
}

/// The numbers after R, B or Q.
fn range(least: u8, limit: u8) -> String {
    match (least, limit) {
        (0 | 1, MAX_LENGTH) => String::new(),
        (0 | 1, limit) => limit.to_string(),
        (least, MAX_LENGTH) => format!("{least}+"),
        (least, limit) => format!("{least}-{limit}"),
    }
}

fn single(movement: &Movement, dialect: Dialect) -> Result<String, Message> {
    let Some((letter, narrow, wide)) = atom_of(&movement.steps) else {
        return king_legs(movement, dialect);
    };
    let mut out = modifiers(movement, dialect)?;
    let shape = all_steps(narrow, wide);
    let directions = directions(&movement.steps, &shape, dialect);
    if dialect == Dialect::Xboard && movement.path.has_least() {
        return Err(message!("rules.betza-unwritten", what = "+"));
    }
    match &movement.path {
        Path::Leap | Path::Lame => out = out + &directions + &letter.to_string(),
        Path::Ride { least, limit } => out = out + &directions + &rider(letter, *least, *limit),
        Path::Hop { limit } => out = out + &directions + &rider(letter, 1, *limit),
        Path::Bent { then, least } => {
            if dialect == Dialect::Xboard {
                return Err(message!("rules.betza-unwritten", what = "t"));
            }
            let second = if same(then, &all_steps(0, 1)) { 'R' } else { 'B' };
            out = out + &directions + &format!("t[{letter}{second}{}]", range(*least, MAX_LENGTH));
        }
        Path::TwoLegs { .. } | Path::OutAndBack => {
            out = directions + &out + &letter.to_string();
        }
    }
    Ok(out)
}

/// Moves of two legs by king steps, whose directions must be the same letters on W and on F.
fn king_legs(movement: &Movement, dialect: Dialect) -> Result<String, Message> {
    let (diagonal, straight): (Vec<Delta>, Vec<Delta>) =
        movement.steps.iter().partition(|step| step.file != 0 && step.rank != 0);
    let is_step = |steps: &[Delta], wide: i8| atom_of(steps).is_some_and(|(_, n, w)| (n, w) == (1 - wide, 1));
    let on_straight = directions(&straight, &all_steps(0, 1), dialect);
    let on_diagonal = directions(&diagonal, &all_steps(1, 1), dialect);
    match is_step(&straight, 1) && is_step(&diagonal, 0) && on_straight == on_diagonal {
        true => Ok(format!("{on_straight}{}K", modifiers(movement, dialect)?)),
        false => Err(message!("rules.betza-unwritten", what = "a")),
    }
}

fn rider(letter: char, least: u8, limit: u8) -> String {
    match letter {
        'W' => format!("R{}", range(least, limit)),
        'F' => format!("B{}", range(least, limit)),
        letter if (least, limit) == (1, MAX_LENGTH) => format!("{letter}{letter}"),
        letter => format!("{letter}{}", range(least, limit)),
    }
}

/// Everything before the directions; for moves of two legs, everything between them and the atom.
fn modifiers(movement: &Movement, dialect: Dialect) -> Result<String, Message> {
    let mut out = String::new();
    let target = match movement.target {
        Target::Any => "",
        Target::Empty => "m",
        Target::Capture => "c",
    };
    if let Path::TwoLegs { turns } = &movement.path {
        return second_legs(turns, target, dialect);
    }
    if movement.path == Path::OutAndBack {
        return Ok(format!("ma{target}b"));
    }
    if movement.first_move_only {
        out.push('i');
    }
    out += target;
    if movement.en_passant {
        out.push('e');
    }
    match movement.path {
        Path::Lame => out.push('n'),
        // On a leap of one, `j` says the same as `p` and both dialects have it.
        Path::Hop { limit: 1 } => out.push('j'),
        Path::Hop { .. } => out.push('p'),
        Path::Leap | Path::Ride { .. } | Path::Bent { .. } | Path::TwoLegs { .. } | Path::OutAndBack => {}
    }
    Ok(out)
}

/// `ca` and the directions of the second leg.
fn second_legs(turns: &[u8], target: &str, dialect: Dialect) -> Result<String, Message> {
    let letters: String = [(0, 'f'), (2, 'r'), (4, 'b'), (6, 'l')]
        .iter()
        .filter(|(turn, _)| turns.contains(turn))
        .map(|(_, letter)| *letter)
        .collect();
    let n_straight = letters.len();
    match (turns.len(), dialect) {
        (8, Dialect::Ours) | (7, Dialect::Xboard) => Ok(format!("ca{target}")),
        (n, _) if n == n_straight => Ok(format!("ca{target}{letters}")),
        _ => Err(message!("rules.betza-unwritten", what = "a")),
    }
}

/// The atom whose leaps these are, with its narrower and wider part.
fn atom_of(steps: &[Delta]) -> Option<(char, i8, i8)> {
    let first = steps.first()?;
    let (a, b) = (first.file.abs(), first.rank.abs());
    let (narrow, wide) = (a.min(b), a.max(b));
    let is_same = |step: &Delta| {
        let (a, b) = (step.file.abs(), step.rank.abs());
        (a.min(b), a.max(b)) == (narrow, wide)
    };
    let found = ATOMS.iter().find(|(_, n, w)| (*n, *w) == (narrow, wide))?;
    steps.iter().all(is_same).then_some((char::from(found.0), narrow, wide))
}

fn all_steps(narrow: i8, wide: i8) -> Vec<Delta> {
    let mut steps = Vec::new();
    for (file, rank) in [(narrow, wide), (wide, narrow)] {
        for (file, rank) in [(file, rank), (-file, rank), (file, -rank), (-file, -rank)] {
            let step = Delta::new(file, rank);
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
    steps
}

fn same(one: &[Delta], other: &[Delta]) -> bool {
    one.len() == other.len() && one.iter().all(|step| other.contains(step))
}

/// Texts of directions, those of more leaps first.
const DIRECTIONS: [&str; 18] =
    ["v", "s", "fh", "bh", "lh", "rh", "f", "b", "l", "r", "fl", "fr", "bl", "br", "lf", "rf", "lb", "rb"];

/// The directions of some leaps out of all those of an atom.
fn directions(steps: &[Delta], shape: &[Delta], dialect: Dialect) -> String {
    if same(steps, shape) {
        return String::new();
    }
    let mut left: Vec<Delta> = steps.to_vec();
    let mut words: Vec<String> = Vec::new();
    while let Some(first) = left.first().copied() {
        let fits = |text: &&&str| {
            let covered = covered(text, shape);
            covered.contains(&first) && covered.iter().all(|step| steps.contains(step))
        };
        let Some(text) = DIRECTIONS.iter().filter(fits).max_by_key(|text| covered(text, shape).len()) else {
            break;
        };
        left.retain(|step| !covered(text, shape).contains(step));
        words.push(in_dialect(text, shape, dialect));
    }
    // A single letter before another would be read as one direction with it, unless it is doubled.
    let is_doubled = words.len() > 1 && !is_straight_atom(shape);
    words
        .iter()
        .map(|word| if is_doubled && word.len() == 1 { word.repeat(2) } else { word.clone() })
        .collect()
}

fn is_straight_atom(shape: &[Delta]) -> bool {
    shape.iter().all(|step| step.file == 0 || step.rank == 0)
}

/// The leaps of an atom that a text of directions names, as our own reader says.
fn covered(text: &str, shape: &[Delta]) -> Vec<Delta> {
    let Some((letter, ..)) = atom_of(shape) else { return Vec::new() };
    let is_pair = text.len() == 2 && !text.ends_with('h');
    // On straight atoms a pair is two directions, and on diagonal ones a half is nothing.
    if is_pair && is_straight_atom(shape) {
        return Vec::new();
    }
    let steps = read_betza(&format!("{text}{letter}")).map(|movements| movements[0].steps.clone());
    steps.unwrap_or_default()
}

fn in_dialect(text: &str, shape: &[Delta], dialect: Dialect) -> String {
    let is_oblique = shape.len() == 8;
    let is_crossed = text.len() == 2 && !text.ends_with('h') && text.as_bytes()[0] != text.as_bytes()[1];
    match dialect {
        Dialect::Xboard if is_oblique && is_crossed => text.chars().rev().collect(),
        Dialect::Xboard | Dialect::Ours => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::betza_xboard::read_xboard_betza;

    /// The movements with their steps in one order.
    fn sorted(mut movements: Vec<Movement>) -> Vec<Movement> {
        movements.iter_mut().for_each(|movement| movement.steps.sort_unstable());
        movements
    }

    #[test]
    fn what_is_written_reads_back_in_both_dialects() {
        for text in [
            "K", "Q", "R4", "B2", "NN", "N2", "W", "fW", "fsW", "vW", "WfF", "FfW", "flF", "rbF", "fN",
            "flN", "lfN", "fhN", "sN", "vsN", "rhN", "mfWcefF", "imfnD", "nN", "nZ", "nA", "mRcpR", "pR",
            "pB3", "jD", "fRrbBlbF", "KbRfBbB2", "frlhN", "mNcB", "AND", "HCZG", "ifhN", "blFfrN",
        ] {
            let movements = sorted(read_betza(text).expect(text));
            let ours = write_betza(&movements, Dialect::Ours).expect(text);
            assert_eq!(sorted(read_betza(&ours).expect(&ours)), movements, "{text} written {ours}");
            let xboard = write_betza(&movements, Dialect::Xboard).expect(text);
            let read = read_xboard_betza(&xboard).unwrap_or_else(|error| panic!("{xboard}: {}", error.what));
            assert_eq!(sorted(read), movements, "{text} written {xboard}");
        }
    }

    #[test]
    fn what_only_we_have_is_written() {
        for text in ["KNADcaKmabK", "fFfAfcavFfmabF", "FcafvW", "B2+", "Q3-5", "N2+", "t[FR]", "ft[FR3+]"] {
            let movements = sorted(read_betza(text).expect(text));
            let ours = write_betza(&movements, Dialect::Ours).expect(text);
            assert_eq!(sorted(read_betza(&ours).expect(&ours)), movements, "{text} written {ours}");
        }
        let lion = write_betza(&read_betza("KNADcaKmabK").expect("a lion"), Dialect::Xboard).expect("a lion");
        assert_eq!(lion, "KNADcaKcabKmabK");
        for text in ["t[FR]", "B2+"] {
            assert!(write_betza(&read_betza(text).expect(text), Dialect::Xboard).is_err(), "{text}");
        }
    }
}
