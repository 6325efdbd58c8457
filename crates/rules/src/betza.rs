//! Betza notation for how a piece moves, with the extensions of XBoard that our games need.
//!
//! In: text such as `mfWcfF`. Out: movements as seen by the first side. Never: boards, regions or other pieces.
//!
//! Atoms: `W F D N A H C Z G` leap; `R B Q K` and doubled atoms (`NN`) ride; a number after an atom limits its
//! reach (`R4`, `0` for none); `B2+` rides two squares or more, `R2-4` two to four. Modifiers before an atom: `f b l r v s` directions, `m` move only, `c` capture only,
//! `e` may capture en passant, `i` first move only, `n` lame (stopped by a piece on the way), `p` hops over
//! exactly one piece on a line, `j` leaps only over a piece. `t[XY]` goes one step as X, then rides on as Y, outward;
//! `t[FR3+]` rides on three squares or more and stops nowhere before.
//! `a` ("again") makes a move of two legs, both with the atom `W`, `F` or `K`: letters before it are the first leg's, letters
//! after it the second's, whose directions are relative to the first. `caK` captures on the first leg and goes on; `mabK`
//! steps to an empty square and back.

use ashta_messages::{Message, message};

use crate::grid::{Delta, MAX_LENGTH};

/// What a movement may end on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Target {
    /// An empty square or a piece that may be captured.
    Any,
    /// An empty square only.
    Empty,
    /// A piece to capture only.
    Capture,
}

/// What lies between the start and the end of a movement.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Path {
    /// Nothing is asked of the squares between.
    Leap,
    /// One step, whose intermediate squares must be empty: straight, or along then diagonally.
    Lame,
    /// The step repeated `least` to `limit` times over empty squares.
    Ride {
        /// Fewest steps, at least one.
        least: u8,
        /// Most steps.
        limit: u8,
    },
    /// The step repeated up to `limit` times, over exactly one piece.
    Hop {
        /// Most steps.
        limit: u8,
    },
    /// The step, and then any number of further steps in one of the outward directions.
    Bent {
        /// Directions of the second leg, before those that turn inward are left out.
        then: Vec<Delta>,
        /// Fewest steps of the second leg; 0 if the piece may stop after the first step.
        least: u8,
    },
    /// The step, which captures, and a second one of the same length, which may end where the first began.
    TwoLegs {
        /// Directions of the second leg, in eighths of a full turn clockwise from the first.
        turns: Vec<u8>,
    },
    /// A step to an empty square and back: the piece passes.
    OutAndBack,
}

impl Path {
    /// Whether it stops nowhere near its start.
    pub fn has_least(&self) -> bool {
        match self {
            Path::Ride { least, .. } => *least > 1,
            Path::Bent { least, .. } => *least > 0,
            Path::Leap | Path::Lame | Path::Hop { .. } | Path::TwoLegs { .. } | Path::OutAndBack => false,
        }
    }
}

/// One way of moving.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Movement {
    /// Directions and lengths of the first step.
    pub steps: Vec<Delta>,
    /// What lies between.
    pub path: Path,
    /// What it may end on.
    pub target: Target,
    /// Whether it may capture, in passing, a piece that has just stepped over the square it ends on.
    pub en_passant: bool,
    /// Whether only a piece that has not moved may make it.
    pub first_move_only: bool,
}

/// What is wrong with a Betza text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BetzaError {
    /// Byte offset in the text.
    pub offset: usize,
    /// What is wrong.
    pub what: Message,
}

/// Reads every movement of a Betza text.
///
/// ```
/// use ashta_rules::{Path, read_betza};
///
/// let knight = read_betza("N").unwrap();
/// assert_eq!((knight.len(), knight[0].steps.len()), (1, 8));
/// assert_eq!(knight[0].path, Path::Leap);
/// assert_eq!(read_betza("WX").unwrap_err().offset, 1);
/// ```
pub fn read_betza(text: &str) -> Result<Vec<Movement>, BetzaError> {
    if let Some((offset, bad)) = text.char_indices().find(|(_, c)| !c.is_ascii()) {
        return Err(BetzaError { offset, what: message!("rules.betza-letter", letter = bad) });
    }
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let mut movements = Vec::new();
    while reader.at < reader.text.len() {
        reader.movement(&mut movements)?;
    }
    if movements.is_empty() {
        return Err(BetzaError { offset: 0, what: message!("rules.betza-empty") });
    }
    Ok(movements)
}

