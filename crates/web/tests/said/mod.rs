//! What a program may say: the texts between quotes of a Rust source, without those that nobody is told.

/// Texts between quotes, in order: not those of tests, of comments, of attributes other than `#[error(...)]`, or of `expect`.
pub fn texts(source: &str) -> Vec<String> {
    let mut rest = source;
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("#[cfg(test)]\nmod ") && !rest.lines().nth(1).unwrap_or_default().ends_with(';') {
            break;
        }
        let seen = &source[..source.len() - rest.len()];
        let is_raw = first == 'r' && rest[1..].trim_start_matches('#').starts_with('"');
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if (rest.starts_with("#[") && !rest.starts_with("#[error(")) || rest.starts_with("#![") {
            attribute(rest)
        } else if first == '\'' {
            character(rest)
        } else if first == '"' || (is_raw && !seen.ends_with(char::is_alphanumeric)) {
            let (text, length) = if first == '"' { quoted(rest) } else { raw(rest) };
            if !seen.ends_with("expect(") {
                found.push(text);
            }
            length
        } else {
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    found
}

/// How long an attribute is.
fn attribute(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while let Some(c) = rest[at..].chars().next() {
        match c {
            '"' => at += quoted(&rest[at..]).1 - 1,
            '[' => depth += 1,
            ']' if depth == 1 => return at + 1,
            ']' => depth -= 1,
            _ => {}
        }
        at += rest[at..].chars().next().map_or(1, char::len_utf8);
    }
    rest.len()
}

/// A character between quotes, or the mark of a lifetime.
fn character(rest: &str) -> usize {
    let inside = &rest[1..];
    if let Some(escaped) = inside.strip_prefix('\\') {
        let after = escaped.chars().next().map_or(0, char::len_utf8);
        return escaped[after..].find('\'').map_or(1, |end| 3 + after + end);
    }
    let length = inside.chars().next().map_or(0, char::len_utf8);
    if inside[length..].starts_with('\'') { length + 2 } else { 1 }
}

/// A text between quotes and how long it is with them; a line that goes on leaves out what follows the backslash.
fn quoted(rest: &str) -> (String, usize) {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (text, at + 1),
            '\\' => match chars.next().map(|(_, escaped)| escaped) {
                Some('\n') => while chars.next_if(|(_, c)| c.is_whitespace()).is_some() {},
                Some('n') => text.push('\n'),
                Some(escaped) => text.push(escaped),
                None => {}
            },
            _ => text.push(c),
        }
    }
    (text, rest.len())
}

fn raw(rest: &str) -> (String, usize) {
    let n_hashes = rest[1..].chars().take_while(|c| *c == '#').count();
    let (begin, end) = (n_hashes + 2, format!("\"{}", "#".repeat(n_hashes)));
    let length = rest.get(begin..).and_then(|inside| inside.find(&end)).unwrap_or(rest.len() - begin);
    (rest[begin..begin + length].to_string(), (begin + length + end.len()).min(rest.len()))
}

/// A text with `{}` for whatever is put into it.
pub fn with_gaps(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match (rest.starts_with("{{") || rest.starts_with("}}"), rest.find('}')) {
            (true, _) => 2,
            (false, Some(end)) if rest.starts_with('{') => end + 1,
            (false, _) => 1,
        };
        match (length, rest.starts_with('{')) {
            (1 | 2, is_open) if !rest.starts_with("{}") => out.push(if is_open { '{' } else { '}' }),
            _ => out.push_str("{}"),
        }
        rest = &rest[length..];
    }
    out + rest
}

/// Whether a text is a sentence: two plain words at least.
pub fn is_sentence(text: &str) -> bool {
    let is_word = |word: &&str| {
        let word = word.trim_end_matches([',', ':', ';', '?']);
        word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c == '\'')
    };
    text.split_whitespace().filter(is_word).count() >= 2
}

#[test]
fn texts_are_found() {
    let source = r##"
        #![doc = "never this"] // nor "this"
        #[error("`{text}` is \
            no {what}")] struct S<'a>(&'a str);
        fn f() { g(r#move, '"', '\'', '\u{1}', "one", r#"raw "two""#).expect("never"); }
#[cfg(test)]
mod tests { "no" }
"##;
    assert_eq!(texts(source), ["`{text}` is no {what}", "one", "raw \"two\""]);
    assert_eq!(with_gaps("`{text}` {{ }} {} {:016x} a}"), "`{}` { } {} {} a}");
    assert!(is_sentence("no {} is named") && !is_sentence("text/html; charset=utf-8"));
}
