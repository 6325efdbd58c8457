//! Bodies of requests: every operation of the API's description that takes one, asked in the process.
//!
//! The bytes are: the operation, the body. Seeds are made from the description, so a new operation has its seed.

use std::cell::RefCell;
use std::sync::OnceLock;
use std::time::Duration;

use ashta_web::InProcess;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::{Reading, Target};
use crate::fixtures::{temporary_folder, with_game};

/// Any bytes as the body of a request: an answer that is not the program's fault.
pub const JSON_BODY: Target = Target {
    name: "json-body",
    reads: "the body of a request to the API (JSON)",
    run: body,
    seeds: body_seeds,
    words: &[
        "null",
        "true",
        "[]",
        "{}",
        "\"chess\"",
        "\"shogi\"",
        "\"four-handed\"",
        "\"minishogi\"",
        "\"../x\"",
        "\"\"",
        "\"e2e4\"",
        "\"level:1\"",
        "\"P1\"",
        "\"e1=K\"",
        "\"KQK\"",
        "\"pgn\"",
        "1e999",
        "[[[[",
        "\"moves\"",
        "\"position\"",
        "\"text\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
    ],
    max_bytes: 4 << 10,
    share: 100,
};

/// An operation with a body.
struct Operation {
    method: String,
    path: String,
    content_type: String,
    seeds: Vec<Vec<u8>>,
}

/// Work that takes longer is given up: how long a search may take is no question here.
const PATIENCE: Duration = Duration::from_millis(40);
/// Requests after which the laboratory begins anew: jobs and books that were taken do not add up.
const N_REQUESTS: usize = 500;

struct Laboratory {
    api: InProcess,
    /// Gone when the laboratory is.
    _folder: TempDir,
    n_left: usize,
}

impl Laboratory {
    fn open() -> Laboratory {
        let folder = temporary_folder();
        let api = InProcess::open(folder.path()).expect("a new laboratory");
        let laboratory = Laboratory { api, _folder: folder, n_left: N_REQUESTS };
        for (path, body) in [
            ("/api/collections", json!({"name": NAME, "game": "chess"})),
            ("/api/books", json!({"name": NAME, "game": "chess"})),
        ] {
            let made = laboratory.api.ask(
                "POST",
                path,
                "application/json",
                body.to_string().as_bytes(),
                Duration::from_secs(20),
            );
            let (status, answer) = made.expect("an answer").expect("in time");
            assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&answer));
        }
        laboratory
    }
}

thread_local! {
    static LABORATORY: RefCell<Option<Laboratory>> = const { RefCell::new(None) };
}

fn body(bytes: &[u8]) -> Reading {
    let Some((first, body)) = bytes.split_first() else { return Reading::Refused };
    let operations = operations();
    let Operation { method, path, content_type, .. } = &operations[*first as usize % operations.len()];
    LABORATORY.with_borrow_mut(|laboratory| {
        if laboratory.as_ref().is_none_or(|laboratory| laboratory.n_left == 0) {
            *laboratory = None;
        }
        let laboratory = laboratory.get_or_insert_with(Laboratory::open);
        laboratory.n_left -= 1;
        let answer = laboratory.api.ask(method, path, content_type, body, PATIENCE);
        match answer.expect("a request can be made") {
            Some((status, answer)) => {
                let answer = String::from_utf8_lossy(&answer);
                assert!(status < 500, "{method} {path}: {status}: {answer}");
                assert!(status < 400 || answer.contains("\"error\""), "{method} {path}: {status}: {answer}");
                if status < 400 { Reading::Accepted } else { Reading::Refused }
            }
            None => Reading::Accepted,
        }
    })
}

fn body_seeds() -> Vec<Vec<u8>> {
    let seeds_of = |(n, operation): (usize, &'static Operation)| {
        operation.seeds.iter().map(move |seed| with_game(n as u8, seed))
    };
    operations().iter().enumerate().flat_map(seeds_of).collect()
}

