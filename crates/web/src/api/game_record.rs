//! Game records as text: writing and parsing PGN, KIF, KI2, CSA, JKF and USI.

use std::collections::BTreeMap;

use ashta_messages::message;
use ashta_position::{CompiledRules, Game};
use ashta_records::notation::{MoveReader, Splitter, TextEncoding, parse};
use ashta_records::{Format, GameRecord, GameResult, read_error, write_record};
use ashta_rules::Side;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SharedState;
use super::extract::JsonBody;
use super::move_tree::MoveTree;
use super::position_spec::PositionSpec;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};

pub fn routes() -> ApiRouter {
    routes![write, read]
}

/// Bytes of a record that is parsed, and of all tags and comments of one that is written.
const MAX_BYTES: usize = 1 << 20;

/// A game to be written.
#[derive(Deserialize, ToSchema, Debug)]
struct WriteRecordRequest {
    #[serde(flatten)]
    spec: PositionSpec,
    /// `pgn`, `kif`, `ki2`, `csa`, `jkf` or `usi`; the descriptor's `formats` are those that fit the game.
    format: String,
    /// Who, when, where: `First`, `Second`, `Event`, `Site`, `Date`, `Round` and others.
    #[serde(default)]
    tags: BTreeMap<String, String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; default: by the rules.
    #[serde(default)]
    result: Option<String>,
    /// Comments by ply, for records without variations.
    #[serde(default)]
    comments: BTreeMap<usize, String>,
    /// Instead of `moves`: the tree with variations and annotations, as `/api/score/read` returns it.
    #[serde(default)]
    tree: Option<MoveTree>,
}

/// The text of a record.
#[derive(Serialize, ToSchema, Debug)]
struct RecordText {
    text: String,
    /// What a file of it may be called.
    file_name: String,
}

/// Writes a game record: PGN, KIF, KI2, CSA, JKF or USI.
#[utoipa::path(post, path = "/api/score", request_body = WriteRecordRequest, responses((status = 200, body = RecordText)))]
async fn write(
    State(state): SharedState,
    JsonBody(request): JsonBody<WriteRecordRequest>,
) -> ApiResult<RecordText> {
    request.spec.check_sizes()?;
    let rules = state.rules(&request.spec.game)?;
    let format = parse_format(&request.format)?;
    let text = state.compute(move |_| {
        let record = record_of(&request, &rules)?;
        let mut text = String::new();
        write_record(format, &record, &rules, &mut text).map_err(ApiError::bad_request)?;
        let id = rules.rules().id().replace('+', "-");
        Ok(RecordText { text, file_name: format!("{id}.{}", format.name()) })
    });
    text.await?.map(Json)
}

fn parse_format(name: &str) -> Result<Format, ApiError> {
    Format::named(&name.to_lowercase()).ok_or_else(|| {
        let shown: String = name.chars().take(20).collect();
        let known: Vec<&str> = Format::names().collect();
        ApiError::bad_request(message!("web.no-format", shown)).hint(message!("web.formats.hint", known))
    })
}

fn record_of(request: &WriteRecordRequest, rules: &CompiledRules) -> Result<GameRecord, ApiError> {
    let said = request.tags.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>()
        + request.comments.values().map(String::len).sum::<usize>()
        + request.tree.as_ref().map_or(0, MoveTree::n_bytes);
    if said > MAX_BYTES {
        return Err(ApiError::bad_request(message!("web.record-texts-too-large", said, max = MAX_BYTES)));
    }
    let (mut record, game) = played(request, rules)?;
    for (ply, text) in request.comments.iter().filter(|(ply, _)| **ply <= record.moves.len()) {
        record.annotations.add_comment(*ply, text);
    }
    for (name, value) in &request.tags {
        record.tags.set(name, value.clone());
    }
    record.result = match request.result.as_deref() {
        None => game
            .outcome()
            .map_or(GameResult::Unknown, |outcome| outcome.winner.map_or(GameResult::Draw, GameResult::Won)),
        Some(text) => parse_result(text)?,
    };
    Ok(record)
}

