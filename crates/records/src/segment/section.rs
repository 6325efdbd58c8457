//! The sections of a segment file.
//!
//! In: nothing. Out: sections and their names in the file. Never: their contents.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// [`StateSpace::shape`](crate::index::states::StateSpace::shape).
    Shape,
    /// The numbers of the games' first positions.
    Bases,
    /// Interned strings, concatenated.
    Strings,
    StringEnds,
    /// Names and values of the games' tags.
    Tags,
    TagEnds,
    /// String columns for filters.
    Columns,
    Dates,
    Ratings,
    Results,
    /// Hashes of moves and first positions. Segments of earlier versions have none; theirs have unused digests, and
    /// dates that may be times.
    GameKeys,
    /// The numbers of the annotated games.
    AnnotatedGames,
    /// Annotations.
    Notes,
    /// All distinct moves.
    MoveDictionary,
    /// Indices into the dictionary.
    Moves,
    /// State numbers and the starts of their posting lists.
    States,
    /// Posting lists.
    Postings,
    /// Parameters of the exact-position index.
    Exact,
    ExactDirectory,
    ExactEntries,
    ExactGroups,
    ExactHeap,
    /// Material timelines, where captured pieces leave the game. Segments of earlier versions have none; material is then
    /// counted from posting lists.
    Material,
}

/// Every section in order of its number, with its name in the file: at most eight letters.
pub const SECTIONS: [(Section, &str); 23] = [
    (Section::Shape, "shape"),
    (Section::Bases, "bases"),
    (Section::Strings, "strings"),
    (Section::StringEnds, "strends"),
    (Section::Tags, "tags"),
    (Section::TagEnds, "tagends"),
    (Section::Columns, "columns"),
    (Section::Dates, "dates"),
    (Section::Ratings, "ratings"),
    (Section::Results, "results"),
    (Section::GameKeys, "gamekeys"),
    (Section::AnnotatedGames, "notegame"),
    (Section::Notes, "notes"),
    (Section::MoveDictionary, "movedict"),
    (Section::Moves, "moves"),
    (Section::States, "states"),
    (Section::Postings, "postings"),
    (Section::Exact, "exact"),
    (Section::ExactDirectory, "exactdir"),
    (Section::ExactEntries, "exactent"),
    (Section::ExactGroups, "exactgrp"),
    (Section::ExactHeap, "exacthp"),
    (Section::Material, "material"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_listed_once_in_its_place() {
        for (n, (section, name)) in SECTIONS.into_iter().enumerate() {
            assert_eq!(section as usize, n, "{section:?}");
            assert!(name.len() <= 8, "{name}");
            assert_eq!(SECTIONS.iter().filter(|(_, other)| *other == name).count(), 1, "{name}");
        }
    }
}
