//! Solutions for programs.

use ashta_position::notation::{write_coordinates, write_san};
use ashta_position::{CompiledRules, Game, Move};
use ashta_rules::Setup;
use ashta_study::problem::{Attack, Defence, MateSolution, Threat, Try, TsumeAnswer};
use serde::Serialize;

/// The solution of a mate in n.
#[derive(Serialize)]
pub struct MateJson {
    pub position: String,
    pub asked: u16,
    /// Nothing if there is no mate within `asked`.
    pub mate_in: Option<u16>,
    pub keys: Vec<AttackJson>,
    pub tries: Vec<TryJson>,
    pub nodes: u64,
}

#[derive(Serialize)]
pub struct AttackJson {
    #[serde(rename = "move")]
    text: String,
    coordinates: String,
    /// `check`, `zugzwang`, `threat`; nothing at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    aim: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    threats: Vec<AttackJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    defences: Vec<DefenceJson>,
}

#[derive(Serialize)]
struct DefenceJson {
    #[serde(rename = "move")]
    text: String,
    coordinates: String,
    mate_in: u16,
    /// Whether it stops what was threatened; if not, the threat is the continuation.
    parries: bool,
    dual: bool,
    continuations: Vec<AttackJson>,
}

#[derive(Serialize)]
pub struct TryJson {
    #[serde(rename = "move")]
    text: String,
    coordinates: String,
    refutations: Vec<String>,
}

/// A mate by checks.
#[derive(Serialize)]
pub struct TsumeJson {
    pub position: String,
    /// `mate`, `not-within` (of `plies`), `never`.
    pub answer: &'static str,
    pub plies: Option<u16>,
    pub keys: Vec<String>,
    pub line: Vec<String>,
    /// How many moves mate as soon, at each of the attacker's.
    pub choices: Vec<usize>,
    pub nodes: u64,
}

pub fn mate(rules: &CompiledRules, game: &Game, solution: &MateSolution) -> MateJson {
    let mut teller = Teller { rules, game: game.clone() };
    MateJson {
        position: game.text(),
        asked: solution.asked,
        mate_in: solution.moves,
        keys: solution.keys.iter().map(|key| teller.attack(key)).collect(),
        tries: solution.tries.iter().map(|attempt| teller.attempt(attempt)).collect(),
        nodes: solution.n_nodes,
    }
}

pub fn tsume(game: &Game, answer: &TsumeAnswer, nodes: u64) -> TsumeJson {
    let mut told = TsumeJson {
        position: game.text(),
        answer: "never",
        plies: None,
        keys: Vec::new(),
        line: Vec::new(),
        choices: Vec::new(),
        nodes,
    };
    match answer {
        TsumeAnswer::Never => {}
        TsumeAnswer::NotWithin(plies) => (told.answer, told.plies) = ("not-within", Some(*plies)),
        TsumeAnswer::Mate(mate) => {
            (told.answer, told.plies) = ("mate", Some(mate.plies));
            told.keys = mate.keys.iter().map(|mv| write_coordinates(game, *mv)).collect();
            told.choices = mate.choices.clone();
            let mut game = game.clone();
            for mv in &mate.line {
                told.line.push(write_coordinates(&game, *mv));
                game.play_unchecked(*mv);
            }
        }
    }
    told
}

struct Teller<'r> {
    rules: &'r CompiledRules,
    game: Game,
}

impl Teller<'_> {
    fn texts(&self, mv: Move) -> (String, String) {
        (write_san(&self.game, mv), write_coordinates(&self.game, mv))
    }

    fn attack(&mut self, attack: &Attack) -> AttackJson {
        let (text, coordinates) = self.texts(attack.mv);
        self.game.play_unchecked(attack.mv);
        let (aim, threats) = match &attack.threat {
            Threat::None => (None, Vec::new()),
            Threat::Check => (Some("check"), Vec::new()),
            Threat::Zugzwang => (Some("zugzwang"), Vec::new()),
            Threat::Moves(threats) => (Some("threat"), self.threats(threats)),
        };
        let defences = attack.defences.iter().map(|defence| self.defence(defence)).collect();
        self.game.take_back();
        AttackJson { text, coordinates, aim, threats, defences }
    }

    fn threats(&mut self, threats: &[Attack]) -> Vec<AttackJson> {
        let setup = self.game.setup();
        let setup = Setup { turn: 1 - setup.turn, en_passant: None, ..setup };
        let Ok(passed) = Game::of_problem(self.rules, &setup) else { return Vec::new() };
        let game = std::mem::replace(&mut self.game, passed);
        let told = threats.iter().map(|threat| self.attack(threat)).collect();
        self.game = game;
        told
    }

    fn defence(&mut self, defence: &Defence) -> DefenceJson {
        let (text, coordinates) = self.texts(defence.mv);
        self.game.play_unchecked(defence.mv);
        let continuations: Vec<AttackJson> =
            defence.continuations.iter().map(|attack| self.attack(attack)).collect();
        self.game.take_back();
        let (mate_in, parries) = (defence.moves, defence.parries);
        let dual = parries && continuations.len() > 1;
        DefenceJson { text, coordinates, mate_in, parries, dual, continuations }
    }

    fn attempt(&mut self, attempt: &Try) -> TryJson {
        let (text, coordinates) = self.texts(attempt.mv);
        self.game.play_unchecked(attempt.mv);
        let refutations = attempt.refutations.iter().map(|mv| write_san(&self.game, *mv)).collect();
        self.game.take_back();
        TryJson { text, coordinates, refutations }
    }
}
