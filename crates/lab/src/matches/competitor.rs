//! Competitors as text: a player, a table of values, or a player with a table: `P'2`, `yss`, `A3(3)@./learned.values`.
//!
//! In: text, and the texts of files that it names. Out: a competitor. Never: files; the caller reads them.

use ashta_messages::Tell;
use ashta_play::{
    AlphaBetaPlayer, Clock, EngineLimit, ExternalEngine, ExternalEngineError, Player, PlayerError,
    PlayerPlan, Random, SearchDepths, UnfitPlayer,
};
use ashta_position::{CompiledRules, Game, Line, Move, Position};
use ashta_rules::{Rules, nearest};
use ashta_search::SearchWord;
use ashta_search::{MobilityCount, UnknownKeys, ValueNumbers, Values, ValuesError, read_numbers};
use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};

static TABLES: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../values");

/// Tables that are made from the rules.
const MADE: [&str; 3] = ["given", "mobility", "ones"];

/// Who plays, before sitting down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompetitorPlan {
    /// As it was typed.
    pub name: String,
    /// Nothing for the player that looks as far as the match says.
    pub player: Option<TypedPlayer>,
    /// The table of values, by its name or as the text of a file.
    pub values: Option<TableText>,
}

/// A player, and how it was typed: plans store the text, which their digest depends on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TypedPlayer {
    text: String,
    pub plan: PlayerPlan,
}

impl TryFrom<String> for TypedPlayer {
    type Error = PlayerError;

    fn try_from(text: String) -> Result<TypedPlayer, PlayerError> {
        Ok(TypedPlayer { plan: text.parse()?, text })
    }
}

impl From<TypedPlayer> for String {
    fn from(typed: TypedPlayer) -> String {
        typed.text
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableText {
    /// One that the program knows.
    Named(String),
    /// The text of a file.
    Text(String),
}

/// Why a text names no competitor.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum CompetitorError {
    /// Neither a player nor a table.
    #[code("lab.competitor-unknown")]
    Unknown {
        text: String,
        /// What may have been meant.
        nearest: Option<String>,
    },
    /// A table that does not fit the game.
    #[code("lab.competitor-values")]
    Values { name: String, game: String, source: ValuesError },
    /// Another program that cannot be started.
    #[code("lab.competitor-external")]
    External { name: String, source: ExternalEngineError },
    #[code(transparent)]
    Unfit(#[from] UnfitPlayer),
    /// A player that asks for the time, where there is none.
    #[code("lab.competitor-no-clock")]
    NoClock { name: String },
    /// The game's file gives no values.
    #[code("lab.competitor-values-missing")]
    NotGiven { game: String },
}

/// Names of all tables that need no file.
pub fn value_table_names() -> Vec<&'static str> {
    let files = TABLES.files().filter_map(|file| file.path().file_stem()?.to_str());
    let mut names: Vec<&str> = files.chain(MADE).collect();
    names.sort_unstable();
    names
}

impl CompetitorPlan {
    /// Reads a competitor; `read_file` gives the text of a file if the text may be a path to one.
    pub fn read<E: From<CompetitorError>>(
        text: &str,
        read_file: impl FnOnce(&str) -> Option<Result<String, E>>,
    ) -> Result<CompetitorPlan, E> {
        let typed = |text: &str| TypedPlayer::try_from(text.to_string());
        let unknown = |part: &str, error: Option<PlayerError>| {
            let names = value_table_names();
            let near = nearest(part, names.iter().copied()).map(str::to_string);
            let player = error.and_then(|error| error.nearest);
            CompetitorError::Unknown { text: part.chars().take(60).collect(), nearest: near.or(player) }
        };
        let (player, table) = match (text.split_once('@'), typed(text)) {
            (Some((player, table)), _) => {
                (Some(typed(player).map_err(|error| unknown(player, Some(error)))?), Some(table))
            }
            (None, Ok(player)) => (Some(player), None),
            (None, Err(_)) => (None, Some(text)),
        };
        let values = match table {
            None => None,
            Some(table) if value_table_names().contains(&table) => Some(TableText::Named(table.into())),
            Some(table) => match read_file(table) {
                Some(text) => Some(TableText::Text(text?)),
                None => return Err(unknown(table, typed(table).err()).into()),
            },
        };
        Ok(CompetitorPlan { name: text.to_string(), player, values })
    }

    fn values(&self, rules: &Rules) -> Result<Option<Values>, CompetitorError> {
        let wrong = |source| {
            let (name, game) = (self.name.clone(), rules.id().to_string());
            CompetitorError::Values { name, game, source }
        };
        let read = |text: &str, unknown_keys| {
            read_numbers(text, rules, unknown_keys).map(|numbers| Values::of_numbers(&numbers)).map_err(wrong)
        };
        Ok(match &self.values {
            None => None,
            Some(TableText::Text(text)) => Some(read(text, UnknownKeys::Reject)?),
            Some(TableText::Named(name)) => Some(match name.as_str() {
                "given" => Values::given(rules)
                    .ok_or_else(|| CompetitorError::NotGiven { game: rules.id().to_string() })?,
                "mobility" => Values::by_mobility(rules, MobilityCount::Moves),
                "ones" => ones(rules),
                name => read(table_text(name), UnknownKeys::Ignore)?,
            }),
        })
    }

