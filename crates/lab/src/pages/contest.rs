//! Sections of contests: turns and dice, seats, who takes whose royal piece; skill and luck of any games.

use ashta_messages::{Arg, Message, ToArg, message};

use super::parts::{cell_name, table_of};
use crate::contest_measures::ContestMeasures;
use crate::estimate::Estimate;
use crate::figures::{Axis, Figure, Picture, PointsFigure, PointsRow};
use crate::report::{Column, Section, Table, TableCell};
use crate::results::{CellResult, distinct};
use crate::skill::{SkillResult, skill_results};

/// What an experiment of contests is mostly made for: seats, strength and luck, where the cells have something to say.
pub fn strength_sections(cells: &[CellResult]) -> Vec<Section> {
    let seats = seats_section(&contests_of(cells));
    seats.into_iter().chain(skill_section(cells)).collect()
}

/// Who takes whose royal piece, turns and dice.
pub fn turn_sections(cells: &[CellResult]) -> Vec<Section> {
    let contests = contests_of(cells);
    if contests.is_empty() { Vec::new() } else { vec![takes_section(&contests), turns_section(&contests)] }
}

fn contests_of(cells: &[CellResult]) -> Vec<CellResult> {
    cells.iter().filter(|cell| cell.contest.is_some()).cloned().collect()
}

/// For each game: what the player who gains most by its strength makes of it.
pub fn strength_summary(cells: &[CellResult]) -> Vec<Arg> {
    let skills = skill_results(cells);
    let best = |game: String| {
        let of_game = skills.iter().filter(|skill| skill.game == game);
        of_game.max_by(|a, b| a.score.value.total_cmp(&b.score.value))
    };
    let line = |skill: &SkillResult| {
        let percent = |share: &Estimate| TableCell::percent(share).text;
        let SkillResult { game, score, luck, .. } = skill;
        let (pair, score, luck) = (pair_name(skill), percent(score), percent(luck));
        message!("lab.strength-summary", game, pair, score, luck).to_arg()
    };
    distinct(cells, |cell| &cell.game).into_iter().filter_map(best).map(line).collect()
}

fn turns_section(cells: &[CellResult]) -> Section {
    let columns = vec![
        Column::numbers(message!("lab.column-expected")).unit(message!("lab.unit-turns")),
        Column::numbers(message!("lab.column-before-throw")).unit(message!("lab.unit-turns")),
        Column::numbers(message!("lab.column-after-throw")).unit(message!("lab.unit-turns")),
        Column::numbers(message!("lab.column-moves-of-turn")),
        Column::numbers(message!("lab.column-passes")).percent(),
        Column::numbers(message!("lab.column-exchanges")).unit(message!("lab.unit-per-game")),
        Column::numbers(message!("lab.column-blocks")).unit(message!("lab.unit-per-game")),
    ];
    let table = table_of(cells, columns, |cell| {
        let Some(contest) = &cell.contest else { return Vec::new() };
        vec![
            TableCell::estimate(&contest.expected),
            TableCell::estimate(&contest.before),
            TableCell::estimate(&cell.measures.branching),
            TableCell::estimate(&contest.piece_moves),
            TableCell::percent(&contest.passes),
            TableCell::estimate(&contest.exchanges),
            TableCell::estimate(&contest.blocks),
        ]
    });
    Section {
        heading: message!("lab.turns-heading").to_arg(),
        paragraphs: vec![message!("lab.turns-explained").to_arg()],
        table: Some(table),
        ..Section::default()
    }
}

