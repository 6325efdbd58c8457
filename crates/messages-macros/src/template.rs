//! Templates of the catalogues: `{name}` is an argument, `{name?move:moves}` the first word if it is 1 and the second
//! otherwise, `{{` and `}}` are braces.
//!
//! In: a template. Out: its pieces. Never: what the arguments are.

use std::collections::BTreeSet;

/// A piece of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    Text(String),
    Arg(String),
    Plural(String, String, String),
}

/// Takes a template apart; the error says what is wrong with it.
pub fn parse(template: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let (mut text, mut rest) = (String::new(), template);
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let (brace, behind) = rest[at..].split_at(1);
        if let Some(behind) = behind.strip_prefix(brace) {
            text.push_str(brace);
            rest = behind;
            continue;
        }
        let (place, behind) = match brace {
            "{" => behind.split_once('}').ok_or("a `{` is not closed; `{{` is a brace")?,
            _ => return Err("a `}` was not opened; `}}` is a brace".into()),
        };
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(parse_place(place)?);
        rest = behind;
    }
    text.push_str(rest);
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

fn parse_place(place: &str) -> Result<Piece, String> {
    let (name, forms) = match place.split_once('?') {
        Some((name, forms)) => (name, Some(forms)),
        None => (place, None),
    };
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("`{{{place}}}` is not a placeholder: write `{{name}}` or `{{name?one:many}}`"));
    }
    match forms.map(|forms| forms.split_once(':')) {
        None => Ok(Piece::Arg(name.into())),
        Some(Some((one, other))) => Ok(Piece::Plural(name.into(), one.into(), other.into())),
        Some(None) => Err(format!("`{{{place}}}` lacks its plural: write `{{name?one:many}}`")),
    }
}

/// The arguments that a template speaks of.
pub fn places(pieces: &[Piece]) -> BTreeSet<String> {
    let name = |piece: &Piece| match piece {
        Piece::Text(_) => None,
        Piece::Arg(name) | Piece::Plural(name, ..) => Some(name.clone()),
    };
    pieces.iter().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_taken_apart() {
        let text = |text: &str| Piece::Text(text.into());
        let arg = |name: &str| Piece::Arg(name.into());
        let plural = Piece::Plural("n".into(), "move".into(), "moves".into());
        for (template, pieces) in [
            ("plain", vec![text("plain")]),
            ("{n} {n?move:moves}", vec![arg("n"), text(" "), plural]),
            ("write {{ {x} }}", vec![text("write { "), arg("x"), text(" }")]),
            ("", vec![]),
        ] {
            assert_eq!(parse(template), Ok(pieces), "{template}");
        }
        for wrong in ["{", "}", "{}", "{a b}", "{n?move}", "a { b"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