    /// Sits down to a game; `clock` is for players that ask for the time.
    pub fn start(
        &self,
        rules: &CompiledRules,
        depths: SearchDepths,
        clock: Option<&Clock>,
    ) -> Result<Competitor, CompetitorError> {
        let values = self.values(rules.rules())?;
        let plan = self.player.as_ref().map(|player| &player.plan);
        let no_clock = || CompetitorError::NoClock { name: self.name.clone() };
        Ok(match (plan, values) {
            (Some(PlayerPlan::External(plan)), _) => {
                let wrong = |source| CompetitorError::External { name: self.name.clone(), source };
                let player = ExternalEngine::new(plan, rules).map_err(wrong)?;
                let clock = clock.cloned().ok_or_else(no_clock)?;
                Competitor::External(Box::new(ExternalCompetitor {
                    player,
                    rules: rules.clone(),
                    clock,
                    fault: None,
                }))
            }
            (Some(plan), values) => {
                let mut player = Player::new(plan, rules.rules(), values.as_ref())?;
                match (clock, plan) {
                    (Some(clock), _) => player.set_clock(clock.clone()),
                    (None, PlayerPlan::Engine(EngineLimit::Ms(_))) => return Err(no_clock()),
                    (None, _) => {}
                }
                Competitor::Player(Box::new(player))
            }
            (None, values) => {
                let values = values.unwrap_or_else(|| ones(rules.rules()));
                Competitor::AlphaBetaPlayer(Box::new(AlphaBetaPlayer::new(rules.rules(), values, depths)))
            }
        })
    }
}

fn table_text(name: &str) -> &'static str {
    let file = TABLES.get_file(format!("{name}.values"));
    file.and_then(|file| file.contents_utf8()).unwrap_or_default()
}

fn ones(rules: &Rules) -> Values {
    let on_board: Vec<f64> = rules.kinds().iter().map(|kind| if kind.royal { 0.0 } else { 1.0 }).collect();
    Values::of_numbers(&ValueNumbers { in_hand: on_board.clone(), on_board, ..ValueNumbers::default() })
}

#[derive(Debug)]
pub enum Competitor {
    /// A player of some name.
    Player(Box<Player>),
    /// The player of Sasaki (about 2004; 004), with values.
    AlphaBetaPlayer(Box<AlphaBetaPlayer>),
    External(Box<ExternalCompetitor>),
}

/// Another program at the board.
#[derive(Debug)]
pub struct ExternalCompetitor {
    player: ExternalEngine,
    rules: CompiledRules,
    clock: Clock,
    /// Why it could not begin the game.
    fault: Option<ExternalEngineError>,
}

impl ExternalCompetitor {
    fn choose<W: SearchWord>(&mut self, line: &Line<W>) -> Result<Move, ExternalEngineError> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let mut game = Game::start(&self.rules);
        line.moves().for_each(|mv| game.play_unchecked(mv));
        self.player.choose(&game, &*self.clock.0)
    }
}

impl Competitor {
    pub fn begin_game(&mut self) {
        match self {
            Competitor::Player(player) => player.begin_game(),
            Competitor::AlphaBetaPlayer(player) => player.begin_game(),
            Competitor::External(engine) => engine.fault = engine.player.begin_game().err(),
        }
    }

    /// Whether it can play from the start on either side; of other programs this is not known before they were tried.
    pub fn probe(&mut self) -> Result<(), ExternalEngineError> {
        match self {
            Competitor::Player(_) | Competitor::AlphaBetaPlayer(_) => Ok(()),
            Competitor::External(engine) => engine.player.probe(&*engine.clock.0),
        }
    }

    /// A move of the line's position, or why there is none; `moves` are the legal moves, `scratch` is memory.
    pub fn choose<W: SearchWord>(
        &mut self,
        line: &Line<W>,
        scratch: &mut Position<W>,
        moves: &[Move],
        random: &mut Random,
    ) -> Result<Move, ExternalEngineError> {
        match self {
            Competitor::Player(player) => Ok(player.choose_on_line(line, scratch, moves, random)),
            Competitor::AlphaBetaPlayer(player) => {
                scratch.clone_from(line.position());
                Ok(player.choose(scratch, moves, random))
            }
            Competitor::External(engine) => engine.choose(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<CompetitorPlan, CompetitorError> {
        CompetitorPlan::read(text, |path| path.ends_with(".values").then(|| Ok("pawn = 1".into())))
    }

    #[test]
    fn players_tables_and_both() {
        let named = |name: &str| Some(TableText::Named(name.into()));
        for (text, player, values) in [
            ("P'2", Some("P'2"), None),
            ("yss", None, named("yss")),
            ("A3(3)@mobility", Some("A3(3)"), named("mobility")),
            ("./x.values", None, Some(TableText::Text("pawn = 1".into()))),
        ] {
            let plan = read(text).expect(text);
            let typed = plan.player.map(String::from);
            assert_eq!((typed.as_deref(), plan.values), (player, values), "{text}");
        }
    }

    #[test]
    fn nobody_is_told_who_was_meant() {
        for (text, near) in
            [("ysss", Some("yss")), ("Q3", Some("P3")), ("A9(3)@yss", Some("A3(3)")), ("zzzzzzz", None)]
        {
            let error = read(text).expect_err(text);
            let CompetitorError::Unknown { nearest, .. } = error else { panic!("{text}") };
            assert_eq!(nearest.as_deref(), near, "{text}");
        }
    }

    #[test]
    fn every_table_fits_the_game_it_is_for() {
        let rules = ashta_rules::load("shogi").expect("the library is sound");
        for name in value_table_names() {
            let plan = read(name).expect(name);
            assert!(plan.values(&rules).expect(name).is_some());
        }
    }
}