/// How many steps a ride takes.
#[derive(Clone, Copy)]
struct Range {
    least: u8,
    limit: u8,
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

#[derive(Default)]
struct Modifiers {
    directions: Vec<u8>,
    only_move: bool,
    only_capture: bool,
    en_passant: bool,
    initial: bool,
    lame: bool,
    hop: bool,
    jump: bool,
}

/// The leap atoms, as files and ranks.
pub(crate) const ATOMS: [(u8, i8, i8); 9] = [
    (b'W', 0, 1),
    (b'F', 1, 1),
    (b'D', 0, 2),
    (b'N', 1, 2),
    (b'A', 2, 2),
    (b'H', 0, 3),
    (b'C', 1, 3),
    (b'Z', 2, 3),
    (b'G', 3, 3),
];

impl Reader<'_> {
    fn error<T>(&self, offset: usize, what: Message) -> Result<T, BetzaError> {
        Err(BetzaError { offset, what })
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn movement(&mut self, out: &mut Vec<Movement>) -> Result<(), BetzaError> {
        let modifiers = self.modifiers()?;
        if self.peek() == Some(b'a') {
            return self.two_legs(modifiers, out);
        }
        let atom_at = self.at;
        let Some(letter) = self.peek() else {
            return self.error(atom_at, message!("rules.betza-no-atom"));
        };
        self.at += 1;
        if letter == b't' {
            return self.bent(modifiers, atom_at, out);
        }
        let compound: &[u8] = match letter {
            b'R' => b"W",
            b'B' => b"F",
            b'Q' | b'K' => b"WF",
            _ => std::slice::from_ref(&self.text[atom_at]),
        };
        let doubled = self.peek() == Some(letter) && !matches!(letter, b'R' | b'B' | b'Q' | b'K');
        if doubled {
            self.at += 1;
        }
        let otherwise = if doubled || matches!(letter, b'R' | b'B' | b'Q') { MAX_LENGTH } else { 1 };
        let range = self.range(otherwise)?;
        for atom in compound {
            out.push(self.one(*atom, range, &modifiers, atom_at)?);
        }
        Ok(())
    }

    fn one(&self, atom: u8, range: Range, modifiers: &Modifiers, at: usize) -> Result<Movement, BetzaError> {
        let Range { least, limit } = range;
        if least > 1 && (modifiers.hop || modifiers.jump || modifiers.lame) {
            return self.error(at, message!("rules.betza-least"));
        }
        let steps = self.steps(atom, modifiers, at)?;
        let long = steps.iter().any(|d| d.file.abs().max(d.rank.abs()) > 1);
        let path = if modifiers.hop || modifiers.jump {
            if !long && limit == 1 {
                return self.error(at, message!("rules.betza-no-hurdle"));
            }
            Path::Hop { limit }
        } else if modifiers.lame {
            if !long || limit > 1 {
                return self.error(at, message!("rules.betza-lame"));
            }
            Path::Lame
        } else if limit > 1 {
            Path::Ride { least, limit }
        } else {
            Path::Leap
        };
        if matches!(path, Path::Hop { .. }) && steps.iter().any(|d| !is_straight(*d)) {
            return self.error(at, message!("rules.betza-hop-line"));
        }
        Ok(modifiers.apply(steps, path))
    }

    fn bent(&mut self, modifiers: Modifiers, at: usize, out: &mut Vec<Movement>) -> Result<(), BetzaError> {
        let Some(&[b'[', first, second]) = self.text[self.at..].get(..3) else {
            return self.error(at, message!("rules.betza-bent"));
        };
        self.at += 3;
        let has_range = self.peek().is_some_and(|c| c.is_ascii_digit());
        let range = self.range(MAX_LENGTH)?;
        if self.peek() != Some(b']') || range.limit != MAX_LENGTH {
            return self.error(at, message!("rules.betza-bent"));
        }
        self.at += 1;
        let least = if has_range { range.least } else { 0 };
        if modifiers.hop || modifiers.lame || modifiers.jump {
            return self.error(at, message!("rules.betza-bent-lame"));
        }
        let none = Modifiers::default();
        let then = match second {
            b'R' => self.steps(b'W', &none, at)?,
            b'B' => self.steps(b'F', &none, at)?,
            _ => return self.error(at + 3, message!("rules.betza-bent-second")),
        };
        let steps = self.steps(first, &modifiers, at + 2)?;
        out.push(modifiers.apply(steps, Path::Bent { then, least }));
        Ok(())
    }

    /// Reads `a`, the modifiers of the second leg and the atom.
    fn two_legs(&mut self, first: Modifiers, out: &mut Vec<Movement>) -> Result<(), BetzaError> {
        let again_at = self.at;
        self.at += 1;
        let second = self.modifiers()?;
        if self.peek() == Some(b'a') {
            return self.error(self.at, message!("rules.betza-three-legs"));
        }
        let atom_at = self.at;
        let Some(atom @ (b'W' | b'F' | b'K')) = self.peek() else {
            return self.error(atom_at, message!("rules.betza-leg-atom"));
        };
        self.at += 1;
        if self.peek().is_some_and(|next| next == atom || next.is_ascii_digit()) {
            return self.error(atom_at, message!("rules.betza-leg-atom"));
        }
        if [&first, &second].iter().any(|leg| leg.needs_more_than_a_step()) {
            return self.error(again_at, message!("rules.betza-leg-modifier"));
        }
        let turns = self.turns(&second.directions, atom, again_at)?;
        let path = match (first.only_move, first.only_capture) {
            (false, true) => Path::TwoLegs { turns },
            (true, false) if turns == [BACK] && !second.only_capture => Path::OutAndBack,
            _ => return self.error(again_at, message!("rules.betza-first-leg")),
        };
        let mut steps = Vec::new();
        for (atom, is_used) in [(b'W', atom != b'F'), (b'F', atom != b'W')] {
            if is_used {
                steps.extend(self.steps(atom, &first, atom_at)?);
            }
        }
        out.push(second.apply(steps, path));
        Ok(())
    }

    /// Directions of a second leg, in eighths of a full turn clockwise from the first.
    fn turns(&self, letters: &[u8], atom: u8, at: usize) -> Result<Vec<u8>, BetzaError> {
        if letters.is_empty() {
            return Ok((0..8).step_by(if atom == b'K' { 1 } else { 2 }).collect());
        }
        let mut turns = Vec::new();
        for letter in letters {
            let Some(named) = turns_of(*letter) else { return self.error(at, message!("rules.betza-half")) };
            turns.extend_from_slice(named);
        }
        turns.sort_unstable();
        turns.dedup();
        Ok(turns)
    }

    /// `4`, `2+` or `2-4`; up to `otherwise` if there is none.
    fn range(&mut self, otherwise: u8) -> Result<Range, BetzaError> {
        let start = self.at;
        let endless = |n: u8| if n == 0 { MAX_LENGTH } else { n };
        let Some(first) = self.number()? else { return Ok(Range { least: 1, limit: otherwise }) };
        let range = match self.peek() {
            Some(b'+') => {
                self.at += 1;
                Range { least: first, limit: MAX_LENGTH }
            }
            Some(b'-') => {
                self.at += 1;
                let Some(last) = self.number()? else {
                    return self.error(self.at, message!("rules.betza-range-end"));
                };
                Range { least: first, limit: endless(last) }
            }
            _ => Range { least: 1, limit: endless(first) },
        };
        match range.least {
            0 => self.error(start, message!("rules.betza-range-end")),
            least if least > range.limit => self.error(start, message!("rules.betza-range-end")),
            _ => Ok(range),
        }
    }

    fn number(&mut self) -> Result<Option<u8>, BetzaError> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start {
            return Ok(None);
        }
        let digits = std::str::from_utf8(&self.text[start..self.at]).unwrap_or("");
        match digits.parse::<u8>() {
            Ok(n) if n <= MAX_LENGTH => Ok(Some(n)),
            _ => self.error(start, message!("rules.betza-range", most = MAX_LENGTH, digits)),
        }
    }

