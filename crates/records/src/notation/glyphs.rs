//! Glyphs (NAGs) and times as text: after a move, or in a comment where a notation has no field for them.
//!
//! In: comments. Out: glyphs, times and the remaining words; and the reverse. Never: a change to the comment's own
//! words.

use crate::annotations::Note;

/// Glyphs and their NAG numbers. The first of a number is the one that is written.
const GLYPHS: [(&str, u8); 17] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("=", 10),
    ("+=", 14),
    ("=+", 15),
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
    ("N", 146),
    ("D", 220),
];

/// The number of a glyph such as `!?` or `$14`.
pub fn glyph_of(text: &str) -> Option<u8> {
    if let Some(number) = text.strip_prefix('$') {
        return number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok())?;
    }
    GLYPHS.iter().find(|(known, _)| *known == text).map(|(_, number)| *number)
}

/// The glyph, or its number where it has no sign.
pub fn glyph_text(glyph: u8) -> String {
    let known = GLYPHS.iter().find(|(_, number)| *number == glyph);
    known.map_or_else(|| format!("${glyph}"), |(text, _)| text.to_string())
}

/// A time as `0:01:30`, `1:00:00.250`.
pub fn clock_text(spent_ms: u64) -> String {
    let (seconds, rest_ms) = (spent_ms / 1000, spent_ms % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match rest_ms {
        0 => format!("{hours}:{minutes:02}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}.{rest_ms:03}"),
    }
}

/// Reads hours, minutes and seconds, or fewer of them.
pub fn read_clock(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut seconds = 0u64;
    for part in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(number(part)?)?;
    }
    let rest_ms = match fraction {
        "" => 0,
        // Digits beyond milliseconds are dropped.
        _ => format!("{fraction:0<3}").get(..3).and_then(number)?,
    };
    seconds.checked_mul(1000)?.checked_add(rest_ms)
}

fn number(text: &str) -> Option<u64> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Glyphs and time at the start of a comment, and the rest.
pub struct CommentPrefix<'t> {
    pub glyphs: Vec<u8>,
    pub spent_ms: Option<u64>,
    pub words: &'t str,
}

const SPENT: &str = "[%emt ";

pub fn take_prefix(text: &str) -> CommentPrefix<'_> {
    if text.starts_with('$') {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (numbers, time) = first.split_at(first.find('[').unwrap_or(first.len()));
        let glyphs: Option<Vec<u8>> = numbers.split_whitespace().map(glyph_of).collect();
        let spent = read_spent(time.trim_end());
        // A line of glyphs has nothing else: `$5 for a pawn` is a comment.
        let is_all = time.is_empty() || spent.is_some_and(|(_, rest)| rest.is_empty());
        if let Some(glyphs) = glyphs.filter(|_| is_all) {
            return CommentPrefix { glyphs, spent_ms: spent.map(|(spent_ms, _)| spent_ms), words: rest };
        }
    }
    match read_spent(text) {
        Some((spent_ms, words)) => CommentPrefix { glyphs: Vec::new(), spent_ms: Some(spent_ms), words },
        None => CommentPrefix { glyphs: Vec::new(), spent_ms: None, words: text },
    }
}

/// `[%emt 0:00:05]` and the rest.
fn read_spent(text: &str) -> Option<(u64, &str)> {
    let (clock, rest) = text.strip_prefix(SPENT)?.split_once(']')?;
    let spent_ms = read_clock(clock.trim())?;
    // Other spellings stay in the comment, so that they are written back unchanged.
    (clock_text(spent_ms) == clock).then_some((spent_ms, rest.trim_start_matches(' ')))
}

/// A time as a PGN command.
pub fn spent_text(spent_ms: u64) -> String {
    format!("{SPENT}{}]", clock_text(spent_ms))
}

/// Which annotations a notation cannot express.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lacks {
    Glyphs,
    GlyphsAndTimes,
}

/// The lines of a comment in a notation without glyphs; they go on a line of their own before the words, and so does a
/// time that the notation cannot express.
pub fn comment_lines(note: &Note, lacks: Lacks) -> Vec<String> {
    let mut marks: Vec<String> = note.glyphs.iter().map(|glyph| format!("${glyph}")).collect();
    let is_fine = |spent_ms: &u64| lacks == Lacks::GlyphsAndTimes || !spent_ms.is_multiple_of(1000);
    marks.extend(note.spent_ms.filter(is_fine).map(spent_text));
    let first = (!marks.is_empty()).then(|| marks.join(" "));
    let words = (!note.comment.is_empty()).then_some(note.comment.as_str());
    first
        .into_iter()
        .chain(words.into_iter().flat_map(|words| words.split('\n').map(str::to_string)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{clock_text, glyph_of, glyph_text, read_clock, take_prefix};

    #[test]
    fn clocks_read_back() {
        for spent_ms in [0, 1000, 59_999, 60_000, 3_600_000, 360_000_250] {
            assert_eq!(read_clock(&clock_text(spent_ms)), Some(spent_ms));
        }
        assert_eq!(read_clock("0:05"), Some(5000));
        assert_eq!(read_clock("1.5"), Some(1500));
        for wrong in ["", ":", "1:", "x", "-1", "99999999999999999999"] {
            assert_eq!(read_clock(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn marks_stand_before_words() {
        let taken = |text| {
            let marks = take_prefix(text);
            (marks.glyphs, marks.spent_ms, marks.words.to_string())
        };
        assert_eq!(taken("$1 $14\nwords"), (vec![1, 14], None, "words".into()));
        assert_eq!(taken("$3 [%emt 0:00:02]\na"), (vec![3], Some(2000), "a".into()));
        assert_eq!(taken("$5 for a pawn"), (vec![], None, "$5 for a pawn".into()));
        assert_eq!(taken("[%emt 0:00:02] a"), (vec![], Some(2000), "a".into()));
        assert_eq!(taken("[%emt 2] a"), (vec![], None, "[%emt 2] a".into()));
    }

    #[test]
    fn glyphs_have_signs_or_numbers() {
        for glyph in 0..=255 {
            assert_eq!(glyph_of(&glyph_text(glyph)), Some(glyph));
        }
        assert_eq!(glyph_of("$256"), None);
    }
}
