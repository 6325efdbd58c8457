//! Report pages of experiments.
//!
//! In: results. Out: [`ReportPage`]s, pictures first. Never: how a page is written to a file.

mod analysis;
mod contest;
mod evolution;
mod learning;
mod matches;
mod parts;
mod reproduction;

pub use analysis::{analysis_page, measures_table};
pub use evolution::evolution_page;
pub use learning::{LearningView, learning_page, unit_of};
pub use matches::match_page;
pub use reproduction::{PublishedComparison, comparison_table, comparisons, reproduction_page};

use crate::catalog::published_experiment;
use crate::evolution::Evolution;
use crate::plan::{Experiment, Kind};
use crate::report::{ReportPage, Table};
use crate::results::CellResult;

/// The page of an experiment and the table that matters most, by what sort of experiment it is.
pub fn page_of(experiment: &Experiment, cells: &[CellResult]) -> (ReportPage, Table) {
    let plain = || (analysis_page(experiment, cells), measures_table(cells));
    match &experiment.plan.kind {
        Kind::Analysis => plain(),
        Kind::Reproduction(name) => match published_experiment(name) {
            None => plain(),
            Some(published) => {
                let compared = comparison_table(&comparisons(&published, cells));
                let table = if compared.rows.is_empty() { measures_table(cells) } else { compared };
                (reproduction_page(&published, experiment, cells), table)
            }
        },
        Kind::Evolution(text) => {
            let evolution = Evolution::read(text).ok();
            let page = evolution.and_then(|evolution| evolution_page(&evolution, experiment, cells));
            page.map_or_else(plain, |page| (page, measures_table(cells)))
        }
    }
}