fn operations() -> &'static [Operation] {
    static OPERATIONS: OnceLock<Vec<Operation>> = OnceLock::new();
    OPERATIONS.get_or_init(|| {
        let description: Value = serde_json::from_str(ashta_web::OPENAPI).expect("the description is JSON");
        let mut all = Vec::new();
        for (path, methods) in description["paths"].as_object().into_iter().flatten() {
            for (method, operation) in methods.as_object().into_iter().flatten() {
                for (content_type, content) in
                    operation["requestBody"]["content"].as_object().into_iter().flatten()
                {
                    let seeds = match content_type.as_str() {
                        "application/json" => examples(&description, &content["schema"]),
                        _ => vec![b"[Event \"x\"]\n\n1. e4 e5 *\n".to_vec()],
                    };
                    let path = path.replace("{name}", NAME).replace("{id}", "1");
                    all.push(Operation {
                        method: method.to_uppercase(),
                        path,
                        content_type: content_type.clone(),
                        seeds,
                    });
                }
            }
        }
        assert!(all.len() > 20, "the description has {} operations with bodies", all.len());
        all
    })
}

/// What collections and books are called here.
const NAME: &str = "mine";

/// Which fields an example has.
#[derive(Clone, Copy, PartialEq)]
enum Fields {
    All,
    Required,
}

/// Bodies that a schema allows, with all fields and with few; of each kind, if there are several.
fn examples(description: &Value, schema: &Value) -> Vec<Vec<u8>> {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    let kinds = name.and_then(|name| description["components"]["schemas"][name]["oneOf"].as_array());
    let schemas = kinds.map_or(std::slice::from_ref(schema), Vec::as_slice);
    let all = [Fields::All, Fields::Required].into_iter();
    let bodies =
        all.flat_map(|fields| schemas.iter().map(move |schema| example(description, schema, "", fields)));
    bodies.map(|body| body.to_string().into_bytes()).collect()
}

/// A value that a schema allows; texts by the names of their fields.
fn example(description: &Value, schema: &Value, field: &str, fields: Fields) -> Value {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return example(description, &description["components"]["schemas"][name], field, fields);
    }
    if let Some(first) = schema["enum"].as_array().and_then(|all| all.first()) {
        return first.clone();
    }
    for choice in ["oneOf", "anyOf"] {
        let mut choices = schema[choice].as_array().into_iter().flatten();
        if let Some(choice) = choices.rfind(|choice| choice["type"] != "null") {
            return example(description, choice, field, fields);
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts.iter().map(|part| example(description, part, field, fields));
        return Value::Object(parts.filter_map(|part| part.as_object().cloned()).flatten().collect());
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or("null")
        }
        kind => kind.as_str().unwrap_or("object"),
    };
    match kind {
        "string" => json!(text_for(field)),
        "integer" => json!(1),
        "number" => json!(0.5),
        "boolean" => json!(true),
        "array" => {
            let item = example(description, &schema["items"], field, fields);
            let n = schema["minItems"].as_u64().unwrap_or(if field == "moves" { 0 } else { 1 });
            Value::Array(vec![item; n as usize])
        }
        _ => {
            let required: Vec<&Value> = schema["required"].as_array().into_iter().flatten().collect();
            let is_wanted = |name: &str| fields == Fields::All || required.iter().any(|known| *known == name);
            let parts = schema["properties"].as_object().into_iter().flatten();
            let parts = parts.filter(|(name, _)| is_wanted(name));
            let parts = parts.map(|(name, part)| (name.clone(), example(description, part, name, fields)));
            Value::Object(parts.collect::<Map<String, Value>>())
        }
    }
}

fn text_for(field: &str) -> &'static str {
    match field {
        "game" | "games" => "chess",
        "position" | "start" | "fen" => "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
        "move" | "mv" | "moves" => "h1h8",
        "line" => "e2e4",
        "by" => "d2d4",
        "collection" => NAME,
        "from" => "h1",
        "to" => "h8",
        "player" | "players" => "P1",
        "query" => "e1=K",
        "format" => "pgn",
        "material" | "ending" => "KRK",
        "name" => "another",
        "text" => "1. e4 e5 *",
        "side" => "w",
        _ => "x",
    }
}
