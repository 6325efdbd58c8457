//! A table for the terminal: plain text, columns flush.
//!
//! In: a table and the width there is. Out: lines of text, in English. Never: colour, the terminal itself, a number broken in two.
//!
//! The leading columns of words name the rows. Where the table is too wide its names are broken at signs; where it is still
//! too wide it becomes several blocks, each with the names.

use ashta_messages::Language;
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};

use super::table::{Align, Table};

const RULE: LineStyle = LineStyle::none().fill('─').junction('─');
const STYLE: TableStyle = TableStyle::new().top_border(RULE).header_separator(RULE).bottom_border(RULE);
/// Names are not broken into pieces shorter than this.
const LEAST_NAME: usize = 16;
/// A space on each side of a cell, and one between columns.
const PADDING: usize = 3;

/// The table in lines of at most `width` columns, unless one name and one number need more.
pub fn terminal(table: &Table, width: usize) -> String {
    let layout = TableLayout::new(table);
    let all: Vec<usize> = (layout.n_names..table.columns.len()).collect();
    let longest = layout.widths[..layout.n_names].iter().copied().max().unwrap_or(0);
    let fitting =
        (LEAST_NAME.min(longest)..=longest).rev().find(|limit| layout.block_width(*limit, &all) <= width);
    if let Some(limit) = fitting {
        return layout.block(limit, &all);
    }
    let limit = longest.min(LEAST_NAME.max(width / 3));
    let blocks = layout.split(limit, width);
    blocks.iter().map(|columns| layout.block(limit, columns)).collect::<Vec<_>>().join("\n")
}

/// Texts of all cells, the header first, and the width of each column.
struct TableLayout<'a> {
    table: &'a Table,
    n_names: usize,
    texts: Vec<Vec<String>>,
    widths: Vec<usize>,
}

impl TableLayout<'_> {
    fn new(table: &Table) -> TableLayout<'_> {
        let header = table.columns.iter().map(|column| {
            let name = column.name.text(Language::English);
            match &column.unit {
                None => name,
                Some(unit) => format!("{name}\n{}", unit.text(Language::English)),
            }
        });
        let text = |row| table.cells(row).map(|(_, cell)| cell.text.text(Language::English)).collect();
        let rows = table.rows.iter().map(|row| text(row));
        let texts: Vec<Vec<String>> = std::iter::once(header.collect()).chain(rows).collect();
        let widest = |n: usize| texts.iter().flat_map(|row| row[n].lines()).map(n_chars).max().unwrap_or(0);
        let widths = (0..table.columns.len()).map(widest).collect();
        let n_names = table.columns.iter().take_while(|column| column.align == Align::Left).count();
        TableLayout { table, n_names, texts, widths }
    }

    fn names_width(&self, limit: usize) -> usize {
        self.widths[..self.n_names].iter().map(|width| (*width).min(limit) + PADDING).sum()
    }

    fn block_width(&self, limit: usize, columns: &[usize]) -> usize {
        self.names_width(limit) + columns.iter().map(|n| self.widths[*n] + PADDING).sum::<usize>()
    }

    /// The columns in as many groups as the width asks for.
    fn split(&self, limit: usize, width: usize) -> Vec<Vec<usize>> {
        let mut blocks: Vec<Vec<usize>> = vec![Vec::new()];
        for n in self.n_names..self.widths.len() {
            let has_room = |block: &Vec<usize>| {
                block.is_empty() || self.block_width(limit, block) + self.widths[n] + PADDING <= width
            };
            match blocks.last_mut() {
                Some(block) if has_room(block) => block.push(n),
                _ => blocks.push(vec![n]),
            }
        }
        blocks
    }

    fn block(&self, limit: usize, columns: &[usize]) -> String {
        let mut drawn = comfy_table::Table::new();
        drawn.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
        let cells = |row: &Vec<String>| -> Vec<comfy_table::Cell> {
            let names = (0..self.n_names).map(|n| self.cell(n, broken(&row[n], limit)));
            names.chain(columns.iter().map(|n| self.cell(*n, row[*n].clone()))).collect()
        };
        if let Some((header, rows)) = self.texts.split_first() {
            drawn.set_header(cells(header));
            rows.iter().for_each(|row| {
                drawn.add_row(cells(row));
            });
        }
        drawn.lines().map(|line| line.trim_end().to_string() + "\n").collect()
    }

    fn cell(&self, n: usize, text: String) -> comfy_table::Cell {
        comfy_table::Cell::new(text).set_alignment(match self.table.columns[n].align {
            Align::Left => CellAlignment::Left,
            Align::Right => CellAlignment::Right,
        })
    }
}

/// A name in lines of at most `limit` characters: broken after a sign where there is one, else anywhere.
fn broken(name: &str, limit: usize) -> String {
    let mut lines = vec![String::new()];
    let pieces = name.split_inclusive(['+', '-', ' ']).flat_map(|part| {
        let chars: Vec<char> = part.chars().collect();
        chars.chunks(limit.max(1)).map(|chunk| chunk.iter().collect::<String>()).collect::<Vec<_>>()
    });
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if n_chars(line) + n_chars(piece.trim_end()) <= limit => line.push_str(&piece),
            _ => lines.push(piece),
        }
    }
    lines.join("\n")
}

fn n_chars(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::super::table::{Column, TableCell};
    use super::*;

    fn table() -> Table {
        Table {
            columns: vec![
                Column::words("game"),
                Column::numbers("D").unit("plies"),
                Column::numbers("E").unit("1/ply"),
            ],
            rows: vec![
                vec![
                    TableCell::words("old-game+double-step"),
                    TableCell::number(421.5, 1),
                    TableCell::words("0.0123 ± 0.0004"),
                ],
                vec![TableCell::words("x"), TableCell::number(9.25, 1), TableCell::words("–")],
            ],
        }
    }

    #[test]
    fn flush_on_their_sides() {
        let wanted = "\
──────────────────────────────────────────────────
 game                       D                 E
                        plies             1/ply
──────────────────────────────────────────────────
 old-game+double-step   421.5   0.0123 ± 0.0004
 x                        9.2                 –
──────────────────────────────────────────────────
";
        let plain =
            |text: &str| text.lines().map(|line| line.trim_matches('─').to_string()).collect::<Vec<_>>();
        assert_eq!(plain(&terminal(&table(), 80)), plain(wanted));
    }

    #[test]
    fn too_wide_breaks_names_then_columns_but_no_number() {
        for width in 24..80 {
            let text = terminal(&table(), width);
            assert!(text.lines().all(|line| n_chars(line) <= width.max(36)), "{width}:\n{text}");
            assert!(text.contains("0.0123 ± 0.0004"), "{width}:\n{text}");
        }
        assert!(
            terminal(&table(), 46).contains(" old-game+double-\n")
                || terminal(&table(), 46).contains(" step")
        );
        assert_eq!(terminal(&table(), 36).matches("game ").count(), 2);
    }

    #[test]
    fn names_are_broken_at_signs() {
        assert_eq!(broken("old-game+double-step", 12), "old-game+\ndouble-step");
        assert_eq!(broken("abcdefghij", 4), "abcd\nefgh\nij");
        assert_eq!(broken("", 4), "");
    }
}
