//! A section of a variants.ini in the making.
//!
//! In: rules. Out: lines, and what each kind is to the section. Never: which keys say what.

use std::collections::BTreeSet;

use crate::rule_parts::KindId;
use crate::rules::Rules;

/// What the parts of a section share.
pub struct Writer<'a> {
    pub rules: &'a Rules,
    pub pieces: PieceTable,
    pub lines: Vec<String>,
    /// Keys of the game file that cannot be said.
    pub unwritten: BTreeSet<String>,
}

impl Writer<'_> {
    /// `key = value`.
    pub fn set(&mut self, key: &str, value: impl std::fmt::Display) {
        self.lines.push(format!("{key} = {value}"));
    }

    /// A key of the game file has no counterpart.
    pub fn refuse(&mut self, key: impl Into<String>) {
        self.unwritten.insert(key.into());
    }
}

/// What the kinds of a game are to a variants.ini.
#[derive(Default)]
pub struct PieceTable {
    /// By kind: as positions of the variant write it: `P`, `+P`, `Q~`.
    pub texts: Vec<String>,
    /// By kind: the letter of what it moves like.
    pub letters: Vec<char>,
    /// By kind: the key of the piece, `knight` or `customPiece1`; none for what only pieces become.
    pub types: Vec<String>,
    /// Kinds with a promoted form, and the form.
    pub forms: Vec<(KindId, KindId)>,
    /// Kinds that a position marks as a promoted pawn, and the kind that they are otherwise.
    pub marked: Vec<(KindId, KindId)>,
}

/// The small letters of some kinds, each once.
pub fn small_letters(writer: &Writer, kinds: &[KindId]) -> String {
    let mut letters: Vec<char> =
        kinds.iter().map(|kind| writer.pieces.letters[kind.index()].to_ascii_lowercase()).collect();
    letters.sort_unstable();
    letters.dedup();
    letters.into_iter().collect()
}
