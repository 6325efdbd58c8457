//! Experiments of many games: work units, journals, statistics, figures, reports.
//!
//! In: finished games. Out: tallies, journals, estimates with intervals, figures, reports. Never: a clock, a seed made
//! here, the environment, printing.

mod byte_reader;
mod catalog;
mod compare;
mod contest_measures;
mod effects;
mod estimate;
mod evolution;
pub mod figures;
mod journal;
pub mod learn;
mod local_text;
mod losses;
pub mod matches;
mod measures;
mod openings;
pub mod pages;
mod plan;
mod preset;
mod random_plies;
pub mod report;
mod results;
mod run;
mod schedule;
mod skill;
mod tally;
mod tally_codec;
mod tally_observer;
mod unit_executor;
mod work_unit;

pub use byte_reader::TallyError;
pub use catalog::{NamedGame, PublishedExperiment, PublishedRow, experiment_names, published_experiment};
pub use compare::{
    Agreement, Difference, Proportion, Published, agreement, agreement_of_shares, difference,
    difference_of_shares, holm,
};
pub use contest_measures::ContestMeasures;
pub use effects::{Effect, Lattice, LatticeError, LatticePath, MAX_CHANGES, PathStep};
pub use estimate::Estimate;
pub use evolution::{Evolution, EvolutionError, NamedChange, Question, evolution_names, evolution_source};
pub use journal::{ContentsOf, Journal, JournalContents, JournalError, JournalOf, JournalRecord, UnitId};
pub use local_text::LocalText;
pub use measures::{Average, Conventions, Drawn, LENGTH_QUANTILES, Measure, Measures};
pub use openings::effective_openings;
pub use plan::{Cell, CellPlan, Experiment, Kind, Plan, PlanError, Stop, digest_text};
pub use preset::Preset;
pub use report::{ReportPage, Section, Table};
pub use results::{CellResult, results};
pub use run::{Division, Progress, Run, RunEnd, RunError, run};
pub use schedule::{Schedule, Shard};
pub use skill::{SkillResult, skill_results};
pub use tally::{ContestRow, GameRow, KindTally, OPENING_PLIES, PlyTally, UnitTally};
pub use tally_codec::{read_tally, write_tally};
pub use unit_executor::{UnitExecutor, UnitResult, UnitThreads};
pub use work_unit::{Replay, play_unit, replay, start};
