//! Sentences as the macros have taken them apart.
//!
//! In: pieces, arguments by number. Out: a sentence. Never: parsing: a wrong placeholder is found when the program is compiled.

use crate::{Arg, Language};

/// A code of the catalogues with its sentence in each language.
#[derive(PartialEq, Eq, Debug)]
pub struct Entry {
    pub code: &'static str,
    pub sentences: [&'static [Piece]; Language::ALL.len()],
}

/// A piece of a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// As it stands.
    Text(&'static str),
    /// An argument.
    Arg(usize),
    /// One word if an argument is 1, another otherwise.
    Plural(usize, &'static str, &'static str),
}

/// The sentence with its arguments.
pub fn sentence(pieces: &[Piece], args: &[(&'static str, Arg)], language: Language) -> String {
    let mut text = String::new();
    for piece in pieces {
        match *piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Arg(n) => text.push_str(&args[n].1.text(language)),
            Piece::Plural(n, one, other) => {
                text.push_str(if args[n].1 == Arg::Integer(1) { one } else { other });
            }
        }
    }
    text
}
