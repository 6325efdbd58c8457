//! The contest view: dice, eliminated sides, legal turns.

use ashta_position::{Action, Contest, Move, Roll, Stage, Turn, Turns};
use ashta_rules::{Side, Square};
use ashta_search::SearchWord;
use serde::Serialize;
use utoipa::ToSchema;

/// What a contest has besides pieces.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct ContestView {
    /// What comes next.
    pub stage: StageBody,
    /// The side that is asked about an exchange of royal pieces.
    pub asked: Option<u8>,
    /// The numbers thrown for this turn; empty before the throw, and in games without dice.
    pub roll: Vec<u8>,
    /// The turns that may be taken now.
    pub turns: Vec<LegalTurn>,
    /// Before a throw: every throw, each as likely as any other, and how many turns it would allow.
    pub throws: Vec<PossibleThrow>,
    /// Sides, in order of moving.
    pub sides: Vec<ContestSide>,
}

/// What comes next in a contest.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum StageBody {
    /// The dice are thrown.
    Throw,
    /// The side to move takes its turn.
    Turn,
    /// A side says whether it wants captured royal pieces exchanged.
    Exchange,
    /// Nothing: it is over.
    Over,
}

/// A turn: no move, one, or two.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct LegalTurn {
    /// `a1c3+c3a5`; `-` is a pass. This is what to send back.
    pub text: String,
    /// Its moves.
    pub legs: Vec<Leg>,
}

/// One move of a turn.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct Leg {
    /// Origin; `null` when a royal piece is put back.
    pub from: Option<String>,
    /// Where it goes.
    pub to: String,
    /// The royal piece that is put back.
    pub drop: Option<u8>,
    /// The kind that the piece becomes.
    pub becomes: Option<u8>,
}

/// A throw that the dice may show.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct PossibleThrow {
    /// `2-5`. This is what to send.
    pub text: String,
    /// How many turns it allows.
    pub n_turns: u32,
}

/// How a side fares.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct ContestSide {
    /// Whether it still plays.
    pub living: bool,
    /// Who holds its royal piece.
    pub held_by: Option<u8>,
    /// Whether it puts its royal piece back as soon as it may.
    pub returning: bool,
    /// Points for captures.
    pub points: u16,
}

impl ContestView {
    pub fn of<W: SearchWord>(contest: &Contest<W>, is_over: bool) -> ContestView {
        let (stage, asked) = match contest.stage() {
            _ if is_over => (StageBody::Over, None),
            Stage::Throw => (StageBody::Throw, None),
            Stage::Turn => (StageBody::Turn, None),
            Stage::Exchange(side) => (StageBody::Exchange, Some(side.0)),
        };
        let turns = match stage {
            StageBody::Turn => contest.legal_turns(),
            StageBody::Throw | StageBody::Exchange | StageBody::Over => Vec::new(),
        };
        let n_sides = contest.rules().sides().len() as u8;
        ContestView {
            stage,
            asked,
            roll: contest.turn_state().roll().map_or_else(Vec::new, numbers),
            turns: turns.into_iter().map(|turn| LegalTurn::of(contest, turn)).collect(),
            throws: if stage == StageBody::Throw { throws(contest) } else { Vec::new() },
            sides: (0..n_sides).map(|side| ContestSide::of(contest, Side(side))).collect(),
        }
    }
}

fn numbers(roll: Roll) -> Vec<u8> {
    std::iter::once(roll.first).chain(roll.second).collect()
}

impl LegalTurn {
    fn of<W: SearchWord>(contest: &Contest<W>, turn: Turn) -> LegalTurn {
        let leg = |mv: Move| {
            let grid = contest.rules().grid();
            let name = |square: Square| grid.name(square).to_string();
            let drop = match mv.action() {
                Action::Drop { kind, .. } => Some(kind.0),
                Action::Go { .. }
                | Action::Castle { .. }
                | Action::EnPassant { .. }
                | Action::TwoLegs { .. }
                | Action::Pass => None,
            };
            let becomes = mv.becomes().map(|kind| kind.0);
            Some(Leg { from: mv.from().map(name), to: name(mv.to()?), drop, becomes })
        };
        let legs = [turn.first, turn.second].into_iter().filter_map(leg).collect();
        LegalTurn { text: contest.turn_text(turn), legs }
    }
}

fn throws<W: SearchWord>(contest: &Contest<W>) -> Vec<PossibleThrow> {
    let mut turns = Turns::new(contest);
    turns.look(contest);
    let rolls: Vec<Roll> = turns.rolls().collect();
    let throw = |roll: Roll| PossibleThrow { text: roll.to_string(), n_turns: turns.count(Some(roll)) };
    rolls.into_iter().map(throw).collect()
}

impl ContestSide {
    fn of<W: SearchWord>(contest: &Contest<W>, side: Side) -> ContestSide {
        let fate = contest.turn_state();
        ContestSide {
            living: contest.is_living(side),
            held_by: fate.holder(side).map(|holder| holder.0),
            returning: contest.is_returning(side),
            points: fate.points(side),
        }
    }
}
