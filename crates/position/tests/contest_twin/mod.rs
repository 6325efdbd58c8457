//! The slow twin of contests: turns of several sides found square by square, to check the fast ones against.
//!
//! In: rules of a contest and a contest as text. Out: legal turns of any roll, the contest after them, its result.
//! Never: bitboards, tables made beforehand, counting without listing, or anything of the crate under test but the
//! plain words [`Roll`], [`Outcome`] and [`Answer`](ashta_position::Answer).

mod ends;
mod play;
mod reach;
mod turns;

use ashta_position::Roll;
use ashta_rules::{ContestRules, Goal, KindId, Rules, Setup, Side, Square};

/// A contest: what stands where, and what became of royal pieces.
#[derive(Clone, PartialEq, Debug)]
pub struct ContestTwin<'r> {
    rules: &'r RulesByName,
    pub board: Vec<Option<(usize, KindId)>>,
    pub turn: usize,
    pub n_turns: u32,
    pub roll: Option<Roll>,
    pub fates: Vec<SideFate>,
    pub asked: Option<usize>,
}

/// What became of one side.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SideFate {
    pub living: bool,
    pub holder: Option<usize>,
    pub n_taken: u32,
    pub returning: bool,
    pub commands: bool,
    pub points: u32,
    pub agreed: bool,
}

/// Rules that are the same if their names are.
#[derive(Debug)]
pub struct RulesByName(pub Rules);

impl PartialEq for RulesByName {
    fn eq(&self, other: &RulesByName) -> bool {
        self.0.id() == other.0.id()
    }
}

/// One piece's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leg {
    /// A piece goes, and may become another.
    Go { from: Square, to: Square, becomes: Option<KindId> },
    /// A royal piece comes back.
    Put { kind: KindId, to: Square },
}

/// No leg, one or two.
pub type TwinTurn = Vec<Leg>;

