//! The page of an evolution, for a historian: the lattice as a picture, what each change does, what came first.

use super::analysis::measures_table;
use super::parts::blank_page;
use crate::compare::{Difference, difference};
use crate::effects::{Effect, Lattice, LatticePath};
use crate::estimate::Estimate;
use crate::evolution::{Evolution, Question, letter};
use crate::figures::{Axis, EffectRow, EffectsFigure, Figure, LatticeFigure, Picture};
use crate::measures::Measure;
use crate::plan::Experiment;
use crate::report::{Column, ReportPage, Section, Table, TableCell};
use crate::results::CellResult;

/// What the report is about, and what is reported beside it.
const MEASURES: [Measure; 4] = [Measure::Complexity, Measure::Length, Measure::Branching, Measure::Draws];

/// The page of an evolution; nothing if its cells do not make a lattice.
pub fn evolution_page(
    evolution: &Evolution,
    experiment: &Experiment,
    cells: &[CellResult],
) -> Option<ReportPage> {
    let lattice = |measure| lattice_of(evolution, cells, measure);
    let complexity = lattice(Measure::Complexity)?;
    let (steadiest, steepest) = (complexity.steadiest_path(), complexity.steepest_path());
    let mut page = blank_page(experiment, evolution.title.clone());
    page.summary =
        evolution.questions.iter().map(|question| answer(evolution, &complexity, question)).collect();
    page.summary.push(format!(
        "The path of steepest E makes the changes in the order {}; the one whose smallest step is largest, {}.",
        letters(&steepest),
        letters(&steadiest)
    ));
    page.sections.push(lattice_section(evolution, &complexity, &steepest));
    page.sections.push(effects_section(&complexity));
    page.sections.push(paths_section(evolution, &[("steepest", &steepest), ("steadiest", &steadiest)]));
    page.sections.push(all_effects_section(&MEASURES.map(|measure| Some((measure, lattice(measure)?)))));
    page.sections.push(interactions_section(&complexity));
    page.sections.push(Section {
        heading: "Every game of the lattice".into(),
        paragraphs: evolution.about.clone(),
        table: Some(measures_table(cells)),
        ..Section::default()
    });
    Some(page)
}

fn lattice_of(evolution: &Evolution, cells: &[CellResult], measure: Measure) -> Option<Lattice> {
    let names = evolution.changes.iter().map(|change| change.about.clone()).collect();
    let estimates: Vec<Estimate> = cells.iter().map(|cell| *cell.measures.get(measure)).collect();
    Lattice::new(names, estimates).ok()
}

fn letters(path: &LatticePath) -> String {
    path.order().into_iter().map(|change| letter(change).to_string()).collect::<Vec<String>>().join(", ")
}

/// The changes of an effect by letter and name: `a the pawn's double step`, `a x b`.
fn effect_name(effect: &Effect) -> String {
    match effect.changes.as_slice() {
        [one] => format!("{} {}", letter(*one), effect.name),
        several => several.iter().map(|at| letter(*at).to_string()).collect::<Vec<String>>().join(" x "),
    }
}

/// The claim that one change came first is tested by its step: made alone, it should add more to E than the other.
fn answer(evolution: &Evolution, lattice: &Lattice, question: &Question) -> String {
    let of = |letter: &str| evolution.index_of(letter).map(|at| lattice.cells()[1 << at]);
    let (Some(earlier), Some(later)) = (of(&question.earlier), of(&question.later)) else {
        return String::new();
    };
    let apart = difference(&earlier, &later);
    let verdict = match (apart.is_significant(), apart.value > 0.0) {
        (true, true) => "Yes",
        (true, false) => "No",
        (false, _) => "Not decided by so many games",
    };
    format!(
        "{} says that {} came before {}. {verdict}: alone, {} leads to an E of {earlier}, {} to {later}; the difference \
         is {} (p {}).",
        question.source,
        question.earlier,
        question.later,
        question.earlier,
        question.later,
        interval(&apart),
        p_value(apart.p_value),
    )
}

