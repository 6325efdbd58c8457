//! XBoard's dialect of Betza's notation, which Fairy-Stockfish's variants share.
//!
//! In: text such as `mfWceFimfnD`. Out: the same movements as our own notation makes, or the letter that says something which
//! they cannot. Never: castling, which is a part of its own.
//!
//! What differs from ours: in a pair of letters for an oblique leap the second is its longer part (`flN` goes mostly left);
//! `fsN` is the two leaps that go forward and mostly sideways; `L` and `J` are older names of `C` and `Z`; `e` captures only in
//! passing, so `ce` is our `e`; and a second leg returns only where it says `b`.

use ashta_messages::{Message, message};

use crate::betza::{ATOMS, BACK, BetzaError, Movement, Path, Target, turns_of};
use crate::grid::{Delta, MAX_LENGTH};

/// Reads every movement of a text in XBoard's dialect.
///
/// ```
/// use ashta_rules::{read_betza, read_xboard_betza};
///
/// assert_eq!(read_xboard_betza("flN").unwrap()[0].steps, read_betza("lfN").unwrap()[0].steps);
/// assert_eq!(read_xboard_betza("WzB").unwrap_err().offset, 1);
/// ```
pub fn read_xboard_betza(text: &str) -> Result<Vec<Movement>, BetzaError> {
    if let Some((offset, letter)) = text.char_indices().find(|(_, c)| !c.is_ascii()) {
        return Err(BetzaError { offset, what: message!("rules.betza-letter", letter) });
    }
    let mut reader = XboardReader { text: text.as_bytes(), at: 0 };
    let mut movements: Vec<Movement> = Vec::new();
    while reader.at < reader.text.len() {
        for movement in reader.movement()? {
            add(movement, &mut movements);
        }
    }
    Ok(movements)
}

/// Adds a movement; legs that turn back join those that do not.
fn add(movement: Movement, movements: &mut Vec<Movement>) {
    if let Path::TwoLegs { turns: more } = &movement.path {
        let is_same = |other: &&mut Movement| {
            let like = Movement { path: movement.path.clone(), ..(**other).clone() };
            matches!(other.path, Path::TwoLegs { .. }) && like == movement
        };
        if let Some(other) = movements.iter_mut().find(is_same)
            && let Path::TwoLegs { turns } = &mut other.path
        {
            turns.extend(more);
            turns.sort_unstable();
            turns.dedup();
            return;
        }
    }
    movements.push(movement);
}

struct XboardReader<'a> {
    text: &'a [u8],
    at: usize,
}

/// The modifiers of one leg.
#[derive(Default)]
struct Leg {
    /// Pairs of letters; a single letter is doubled.
    directions: Vec<[u8; 2]>,
    moves: bool,
    captures: bool,
    en_passant: bool,
    initial: bool,
    lame: bool,
    hop: bool,
    jump: bool,
}