impl<'r> ContestTwin<'r> {
    /// The start of a contest.
    pub fn start(rules: &'r RulesByName) -> ContestTwin<'r> {
        ContestTwin::of_setup(rules, &rules.0.start().clone())
    }

    fn of_setup(rules: &'r RulesByName, setup: &Setup) -> ContestTwin<'r> {
        let mut twin = ContestTwin {
            rules,
            board: setup.board.iter().map(|piece| piece.map(|(side, kind)| (side.index(), kind))).collect(),
            turn: setup.turn as usize,
            n_turns: setup.ply,
            roll: None,
            fates: vec![SideFate::default(); rules.0.sides().len()],
            asked: None,
        };
        twin.see_who_lives();
        twin
    }

    /// Reads a contest as [`ContestTwin::text`] writes it.
    pub fn read(rules: &'r RulesByName, text: &str) -> ContestTwin<'r> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let setup = Setup::read(&words[..2].join(" "), &rules.0).unwrap_or_else(|e| panic!("{text}: {e}"));
        let mut twin = ContestTwin::of_setup(rules, &setup);
        twin.n_turns = words.get(2).map_or(0, |n| n.parse().expect("a number of turns"));
        let roll = words.get(3).copied().unwrap_or("-");
        let dice: Vec<u8> = roll.split('-').filter_map(|n| n.parse().ok()).collect();
        twin.roll = dice.first().map(|first| Roll { first: *first, second: dice.get(1).copied() });
        let marks = words.get(4).copied().unwrap_or("-");
        marks.split(',').filter(|mark| *mark != "-").for_each(|mark| twin.read_mark(mark));
        twin.see_who_lives();
        twin
    }

    fn read_mark(&mut self, mark: &str) {
        let side = |letter: &str| self.rules.0.sides().iter().position(|s| s.letter.to_string() == letter);
        let at = side(&mark[..1]).expect("a side's letter");
        let number = |text: &str| text.parse().expect("a number");
        let (sign, rest) = (&mark[1..2], &mark[2..]);
        match sign {
            "<" => {
                let holder = side(&rest[..1]);
                self.fates[at].holder = holder;
                self.fates[at].n_taken = number(&rest[1..]);
            }
            "*" => {
                self.fates[at].returning = true;
                self.fates[at].n_taken = number(rest);
            }
            "^" => self.fates[at].commands = true,
            "+" => self.fates[at].points = number(rest),
            "?" => self.asked = Some(at),
            "!" => self.fates[at].agreed = true,
            _ => self.fates[at].n_taken = number(&mark[1..]),
        }
    }

    /// The contest as text, the roll too.
    pub fn text(&self) -> String {
        let rules = &self.rules.0;
        let mut setup = Setup::empty(rules);
        setup.board = self.board.iter().map(|p| p.map(|(side, kind)| (Side(side as u8), kind))).collect();
        let board = setup.write(rules);
        let board = board.split(' ').next().unwrap_or_default();
        let letter = |side: usize| rules.sides()[side].letter;
        let roll = self.roll.map_or("-".to_string(), |roll| roll.to_string());
        let mut marks = Vec::new();
        for (at, fate) in self.fates.iter().enumerate() {
            let (n, me) = (fate.n_taken, letter(at));
            match fate.holder {
                Some(holder) => marks.push(format!("{me}<{}{n}", letter(holder))),
                None if fate.returning => marks.push(format!("{me}*{n}")),
                None if n > 0 => marks.push(format!("{me}{n}")),
                None => {}
            }
            if fate.commands {
                marks.push(format!("{me}^"));
            }
            if self.contest().goal == Goal::Points && fate.points > 0 {
                marks.push(format!("{me}+{}", fate.points));
            }
            if self.asked == Some(at) {
                marks.push(format!("{me}?"));
            }
            if fate.agreed {
                marks.push(format!("{me}!"));
            }
        }
        let marks = if marks.is_empty() { "-".to_string() } else { marks.join(",") };
        format!("{board} {} {} {roll} {marks}", letter(self.turn), self.n_turns)
    }

    /// A turn as text.
    pub fn turn_text(&self, turn: &[Leg]) -> String {
        let name = |square: Square| self.rules.0.grid().name(square).to_string();
        let letter = |kind: KindId| &self.rules.0.kind(kind).letter;
        let legs: Vec<String> = turn
            .iter()
            .map(|leg| match *leg {
                Leg::Go { from, to, becomes: None } => format!("{}{}", name(from), name(to)),
                Leg::Go { from, to, becomes: Some(kind) } => {
                    format!("{}{}={}", name(from), name(to), letter(kind))
                }
                Leg::Put { kind, to } => format!("{}@{}", letter(kind), name(to)),
            })
            .collect();
        if legs.is_empty() { "-".to_string() } else { legs.join("+") }
    }

    /// Reads a turn as [`ContestTwin::turn_text`] writes it; whether it is legal is another matter.
    pub fn read_turn(&self, text: &str) -> TwinTurn {
        let kind = |letter: &str| {
            let at = self.rules.0.kinds().iter().position(|kind| kind.letter == letter);
            KindId(at.unwrap_or_else(|| panic!("{letter} in {text}")) as u8)
        };
        let grid = self.rules.0.grid();
        let square = |text: &str| grid.read_square(text).unwrap_or_else(|| panic!("{text}: no square")).0;
        let read_leg = |leg: &str| match leg.split_once('@') {
            Some((letter, to)) => Leg::Put { kind: kind(letter), to: square(to) },
            None => {
                let (leg, becomes) = leg.split_once('=').map_or((leg, None), |(l, k)| (l, Some(kind(k))));
                let to = grid.read_square(leg).map_or("", |(_, rest)| rest);
                Leg::Go { from: square(leg), to: square(to), becomes }
            }
        };
        // A kind's letter may have a `+` of its own, but no leg begins with one.
        let legs = text.replace("=+", "=~");
        legs.split('+').filter(|leg| *leg != "-").map(|leg| read_leg(&leg.replace('~', "+"))).collect()
    }

    pub fn contest(&self) -> &'r ContestRules {
        self.rules.0.contest().expect("the twin is of contests")
    }

    pub fn at(&self, square: Square) -> Option<(usize, KindId)> {
        self.board[square.0 as usize]
    }

    /// Every piece on the board, of all sides.
    pub fn pieces(&self) -> Vec<(Square, usize, KindId)> {
        let squares = self.rules.0.grid().squares();
        squares.filter_map(|square| self.at(square).map(|(side, kind)| (square, side, kind))).collect()
    }

    /// How many pieces of a kind a side has.
    fn count(&self, side: usize, kind: KindId) -> usize {
        self.pieces().iter().filter(|(_, s, k)| (*s, *k) == (side, kind)).count()
    }

    fn is_royal(&self, kind: KindId) -> bool {
        self.rules.0.kind(kind).royal
    }

    /// Where a side's royal pieces stand.
    pub fn royals(&self, side: usize) -> Vec<Square> {
        let mine = |(_, s, kind): &(Square, usize, KindId)| *s == side && self.is_royal(*kind);
        self.pieces().into_iter().filter(mine).map(|(square, ..)| square).collect()
    }

    pub fn n_sides(&self) -> usize {
        self.fates.len()
    }

    pub fn are_on_one_team(&self, a: usize, b: usize) -> bool {
        self.rules.0.sides()[a].team == self.rules.0.sides()[b].team
    }

    pub fn living(&self) -> Vec<usize> {
        (0..self.n_sides()).filter(|side| self.fates[*side].living).collect()
    }

    fn see_who_lives(&mut self) {
        for side in 0..self.n_sides() {
            self.fates[side].living = !self.royals(side).is_empty() || self.fates[side].returning;
        }
    }

    /// Whether all who live are of one team.
    pub fn is_final(&self) -> bool {
        let living = self.living();
        living.iter().all(|side| self.are_on_one_team(*side, living[0]))
    }

    /// The partner whose pieces a side may move, too: it stands on that partner's throne, or once did where that is enough,
    /// and the other team is not beaten.
    pub fn commanded_partner(&self, side: usize) -> Option<usize> {
        let throne = self.contest().throne.as_ref()?;
        let royals = self.royals(side);
        if royals.is_empty() || self.is_final() {
            return None;
        }
        (0..self.n_sides()).find(|other| {
            let is_there = royals.iter().any(|square| throne.squares[*other].has(*square));
            *other != side && self.are_on_one_team(side, *other) && (is_there || self.fates[side].commands)
        })
    }
}
