//! Sample collections, played by the engine at the first start.
//!
//! In: a data folder without collections. Out: two collections, some seconds later. Never: again after they were deleted.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

use ashta_messages::message;
use ashta_play::{Level, Player, PlayerPlan, Random};
use ashta_position::{CompiledRules, Game, with_line};
use ashta_records::import::Rejection;
use ashta_records::{
    CollectionWriter, Format, GameRecord, GameResult, ImportObserver, ImportPlan, ImportReport, import, tag,
    write_record,
};

use crate::api_error::ApiError;
use crate::app_state::AppState;
use crate::collection_cache::{SampleProgress, collection_error};
use crate::data_folder::{DataFolder, Name};
use ashta_records::write_atomic;

/// Games of each sample.
const N_GAMES: usize = 200;
/// Games are broken off here: level players seldom need more.
const MAX_PLIES: usize = 200;
/// The same games on every machine.
const SEED: u64 = 8;
/// Weak enough for decisive games, fast enough to finish in seconds.
const LEVELS: [u8; 3] = [1, 2, 3];
/// Formats whose usual games are played.
const FORMATS: [Format; 2] = [Format::Pgn, Format::Kif];

/// Starts a background thread if there are no collections.
pub fn begin(state: Arc<AppState>) {
    let there = DataFolder::names(&state.folder.collections(), "").unwrap_or_default();
    let mut plays: Vec<SampleProgress> =
        FORMATS.iter().filter_map(|format| planned(format.default_game())).collect();
    let is_sample = |name: &Name| plays.iter().any(|play| play.name == *name);
    if state.folder.samples_note().exists() || !there.iter().all(is_sample) {
        return;
    }
    // One may have been made before a kill.
    plays.retain(|play| !there.contains(&play.name));
    *state.collection_cache.playing.lock().unwrap_or_else(PoisonError::into_inner) = plays.clone();
    let spawned = std::thread::Builder::new().name("samples".into()).spawn({
        let state = state.clone();
        move || {
            for play in plays {
                if let Err(api_error) = make(&state, &play) {
                    let error = api_error.to_string();
                    eprintln!("{}", message!("web.sample-failed", name = play.name, error));
                }
                let mut playing =
                    state.collection_cache.playing.lock().unwrap_or_else(PoisonError::into_inner);
                playing.retain(|other| other.name != play.name);
            }
            // Without the marker deleted samples come back: no harm.
            let _ = write_atomic(&state.folder.samples_note(), "");
        }
    });
    if spawned.is_err() {
        state.collection_cache.playing.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

fn planned(game: &str) -> Option<SampleProgress> {
    let name = Name::read(&format!("sample-{game}")).ok()?;
    Some(SampleProgress { name, game: game.to_string(), n_done: 0, n_games: N_GAMES })
}

/// Plays the games and puts them into a collection, all at once.
fn make(state: &AppState, play: &SampleProgress) -> Result<(), ApiError> {
    let rules = state.rules(&play.game)?;
    let mut players: Vec<(Level, Player)> = Vec::new();
    for level in LEVELS.iter().flat_map(|number| [*number; 2]).filter_map(Level::new) {
        let player = Player::new(&PlayerPlan::Level(level), rules.rules(), None);
        players.push((level, player.map_err(ApiError::bad_request)?));
    }
    let mut text = String::new();
    for number in 0..play.n_games {
        if !state.folder.collections().is_dir() {
            return Err(ApiError::internal(message!("web.data-folder-gone")));
        }
        let began = Instant::now();
        let record = record_of(&rules, &mut players, number);
        // Leaves a third of the core to requests.
        std::thread::sleep(began.elapsed() / 2);
        write_record(Format::Pgn, &record, &rules, &mut text).map_err(ApiError::internal)?;
        let mut playing = state.collection_cache.playing.lock().unwrap_or_else(PoisonError::into_inner);
        playing
            .iter_mut()
            .filter(|other| other.name == play.name)
            .for_each(|other| other.n_done = number + 1);
    }
    let path = state.folder.uploads().join(format!("{}.pgn", play.name));
    std::fs::write(&path, text)?;
    let folder = state.folder.collections().join(play.name.as_str());
    let failed = |error| collection_error(&play.name, &error);
    let mut writer = CollectionWriter::open(&folder, &rules, &play.game).map_err(failed)?;
    import(&mut writer, std::slice::from_ref(&path), ImportPlan::default(), &mut Unwatched)
        .map_err(failed)?;
    std::fs::remove_file(&path)?;
    Ok(())
}

/// Plays one game. The first player of each level moves first, the second second.
fn record_of(rules: &CompiledRules, players: &mut [(Level, Player)], number: usize) -> GameRecord {
    let mut random = Random::of_game(SEED, rules.rules().digest(), number as u64);
    let n_levels = players.len() / 2;
    let first = number % n_levels;
    let second = (number / n_levels) % n_levels;
    let seats = [first * 2, second * 2 + 1];
    seats.iter().for_each(|seat| players[*seat].1.begin_game());
    let mut game = Game::start(rules);
    let mut outcome = game.outcome();
    while outcome.is_none() && game.moves().len() < MAX_PLIES {
        let legal = game.legal_moves();
        let player = &mut players[seats[game.turn().index() % 2]].1;
        let mv = with_line!(game.line(), line => {
            player.choose_on_line(line, &mut line.position().clone(), &legal, &mut random)
        });
        game.play_unchecked(mv);
        outcome = game.outcome();
    }
    let mut record = GameRecord { moves: game.moves(), ..GameRecord::default() };
    record.result = match outcome {
        None => GameResult::Unknown,
        Some(outcome) => outcome.winner.map_or(GameResult::Draw, GameResult::Won),
    };
    record.tags.set(tag::EVENT, "Sample games");
    record.tags.set(tag::ROUND, (number + 1).to_string());
    for (side, seat) in seats.iter().enumerate() {
        let level = players[*seat].0;
        record.tags.set(tag::PLAYERS[side], format!("Level {}", level.number()));
        record.tags.set(tag::RATINGS[side], level.elo().to_string());
    }
    if let Some(outcome) = outcome {
        record.tags.set(tag::TERMINATION, outcome.reason.to_string());
    }
    record
}

struct Unwatched;

impl ImportObserver for Unwatched {
    fn rejected(&mut self, _: &Rejection) {}

    fn progress(&mut self, _: &ImportReport, _: u64) {}

    fn wants_stop(&mut self) -> bool {
        false
    }
}
