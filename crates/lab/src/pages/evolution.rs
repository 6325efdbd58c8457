//! The page of an evolution, for a historian: the lattice as a picture, what each change does, what came first.

use ashta_messages::{Arg, Message, ToArg, message};

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
    let mut page = blank_page(experiment, &evolution.title);
    let answer = |question| answer(evolution, &complexity, question).map(|answer| answer.to_arg());
    page.summary = evolution.questions.iter().filter_map(answer).collect();
    let orders = (letters(&steepest), letters(&steadiest));
    let order = message!("lab.order-of-paths", steepest = orders.0, steadiest = orders.1);
    page.summary.push(order.to_arg());
    page.sections.push(lattice_section(evolution, &complexity, &steepest));
    page.sections.push(effects_section(&complexity));
    page.sections.push(paths_section(
        evolution,
        [(message!("lab.path-steepest"), &steepest), (message!("lab.path-steadiest"), &steadiest)],
    ));
    page.sections.push(all_effects_section(&MEASURES.map(|measure| Some((measure, lattice(measure)?)))));
    page.sections.push(interactions_section(&complexity));
    page.sections.push(Section {
        heading: message!("lab.lattice-games-heading").to_arg(),
        paragraphs: evolution.about.iter().map(ToArg::to_arg).collect(),
        table: Some(measures_table(cells)),
        ..Section::default()
    });
    Some(page)
}

fn lattice_of(evolution: &Evolution, cells: &[CellResult], measure: Measure) -> Option<Lattice> {
    let names = evolution.changes.iter().map(|change| change.about.to_arg()).collect();
    let estimates: Vec<Estimate> = cells.iter().map(|cell| *cell.measures.get(measure)).collect();
    Lattice::new(names, estimates).ok()
}

fn letters(path: &LatticePath) -> String {
    path.order().into_iter().map(|change| letter(change).to_string()).collect::<Vec<String>>().join(", ")
}

/// The changes of an effect by letter and name: `a the pawn's double step`, `a x b`.
fn effect_name(effect: &Effect) -> Arg {
    match effect.changes.as_slice() {
        [first, second] => {
            message!("lab.interaction", first = letter(*first), second = letter(*second)).to_arg()
        }
        changes => {
            let letters: String = changes.iter().map(|at| letter(*at)).collect();
            message!("lab.lettered", letter = letters, name = effect.name).to_arg()
        }
    }
}

/// The claim that one change came first is tested by its step: made alone, it should add more to E than the other.
fn answer(evolution: &Evolution, lattice: &Lattice, question: &Question) -> Option<Message> {
    let of = |letter: &str| evolution.index_of(letter).map(|at| lattice.cells()[1 << at]);
    let Question { earlier, later, source } = question;
    let (first, second) = (of(earlier)?, of(later)?);
    let apart = difference(&first, &second);
    let verdict = match (apart.is_significant(), apart.value > 0.0) {
        (true, true) => message!("lab.order-supported"),
        (true, false) => message!("lab.order-contradicted"),
        (false, _) => message!("lab.order-open"),
    };
    let (difference, p) = (interval(&apart), p_value(apart.p_value));
    Some(message!("lab.order-tested", source, earlier, later, verdict, first, second, difference, p))
}

fn interval(difference: &Difference) -> String {
    format!("{:+.5} [{:+.5}, {:+.5}]", difference.value, difference.low, difference.high)
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

fn lattice_section(evolution: &Evolution, lattice: &Lattice, path: &LatticePath) -> Section {
    let picture = Picture::new(
        message!("lab.lattice-caption"),
        Figure::Lattice(LatticeFigure::new(
            lattice.clone(),
            Axis::plain(Measure::Complexity.words()),
            path.order(),
            message!("lab.lattice-path"),
        )),
    );
    Section {
        heading: message!("lab.lattice-heading", base = evolution.base_name).to_arg(),
        figure: Some(picture),
        ..Section::default()
    }
}

fn effects_section(lattice: &Lattice) -> Section {
    let row = |effect: Effect| EffectRow { name: effect_name(&effect), difference: effect.difference };
    let effects = lattice.main_effects().into_iter().map(row).collect();
    let axis = Axis::plain(message!("lab.effects-axis"));
    Section {
        heading: message!("lab.effects-heading").to_arg(),
        paragraphs: vec![message!("lab.effects-explained").to_arg()],
        figure: Some(Picture::new(
            message!("lab.effects-caption"),
            Figure::Effects(EffectsFigure::new(effects, axis)),
        )),
        table: None,
    }
}

fn effect_columns(first: Message) -> Vec<Column> {
    vec![
        Column::words(first),
        Column::numbers(message!("lab.column-effect")),
        Column::numbers(message!("lab.column-low")),
        Column::numbers(message!("lab.column-high")),
        Column::numbers("z"),
        Column::numbers("p"),
    ]
}

fn effect_cells(difference: &Difference, scale: f64, decimals: usize) -> Vec<TableCell> {
    vec![
        TableCell::number(difference.value * scale, decimals),
        TableCell::number(difference.low * scale, decimals),
        TableCell::number(difference.high * scale, decimals),
        TableCell::number(difference.z, 1),
        TableCell {
            text: p_value(difference.p_value).to_arg(),
            number: Some(difference.p_value),
            interval: None,
        },
    ]
}

fn paths_section(evolution: &Evolution, paths: [(Message, &LatticePath); 2]) -> Section {
    let mut columns =
        vec![Column::words(message!("lab.column-path")), Column::numbers(message!("lab.column-step"))];
    columns.extend(effect_columns(message!("lab.column-change")));
    let mut rows = Vec::new();
    for (name, path) in paths {
        for (n, step) in path.steps.iter().enumerate() {
            let (letter, name_of_change) = (letter(step.change), &evolution.changes[step.change].about);
            let mut row = vec![TableCell::words(&name), TableCell::count(n + 1)];
            row.push(TableCell::words(message!("lab.lettered", letter, name = name_of_change)));
            row.extend(effect_cells(&step.difference, 1.0, 5));
            rows.push(row);
        }
    }
    Section {
        heading: message!("lab.paths-heading").to_arg(),
        paragraphs: vec![message!("lab.paths-explained").to_arg()],
        table: Some(Table { columns, rows }),
        ..Section::default()
    }
}

fn all_effects_section(lattices: &[Option<(Measure, Lattice)>]) -> Section {
    let mut columns = vec![Column::words(message!("lab.column-measure"))];
    columns.extend(effect_columns(message!("lab.column-change")));
    let mut rows = Vec::new();
    for (measure, lattice) in lattices.iter().flatten() {
        let (name, scale, decimals) = match measure {
            Measure::Draws => (message!("lab.effect-on-draws").to_arg(), 100.0, 2),
            Measure::Length => (message!("lab.effect-on-length").to_arg(), 1.0, 2),
            Measure::Complexity => (measure.short_name(), 1.0, 5),
            other => (other.short_name(), 1.0, 3),
        };
        for effect in lattice.main_effects() {
            let mut row = vec![TableCell::words(&name), TableCell::words(effect_name(&effect))];
            row.extend(effect_cells(&effect.difference, scale, decimals));
            rows.push(row);
        }
    }
    Section {
        heading: message!("lab.all-effects-heading").to_arg(),
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
        heading: message!("lab.interactions-heading").to_arg(),
        paragraphs: vec![message!("lab.interactions-explained").to_arg()],
        table: Some(Table {
            columns: effect_columns(message!("lab.column-changes")),
            rows: lattice.interactions().into_iter().map(row).collect(),
        }),
        ..Section::default()
    }
}
