//! A report for programs, in English: every table with its numbers and intervals, and the plan it came from.

use ashta_messages::{Arg, Language};
use serde_json::{Value, json};

use super::{ReportPage, Table, TableCell};

/// The report as JSON text.
pub fn json(page: &ReportPage) -> String {
    let tables = page.sections.iter().filter_map(|section| {
        section.table.as_ref().map(|table| json!({ "heading": text(&section.heading), "rows": rows(table) }))
    });
    let digests: Vec<Value> =
        page.digests.iter().map(|(game, digest)| json!({ "game": game, "rules": digest })).collect();
    let value = json!({
        "title": text(&page.title),
        "summary": texts(&page.summary),
        "command": page.command,
        "version": page.version,
        "seed": page.seed,
        "conventions": texts(&page.conventions),
        "rules": digests,
        "plan": serde_json::from_str::<Value>(&page.plan).unwrap_or(Value::Null),
        "tables": tables.collect::<Vec<Value>>(),
    });
    let mut json = serde_json::to_string_pretty(&value).unwrap_or_default();
    json.push('\n');
    json
}

fn text(words: &Arg) -> String {
    words.text(Language::English)
}

fn texts(words: &[Arg]) -> Vec<String> {
    words.iter().map(text).collect()
}

fn rows(table: &Table) -> Vec<Value> {
    let object = |row: &Vec<TableCell>| {
        let named = table.cells(row).map(|(column, cell)| (column.title(Language::English), value(&cell)));
        Value::Object(named.collect())
    };
    table.rows.iter().map(object).collect()
}

fn value(cell: &TableCell) -> Value {
    match (cell.number, cell.interval) {
        (None, _) => json!(text(&cell.text)),
        (Some(number), None) => json!(number),
        (Some(number), Some((low, high))) => json!({ "value": number, "low": low, "high": high }),
    }
}