    fn modifiers(&mut self) -> Result<Modifiers, BetzaError> {
        let mut modifiers = Modifiers::default();
        while let Some(letter) = self.peek() {
            match letter {
                b'f' | b'b' | b'l' | b'r' | b'v' | b's' | b'h' => modifiers.directions.push(letter),
                b'm' => modifiers.only_move = true,
                b'c' => modifiers.only_capture = true,
                b'e' => modifiers.en_passant = true,
                b'i' => modifiers.initial = true,
                b'n' => modifiers.lame = true,
                b'p' => modifiers.hop = true,
                b'j' => modifiers.jump = true,
                b'a' | b't' => break,
                b'd' | b'g' | b'k' | b'o' | b'q' | b'u' | b'w'..=b'z' => {
                    let letter = letter as char;
                    return self.error(self.at, message!("rules.betza-modifier", letter));
                }
                _ => break,
            }
            self.at += 1;
        }
        if modifiers.en_passant && modifiers.only_move {
            return self.error(self.at, message!("rules.betza-en-passant"));
        }
        Ok(modifiers)
    }

    fn steps(&self, atom: u8, modifiers: &Modifiers, at: usize) -> Result<Vec<Delta>, BetzaError> {
        let Some(&(_, narrow, wide)) = ATOMS.iter().find(|(letter, ..)| *letter == atom) else {
            let names: String = ATOMS.iter().map(|(letter, ..)| *letter as char).collect();
            let what = message!("rules.betza-atom", letter = char::from(atom), names);
            return self.error(at, what);
        };
        let mut steps: Vec<Delta> = Vec::new();
        for (file, rank) in [(narrow, wide), (wide, narrow)] {
            for (file, rank) in [(file, rank), (-file, rank), (file, -rank), (-file, -rank)] {
                let delta = Delta::new(file, rank);
                if !steps.contains(&delta) {
                    steps.push(delta);
                }
            }
        }
        let shape = match (narrow, wide) {
            (0, _) => Shape::Straight,
            (a, b) if a == b => Shape::Diagonal,
            _ => Shape::Oblique,
        };
        let wanted = self.directions(&modifiers.directions, shape, at)?;
        if !wanted.is_empty() {
            steps.retain(|step| wanted.iter().any(|direction| direction.admits(*step, shape)));
        }
        Ok(steps)
    }

