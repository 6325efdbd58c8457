//! Problem files: EPD, positions per line, tables with a header, PGN with a position per game.
//!
//! In: text. Out: problems with the file's solution, or an error per line. Never: whether the solution is right.

use ashta_messages::{Message, Tell, message};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProblemText {
    /// From 1.
    pub line: usize,
    pub id: Option<String>,
    pub position: String,
    /// Mate in n moves (`dm`).
    pub moves: Option<u16>,
    /// Mate by checks in n plies.
    pub plies: Option<u16>,
    /// The file's first moves; empty if it has none.
    pub keys: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Tell)]
#[code("study.problem-line")]
pub struct ProblemError {
    /// From 1.
    pub line: usize,
    pub what: Message,
}

/// Reads a problem file; blank lines and `#` lines are skipped, except a table's header.
pub fn read_problems(text: &str) -> Vec<Result<ProblemText, ProblemError>> {
    if text.lines().any(|line| line.starts_with("[FEN \"")) {
        return read_tags(text);
    }
    let mut problems = Vec::new();
    let mut header: Option<Vec<String>> = None;
    for (n, line) in text.lines().enumerate() {
        let number = n + 1;
        let line = line.trim_end_matches('\r');
        if line.starts_with('#') && line.contains('\t') {
            header = Some(line[1..].split('\t').map(|name| name.trim().to_lowercase()).collect());
        } else if line.trim().is_empty() || line.starts_with('#') {
            continue;
        } else if line.contains('\t') {
            problems.push(read_row(line, number, header.as_deref()));
        } else if line.contains(';') {
            problems.push(read_epd(line, number));
        } else {
            let position = line.trim().strip_prefix("sfen ").unwrap_or(line.trim()).to_string();
            problems.push(Ok(ProblemText { line: number, position, ..ProblemText::default() }));
        }
    }
    problems
}

/// The positions of PGN games; moves are skipped.
fn read_tags(text: &str) -> Vec<Result<ProblemText, ProblemError>> {
    let value = |line: &str, tag: &str| {
        let quoted = line.strip_prefix('[')?.strip_prefix(tag)?.trim().strip_prefix('"')?;
        Some(quoted.split('"').next()?.trim().to_string()).filter(|value| !value.is_empty())
    };
    let mut problems = Vec::new();
    let mut id = None;
    for (n, line) in text.lines().enumerate() {
        if let Some(event) = value(line, "Event ") {
            id = Some(event);
        } else if let Some(position) = value(line, "FEN ") {
            problems.push(Ok(ProblemText { line: n + 1, id: id.take(), position, ..ProblemText::default() }));
        }
    }
    problems
}

/// Columns of a table without a header.
const COLUMNS: [&str; 6] = ["plies", "sfen", "solution", "id", "shortest", "keys"];

fn read_row(line: &str, number: usize, header: Option<&[String]>) -> Result<ProblemText, ProblemError> {
    let cells: Vec<&str> = line.split('\t').collect();
    let cell = |name: &str| {
        let place = match header {
            Some(header) => header.iter().position(|column| column.split('(').next() == Some(name)),
            None => COLUMNS.iter().position(|column| *column == name),
        };
        place.and_then(|place| cells.get(place)).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
    };
    let Some(position) = cell("sfen").or_else(|| cell("fen")) else {
        return Err(ProblemError { line: number, what: message!("study.problem-no-position") });
    };
    let count = |name: &str| match cell(name).map(str::parse::<u16>) {
        None => Ok(None),
        Some(Ok(count)) => Ok(Some(count)),
        Some(Err(_)) => Err(ProblemError { line: number, what: message!("study.problem-plies", name) }),
    };
    let plies = count("shortest")?.or(count("plies")?);
    Ok(ProblemText {
        line: number,
        id: cell("id").map(str::to_string),
        position: position.to_string(),
        moves: count("moves")?,
        plies,
        keys: cell("keys")
            .map(|keys| keys.split_whitespace().map(str::to_string).collect())
            .unwrap_or_default(),
    })
}

/// Fields of a position before the EPD operations.
const EPD_FIELDS: usize = 4;

fn read_epd(line: &str, number: usize) -> Result<ProblemText, ProblemError> {
    let mut rest = line.trim_start();
    let mut fields = Vec::new();
    for _ in 0..EPD_FIELDS {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        fields.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    let mut problem = ProblemText { line: number, position: fields.join(" "), ..ProblemText::default() };
    for operation in operations(rest) {
        let (name, value) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let value = value.trim();
        match name {
            "bm" => problem.keys = value.split_whitespace().map(str::to_string).collect(),
            "id" => problem.id = Some(value.trim_matches('"').to_string()),
            "dm" => match value.parse() {
                Ok(moves) => problem.moves = Some(moves),
                Err(_) => {
                    let what = message!("study.problem-moves", value);
                    return Err(ProblemError { line: number, what });
                }
            },
            _ => {}
        }
    }
    Ok(problem)
}

/// EPD operations: separated by `;`, which quoted strings may contain.
fn operations(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found.retain(|operation| !operation.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sort_of_line_is_read() {
        let text = "# problems\n\
            8/8/8/8/8/8/8/KQ5k w - - bm Qg6 Qb7+; dm 1; id \"a; b\"; c0 \"x\";\n\
            #plies\tsfen\tsolution(usi)\tid\tshortest\tkeys\n\
            3\t4k4/9/9/9/9/9/9/9/9 b 2G 1\tG*5b\tone\t1\tG*5b\n\
            sfen 4k4/9/9/9/9/9/9/9/9 b 2G 1\n\
            8/8/8/8/8/8/8/8 w - - dm x;\n";
        let problems = read_problems(text);
        assert_eq!(problems.len(), 4);
        let epd = problems[0].as_ref().expect("a problem");
        assert_eq!((epd.moves, epd.id.as_deref()), (Some(1), Some("a; b")));
        assert_eq!(epd.keys, ["Qg6", "Qb7+"]);
        let row = problems[1].as_ref().expect("a problem");
        assert_eq!((row.plies, row.line, row.keys.len()), (Some(1), 4, 1));
        assert_eq!(problems[2].as_ref().expect("a problem").position, "4k4/9/9/9/9/9/9/9/9 b 2G 1");
        assert_eq!(
            problems[3].as_ref().expect_err("no number").to_string(),
            "line 6: `dm x` is not a number of moves"
        );
    }
}
