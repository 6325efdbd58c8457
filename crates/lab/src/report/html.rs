//! A report as one HTML file: no network, no script, readable on a desk, a telephone and paper, by day and by night.
//!
//! It is dark where the reader's machine is; `report.html#dark` and `#light` say it outright, for pages that show it.
//!
//! In: a page. Out: its HTML, with the plan inside so that it can be made again. Never: text that was not escaped, but
//! for the figures, which escape their own.

use std::fmt::Write;

use ashta_messages::{Arg, Language, message};

use super::table::{Align, Table};
use super::{Origin, ReportPage, Section, Sort};
use crate::figures::{Picture, Width, on_dark, repainting};

const STYLE: &str = include_str!("style.css");
const DARK: &str = include_str!("dark.css");

/// The page as one self-contained HTML file.
pub fn html(page: &ReportPage, language: Language) -> String {
    let escaped = |words: &Arg| escaped(&words.text(language));
    let title = escaped(&page.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{}</style>\n</head>\n\
         <body>\n<i id=\"light\"></i><i id=\"dark\"></i>\n<main>\n<h1>{title}</h1>\n",
        language.tag(),
        dark_style()
    );
    if !page.summary.is_empty() {
        let sentences = page.summary.iter().map(|sentence| format!("<li>{}</li>\n", escaped(sentence)));
        let _ = write!(out, "<ul class=\"summary\">\n{}</ul>\n", sentences.collect::<String>());
    }
    page.sections.iter().for_each(|section| write_section(&mut out, section, language));
    write_origin(&mut out, page, language);
    let _ = write!(
        out,
        "</main>\n<script type=\"application/json\" id=\"plan\">{}</script>\n</body>\n</html>\n",
        inside_script(&page.plan)
    );
    out
}

/// Dark paper on screens alone: as the machine has it, unless the address says otherwise.
fn dark_style() -> String {
    let (rules, dark) = (repainting(), format!("{DARK}{}", on_dark()));
    format!(
        "{rules}@media screen and (prefers-color-scheme: dark) {{ :root:not(:has(#light:target)) {{ {dark} }} }}\n\
         @media screen {{ :root:has(#dark:target) {{ {dark} }} }}\n"
    )
}

fn write_section(out: &mut String, section: &Section, language: Language) {
    let escaped = |words: &Arg| escaped(&words.text(language));
    let _ = writeln!(out, "<section>\n<h2>{}</h2>", escaped(&section.heading));
    section.paragraphs.iter().for_each(|paragraph| {
        let _ = writeln!(out, "<p>{}</p>", escaped(paragraph));
    });
    if let Some(figure) = &section.figure {
        write_figure(out, figure, language);
    }
    if let Some(table) = &section.table {
        write_table(out, table, language);
    }
    out.push_str("</section>\n");
}

fn write_figure(out: &mut String, picture: &Picture, language: Language) {
    let caption = escaped(&picture.caption.text(language));
    out.push_str("<figure>\n");
    for (class, width) in [("wide", Width::Wide), ("narrow", Width::Narrow)] {
        let svg = picture.figure.draw(width, language);
        let _ = write!(out, "<div class=\"{class}\" role=\"img\" aria-label=\"{caption}\">\n{svg}</div>\n");
    }
    let _ = writeln!(out, "<figcaption>{caption}</figcaption>\n</figure>");
}

fn write_table(out: &mut String, table: &Table, language: Language) {
    let escaped = |words: &Arg| escaped(&words.text(language));
    out.push_str("<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr>");
    for column in &table.columns {
        let unit = column.unit.as_ref().map(|unit| format!("<br><small>{}</small>", escaped(unit)));
        let unit = unit.unwrap_or_default();
        let _ = write!(out, "<th{}>{}{unit}</th>", class(column.align), escaped(&column.name));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (column, cell) in table.cells(row) {
            let _ = write!(out, "<td{}>{}</td>", class(column.align), escaped(&cell.text));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn write_origin(out: &mut String, page: &ReportPage, language: Language) {
    let heading = escaped(&message!("lab.origin-heading").text(language));
    let _ = write!(out, "<section class=\"origin\">\n<h2>{heading}</h2>\n<dl>\n");
    for Origin { name, value, sort } in page.origin() {
        let tag = match sort {
            Sort::Words => "span",
            Sort::Code => "code",
        };
        let [name, value] = [escaped(&name.text(language)), escaped(&value.text(language))];
        let _ = writeln!(out, "<dt>{name}</dt><dd><{tag}>{value}</{tag}></dd>");
    }
    out.push_str("</dl>\n</section>\n");
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => " class=\"number\"",
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

/// JSON that cannot end the script it stands in: `</` and `<!--` occur in strings only, where `<` may be written `\u003c`.
fn inside_script(json: &str) -> String {
    json.replace("</", "\\u003c/").replace("<!--", "\\u003c!--")
}

#[cfg(test)]
mod tests {
    use ashta_messages::ToArg;

    use super::super::table::{Column, TableCell};
    use super::*;

    #[test]
    fn text_is_escaped_and_the_plan_stays_inside() {
        let table = Table {
            columns: vec![Column::numbers("<n>").unit("m&s")],
            rows: vec![vec![TableCell::words("\"x\"")]],
        };
        let section = Section { heading: "a & b".to_arg(), table: Some(table), ..Section::default() };
        let page = ReportPage {
            title: "<script>".to_arg(),
            plan: r#"{"x":"</script><!-- <script>"}"#.into(),
            sections: vec![section],
            ..ReportPage::default()
        };
        let text = html(&page, Language::English);
        assert!(text.contains("<h1>&lt;script&gt;</h1>"));
        assert!(text.contains("<h2>a &amp; b</h2>"));
        assert!(text.contains("<th class=\"number\">&lt;n&gt;<br><small>m&amp;s</small></th>"));
        assert!(text.contains("<td class=\"number\">&quot;x&quot;</td>"));
        assert!(text.contains(r#"id="plan">{"x":"\u003c/script>\u003c!-- <script>"}</script>"#));
        assert_eq!(text.matches("</script>").count(), 1);
    }
}
