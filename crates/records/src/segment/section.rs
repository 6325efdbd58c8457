//! The sections that a segment may have.
//!
//! In: nothing. Out: sections and the names that a file has for them. Never: what is in them.

/// A part of a segment's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// What a state is made of in this game.
    Shape,
    /// The numbers of the games' first positions.
    Bases,
    /// All strings, one after another.
    Strings,
    /// Where each string ends.
    StringEnds,
    /// Names and values of the games' tags.
    Tags,
    /// Where the tags of each game end.
    TagEnds,
    /// Columns of names that filters look at.
    Columns,
    /// Dates of games.
    Dates,
    /// Ratings of players.
    Ratings,
    /// Codes of results.
    Results,
    /// Keys of games: of their moves and first positions. Segments of earlier programs have none; they have digests, which
    /// nobody reads any more, and dates that may be times.
    GameKeys,
    /// The games of which something is said.
    NotedGames,
    /// What is said beside moves.
    Notes,
    /// All different moves.
    MoveDictionary,
    /// The moves of the games, by their numbers in the dictionary.
    Moves,
    /// The numbers of states and where their postings begin.
    States,
    /// Postings of states.
    Postings,
    /// Numbers that tell how exact positions are kept.
    Exact,
    /// Where the entries of a key's first bits are.
    ExactDirectory,
    /// Entries of positions.
    ExactEntries,
    /// Where groups of repeated positions are.
    ExactGroups,
    /// Groups of repeated positions.
    ExactHeap,
}

/// Every section, in the order of its number, with its name in a file: at most eight letters.
pub const SECTIONS: [(Section, &str); 22] = [
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
    (Section::NotedGames, "notegame"),
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
