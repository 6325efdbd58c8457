//! A table: columns with units, cells that are text for people and numbers for programs.
//!
//! In: values. Out: [`Table`]. Never: how it is laid out.

use ashta_messages::{Arg, Language, ToArg};

use crate::estimate::Estimate;

/// On which side a column is flush.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// One column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    pub name: Arg,
    /// The unit of its numbers, if they have one.
    pub unit: Option<Arg>,
    /// On which side it is flush.
    pub align: Align,
}

impl Column {
    /// A column of words.
    pub fn words(name: impl ToArg) -> Column {
        Column { name: name.to_arg(), unit: None, align: Align::Left }
    }

    /// A column of numbers without a unit.
    pub fn numbers(name: impl ToArg) -> Column {
        Column { name: name.to_arg(), unit: None, align: Align::Right }
    }

    /// The same with a unit.
    pub fn unit(self, unit: impl ToArg) -> Column {
        Column { unit: Some(unit.to_arg()), ..self }
    }

    /// The same in percent.
    pub fn percent(self) -> Column {
        self.unit("%")
    }

    /// The name with the unit.
    pub fn title(&self, language: Language) -> String {
        let name = self.name.text(language);
        match &self.unit {
            None => name,
            Some(unit) => format!("{name}, {}", unit.text(language)),
        }
    }
}

/// One cell: what people read, and what programs do.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TableCell {
    /// For people.
    pub text: Arg,
    /// For programs; the text is used where there is none.
    pub number: Option<f64>,
    /// Ends of the 95% interval, for programs: two more columns in CSV.
    pub interval: Option<(f64, f64)>,
}

impl TableCell {
    /// Words.
    pub fn words(text: impl ToArg) -> TableCell {
        TableCell { text: text.to_arg(), number: None, interval: None }
    }

    /// A number with this many decimals; a dash if it is none.
    pub fn number(value: f64, n_decimals: usize) -> TableCell {
        let text = if value.is_finite() { format!("{value:.n_decimals$}") } else { "–".to_string() };
        TableCell { text: Arg::Text(text), number: Some(value), interval: None }
    }

    /// A count.
    pub fn count(value: usize) -> TableCell {
        TableCell { text: value.to_arg(), number: Some(value as f64), interval: None }
    }

    /// An estimate with its interval, with the places that count.
    pub fn estimate(estimate: &Estimate) -> TableCell {
        let interval = Some((estimate.low, estimate.high));
        TableCell { text: estimate.to_arg(), number: Some(estimate.value), interval }
    }

    /// A share as percent, with its interval; 0% and 100% have one-sided ones, so both ends are given.
    pub fn percent(share: &Estimate) -> TableCell {
        let percent = share.rescaled(100.0, 0.0);
        let places = percent.n_decimals().saturating_sub(1).min(2);
        let text = match (percent.value.is_finite(), percent.has_interval()) {
            (true, true) => {
                format!("{:.places$} [{:.places$}, {:.places$}]", percent.value, percent.low, percent.high)
                    .to_arg()
            }
            (true, false) | (false, _) => percent.to_arg(),
        };
        TableCell { text, number: Some(percent.value), interval: Some((percent.low, percent.high)) }
    }
}

/// A table. Rows that are too short are filled with empty cells, cells too many are left out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<TableCell>>,
}

impl Table {
    /// The cells of a row, one for each column.
    pub(super) fn cells<'a>(&'a self, row: &'a [TableCell]) -> impl Iterator<Item = (&'a Column, TableCell)> {
        self.columns.iter().enumerate().map(|(n, column)| (column, row.get(n).cloned().unwrap_or_default()))
    }
}