fn interval(difference: &Difference) -> String {
    format!("{:+.5} [{:+.5}, {:+.5}]", difference.value, difference.low, difference.high)
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

fn lattice_section(evolution: &Evolution, lattice: &Lattice, path: &LatticePath) -> Section {
    let picture = Picture::new(
        "Every game between the old and the new one; the thick line is the path of steepest E.",
        Figure::Lattice(LatticeFigure::new(
            lattice.clone(),
            Axis::plain(Measure::Complexity.words()),
            path.order(),
            "steepest climb",
        )),
    );
    Section {
        heading: format!("From {} to the new game", evolution.base_name),
        figure: Some(picture),
        ..Section::default()
    }
}

fn effects_section(lattice: &Lattice) -> Section {
    let row = |effect: Effect| EffectRow { name: effect_name(&effect), difference: effect.difference };
    let effects = lattice.main_effects().into_iter().map(row).collect();
    let axis = Axis::plain("change of E");
    Section {
        heading: "What each change does".into(),
        paragraphs: vec![
            "The mean over all pairs of games that differ in this change alone, with its 95% interval; hollow where the \
             interval holds 0."
                .into(),
        ],
        figure: Some(Picture::new(
            "Main effect of each change on E.",
            Figure::Effects(EffectsFigure::new(effects, axis)),
        )),
        table: None,
    }
}

fn effect_columns(first: &str) -> Vec<Column> {
    let words = Column::words(first);
    let numbers = [("effect", ""), ("low", ""), ("high", ""), ("z", ""), ("p", "")];
    std::iter::once(words).chain(numbers.map(|(name, unit)| Column::numbers(name, unit))).collect()
}

fn effect_cells(difference: &Difference, scale: f64, decimals: usize) -> Vec<TableCell> {
    vec![
        TableCell::number(difference.value * scale, decimals),
        TableCell::number(difference.low * scale, decimals),
        TableCell::number(difference.high * scale, decimals),
        TableCell::number(difference.z, 1),
        TableCell { text: p_value(difference.p_value), number: Some(difference.p_value), interval: None },
    ]
}

fn paths_section(evolution: &Evolution, paths: &[(&str, &LatticePath)]) -> Section {
    let mut columns = vec![Column::words("path"), Column::numbers("step", "")];
    columns.extend(effect_columns("change"));
    let mut rows = Vec::new();
    for (name, path) in paths {
        for (n, step) in path.steps.iter().enumerate() {
            let change = &evolution.changes[step.change];
            let mut row = vec![TableCell::words(*name), TableCell::count(n + 1)];
            row.push(TableCell::words(format!("{} {}", letter(step.change), change.about)));
            row.extend(effect_cells(&step.difference, 1.0, 5));
            rows.push(row);
        }
    }
    Section {
        heading: "Paths".into(),
        paragraphs: vec![
            "The steepest path takes at every step the change that adds most to E; the steadiest is the one whose smallest \
             step is the largest possible."
                .into(),
        ],
        table: Some(Table { columns, rows }),
        ..Section::default()
    }
}

fn all_effects_section(lattices: &[Option<(Measure, Lattice)>]) -> Section {
    let mut columns = vec![Column::words("measure")];
    columns.extend(effect_columns("change"));
    let mut rows = Vec::new();
    for (measure, lattice) in lattices.iter().flatten() {
        let (name, scale, decimals) = match measure {
            Measure::Draws => ("draws, %", 100.0, 2),
            Measure::Complexity => ("E", 1.0, 5),
            Measure::Length => ("D, plies", 1.0, 2),
            other => (other.symbol(), 1.0, 3),
        };
        for effect in lattice.main_effects() {
            let mut row = vec![TableCell::words(name), TableCell::words(effect_name(&effect))];
            row.extend(effect_cells(&effect.difference, scale, decimals));
            rows.push(row);
        }
    }
    Section {
        heading: "Main effects on E, D, B and draws".into(),
        table: Some(Table { columns, rows }),
        ..Section::default()
    }
}

fn interactions_section(lattice: &Lattice) -> Section {
    let row = |effect: Effect| {
        let mut row = vec![TableCell::words(effect_name(&effect))];
        row.extend(effect_cells(&effect.difference, 1.0, 5));
        row
    };
    Section {
        heading: "Interactions".into(),
        paragraphs: vec!["How much more a change adds to E where the other has been made already.".into()],
        table: Some(Table {
            columns: effect_columns("changes"),
            rows: lattice.interactions().into_iter().map(row).collect(),
        }),
        ..Section::default()
    }
}
