//! The games: those of the program and those in the data folder, compiled once.
//!
//! In: `NAME+change+change`. Out: compiled rules. Never: a path from a request.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use ashta_messages::message;
use ashta_position::CompiledRules;
use ashta_rules::{Rules, game_names, load, load_text, nearest};

use crate::api_error::ApiError;
use crate::data_folder::{DataFolder, Name};

/// Compiled games that are cached; a full cache is cleared.
const MAX_RULES: usize = 256;

/// The games of the program and of the data folder.
#[derive(Debug)]
pub struct Library {
    pub folder: DataFolder,
    rules: Mutex<HashMap<String, CompiledRules>>,
}

impl Library {
    pub fn new(folder: DataFolder) -> Library {
        Library { folder, rules: Mutex::default() }
    }

    /// The rules of `NAME+change+change`, of the program or of the data folder.
    pub fn rules(&self, game: &str) -> Result<CompiledRules, ApiError> {
        let mut cached = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = cached.get(game) {
            return Ok(rules.clone());
        }
        let rules = CompiledRules::new(self.read_rules(game)?);
        if cached.len() >= MAX_RULES {
            cached.clear();
        }
        cached.insert(game.to_string(), rules.clone());
        Ok(rules)
    }

    /// Clears the cache: a game file has changed.
    pub fn invalidate(&self) {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn read_rules(&self, game: &str) -> Result<Rules, ApiError> {
        let mut parts = game.split('+');
        let name = parts.next().unwrap_or_default();
        let changes: Vec<&str> = parts.collect();
        if game_names().contains(&name) {
            return Ok(load(game)?);
        }
        let own = Name::read(name).map_err(ApiError::not_found)?;
        match std::fs::read_to_string(self.own_game(&own)) {
            Ok(text) => Ok(load_text(&format!("{own}.toml"), &text, &changes)?),
            Err(_) => {
                let api_error = ApiError::not_found(message!("web.no-game", own));
                Err(match nearest(own.as_str(), game_names()) {
                    Some(near) => api_error.hint(message!("web.did-you-mean", near)),
                    None => api_error,
                })
            }
        }
    }

    /// The file of a game in the data folder.
    pub fn own_game(&self, name: &Name) -> PathBuf {
        self.folder.games().join(format!("{name}.toml"))
    }
}