impl XboardReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn error<T>(&self, at: usize, what: Message) -> Result<T, BetzaError> {
        Err(BetzaError { offset: at, what })
    }

    fn movement(&mut self) -> Result<Vec<Movement>, BetzaError> {
        let leg = self.leg()?;
        let again_at = self.at;
        let second = match self.peek() {
            Some(b'a') => {
                self.at += 1;
                Some(self.leg()?)
            }
            _ => None,
        };
        let atom_at = self.at;
        if second.is_some() && self.peek() == Some(b'a') {
            return self.error(atom_at, message!("rules.betza-three-legs"));
        }
        let Some(letter) = self.peek() else {
            return self.error(atom_at, message!("rules.betza-no-atom"));
        };
        self.at += 1;
        let (atoms, is_rider): (&[u8], bool) = match letter {
            b'R' => (b"W", true),
            b'B' => (b"F", true),
            b'Q' => (b"WF", true),
            b'K' => (b"WF", false),
            b'L' => (b"C", false),
            b'J' => (b"Z", false),
            _ => (std::slice::from_ref(&self.text[atom_at]), false),
        };
        let limit = self.limit(letter, is_rider)?;
        if let Some(second) = second {
            return self.two_legs(&leg, &second, letter, limit, [again_at, atom_at]);
        }
        atoms.iter().map(|atom| self.one(*atom, limit, &leg, atom_at)).collect()
    }

    /// How often a step may be repeated.
    fn limit(&mut self, letter: u8, is_rider: bool) -> Result<u8, BetzaError> {
        if self.peek() == Some(letter) {
            self.at += 1;
            return Ok(MAX_LENGTH);
        }
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let digits = std::str::from_utf8(&self.text[start..self.at]).unwrap_or("");
        match (digits, digits.parse::<u8>()) {
            ("", _) => Ok(if is_rider { MAX_LENGTH } else { 1 }),
            (_, Ok(0)) => Ok(MAX_LENGTH),
            (_, Ok(n)) if n <= MAX_LENGTH => Ok(n),
            _ => self.error(start, message!("rules.betza-range", most = MAX_LENGTH, digits)),
        }
    }

    fn leg(&mut self) -> Result<Leg, BetzaError> {
        let mut leg = Leg::default();
        while let Some(letter) = self.peek() {
            match letter {
                b'f' | b'b' | b'l' | b'r' | b'v' | b's' | b'h' => {
                    leg.directions.push(self.direction(letter));
                    continue;
                }
                b'm' => leg.moves = true,
                b'c' => leg.captures = true,
                b'e' => leg.en_passant = true,
                b'i' => leg.initial = true,
                b'n' => leg.lame = true,
                b'p' => leg.hop = true,
                b'j' => leg.jump = true,
                b'a' => break,
                letter if letter.is_ascii_lowercase() => {
                    return self.error(self.at, message!("rules.betza-xboard", letter = char::from(letter)));
                }
                _ => break,
            }
            self.at += 1;
        }
        if leg.en_passant && !leg.captures {
            return self.error(self.at, message!("rules.betza-xboard-passing"));
        }
        Ok(leg)
    }

    /// One letter, or two that belong together.
    fn direction(&mut self, first: u8) -> [u8; 2] {
        self.at += 1;
        let is_vertical = |letter: u8| matches!(letter, b'f' | b'b' | b'v' | b'h');
        let is_sideways = |letter: u8| matches!(letter, b'l' | b'r' | b's' | b'h');
        let second = self.peek().filter(|second| {
            let crosses =
                is_vertical(first) && is_sideways(*second) || is_sideways(first) && is_vertical(*second);
            *second == first || crosses
        });
        if second.is_some() {
            self.at += 1;
        }
        [first, second.unwrap_or(first)]
    }

    fn one(&self, atom: u8, limit: u8, leg: &Leg, at: usize) -> Result<Movement, BetzaError> {
        let steps = self.steps(atom, leg, at)?;
        let is_long = steps.iter().any(|step| step.file.abs().max(step.rank.abs()) > 1);
        let is_on_line = steps.iter().all(|step| crate::betza::is_straight(*step));
        let path = match (leg.lame, leg.hop || leg.jump) {
            (false, false) if limit == 1 => Path::Leap,
            (false, false) => Path::Ride { least: 1, limit },
            (true, false) if is_long && limit == 1 => Path::Lame,
            // On a slider `j` skips a square, which is another thing.
            (false, true) if is_on_line && (is_long || limit > 1) && (leg.hop || limit == 1) => {
                Path::Hop { limit }
            }
            _ => return self.error(at, message!("rules.betza-lame")),
        };
        Ok(leg.apply(steps, path))
    }

    fn two_legs(
        &self,
        first: &Leg,
        second: &Leg,
        atom: u8,
        limit: u8,
        [again_at, atom_at]: [usize; 2],
    ) -> Result<Vec<Movement>, BetzaError> {
        if !matches!(atom, b'W' | b'F' | b'K') || limit != 1 {
            return self.error(atom_at, message!("rules.betza-leg-atom"));
        }
        if [first, second].iter().any(|leg| leg.is_more_than_a_step()) {
            return self.error(again_at, message!("rules.betza-leg-modifier"));
        }
        let turns = self.turns(second, atom, again_at)?;
        let both = [(b'W', atom != b'F'), (b'F', atom != b'W')];
        let mut steps = Vec::new();
        for (atom, _) in both.into_iter().filter(|(_, is_used)| *is_used) {
            steps.extend(self.steps(atom, first, atom_at)?);
        }
        let captures =
            first.captures.then(|| second.apply(steps.clone(), Path::TwoLegs { turns: turns.clone() }));
        let passes = (first.moves || !first.captures) && turns == [BACK] && !second.captures;
        let passes = passes.then(|| second.apply(steps, Path::OutAndBack));
        let movements: Vec<Movement> = captures.into_iter().chain(passes).collect();
        match movements.is_empty() || first.moves && movements.iter().all(|m| m.path != Path::OutAndBack) {
            true => self.error(again_at, message!("rules.betza-first-leg")),
            false => Ok(movements),
        }
    }

    /// Directions of a second leg, in eighths of a full turn; without any it goes anywhere but back.
    fn turns(&self, leg: &Leg, atom: u8, at: usize) -> Result<Vec<u8>, BetzaError> {
        if leg.directions.is_empty() {
            let all = (0..8).step_by(if atom == b'K' { 1 } else { 2 });
            return Ok(all.filter(|turn| *turn != BACK).collect());
        }
        let mut turns = Vec::new();
        // A pair is two directions here, as on a straight atom.
        for letter in leg.directions.iter().flatten() {
            let Some(named) = turns_of(*letter) else { return self.error(at, message!("rules.betza-half")) };
            turns.extend_from_slice(named);
        }
        turns.sort_unstable();
        turns.dedup();
        Ok(turns)
    }

    fn steps(&self, atom: u8, leg: &Leg, at: usize) -> Result<Vec<Delta>, BetzaError> {
        let Some(&(_, narrow, wide)) = ATOMS.iter().find(|(letter, ..)| *letter == atom) else {
            let names: String = ATOMS.iter().map(|(letter, ..)| *letter as char).collect();
            return self.error(at, message!("rules.betza-atom", letter = char::from(atom), names));
        };
        if narrow > 0
            && leg.directions.iter().any(|pair| *pair == *b"hr" || *pair == *b"hl" || *pair == *b"hh")
        {
            return self.error(at, message!("rules.betza-half"));
        }
        let mut steps: Vec<Delta> = Vec::new();
        for (file, rank) in [(narrow, wide), (wide, narrow)] {
            for (file, rank) in [(file, rank), (-file, rank), (file, -rank), (-file, -rank)] {
                let step = Delta::new(file, rank);
                let is_wanted =
                    leg.directions.is_empty() || leg.directions.iter().any(|pair| admits(*pair, step));
                if is_wanted && !steps.contains(&step) {
                    steps.push(step);
                }
            }
        }
        match steps.is_empty() {
            true => self.error(at, message!("rules.betza-half")),
            false => Ok(steps),
        }
    }
}

