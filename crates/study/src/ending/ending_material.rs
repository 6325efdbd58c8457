//! The material of an ending: `KBNK`, `KRvKN`.
//!
//! In: text and rules, or a position. Out: the kinds of each side, royal pieces first. Never: squares.

use ashta_messages::Tell;
use ashta_position::Game;
use ashta_rules::{KindId, Rules, Side};

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EndingMaterial {
    sides: [Vec<KindId>; 2],
}

pub const MAX_PIECES: usize = 4;

#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum MaterialError {
    #[code("study.ending-letter")]
    Letter { game: String, letter: String, known: String },
    /// Not two royal pieces, each before the other pieces of its side.
    #[code("study.ending-sides")]
    Sides { text: String, example: String },
    #[code("study.ending-pieces")]
    TooManyPieces { text: String, count: usize, max: usize },
}

impl EndingMaterial {
    /// Reads `KBNK` or `KBN v K`, with the letters of the game.
    pub fn read(text: &str, rules: &Rules) -> Result<EndingMaterial, MaterialError> {
        let mut sides: Vec<Vec<KindId>> = Vec::new();
        let sides_error = || {
            let royal = royal_letter(rules);
            let example = format!("{royal}{}{royal}", strongest_letter(rules));
            MaterialError::Sides { text: text.to_string(), example }
        };
        let upper: String = text.split_whitespace().collect::<String>().replace('v', "").to_uppercase();
        let mut rest = upper.as_str();
        while !rest.is_empty() {
            let kind = longest_letter(rules, rest).ok_or_else(|| unknown_letter(rules, rest))?;
            rest = &rest[rules.kind(kind).letter.len()..];
            match (rules.kind(kind).royal, sides.last_mut()) {
                (true, _) => sides.push(vec![kind]),
                (false, Some(side)) => side.push(kind),
                (false, None) => return Err(sides_error()),
            }
        }
        let count = sides.iter().map(Vec::len).sum();
        match <[Vec<KindId>; 2]>::try_from(sides) {
            Ok(_) if count > MAX_PIECES => {
                Err(MaterialError::TooManyPieces { text: text.to_string(), count, max: MAX_PIECES })
            }
            Ok(sides) => Ok(EndingMaterial::new(sides, rules)),
            Err(_) => Err(sides_error()),
        }
    }

    pub fn new(mut sides: [Vec<KindId>; 2], rules: &Rules) -> EndingMaterial {
        for side in &mut sides {
            // The game file lists kinds from the weakest to the strongest.
            side.sort_by_key(|kind| (!rules.kind(*kind).royal, std::cmp::Reverse(*kind)));
        }
        EndingMaterial { sides }
    }

    pub fn of(game: &Game) -> EndingMaterial {
        let mut sides = [Vec::new(), Vec::new()];
        for (side, kind) in game.rules().grid().squares().filter_map(|square| game.piece(square)) {
            sides[side.index() & 1].push(kind);
        }
        EndingMaterial::new(sides, game.rules())
    }

    /// Those of the first side first.
    pub fn pieces(&self) -> impl Iterator<Item = (Side, KindId)> + '_ {
        let of = |side: u8| self.sides[side as usize].iter().map(move |kind| (Side(side), *kind));
        of(0).chain(of(1))
    }

    /// A royal piece with one or two others against a lone royal piece, strongest first: the endings that people learn.
    pub fn against_a_lone_royal(rules: &Rules) -> Vec<EndingMaterial> {
        let Some(royal) = rules.kind_ids().find(|kind| rules.kind(*kind).royal) else { return Vec::new() };
        let mut others: Vec<KindId> = rules.kind_ids().filter(|kind| !rules.kind(*kind).royal).collect();
        // The game file lists kinds from the weakest to the strongest.
        others.reverse();
        let ending =
            |pieces: &[KindId]| EndingMaterial::new([[&[royal], pieces].concat(), vec![royal]], rules);
        let single = others.iter().map(|one| ending(&[*one]));
        let pairs = others.iter().enumerate().flat_map(|(n, one)| {
            let seconds = &others[n..];
            seconds.iter().map(|second| ending(&[*one, *second])).collect::<Vec<_>>()
        });
        single.chain(pairs).collect()
    }

    pub fn n_pieces(&self) -> usize {
        self.sides[0].len() + self.sides[1].len()
    }

    pub fn side(&self, side: Side) -> &[KindId] {
        &self.sides[side.index() & 1]
    }

    /// `KBNK`.
    pub fn name(&self, rules: &Rules) -> String {
        let letters = |side: &[KindId]| side.iter().map(|kind| rules.kind(*kind).letter.as_str()).collect();
        let [a, b]: [String; 2] = [letters(&self.sides[0]), letters(&self.sides[1])];
        a + &b
    }

    /// `king, bishop, knight against king`.
    pub fn words(&self, rules: &Rules) -> String {
        let names = |side: &[KindId]| {
            side.iter().map(|kind| rules.kind(*kind).name.as_str()).collect::<Vec<_>>().join(", ")
        };
        format!("{} against {}", names(&self.sides[0]), names(&self.sides[1]))
    }
}

fn longest_letter(rules: &Rules, text: &str) -> Option<KindId> {
    let fits = rules.kind_ids().filter(|kind| text.starts_with(&rules.kind(*kind).letter.to_uppercase()));
    fits.max_by_key(|kind| rules.kind(*kind).letter.len())
}

fn royal_letter(rules: &Rules) -> &str {
    rules.kinds().iter().find(|kind| kind.royal).map_or("K", |kind| kind.letter.as_str())
}

fn strongest_letter(rules: &Rules) -> &str {
    rules.kinds().iter().rev().find(|kind| !kind.royal).map_or("Q", |kind| kind.letter.as_str())
}

fn unknown_letter(rules: &Rules, rest: &str) -> MaterialError {
    let known: Vec<String> =
        rules.kinds().iter().map(|kind| format!("{} ({})", kind.letter, kind.name)).collect();
    MaterialError::Letter {
        game: rules.name().to_string(),
        letter: rest.chars().take(1).collect(),
        known: known.join(", "),
    }
}