/// How often each seat wins, by who sits there, beside it and opposite; only where seats have different players.
fn seats_section(cells: &[CellResult]) -> Option<Section> {
    let mixed = |cell: &CellResult| cell.seats.windows(2).any(|pair| pair[0] != pair[1]);
    let sides = &cells.first()?.sides;
    let same_game = cells.iter().all(|cell| cell.game == cells[0].game);
    if !same_game || !cells.iter().any(mixed) {
        return None;
    }
    let players = distinct_seats(cells);
    let n = sides.len();
    let share = |seat: usize, relation: usize, player: &str| -> Option<Estimate> {
        let of: Vec<&CellResult> =
            cells.iter().filter(|cell| cell.seats[(seat + relation) % n] == player).collect();
        let rows = of.iter().flat_map(|cell| &cell.tally.rows);
        let (won, all) =
            rows.fold((0, 0), |(won, all), row| (won + usize::from(row.winner == Some(seat as u8)), all + 1));
        (all > 0).then(|| Estimate::share(won, all))
    };
    let relations = [
        message!("lab.seat-own"),
        message!("lab.seat-after"),
        message!("lab.seat-partner"),
        message!("lab.seat-before"),
    ];
    let mut columns =
        vec![Column::words(message!("lab.column-seat")), Column::words(message!("lab.column-by"))];
    columns.extend(players.iter().map(|player| Column::numbers(player).unit(message!("lab.unit-won"))));
    let mut rows = Vec::new();
    for (seat, name) in sides.iter().enumerate() {
        for (relation, words) in relations.iter().enumerate().take(n) {
            let mut row = vec![TableCell::words(name), TableCell::words(words)];
            row.extend(players.iter().map(|player| {
                share(seat, relation, player).as_ref().map(TableCell::percent).unwrap_or_default()
            }));
            rows.push(row);
        }
    }
    let picture_rows = sides
        .iter()
        .enumerate()
        .map(|(seat, name)| PointsRow {
            name: name.clone(),
            points: players.iter().map(|player| share(seat, 0, player)).collect(),
        })
        .collect();
    let axis = Axis::percent(message!("lab.seats-axis"));
    let series = players.iter().map(ToArg::to_arg).collect();
    Some(Section {
        heading: message!("lab.seats-heading").to_arg(),
        paragraphs: vec![message!("lab.seats-explained").to_arg()],
        figure: Some(Picture::new(
            message!("lab.seats-caption"),
            Figure::Points(PointsFigure { series, rows: picture_rows, axis }),
        )),
        table: Some(Table { columns, rows }),
    })
}

fn distinct_seats(cells: &[CellResult]) -> Vec<String> {
    let mut players: Vec<String> = cells.iter().flat_map(|cell| cell.seats.iter().cloned()).collect();
    players.sort_unstable();
    players.dedup();
    players
}

/// Who takes whose last royal piece, in a game.
fn takes_section(cells: &[CellResult]) -> Section {
    let sides = cells[0].sides.clone();
    let mut columns = vec![
        Column::words(message!("lab.column-game")),
        Column::words(message!("lab.column-players")),
        Column::words(message!("lab.column-taken-by")),
    ];
    let takes_of = |side| message!("lab.column-takes-of", side);
    columns
        .extend(sides.iter().map(|side| Column::numbers(takes_of(side)).unit(message!("lab.unit-per-game"))));
    let mut rows = Vec::new();
    for cell in cells {
        let Some(ContestMeasures { takes, .. }) = &cell.contest else { continue };
        for (by, row) in takes.iter().enumerate() {
            let mut line = vec![TableCell::words(&cell.game), TableCell::words(&cell.players)];
            line.push(TableCell::words(cell.sides.get(by).cloned().unwrap_or_default()));
            line.extend(
                row.iter().enumerate().map(|(of, taken)| {
                    if of == by { TableCell::default() } else { TableCell::estimate(taken) }
                }),
            );
            rows.push(line);
        }
    }
    Section {
        heading: message!("lab.takes-heading").to_arg(),
        paragraphs: vec![message!("lab.takes-explained").to_arg()],
        table: Some(Table { columns, rows }),
        figure: takes_picture(cells),
    }
}

