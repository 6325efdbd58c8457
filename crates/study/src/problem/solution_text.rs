//! Solutions as text for problemists: keys with `!`, threats, defences with the same continuation on one line.
//!
//! In: a solution and the game at its position. Out: lines. Never: anything that is not in the solution.

use ashta_position::notation::{write_coordinates, write_san};
use ashta_position::{CompiledRules, Game, Move};

use ashta_rules::Setup;

use super::solution::{Attack, Defence, MateSolution, Threat, Try};
use super::tsume::Tsume;

pub fn mate_lines(rules: &CompiledRules, game: &Game, solution: &MateSolution) -> Vec<String> {
    let mut writer = SolutionWriter { rules, game: game.clone(), lines: Vec::new() };
    let n_moves = |n: u16| if n == 1 { "1 move".to_string() } else { format!("{n} moves") };
    match solution.moves {
        None => writer.lines.push(format!("no mate in {}", n_moves(solution.asked))),
        Some(n) => {
            let keys = match solution.keys.len() {
                1 => "one key".to_string(),
                n => format!("{n} keys"),
            };
            let shorter = match (n, solution.asked - n) {
                (1, _) => String::new(),
                (_, 0) => ", no shorter mate".to_string(),
                (_, _) => format!(", shorter than the {} asked for", solution.asked),
            };
            writer.lines.push(format!("mate in {}, {keys}{shorter}", n_moves(n)));
        }
    }
    for key in &solution.keys {
        let mark = if key.defences.is_empty() { "" } else { "!" };
        writer.attack(key, 1, mark, "");
    }
    writer.tries(&solution.tries);
    writer.lines
}

pub fn tsume_lines(game: &Game, tsume: &Tsume) -> Vec<String> {
    let keys: Vec<String> = tsume.keys.iter().map(|mv| write_san(game, *mv)).collect();
    let plies = if tsume.plies == 1 { "1 ply".to_string() } else { format!("{} plies", tsume.plies) };
    let first_moves = match keys.len() {
        1 => "one first move".to_string(),
        n => format!("{n} first moves ({})", keys.join(", ")),
    };
    let shorter = if tsume.plies == 1 { "" } else { ", none shorter" };
    let mut lines = vec![format!("mate by checks in {plies}, {first_moves}{shorter}")];
    let mut game = game.clone();
    for (n, mv) in tsume.line.iter().enumerate() {
        let others = match tsume.choices.get(n / 2).filter(|count| n % 2 == 0 && **count > 1) {
            Some(count) => format!("   {count} moves mate as soon"),
            None => String::new(),
        };
        let (san, coordinates) = (write_san(&game, *mv), write_coordinates(&game, *mv));
        lines.push(format!("{:>3}  {san:<10} {coordinates}{others}", n + 1).trim_end().to_string());
        game.play_unchecked(*mv);
    }
    lines
}

/// More refutations of a try than this are counted, not listed.
const MAX_NAMED: usize = 4;

struct SolutionWriter<'r> {
    rules: &'r CompiledRules,
    game: Game,
    lines: Vec<String>,
}

