//! Escaping of tag names for formats that restrict them.
//!
//! In: the name of a tag. Out: a name that every format allows, and the reverse. Never: two tags with one name.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The prefix of an escaped name.
const PREFIX: &str = "X_";

/// The name itself if it fits, else escaped to letters, digits and underscores; [`plain_name`] is the inverse.
pub fn portable_name(name: &str, fits: impl FnOnce(&str) -> bool) -> Cow<'_, str> {
    if fits(name) && !name.starts_with(PREFIX) { Cow::Borrowed(name) } else { Cow::Owned(encoded(name)) }
}

/// The unescaped name: `X_SI_20_E` is `SI E`.
pub fn plain_name(name: &str) -> Cow<'_, str> {
    let read = decoded(name).filter(|plain| encoded(plain) == name);
    read.map_or(Cow::Borrowed(name), Cow::Owned)
}

pub fn is_encoded(name: &str) -> bool {
    matches!(plain_name(name), Cow::Owned(_))
}

fn encoded(name: &str) -> String {
    let mut text = String::from(PREFIX);
    for c in name.chars() {
        if c.is_ascii_alphanumeric() { text.push(c) } else { _ = write!(text, "_{:x}_", u32::from(c)) }
    }
    text
}

fn decoded(name: &str) -> Option<String> {
    let mut rest = name.strip_prefix(PREFIX)?;
    let mut plain = String::new();
    while let Some((letters, after)) = rest.split_once('_') {
        plain.push_str(letters);
        let (number, after) = after.split_once('_')?;
        plain.push(u32::from_str_radix(number, 16).ok().and_then(char::from_u32)?);
        rest = after;
    }
    plain.push_str(rest);
    (!plain.is_empty()).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::{encoded, plain_name, portable_name};

    #[test]
    fn names_come_back() {
        for name in
            ["SI E", "a_b", "X_", "X_a", "X_SI_20_E", "備考", "a:b", "\"", "[x]", "_", "__", "e\u{301}"]
        {
            let written = portable_name(name, |_| false);
            assert!(written.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{written}");
            assert_eq!(plain_name(&written), name);
        }
        assert_eq!(portable_name("Event", |_| true), "Event");
        assert_eq!(encoded("SI E"), "X_SI_20_E");
        // What only looks like it is a name as it stands.
        for name in ["X_", "X_a_", "X_a_zz_", "X_a_20", "X_a_020_", "X_備", "Xa_20_"] {
            assert_eq!(plain_name(name), name);
        }
    }
}
