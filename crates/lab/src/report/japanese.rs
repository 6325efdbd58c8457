//! Translates a page into Japanese by a table of phrases.
//!
//! In: a page. Out: the same page with every text that the table knows in Japanese. Never: another number, and no guess: a
//! text that is not known, such as the name of a game or a title that somebody wrote, stays as it is.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::ReportPage;

/// A line for each: the English, `⇒`, the Japanese. `{}` stands for what differs, and is told in Japanese too where it is
/// known; the Japanese has it in the same order, or by number from `{0}`.
const PHRASES: &str = include_str!("japanese.phrases");

/// The page in Japanese.
pub fn in_japanese(page: &ReportPage) -> ReportPage {
    let phrases = Phrases::new(&page.pieces_in_japanese);
    let mut page = page.clone();
    page.wording.language = "ja";
    for text in page.texts_mut() {
        if let Some(japanese) = phrases.tell(text) {
            *text = japanese;
        }
    }
    page
}

/// The phrases, ready to be looked up.
struct Phrases<'a> {
    /// Names of pieces.
    pieces: &'a BTreeMap<String, String>,
    /// Those that are always the same.
    whole: BTreeMap<&'static str, &'static str>,
    /// Those with something that differs; of two that fit, the one that begins as told comes first, or that says more itself.
    open: Vec<OpenPhrase>,
}

/// A phrase in which something differs.
struct OpenPhrase {
    /// What stands around the places.
    fixed: Vec<&'static str>,
    japanese: &'static str,
}

impl Phrases<'_> {
    fn new(pieces: &BTreeMap<String, String>) -> Phrases<'_> {
        let lines = PHRASES.lines().filter_map(|line| line.split_once(" ⇒ "));
        let (open, whole): (Vec<_>, Vec<_>) = lines.partition(|(english, _)| english.contains("{}"));
        let phrase = |(english, japanese): (&'static str, _)| OpenPhrase {
            fixed: english.split("{}").collect(),
            japanese,
        };
        let mut open: Vec<OpenPhrase> = open.into_iter().map(phrase).collect();
        open.sort_by_key(|OpenPhrase { fixed, .. }| {
            let says = fixed.iter().map(|part| part.len()).sum::<usize>();
            Reverse((fixed.first().map_or(0, |begins| begins.len()), says))
        });
        Phrases { pieces, whole: whole.into_iter().collect(), open }
    }

    /// A text in Japanese, if it is known.
    fn tell(&self, english: &str) -> Option<String> {
        if let Some(japanese) = self.whole.get(english) {
            return Some(japanese.to_string());
        }
        if let Some(japanese) = self.piece(english) {
            return Some(japanese);
        }
        let (phrase, parts) =
            self.open.iter().find_map(|phrase| Some((phrase, between(&phrase.fixed, english)?)))?;
        let parts: Vec<String> =
            parts.into_iter().map(|part| self.tell(part).unwrap_or_else(|| part.to_string())).collect();
        Some(filled(phrase.japanese, &parts))
    }

    /// A piece, with what it is worth if that follows: `pawn`, `pawn 1.00`.
    fn piece(&self, english: &str) -> Option<String> {
        if let Some(japanese) = self.pieces.get(english) {
            return Some(japanese.clone());
        }
        let (name, worth) = english.split_once(' ')?;
        let japanese = self.pieces.get(name)?;
        (!worth.contains(char::is_alphabetic)).then(|| format!("{japanese} {worth}"))
    }
}

/// What stands between the fixed parts of a phrase, if the text is that phrase: each as short as can be, and something but
/// for the last, which sentences may leave out.
fn between<'a>(fixed: &[&str], text: &'a str) -> Option<Vec<&'a str>> {
    let (first, others) = fixed.split_first()?;
    let (last, middle) = others.split_last()?;
    let mut rest = text.strip_prefix(first)?.strip_suffix(last)?;
    let mut parts = Vec::with_capacity(others.len());
    for part in middle {
        let begin = rest.chars().next()?.len_utf8();
        let at = begin + rest[begin..].find(part)?;
        parts.push(&rest[..at]);
        rest = &rest[at + part.len()..];
    }
    parts.push(rest);
    Some(parts)
}

/// The Japanese with its places filled: `{}` by the next part, `{2}` by the third.
fn filled(japanese: &str, parts: &[String]) -> String {
    let mut pieces = japanese.split('{');
    let mut text = pieces.next().unwrap_or_default().to_string();
    for (next, piece) in pieces.enumerate() {
        let (place, after) = piece.split_once('}').unwrap_or_default();
        let at = place.parse().unwrap_or(next);
        text.push_str(parts.get(at).map_or("", String::as_str));
        text.push_str(after);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_and_filled() {
        assert_eq!(between(&["", " of ", " agree"], "3 of 4 of us agree"), Some(vec!["3", "4 of us"]));
        assert_eq!(between(&["", " of ", ""], " of 4"), None);
        assert_eq!(between(&["", " plies", "."], "3 plies."), Some(vec!["3", ""]));
        assert_eq!(between(&["a ", ""], "b c"), None);
        let parts = ["x", "y"].map(String::from);
        assert_eq!(filled("{}と{}", &parts), "xとy");
        assert_eq!(filled("{1}の{0}", &parts), "yのx");
    }

    #[test]
    fn pieces_have_their_names_alone_and_in_lists() {
        let pieces =
            [("pawn", "歩"), ("promoted-silver", "全")].map(|(name, told)| (name.into(), told.into())).into();
        let phrases = Phrases::new(&pieces);
        assert_eq!(phrases.tell("pawn").as_deref(), Some("歩"));
        assert_eq!(
            phrases.tell("x, lambda 0.8: pawn 1.00, promoted-silver -2.30 ± 0.10.").as_deref(),
            Some("x、λ 0.8：歩 1.00, 全 -2.30 ± 0.10。")
        );
        assert_eq!(
            phrases.tell("b firzan to queen, fil to bishop").as_deref(),
            Some("b フィルザーンがクイーンに、フィールがビショップに")
        );
        assert_eq!(phrases.tell("my own title"), None);
    }

    #[test]
    fn every_line_is_a_phrase_and_no_phrase_comes_twice() {
        let lines = PHRASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut known: Vec<&str> = Vec::new();
        for line in lines {
            let (english, japanese) = line.split_once(" ⇒ ").unwrap_or_else(|| panic!("no phrase: {line}"));
            assert!(!known.contains(&english), "twice: {english}");
            known.push(english);
            let n_places = english.matches("{}").count();
            assert_eq!(japanese.matches('{').count(), n_places, "other places: {line}");
        }
    }
}
