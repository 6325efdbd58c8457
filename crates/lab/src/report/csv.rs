//! A table for programs: comma-separated values as in RFC 4180, numbers in full.
//!
//! In: a table. Out: its CSV, in English. Never: rounding; a text that a table program takes for a formula.

use ashta_messages::Language;

use super::table::{Column, Table, TableCell};

/// The table as CSV, with one line of names. A column of estimates becomes three: the value, its low and its high end.
pub fn csv(table: &Table) -> String {
    let has_interval =
        |n: usize| table.rows.iter().any(|row| row.get(n).is_some_and(|cell| cell.interval.is_some()));
    let n_fields: Vec<usize> =
        (0..table.columns.len()).map(|n| if has_interval(n) { 3 } else { 1 }).collect();
    let names = table
        .columns
        .iter()
        .zip(&n_fields)
        .flat_map(|(column, n)| names(column).into_iter().take(*n).map(|name| csv_text(&name)));
    let mut lines = vec![line(names)];
    for row in &table.rows {
        let cells = table.cells(row).zip(&n_fields);
        lines.push(line(cells.flat_map(|((_, cell), n)| fields(cell).into_iter().take(*n))));
    }
    lines.concat()
}

fn names(column: &Column) -> [String; 3] {
    let title = column.title(Language::English);
    let ends = (format!("{title} (low)"), format!("{title} (high)"));
    [title, ends.0, ends.1]
}

fn fields(cell: TableCell) -> [String; 3] {
    let (low, high) =
        cell.interval.map_or_else(Default::default, |(low, high)| (written(low), written(high)));
    [cell.number.map_or_else(|| csv_text(&cell.text.text(Language::English)), written), low, high]
}

/// As few digits as give the same number back; nothing for what is no number.
fn written(number: f64) -> String {
    if number.is_finite() { number.to_string() } else { String::new() }
}

fn line(fields: impl Iterator<Item = String>) -> String {
    fields.collect::<Vec<_>>().join(",") + "\r\n"
}

/// What table programs begin a formula with, in Japan too, and what they pass over before it.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r'];

/// A text as a field of CSV, between quotes where it must be. One that a table program would take for a formula has an
/// apostrophe before it, by which they know a text; a number is none.
pub fn csv_text(text: &str) -> String {
    let digits = text.trim_start_matches(['+', '-']);
    let is_number = text.len() <= digits.len() + 1
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_formula = text.starts_with(FORMULA) && !is_number;
    let text = if is_formula { format!("'{text}") } else { text.to_string() };
    if text.contains(['"', ',', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Estimate;

    #[test]
    fn no_text_is_a_formula() {
        for (text, wanted) in [
            ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
            ("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("＝1", "'＝1"),
            ("-", "'-"),
            ("--1", "'--1"),
            ("-.", "'-."),
            ("-3", "-3"),
            ("+0.25", "+0.25"),
            ("-1.5", "-1.5"),
            ("e4=Q", "e4=Q"),
            ("Müller-Lüdenscheidt", "Müller-Lüdenscheidt"),
        ] {
            assert_eq!(csv_text(text), wanted, "{text:?}");
        }
        let rows = vec![vec![
            TableCell::words("=1"),
            TableCell::estimate(&Estimate { value: -3.0, ..Estimate::UNKNOWN }),
        ]];
        let table = Table { columns: vec![Column::words("@a"), Column::numbers("n")], rows };
        assert!(csv(&table).starts_with("'@a,n"), "{}", csv(&table));
        assert!(csv(&table).contains("'=1,-3"), "{}", csv(&table));
    }

    #[test]
    fn quotes_and_intervals() {
        let estimate = Estimate { value: 0.5, low: 0.25, high: 0.75, standard_error: 0.1, n: 9 };
        let table = Table {
            columns: vec![Column::words("game"), Column::numbers("E").unit("per ply"), Column::numbers("n")],
            rows: vec![
                vec![TableCell::words("a \"b\", c"), TableCell::estimate(&estimate), TableCell::count(3)],
                vec![TableCell::words("x"), TableCell::estimate(&Estimate::UNKNOWN)],
            ],
        };
        let wanted = "game,\"E, per ply\",\"E, per ply (low)\",\"E, per ply (high)\",n\r\n\
                      \"a \"\"b\"\", c\",0.5,0.25,0.75,3\r\n\
                      x,,,,\r\n";
        assert_eq!(csv(&table), wanted);
    }
}
