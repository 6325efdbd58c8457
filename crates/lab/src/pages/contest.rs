//! Sections of contests: turns and dice, seats, who takes whose royal piece; skill and luck of any games.

use super::parts::{cell_name, table_of};
use crate::contest::ContestMeasures;
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
pub fn strength_summary(cells: &[CellResult]) -> Vec<String> {
    let skills = skill_results(cells);
    let best = |game: String| {
        let of_game = skills.iter().filter(|skill| skill.game == game);
        of_game.max_by(|a, b| a.score.value.total_cmp(&b.score.value))
    };
    let line = |skill: &SkillResult| {
        let percent = |share: &Estimate| TableCell::percent(share).text;
        format!(
            "{}: of {}, the pair furthest apart, the stronger scores {}%; luck decides {}% of the result.",
            skill.game,
            pair_name(skill),
            percent(&skill.score),
            percent(&skill.luck)
        )
    };
    distinct(cells, |cell| &cell.game).into_iter().filter_map(best).map(line).collect()
}

fn turns_section(cells: &[CellResult]) -> Section {
    let columns = vec![
        Column::numbers("expected", "turns"),
        Column::numbers("before the throw", "turns"),
        Column::numbers("after it (B)", "turns"),
        Column::numbers("moves of a turn", ""),
        Column::numbers("passes", "%"),
        Column::numbers("exchanges", "a game"),
        Column::numbers("blocks filled", "a game"),
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
        heading: "Turns and dice".into(),
        paragraphs: vec![
            "Legal turns: to be expected before the throw (the mean of all throws), before the throw if any piece could move \
             (two dice counted once), and after it."
                .into(),
        ],
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
    let relations = ["its own player", "the player after it", "its partner", "the player before it"];
    let mut columns = vec![Column::words("seat"), Column::words("by")];
    columns.extend(players.iter().map(|player| Column::numbers(player.clone(), "% won")));
    let mut rows = Vec::new();
    for (seat, name) in sides.iter().enumerate() {
        for (relation, words) in relations.iter().enumerate().take(n) {
            let mut row = vec![TableCell::words(name), TableCell::words(*words)];
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
    let axis = Axis::percent("games won by the seat, %");
    Some(Section {
        heading: "What each seat is worth".into(),
        paragraphs: vec![
            "Games won by each seat, by the player who sits there, over all cells: what the others were is mixed evenly only \
             if the experiment was planned so."
                .into(),
        ],
        figure: Some(Picture::new(
            "Games won by each seat, by the player who sits there.",
            Figure::Points(PointsFigure { series: players, rows: picture_rows, axis }),
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
    let mut columns = vec![Column::words("game"), Column::words("players"), Column::words("taken by")];
    columns.extend(sides.iter().map(|side| Column::numbers(format!("{side}'s"), "a game")));
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
        heading: "Who takes whose royal piece".into(),
        paragraphs: vec![
            "How often in a game, on average; a piece that came back may be taken again.".into(),
        ],
        table: Some(Table { columns, rows }),
        figure: takes_picture(cells),
    }
}

/// Royal pieces taken by those who sit after, opposite and before their owners.
fn takes_picture(cells: &[CellResult]) -> Option<Picture> {
    let series =
        ["of the next player", "of the partner", "of the player before"].map(str::to_string).to_vec();
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
            name: cell_name(cell, cells),
            points: (1..n).map(|relation| Some(sum(relation))).collect(),
        })
    };
    let rows = cells.iter().filter_map(row).collect();
    let four = cells.iter().all(|cell| cell.sides.len() == 4);
    let axis = Axis::plain("royal pieces taken in a game");
    four.then(|| {
        Picture::new(
            "Royal pieces taken in a game, by where their owner sits as seen by the taker.",
            Figure::Points(PointsFigure { series, rows, axis }),
        )
    })
}

/// Score of the stronger and the share of luck, where one player meets another over all sides.
fn skill_section(cells: &[CellResult]) -> Vec<Section> {
    let skills = skill_results(cells);
    if skills.is_empty() {
        return Vec::new();
    }
    let picture = |caption: &str, axis: Axis, value: fn(&SkillResult) -> Estimate| {
        let pair_name = |skill: &SkillResult| short_name(&skills, skill);
        let mut pairs: Vec<String> = skills.iter().map(pair_name).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let row = |game: String| {
            let of = |pair: &String| {
                skills.iter().find(|skill| skill.game == game && pair_name(skill) == *pair).map(value)
            };
            PointsRow { points: pairs.iter().map(of).collect(), name: game }
        };
        let rows = distinct(cells, |cell| &cell.game).into_iter().map(row).collect();
        Picture::new(caption, Figure::Points(PointsFigure { series: pairs, rows, axis }))
    };
    let columns = [("game", ""), ("stronger", ""), ("weaker", "")].map(|(name, _)| Column::words(name));
    let numbers = [Column::numbers("score of the stronger", "%"), Column::numbers("luck", "%")];
    let row = |skill: &SkillResult| {
        vec![
            TableCell::words(&skill.game),
            TableCell::words(&skill.stronger),
            TableCell::words(&skill.weaker),
            TableCell::percent(&skill.score),
            TableCell::percent(&skill.luck),
        ]
    };
    let table = Table {
        columns: columns.into_iter().chain(numbers).collect(),
        rows: skills.iter().map(row).collect(),
    };
    vec![
        Section {
            heading: "How far strength goes".into(),
            paragraphs: vec!["A win counts 1, a draw one half; partners play alike, and sides are changed about.".into()],
            figure: Some(picture("Score of the stronger player by game.", Axis::percent("score, %"), |skill| skill.score)),
            table: Some(table),
        },
        Section {
            heading: "How much luck decides".into(),
            paragraphs: vec![
                "The share of the variance of results that is not explained by who is the stronger: luck of the dice and of \
                 random choices among equal turns. Games without dice show what random choices alone do."
                    .into(),
            ],
            figure: Some(picture("Share of the result that luck decides.", Axis::percent("luck, %"), |skill| skill.luck)),
            ..Section::default()
        },
    ]
}

fn pair_name(skill: &SkillResult) -> String {
    format!("{} against {}", skill.stronger, skill.weaker)
}

/// The same without how much of a turn is looked at, so that one mark stands for P1 in all games; unless a game has both.
fn short_name(skills: &[SkillResult], skill: &SkillResult) -> String {
    let short = |skill: &SkillResult| pair_name(skill).replace("(first)", "");
    let name = short(skill);
    let same = |other: &&SkillResult| other.game == skill.game && short(other) == name;
    if skills.iter().filter(same).count() > 1 { pair_name(skill) } else { name }
}
