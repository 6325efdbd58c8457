//! A report as Markdown: for repositories and plain reading.
//!
//! In: a page. Out: its Markdown. Never: pictures, which stand beside it as files and in the HTML.

use std::fmt::Write;

use ashta_messages::{Arg, Language, message};

use super::table::{Align, Table};
use super::{Origin, ReportPage, Section};

/// The page as Markdown. A figure is its caption in italics: Markdown holds no picture of its own.
pub fn markdown(page: &ReportPage, language: Language) -> String {
    let line = |words: &Arg| line(&words.text(language));
    let mut text = format!("# {}\n\n", line(&page.title));
    page.summary.iter().for_each(|sentence| text.push_str(&format!("- {}\n", line(sentence))));
    page.sections.iter().for_each(|section| write_section(&mut text, section, language));
    let _ = write!(text, "\n## {}\n\n", message!("lab.origin-heading").text(language));
    for Origin { name, value, .. } in page.origin() {
        // Values of commands and digests hold signs that Markdown would eat.
        let value = value.text(language).replace(['`', '\n'], " ");
        let _ = writeln!(text, "- {}: `{value}`", name.text(language));
    }
    let fence = "`".repeat(longest_run_of_ticks(&page.plan).max(2) + 1);
    let _ = write!(text, "\n{fence}json\n{}\n{fence}\n", page.plan.trim_end());
    text
}

fn write_section(text: &mut String, section: &Section, language: Language) {
    let line = |words: &Arg| line(&words.text(language));
    text.push_str(&format!("\n## {}\n", line(&section.heading)));
    if let Some(figure) = &section.figure {
        text.push_str(&format!("\n*{}*\n", line(&figure.caption)));
    }
    section.paragraphs.iter().for_each(|paragraph| text.push_str(&format!("\n{}\n", line(paragraph))));
    if let Some(table) = &section.table {
        text.push('\n');
        write_table(text, table, language);
    }
}

fn write_table(text: &mut String, table: &Table, language: Language) {
    let titles: Vec<String> = table.columns.iter().map(|column| line(&column.title(language))).collect();
    let rules = table.columns.iter().map(|column| match column.align {
        Align::Left => "---",
        Align::Right => "---:",
    });
    let _ = writeln!(text, "| {} |\n|{}|", titles.join(" | "), rules.collect::<Vec<_>>().join("|"));
    for row in &table.rows {
        let cells: Vec<String> = table.cells(row).map(|(_, cell)| line(&cell.text.text(language))).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}

/// Text on one line, with the signs that would mean something to Markdown made plain.
fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '|' | '*' | '_' | '`' | '<' | '[' | ']' | '\\' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

fn longest_run_of_ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use ashta_messages::ToArg;

    use super::super::table::{Column, TableCell};
    use super::*;

    #[test]
    fn signs_are_plain() {
        let table = Table { columns: vec![Column::words("a|b")], rows: vec![vec![TableCell::words("*x*")]] };
        let section = Section { heading: "<h>".to_arg(), table: Some(table), ..Section::default() };
        let page = ReportPage {
            title: "T".to_arg(),
            plan: "{\"a\":\"```\"}".into(),
            sections: vec![section],
            ..Default::default()
        };
        let text = markdown(&page, Language::English);
        assert!(text.contains("## \\<h>\n\n| a\\|b |\n|---|\n| \\*x\\* |\n"), "{text}");
        assert!(text.contains("\n````json\n"), "{text}");
    }
}
