//! What is found in collections, as JSON: commands write it with `--json`, the API answers with it.
//!
//! In: results of queries, surveys, imports. Out: types that are written as JSON and described in the API. Never: an address.

use ashta_records::survey::Survey;
use ashta_records::{
    GameResult, Hit, ImportReport, NextMove, Player, PlayerScore, Query, QueryResult, write_query,
};
use ashta_rules::{Rules, Side};
use serde::Serialize;
use utoipa::ToSchema;

pub use crate::written_move::WrittenMove;

/// How much a query found.
#[derive(Serialize, ToSchema, Debug)]
pub struct FoundCounts {
    /// The query as the program writes it.
    pub query: String,
    pub positions: usize,
    pub games: usize,
    /// Intervals of games: what hits are counted in.
    pub intervals: usize,
}

impl FoundCounts {
    pub fn of(query: &Query, found: &QueryResult<'_>, rules: &Rules) -> FoundCounts {
        FoundCounts {
            query: write_query(query, rules),
            positions: found.n_positions(),
            games: found.n_games(),
            intervals: found.n_intervals(),
        }
    }
}

/// An interval of a game in which the query holds.
#[derive(Serialize, ToSchema, Debug)]
pub struct HitLine {
    /// The game's number, from 1.
    pub game: usize,
    /// The first ply.
    pub from: u16,
    /// The last ply.
    pub to: u16,
    /// The players, in order of moving.
    pub players: Vec<Option<String>>,
    /// `1971.08.12`, as far as it is known.
    pub date: Option<String>,
    pub event: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`.
    pub result: String,
    /// Plies of the game.
    pub plies: usize,
    /// The move that was played next.
    pub next: Option<WrittenMove>,
}

impl HitLine {
    /// `next` is the next move as it is written.
    pub fn of(hit: &Hit<'_>, next: Option<WrittenMove>) -> HitLine {
        HitLine {
            game: hit.game + 1,
            from: hit.from,
            to: hit.to - 1,
            players: hit.players.iter().map(|name| name.map(str::to_string)).collect(),
            date: date_text(hit.date),
            event: hit.event.map(str::to_string),
            result: hit.result.text(),
            plies: hit.n_plies,
            next,
        }
    }
}

/// `1971.08.12`, as far as it is known.
pub fn date_text(date: u32) -> Option<String> {
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    match (year, month, day) {
        (0, ..) => None,
        (_, 0, _) => Some(format!("{year:04}")),
        (_, _, 0) => Some(format!("{year:04}.{month:02}")),
        _ => Some(format!("{year:04}.{month:02}.{day:02}")),
    }
}

/// A move that was played, or the end of records.
#[derive(Serialize, ToSchema, Debug)]
pub struct NextLine {
    /// The move; nothing where records end.
    #[serde(rename = "move")]
    pub mv: Option<WrittenMove>,
    /// How often.
    pub count: u64,
    /// The share of all.
    pub share: f64,
    /// Wins of each side, in order of moving.
    pub wins: Vec<u64>,
    /// Draws.
    pub draws: u64,
    /// Games of which the result is not known.
    pub unknown: u64,
    /// Some games in which it was played, from 1.
    pub games: Vec<usize>,
}

impl NextLine {
    /// A move with its counts; `written` is the move as it is written at the position.
    pub fn of(next: &NextMove, written: Option<WrittenMove>, n_positions: u64, n_sides: usize) -> NextLine {
        NextLine {
            mv: written,
            count: next.n,
            share: next.n as f64 / n_positions.max(1) as f64,
            wins: (0..n_sides as u8).map(|side| next.with(GameResult::Won(Side(side)))).collect(),
            draws: next.with(GameResult::Draw),
            unknown: next.with(GameResult::Unknown),
            games: next.examples.iter().map(|game| game + 1).collect(),
        }
    }
}

/// Some players.
#[derive(Serialize, ToSchema, Debug)]
pub struct PlayersBody {
    /// How many there are.
    pub players: usize,
    /// Those asked for; who has the most games comes first.
    pub listed: Vec<RecordedPlayer>,
}

/// A player.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct RecordedPlayer {
    /// The name, as records have it.
    pub name: String,
    /// All games.
    #[serde(flatten)]
    pub all: ScoreLine,
    /// Games on each side, in order of moving.
    pub by_side: Vec<ScoreLine>,
    /// The first year with a game, where any is known.
    pub first_year: Option<u16>,
    /// The last year with a game.
    pub last_year: Option<u16>,
    /// The highest rating, where any is known.
    pub best_rating: Option<u16>,
}

/// Games and how they went.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct ScoreLine {
    /// Games.
    pub games: usize,
    /// Won.
    pub won: usize,
    /// Drawn.
    pub draws: usize,
    /// Lost; the rest have no known result.
    pub lost: usize,
    /// The share of points, a draw being half of one; nothing where no result is known.
    pub share: Option<f64>,
}

impl ScoreLine {
    pub fn of(score: &PlayerScore) -> ScoreLine {
        let PlayerScore { n_games, n_won, n_drawn, n_lost } = *score;
        ScoreLine { games: n_games, won: n_won, draws: n_drawn, lost: n_lost, share: score.share() }
    }
}

impl RecordedPlayer {
    /// What is known of a player.
    pub fn of(player: &Player) -> RecordedPlayer {
        let (first_year, last_year) = player.years.unzip();
        RecordedPlayer {
            name: player.name.to_string(),
            all: ScoreLine::of(&player.score()),
            by_side: player.by_side.iter().map(ScoreLine::of).collect(),
            first_year,
            last_year,
            best_rating: player.best_rating,
        }
    }
}

/// Positions of a collection.
#[derive(Serialize, ToSchema, Debug)]
pub struct SurveyCounts {
    /// Games.
    pub games: usize,
    /// Moves.
    pub plies: usize,
    /// Positions, each as often as it occurred.
    pub positions: usize,
    /// Different positions.
    pub distinct: usize,
    /// The share of positions that had occurred before.
    pub repeated_share: f64,
    /// How many different positions occurred so often.
    pub by_occurrence: Vec<OccurrenceLine>,
    /// How many different positions the first games have.
    pub growth: Vec<GrowthLine>,
    /// The law of growth, if there are enough games.
    pub fit: Option<FitLine>,
}

impl SurveyCounts {
    pub fn of(found: &Survey, by_occurrence: Vec<OccurrenceLine>) -> SurveyCounts {
        let growth = found.growth.iter().map(|point| GrowthLine {
            games: point.n_games,
            positions: point.n_positions,
            distinct: point.n_distinct,
            repeated_share: point.repeated_share(),
        });
        SurveyCounts {
            games: found.n_games,
            plies: found.n_plies,
            positions: found.n_positions,
            distinct: found.n_distinct,
            repeated_share: found.repeated_share(),
            by_occurrence,
            growth: growth.collect(),
            fit: found.fit.map(|fit| FitLine {
                exponent: fit.exponent,
                exponent_half_width: fit.exponent_half_width,
                repeated_share_at_ten_times: fit.repeated_share(found.n_positions as f64 * 10.0),
            }),
        }
    }
}

/// Positions that occurred so often.
#[derive(Serialize, ToSchema, Debug)]
pub struct OccurrenceLine {
    /// At least.
    pub from: u64,
    /// At most.
    pub to: u64,
    /// Different positions.
    pub positions: u64,
}

/// The first games of a collection.
#[derive(Serialize, ToSchema, Debug)]
pub struct GrowthLine {
    /// How many games.
    pub games: usize,
    /// Their positions.
    pub positions: usize,
    /// Their different positions.
    pub distinct: usize,
    /// The share of positions that had occurred before.
    pub repeated_share: f64,
}

/// Different positions grow as positions to a power.
#[derive(Serialize, ToSchema, Debug)]
pub struct FitLine {
    /// The power: 1 would mean that the share of repeated positions settles, less that it goes on growing.
    pub exponent: f64,
    /// Half the width of its 95% interval, of the fit alone.
    pub exponent_half_width: f64,
    /// The share of repeated positions at ten times as many games.
    pub repeated_share_at_ten_times: f64,
}

/// What an import came to.
#[derive(Serialize, ToSchema, Debug)]
pub struct ImportCounts {
    /// Imported games.
    pub added: usize,
    /// Positions of these.
    pub positions: usize,
    /// Games that were there already: the same moves from the same position, players and dates that agree.
    pub duplicates: usize,
    /// Of these, games of which this file knows more, which was added to them.
    pub merged: usize,
    /// Imported games with an invalid date; it is kept as text.
    pub not_dates: usize,
    /// Records that begin from a position that is none of a game, taken as diagrams.
    pub diagrams: usize,
    /// Rejected records.
    pub refused: usize,
}

impl ImportCounts {
    pub fn of(report: &ImportReport) -> ImportCounts {
        ImportCounts {
            added: report.n_added,
            positions: report.n_positions,
            duplicates: report.n_known,
            merged: report.n_merged,
            not_dates: report.n_not_dates,
            diagrams: report.n_diagrams,
            refused: report.n_refused,
        }
    }
}
