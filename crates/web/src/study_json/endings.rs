//! Endings for programs and for the page.

use ashta_position::Game;
use ashta_position::notation::{write_coordinates, write_san};
use ashta_rules::Side;
use ashta_study::ending::{Endings, Tablebase, TablebaseValue, ValueCounts};
use serde::Serialize;
use utoipa::ToSchema;

/// Statistics of an endgame table.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct EndingJson {
    /// `chess`.
    pub game: String,
    /// `KBNK`.
    pub material: String,
    /// `king, bishop, knight against king`.
    pub words: String,
    /// With each side to move.
    pub sides: Vec<EndingSideJson>,
}

/// An ending with one side to move. Symmetric positions are counted once.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct EndingSideJson {
    pub to_move: String,
    /// Positions that it wins.
    pub won: u64,
    /// Positions that it loses.
    pub lost: u64,
    /// Drawn positions.
    pub drawn: u64,
    /// How long its longest win is.
    pub longest_win_plies: Option<u16>,
    /// A position that has it.
    pub longest_win: Option<String>,
}

/// What a position and each of its moves are worth.
#[derive(Serialize, ToSchema, Debug)]
pub struct ProbeJson {
    pub position: String,
    /// To the side to move.
    pub worth: WorthJson,
    /// Every legal move, the best first.
    pub moves: Vec<MoveWorthJson>,
}

/// What something is worth to a side.
#[derive(Serialize, ToSchema, Debug)]
pub struct WorthJson {
    /// `win`, `loss` or `draw`.
    pub result: &'static str,
    /// Until the end.
    pub plies: Option<u16>,
}

/// What a move is worth to the side that makes it.
#[derive(Serialize, ToSchema, Debug)]
pub struct MoveWorthJson {
    /// As players write it.
    #[serde(rename = "move")]
    pub text: String,
    /// From and to.
    pub coordinates: String,
    /// Its worth.
    pub worth: WorthJson,
}

pub fn ending(endings: &Endings, table: &Tablebase) -> EndingJson {
    let rules = endings.rules().rules();
    EndingJson {
        game: rules.id().to_string(),
        material: table.material.name(rules),
        words: table.material.words(rules),
        sides: (0..2).map(|side| of_side(endings, table, Side(side))).collect(),
    }
}

fn of_side(endings: &Endings, table: &Tablebase, side: Side) -> EndingSideJson {
    let rules = endings.rules().rules();
    let ValueCounts { wins, losses, draws } = table.counts(side.0);
    let longest = table.longest(side.0, 1).filter(|(plies, _)| *plies > 0);
    let position = longest.as_ref().and_then(|(_, found)| {
        let squares = found.first()?;
        Some(endings.game_at(&table.material, &squares[..table.material.n_pieces()], side)?.text())
    });
    EndingSideJson {
        to_move: rules.sides()[side.index()].name.clone(),
        won: wins,
        lost: losses,
        drawn: draws,
        longest_win_plies: longest.map(|(plies, _)| plies),
        longest_win: position,
    }
}

/// A position of a table that is ready; none if it is not.
pub fn probe(endings: &Endings, game: &Game) -> Option<ProbeJson> {
    let worth = endings.probe(game)?;
    let moves = endings.moves(game).into_iter().map(|(mv, worth)| MoveWorthJson {
        text: write_san(game, mv),
        coordinates: write_coordinates(game, mv),
        worth: worth.into(),
    });
    Some(ProbeJson { position: game.text(), worth: worth.into(), moves: moves.collect() })
}

impl From<TablebaseValue> for WorthJson {
    fn from(worth: TablebaseValue) -> WorthJson {
        match worth {
            TablebaseValue::Win(plies) => WorthJson { result: "win", plies: Some(plies) },
            TablebaseValue::Loss(plies) => WorthJson { result: "loss", plies: Some(plies) },
            TablebaseValue::Draw => WorthJson { result: "draw", plies: None },
        }
    }
}