impl SolutionWriter<'_> {
    fn push(&mut self, depth: usize, text: String) {
        self.lines.push(format!("{}{text}", "    ".repeat(depth)));
    }

    fn san(&self, mv: Move) -> String {
        write_san(&self.game, mv)
    }

    /// A move of the attacker, after a prefix on the same line, and everything below it.
    fn attack(&mut self, attack: &Attack, number: usize, mark: &str, before: &str) {
        let text =
            format!("{before}{number}.{}{mark}{}", self.san(attack.mv), self.threat_text(attack, number));
        self.push(number - 1, text);
        self.game.play_unchecked(attack.mv);
        if let Threat::Moves(threats) = &attack.threat {
            self.below_threat(threats, number);
        }
        self.defences(&attack.defences, number);
        self.game.take_back();
    }

    fn threat_text(&self, attack: &Attack, number: usize) -> String {
        match &attack.threat {
            Threat::None | Threat::Check => String::new(),
            Threat::Zugzwang => "  zugzwang".to_string(),
            Threat::Moves(threats) => {
                let mut game = self.game.clone();
                game.play_unchecked(attack.mv);
                let Some(passed) = self.passed(&game) else { return String::new() };
                let texts: Vec<String> = threats.iter().map(|threat| write_san(&passed, threat.mv)).collect();
                format!("  threat: {}.{}", number + 1, texts.join(", "))
            }
        }
    }

    /// The continuation of the threat, where it takes more than a move.
    fn below_threat(&mut self, threats: &[Attack], number: usize) {
        let Some(passed) = self.passed(&self.game) else { return };
        let game = std::mem::replace(&mut self.game, passed);
        for threat in threats.iter().filter(|threat| !threat.defences.is_empty()) {
            self.attack(threat, number + 1, "", &format!("{number}...~  "));
        }
        self.game = game;
    }

    /// The same position with the other side to move.
    fn passed(&self, game: &Game) -> Option<Game> {
        let setup = game.setup();
        let passed = Setup { turn: 1 - setup.turn, en_passant: None, remembered_capture: None, ..setup };
        Game::of_problem(self.rules, &passed).ok()
    }

    fn defences(&mut self, defences: &[Defence], number: usize) {
        // Replies with the same continuation, if it needs no expansion, share a line.
        let mut groups: Vec<(Vec<&Defence>, Vec<Move>)> = Vec::new();
        for defence in defences.iter().filter(|defence| defence.parries) {
            let moves: Vec<Move> = defence.continuations.iter().map(|attack| attack.mv).collect();
            let ends = defence.continuations.iter().all(|attack| attack.defences.is_empty());
            match groups.iter_mut().find(|(members, answer)| {
                ends && *answer == moves && members[0].continuations == defence.continuations
            }) {
                Some((members, _)) => members.push(defence),
                None => groups.push((vec![defence], moves)),
            }
        }
        groups.sort_by_key(|(members, _)| std::cmp::Reverse(members[0].moves));
        for (members, _) in groups {
            self.group(&members, number);
        }
        self.others(defences, number);
    }

    fn group(&mut self, members: &[&Defence], number: usize) {
        let replies: Vec<String> = members.iter().map(|defence| self.san(defence.mv)).collect();
        let replies = format!("{number}...{}", replies.join(", "));
        let continuations = &members[0].continuations;
        self.game.play_unchecked(members[0].mv);
        let ends = continuations.iter().all(|attack| attack.defences.is_empty());
        let answers: Vec<String> = continuations.iter().map(|attack| self.san(attack.mv)).collect();
        let dual = if answers.len() > 1 { "  dual" } else { "" };
        match (ends, answers.is_empty()) {
            (true, true) => self.push(number, format!("{replies}  and the game is won")),
            (true, false) => {
                self.push(number, format!("{replies}  {}.{}{dual}", number + 1, answers.join(", ")));
            }
            (false, _) => {
                for attack in continuations {
                    let mark = if dual.is_empty() { "" } else { " (dual)" };
                    self.attack(attack, number + 1, mark, &format!("{replies}  "));
                }
            }
        }
        self.game.take_back();
    }

    /// Replies that do not parry the threat.
    fn others(&mut self, defences: &[Defence], number: usize) {
        let others: Vec<&Defence> = defences.iter().filter(|defence| !defence.parries).collect();
        if !others.is_empty() && others.len() < defences.len() {
            self.push(number, format!("{number}...others  the threat"));
        }
    }

    fn tries(&mut self, tries: &[Try]) {
        let (refuted, ended): (Vec<&Try>, Vec<&Try>) =
            tries.iter().partition(|attempt| !attempt.refutations.is_empty());
        let n_single = refuted.iter().filter(|attempt| attempt.refutations.len() == 1).count();
        if !tries.is_empty() {
            self.lines.push(format!("tries refuted by one move: {n_single}"));
        }
        for attempt in refuted {
            let text = self.san(attempt.mv);
            self.game.play_unchecked(attempt.mv);
            let refutations: Vec<String> = attempt.refutations.iter().map(|mv| self.san(*mv)).collect();
            self.game.take_back();
            let text_of_refutations = match refutations.len() {
                1 => format!("1...{}!", refutations[0]),
                2..=MAX_NAMED => format!("1...{}", refutations.join(", ")),
                n => format!("{n} replies refute it"),
            };
            self.lines.push(format!("1.{text}?  {text_of_refutations}"));
        }
        for attempt in ended {
            let text = self.san(attempt.mv);
            self.lines.push(format!("1.{text}?  leaves no reply and no mate"));
        }
    }
}