/// The record of a request, and the game after its moves.
fn played(request: &WriteRecordRequest, rules: &CompiledRules) -> Result<(GameRecord, Game), ApiError> {
    let mut begun = PositionSpec { moves: Vec::new(), ..request.spec.clone() }.play(rules)?.0;
    let mut record = GameRecord::default();
    record.set_start(&begun);
    match &request.tree {
        None => {
            let (game, _) = request.spec.play_from(begun)?;
            record.moves = game.moves();
            Ok((record, game))
        }
        Some(_) if !request.spec.moves.is_empty() => {
            Err(ApiError::bad_request(message!("web.moves-and-tree")))
        }
        Some(tree) => {
            (record.moves, record.annotations) = tree.read(&mut begun)?;
            record.moves.iter().for_each(|mv| begun.play_unchecked(*mv));
            Ok((record, begun))
        }
    }
}

fn parse_result(text: &str) -> Result<GameResult, ApiError> {
    let known =
        [GameResult::Unknown, GameResult::Draw, GameResult::Won(Side::FIRST), GameResult::Won(Side::SECOND)];
    known.into_iter().find(|result| result.text() == text.trim()).ok_or_else(|| {
        let shown: String = text.chars().take(20).collect();
        ApiError::bad_request(message!("web.not-a-result", shown)).hint(message!("web.not-a-result.hint"))
    })
}

/// A text to be read.
#[derive(Deserialize, ToSchema, Debug)]
struct ParseRecordRequest {
    /// The text of the record.
    text: String,
    /// The game; default: the usual one of the format.
    #[serde(default)]
    game: Option<String>,
    /// The format; default: detected from the text.
    #[serde(default)]
    format: Option<String>,
}

/// A parsed record.
#[derive(Serialize, ToSchema, Debug)]
struct ParsedRecord {
    game: String,
    /// The format.
    format: &'static str,
    /// Where it starts, unless that is the game's start.
    position: Option<String>,
    /// The moves of the game itself, in coordinates.
    moves: Vec<String>,
    /// Who, when, where.
    tags: BTreeMap<String, String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: String,
    /// The tree with variations and annotations.
    tree: MoveTree,
    /// Games in the text; the first is returned.
    n_games: usize,
}

/// Parses the first game of a text in PGN, KIF, KI2, CSA, USI or JKF.
#[utoipa::path(post, path = "/api/score/read", request_body = ParseRecordRequest, responses((status = 200, body = ParsedRecord)))]
async fn read(
    State(state): SharedState,
    JsonBody(request): JsonBody<ParseRecordRequest>,
) -> ApiResult<ParsedRecord> {
    if request.text.len() > MAX_BYTES {
        return Err(ApiError::bad_request(message!("web.record-too-large", max = MAX_BYTES))
            .hint(message!("web.record-too-large.hint")));
    }
    let format = match &request.format {
        Some(name) => parse_format(name)?,
        None => Format::of_text(&request.text).ok_or_else(|| {
            ApiError::bad_request(message!("web.unknown-record-format"))
                .hint(message!("web.unknown-record-format.hint"))
        })?,
    };
    let game = request.game.clone().unwrap_or_else(|| format.default_game().to_string());
    let rules = state.rules(&game)?;
    state.compute(move |_| read_first(&request.text, format, game, &rules)).await?.map(Json)
}

fn read_first(
    text: &str,
    format: Format,
    game: String,
    rules: &CompiledRules,
) -> Result<ParsedRecord, ApiError> {
    let bytes = text.as_bytes();
    let mut games = Splitter::new(bytes, format, TextEncoding::guess(bytes, Some(format)));
    let raw = games.next().ok_or_else(|| ApiError::bad_request(message!("web.no-game-in-text")))?;
    let raw = raw.map_err(|error| {
        ApiError::bad_request(message!("web.unreadable-text", error = read_error(&error)))
    })?;
    let n_games = 1 + games.count();
    let record = parse(format, &raw, rules, &mut MoveReader::new(rules.rules()));
    let record = record.map_err(|error| {
        ApiError::bad_request(error).hint(message!("web.read-as", format = format.name(), game))
    })?;
    let mut playing = record.begin(rules).map_err(ApiError::bad_request)?;
    let tree = MoveTree::of(&record, &mut playing);
    Ok(ParsedRecord {
        game,
        format: format.name(),
        position: record.start.clone(),
        moves: tree.main_line(),
        tags: record.tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        result: record.result.text(),
        tree,
        n_games,
    })
}
