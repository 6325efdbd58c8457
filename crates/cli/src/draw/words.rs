//! The rules of a game in a few sentences, under their headings.

use ashta_rules::Rules;
use ashta_rules::words::{Language, Words, rules_in_words as groups};

use super::with_headings;

/// The rules that a diagram of moves does not show: limits, promotion, hands, castling, ends.
pub fn rules_in_words(rules: &Rules) -> Vec<String> {
    let groups = groups(rules, Language::English);
    let mut entries = Vec::new();
    for Words { title, sentences, .. } in &groups {
        let headings = std::iter::once(title.as_str()).chain(std::iter::repeat(""));
        entries.extend(headings.zip(sentences.iter().cloned()));
    }
    with_headings(entries, "  ")
}