/// Royal pieces taken by those who sit after, opposite and before their owners.
fn takes_picture(cells: &[CellResult]) -> Option<Picture> {
    let series =
        [message!("lab.takes-of-next"), message!("lab.takes-of-partner"), message!("lab.takes-of-previous")];
    let row = |cell: &CellResult| {
        let takes = &cell.contest.as_ref()?.takes;
        let n = takes.len();
        let sum = |relation: usize| {
            let of = |by: usize| takes[by][(by + relation) % n];
            let value = (0..n).map(|by| of(by).value).sum();
            let error = (0..n).map(|by| of(by).standard_error.powi(2)).sum::<f64>().sqrt();
            Estimate {
                value,
                low: value - 1.96 * error,
                high: value + 1.96 * error,
                standard_error: error,
                n: of(0).n,
            }
        };
        Some(PointsRow {
            name: cell_name(cell, cells).to_arg(),
            points: (1..n).map(|relation| Some(sum(relation))).collect(),
        })
    };
    let rows = cells.iter().filter_map(row).collect();
    let four = cells.iter().all(|cell| cell.sides.len() == 4);
    let axis = Axis::plain(message!("lab.takes-axis"));
    let series = series.iter().map(ToArg::to_arg).collect();
    four.then(|| {
        Picture::new(message!("lab.takes-caption"), Figure::Points(PointsFigure { series, rows, axis }))
    })
}

/// Score of the stronger and the share of luck, where one player meets another over all sides.
fn skill_section(cells: &[CellResult]) -> Vec<Section> {
    let skills = skill_results(cells);
    if skills.is_empty() {
        return Vec::new();
    }
    let picture = |caption: Message, axis: Axis, value: fn(&SkillResult) -> Estimate| {
        let pair_name = |skill: &SkillResult| short_name(&skills, skill);
        let mut pairs: Vec<Message> = skills.iter().map(pair_name).collect();
        pairs.sort_by_key(ToString::to_string);
        pairs.dedup();
        let row = |game: String| {
            let of = |pair: &Message| {
                skills.iter().find(|skill| skill.game == game && pair_name(skill) == *pair).map(value)
            };
            PointsRow { points: pairs.iter().map(of).collect(), name: game.to_arg() }
        };
        let rows = distinct(cells, |cell| &cell.game).into_iter().map(row).collect();
        let series = pairs.iter().map(ToArg::to_arg).collect();
        Picture::new(caption, Figure::Points(PointsFigure { series, rows, axis }))
    };
    let columns = vec![
        Column::words(message!("lab.column-game")),
        Column::words(message!("lab.column-stronger")),
        Column::words(message!("lab.column-weaker")),
        Column::numbers(message!("lab.column-score-of-stronger")).percent(),
        Column::numbers(message!("lab.column-luck")).percent(),
    ];
    let row = |skill: &SkillResult| {
        vec![
            TableCell::words(&skill.game),
            TableCell::words(&skill.stronger),
            TableCell::words(&skill.weaker),
            TableCell::percent(&skill.score),
            TableCell::percent(&skill.luck),
        ]
    };
    let table = Table { columns, rows: skills.iter().map(row).collect() };
    let score_axis = Axis::percent(message!("lab.score-axis"));
    let luck_axis = Axis::percent(message!("lab.luck-axis"));
    vec![
        Section {
            heading: message!("lab.strength-heading").to_arg(),
            paragraphs: vec![message!("lab.strength-explained").to_arg()],
            figure: Some(picture(message!("lab.strength-caption"), score_axis, |skill| skill.score)),
            table: Some(table),
        },
        Section {
            heading: message!("lab.luck-heading").to_arg(),
            paragraphs: vec![message!("lab.luck-explained").to_arg()],
            figure: Some(picture(message!("lab.luck-caption"), luck_axis, |skill| skill.luck)),
            ..Section::default()
        },
    ]
}

fn pair_name(skill: &SkillResult) -> Message {
    message!("lab.pair-against", stronger = skill.stronger, weaker = skill.weaker)
}

/// The same without how much of a turn is looked at, so that one mark stands for P1 in all games; unless a game has both.
fn short_name(skills: &[SkillResult], skill: &SkillResult) -> Message {
    let short = |skill: &SkillResult| {
        let [stronger, weaker] = [&skill.stronger, &skill.weaker].map(|player| player.replace("(first)", ""));
        message!("lab.pair-against", stronger, weaker)
    };
    let name = short(skill);
    let same = |other: &&SkillResult| other.game == skill.game && short(other) == name;
    if skills.iter().filter(same).count() > 1 { pair_name(skill) } else { name }
}