    fn directions(&self, letters: &[u8], shape: Shape, at: usize) -> Result<Vec<Direction>, BetzaError> {
        let mut directions = Vec::new();
        let mut rest = letters;
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            let second = tail.first().copied();
            if first == b'h' {
                return self.error(at, message!("rules.betza-half"));
            }
            let crosses = second
                .is_some_and(|s| !matches!(s, b'h' | b'v' | b's') && is_vertical(s) != is_vertical(first));
            let pairs = shape != Shape::Straight && crosses && !matches!(first, b'v' | b's');
            if second == Some(first) || pairs || (shape == Shape::Oblique && second == Some(b'h')) {
                rest = &tail[1..];
                directions.push(Direction { first, second });
            } else {
                directions.push(Direction { first, second: None });
            }
        }
        Ok(directions)
    }
}

impl Modifiers {
    fn needs_more_than_a_step(&self) -> bool {
        self.en_passant || self.initial || self.lame || self.hop || self.jump
    }

    fn apply(&self, steps: Vec<Delta>, path: Path) -> Movement {
        let target = match (self.only_move, self.only_capture || self.en_passant) {
            (true, false) => Target::Empty,
            (false, true) => Target::Capture,
            (true, true) | (false, false) => Target::Any,
        };
        Movement { steps, path, target, en_passant: self.en_passant, first_move_only: self.initial }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Straight,
    Diagonal,
    Oblique,
}

/// A direction as written: one letter, a doubled letter, a pair such as `fl`, or a half such as `fh`.
struct Direction {
    first: u8,
    second: Option<u8>,
}

impl Direction {
    fn admits(&self, step: Delta, shape: Shape) -> bool {
        let toward = |letter: u8| match letter {
            b'f' => step.rank > 0,
            b'b' => step.rank < 0,
            b'l' => step.file < 0,
            b'r' => step.file > 0,
            b'v' => step.rank != 0,
            _ => step.file != 0,
        };
        // On an oblique leap a letter names the longer axis: fN is the two leaps that go mostly forward.
        let mostly = |letter: u8| is_vertical(letter) == (step.rank.abs() > step.file.abs());
        match (shape, self.second) {
            (Shape::Oblique, Some(b'h')) => toward(self.first),
            (Shape::Oblique, Some(second)) => toward(self.first) && mostly(self.first) && toward(second),
            (Shape::Oblique, None) => toward(self.first) && mostly(self.first),
            (_, Some(second)) => toward(self.first) && toward(second),
            (_, None) => toward(self.first),
        }
    }
}

fn is_vertical(letter: u8) -> bool {
    matches!(letter, b'f' | b'b' | b'v')
}

/// Whether a step lies on a rank, file or diagonal.
pub fn is_straight(step: Delta) -> bool {
    step.file == 0 || step.rank == 0 || step.file.abs() == step.rank.abs()
}

/// The squares a lame step crosses, as steps from its start: straight ahead, or along the longer axis first and
/// then diagonally.
pub fn crossed(step: Delta) -> Vec<Delta> {
    let (file_sign, rank_sign) = (step.file.signum(), step.rank.signum());
    let (files, ranks) = (step.file.abs(), step.rank.abs());
    let diagonal = files.min(ranks);
    let straight = files.max(ranks) - diagonal;
    let along = if files > ranks { Delta::new(file_sign, 0) } else { Delta::new(0, rank_sign) };
    let mut squares: Vec<Delta> =
        (1..=straight).map(|n| Delta::new(along.file * n, along.rank * n)).collect();
    squares.extend(
        (1..=diagonal).map(|n| {
            Delta::new(along.file * straight + file_sign * n, along.rank * straight + rank_sign * n)
        }),
    );
    squares.pop();
    squares
}

/// Half a turn, in eighths.
pub(crate) const BACK: u8 = 4;

/// The directions of a second leg that a letter names, in eighths of a full turn clockwise from the first.
pub(crate) fn turns_of(letter: u8) -> Option<&'static [u8]> {
    match letter {
        b'f' => Some(&[0]),
        b'r' => Some(&[2]),
        b'b' => Some(&[BACK]),
        b'l' => Some(&[6]),
        b'v' => Some(&[0, BACK]),
        b's' => Some(&[2, 6]),
        _ => None,
    }
}

