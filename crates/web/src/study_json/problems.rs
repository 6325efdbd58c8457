//! Solutions for programs and for the page.

use std::time::Duration;

use ashta_position::notation::{write_coordinates, write_san};
use ashta_position::{CompiledRules, Game, Move};
use ashta_rules::Setup;
use ashta_study::problem::{
    Attack, Defence, MateSolution, ProblemText, SolvedProblem, Threat, Try, TsumeAnswer,
};
use serde::Serialize;
use utoipa::ToSchema;

/// The solution of a mate in n.
#[derive(Serialize, ToSchema, Debug)]
pub struct MateJson {
    /// Where it starts.
    pub position: String,
    /// Within how many moves a mate was looked for.
    pub asked: u16,
    /// Nothing if there is no mate within `asked`.
    pub mate_in: Option<u16>,
    /// Every first move that mates in so many.
    pub keys: Vec<AttackJson>,
    /// Every other first move, if asked for, the best tries first.
    pub tries: Vec<TryJson>,
    /// Positions looked at.
    pub nodes: u64,
}

/// A move of the attacker with everything that may follow.
#[derive(Serialize, ToSchema, Debug)]
pub struct AttackJson {
    /// As players write it.
    #[serde(rename = "move")]
    text: String,
    /// From and to.
    coordinates: String,
    /// `check`, `zugzwang`, `threat`; nothing at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    aim: Option<&'static str>,
    /// What would follow if the defender could pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    threats: Vec<AttackJson>,
    /// Every legal reply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    defences: Vec<DefenceJson>,
}

/// A reply.
#[derive(Serialize, ToSchema, Debug)]
struct DefenceJson {
    /// As players write it.
    #[serde(rename = "move")]
    text: String,
    /// From and to.
    coordinates: String,
    /// Within how many moves the attacker wins after it.
    mate_in: u16,
    /// Whether it stops what was threatened; if not, the threat is the continuation.
    parries: bool,
    /// Whether more than one move answers it.
    dual: bool,
    /// Every move that wins in so many.
    #[schema(no_recursion)]
    continuations: Vec<AttackJson>,
}

/// A first move that does not win in time.
#[derive(Serialize, ToSchema, Debug)]
pub struct TryJson {
    /// As players write it.
    #[serde(rename = "move")]
    text: String,
    /// From and to.
    coordinates: String,
    /// The replies that refute it, as players write them.
    refutations: Vec<String>,
    /// The same, from and to.
    replies: Vec<String>,
}

/// A mate by checks.
#[derive(Serialize, ToSchema, Debug)]
pub struct TsumeJson {
    /// Where it starts.
    pub position: String,
    /// `mate`, `not-within` (of `plies`), `never`.
    pub answer: &'static str,
    /// Its length.
    pub plies: Option<u16>,
    /// Every first move that has it.
    pub keys: Vec<String>,
    /// The longest defence.
    pub line: Vec<String>,
    /// The same as players write it.
    pub moves: Vec<String>,
    /// How many moves mate as soon, at each of the attacker's.
    pub choices: Vec<usize>,
    /// Positions looked at.
    pub nodes: u64,
}

/// One problem of a file.
#[derive(Serialize, ToSchema, Debug)]
pub struct SolvedJson {
    /// Its line in the file, from 1.
    pub line: usize,
    /// What the file calls it.
    pub id: Option<String>,
    pub position: String,
    /// Moves of the side to move, or plies of a mate by checks; nothing if there is no mate.
    pub length: Option<u16>,
    /// `moves` or `plies`.
    pub unit: &'static str,
    /// The first moves that mate, as players write them.
    pub keys: Vec<String>,
    /// The same, from and to.
    pub coordinates: Vec<String>,
    /// Whether that is what the file says; nothing if it says nothing.
    pub agrees: Option<bool>,
    /// Positions looked at.
    pub nodes: u64,
    /// How long it took.
    pub ms: f64,
}

/// One problem of a file with how long it took.
pub fn solved(problem: &ProblemText, solved: &SolvedProblem, elapsed: Duration) -> SolvedJson {
    SolvedJson {
        line: problem.line,
        id: problem.id.clone(),
        position: problem.position.clone(),
        length: solved.length,
        unit: if solved.by_checks { "plies" } else { "moves" },
        keys: solved.keys.iter().map(|(san, _)| san.clone()).collect(),
        coordinates: solved.keys.iter().map(|(_, coordinates)| coordinates.clone()).collect(),
        agrees: solved.agrees,
        nodes: solved.n_nodes,
        ms: elapsed.as_secs_f64() * 1e3,
    }
}

/// A mate in n.
pub fn mate(rules: &CompiledRules, game: &Game, solution: &MateSolution) -> MateJson {
    let mut writer = TreeWriter { rules, game: game.clone() };
    MateJson {
        position: game.text(),
        asked: solution.asked,
        mate_in: solution.moves,
        keys: solution.keys.iter().map(|key| writer.attack(key)).collect(),
        tries: solution.tries.iter().map(|attempt| writer.attempt(attempt)).collect(),
        nodes: solution.n_nodes,
    }
}

/// What came of looking for a mate by checks.
pub fn tsume(game: &Game, answer: &TsumeAnswer, nodes: u64) -> TsumeJson {
    let mut json = TsumeJson {
        position: game.text(),
        answer: "never",
        plies: None,
        keys: Vec::new(),
        line: Vec::new(),
        moves: Vec::new(),
        choices: Vec::new(),
        nodes,
    };
    match answer {
        TsumeAnswer::Never => {}
        TsumeAnswer::NotWithin(plies) => (json.answer, json.plies) = ("not-within", Some(*plies)),
        TsumeAnswer::Mate(mate) => {
            (json.answer, json.plies) = ("mate", Some(mate.plies));
            json.keys = mate.keys.iter().map(|mv| write_coordinates(game, *mv)).collect();
            json.choices = mate.choices.clone();
            let mut game = game.clone();
            for mv in &mate.line {
                json.line.push(write_coordinates(&game, *mv));
                json.moves.push(write_san(&game, *mv));
                game.play_unchecked(*mv);
            }
        }
    }
    json
}

struct TreeWriter<'r> {
    rules: &'r CompiledRules,
    game: Game,
}

impl TreeWriter<'_> {
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
        let json = threats.iter().map(|threat| self.attack(threat)).collect();
        self.game = game;
        json
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
        let replies = attempt.refutations.iter().map(|mv| write_coordinates(&self.game, *mv)).collect();
        self.game.take_back();
        TryJson { text, coordinates, refutations, replies }
    }
}