/// Whether a pair of letters names a leap.
fn admits([first, second]: [u8; 2], step: Delta) -> bool {
    let toward = |letter: u8| match letter {
        b'f' => step.rank > 0,
        b'b' => step.rank < 0,
        b'l' => step.file < 0,
        b'r' => step.file > 0,
        b'v' => step.rank != 0,
        b's' => step.file != 0,
        _ => false,
    };
    let (files, ranks) = (step.file.abs(), step.rank.abs());
    let mostly = |letter: u8| matches!(letter, b'f' | b'b' | b'v') == (ranks > files);
    match (files == 0 || ranks == 0, files == ranks) {
        (true, _) => toward(first) || toward(second),
        (false, true) => toward(first) && toward(second),
        (false, false) if second == b'h' => toward(first),
        (false, false) => toward(first) && toward(second) && mostly(second),
    }
}

impl Leg {
    fn is_more_than_a_step(&self) -> bool {
        self.en_passant || self.initial || self.lame || self.hop || self.jump
    }

    fn apply(&self, steps: Vec<Delta>, path: Path) -> Movement {
        let target = match (self.moves, self.captures) {
            (true, false) => Target::Empty,
            (false, true) => Target::Capture,
            (true, true) | (false, false) => Target::Any,
        };
        Movement { steps, path, target, en_passant: self.en_passant, first_move_only: self.initial }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::betza::read_betza;

    #[test]
    fn both_dialects_say_the_same() {
        for (xboard, ours) in [
            ("N", "N"),
            ("flN", "lfN"),
            ("lfN", "flN"),
            ("fN", "fN"),
            ("fsN", "rfNlfN"),
            ("fsW", "fsW"),
            ("fsF", "fF"),
            ("W0", "R"),
            ("F3", "B3"),
            ("WW", "R"),
            ("LJ", "CZ"),
            ("mfWfceFimfnD", "mfWcefFimfnD"),
            ("nNnZnA", "nNnZnA"),
            ("mRcpR", "mRcpR"),
            ("KNADcaKcabKmabK", "KNADcaKmabK"),
            ("KNADcaKmcabK", "KNADcaKmabK"),
            ("fcavF", "fcavF"),
        ] {
            let flat = |movements: Vec<Movement>| {
                let mut all: Vec<Movement> = movements
                    .iter()
                    .flat_map(|m| m.steps.iter().map(|step| Movement { steps: vec![*step], ..m.clone() }))
                    .collect();
                all.sort_unstable();
                all
            };
            let read = read_xboard_betza(xboard).unwrap_or_else(|error| panic!("{xboard}: {}", error.what));
            assert_eq!(flat(read), flat(read_betza(ours).expect(ours)), "{xboard} {ours}");
        }
    }

    #[test]
    fn what_we_cannot_say_is_named_with_its_place() {
        for (text, offset, part) in [
            ("gQ", 0, "`g`"),
            ("WzB", 1, "`z`"),
            ("O3", 0, "`O`"),
            ("WU", 1, "`U`"),
            ("yR", 0, "`y`"),
            ("fefF", 3, "passing"),
            ("mafsmafW", 5, "two legs"),
            ("jR", 1, "lame"),
            ("hrN", 2, "half"),
            ("f", 1, "atom"),
        ] {
            let error = read_xboard_betza(text).expect_err(text);
            assert!(error.what.to_string().contains(part), "{text}: {}", error.what);
            assert_eq!(error.offset, offset, "{text}: {}", error.what);
        }
    }
}