/// King steps, clockwise from straight ahead.
const KING_STEPS: [Delta; 8] = [
    Delta::new(0, 1),
    Delta::new(1, 1),
    Delta::new(1, 0),
    Delta::new(1, -1),
    Delta::new(0, -1),
    Delta::new(-1, -1),
    Delta::new(-1, 0),
    Delta::new(-1, 1),
];

/// The king step that is so many eighths of a full turn clockwise from another; `None` if the other is no king step.
pub fn turned_by_eighths(step: Delta, eighths: u8) -> Option<Delta> {
    let at = KING_STEPS.iter().position(|king_step| *king_step == step)?;
    Some(KING_STEPS[(at + usize::from(eighths)) % KING_STEPS.len()])
}

/// Whether `leg` leads away from where `first` came from.
pub fn is_outward(first: Delta, leg: Delta) -> bool {
    let keeps = |a: i8, b: i8| a == 0 || b == 0 || a.signum() == b.signum();
    let along = first.file * leg.file + first.rank * leg.rank;
    along > 0 && keeps(first.file, leg.file) && keeps(first.rank, leg.rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Vec<(i8, i8)> {
        let mut steps: Vec<(i8, i8)> = read_betza(text)
            .expect("reads")
            .iter()
            .flat_map(|m| m.steps.iter().map(|d| (d.file, d.rank)))
            .collect();
        steps.sort_unstable();
        steps
    }

    #[test]
    fn moves_of_two_legs() {
        let lion = read_betza("KNADcaKmabK").expect("reads");
        let paths: Vec<&Path> = lion.iter().map(|movement| &movement.path).collect();
        let any = Path::TwoLegs { turns: (0..8).collect() };
        assert_eq!(paths[paths.len() - 2..], [&any, &Path::OutAndBack]);
        let eagle = read_betza("fFfAfcavFfmabF").expect("reads");
        assert_eq!(eagle[2].path, Path::TwoLegs { turns: vec![0, 4] });
        assert_eq!(eagle[2].steps, [Delta::new(1, 1), Delta::new(-1, 1)]);
        assert_eq!(read_betza("KcasK").expect("reads")[2].path, Path::TwoLegs { turns: vec![2, 6] });
        assert_eq!(turned_by_eighths(Delta::new(0, 1), 3), Some(Delta::new(1, -1)));
        assert_eq!(turned_by_eighths(Delta::new(0, 2), 3), None);
    }

    #[test]
    fn directions() {
        assert_eq!(steps("fW"), [(0, 1)]);
        assert_eq!(steps("fsW"), [(-1, 0), (0, 1), (1, 0)]);
        assert_eq!(steps("vW"), [(0, -1), (0, 1)]);
        assert_eq!(steps("fF"), [(-1, 1), (1, 1)]);
        assert_eq!(steps("rbF"), [(1, -1)]);
        assert_eq!(steps("flF"), [(-1, 1)]);
        assert_eq!(steps("fN"), [(-1, 2), (1, 2)]);
        assert_eq!(steps("fhN"), [(-2, 1), (-1, 2), (1, 2), (2, 1)]);
        assert_eq!(steps("flN"), [(-1, 2)]);
        assert_eq!(steps("lfN"), [(-2, 1)]);
        assert_eq!(steps("WfF"), [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)]);
        assert_eq!(steps("K").len(), 8);
        assert_eq!(steps("N").len(), 8);
    }

    #[test]
    fn ranges_and_modifiers() {
        let rook = read_betza("R4").expect("reads");
        assert_eq!(rook[0].path, Path::Ride { least: 1, limit: 4 });
        assert_eq!(read_betza("NN").expect("reads")[0].path, Path::Ride { least: 1, limit: 16 });
        assert_eq!(read_betza("B2+").expect("reads")[0].path, Path::Ride { least: 2, limit: 16 });
        assert_eq!(read_betza("W2-3").expect("reads")[0].path, Path::Ride { least: 2, limit: 3 });
        let giraffe = read_betza("t[FR3+]N").expect("reads");
        assert!(matches!(giraffe[0].path, Path::Bent { least: 3, .. }) && giraffe[1].path == Path::Leap);
        assert!(matches!(read_betza("t[FR]").expect("reads")[0].path, Path::Bent { least: 0, .. }));
        let cannon = read_betza("mRcpR").expect("reads");
        assert_eq!((cannon[0].target, &cannon[0].path), (Target::Empty, &Path::Ride { least: 1, limit: 16 }));
        assert_eq!((cannon[1].target, &cannon[1].path), (Target::Capture, &Path::Hop { limit: 16 }));
        let pawn = read_betza("mfWcefFimfnD").expect("reads");
        assert!(pawn[1].en_passant && pawn[2].first_move_only && pawn[2].path == Path::Lame);
    }

    #[test]
    fn outward_legs() {
        let diagonals = [(1, 1), (-1, 1), (1, -1), (-1, -1)].map(|(file, rank)| Delta::new(file, rank));
        let outward = |first: Delta| diagonals.iter().filter(|leg| is_outward(first, **leg)).count();
        assert_eq!(outward(Delta::new(0, 1)), 2, "t[WB] turns off to both sides");
        assert_eq!(outward(Delta::new(1, 2)), 1, "t[NB] goes on one way");
        assert!(is_outward(Delta::new(1, 1), Delta::new(1, 0)));
        assert!(!is_outward(Delta::new(0, 1), Delta::new(1, 0)));
        assert!(!is_outward(Delta::new(1, 1), Delta::new(-1, 0)));
    }

    #[test]
    fn lame_ways() {
        assert_eq!(crossed(Delta::new(1, 2)), [Delta::new(0, 1)]);
        assert_eq!(crossed(Delta::new(-3, 2)), [Delta::new(-1, 0), Delta::new(-2, 1)]);
        assert_eq!(crossed(Delta::new(0, 2)), [Delta::new(0, 1)]);
        assert_eq!(crossed(Delta::new(2, -2)), [Delta::new(1, -1)]);
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let check = |text: &str, offset: usize, part: &str| {
            let error = read_betza(text).expect_err(text);
            assert!(error.what.to_string().contains(part), "{text}: {}", error.what);
            assert_eq!(error.offset, offset, "{text}: {}", error.what);
        };
        check("", 0, "the movement is empty");
        check("fX", 1, "`X` is not an atom");
        check("WqF", 1, "`q` is not a modifier");
        check("fm", 2, "must be followed by an atom");
        check("nW", 1, "lame");
        check("pW", 1, "cannot hop over anything");
        check("R99", 1, "a range must be 0");
        check("R3-2", 1, "a range goes from");
        check("R0+", 1, "a range goes from");
        check("R2-F", 3, "a range goes from");
        check("pR2+", 1, "hops");
        check("t[FR2-4]", 0, "bent rider");
        check("t[FX]", 3, "second leg");
        check("tFR", 0, "bent rider");
        check("KaK", 1, "the first leg of `a` captures");
        check("KmafK", 2, "the first leg of `a` captures");
        check("KcaaK", 3, "at most two legs");
        check("KcaN", 3, "both legs of `a` are one step");
        check("KcaK2", 3, "both legs of `a` are one step");
        check("KcanK", 2, "directions, `m` and `c` only");
        check("meF", 2, "en passant");
        check("W→", 1, "not a letter");
    }
}
