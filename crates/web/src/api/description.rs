//! The OpenAPI description: built from the handlers by a test, which compares it with `openapi.json`, the file that the program embeds.
//!
//! `UPDATE_OPENAPI=1 cargo test -p ashta-web --lib openapi` writes the file.

use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, ResponseBuilder};
use utoipa::{PartialSchema, ToSchema};

use crate::api_error::{ErrorBody, ProblemBody};

#[derive(utoipa::OpenApi)]
#[openapi(info(
    title = "Ashtapada",
    description = "A laboratory for the chess family of games. Bodies and answers are JSON; an error has `error`, `code`, `args` and often `hint`, in the language of `Accept-Language` (en, ja)."
))]
struct Description;

/// Adds what all operations share: the token and the error response.
fn with_common_responses(mut description: OpenApi) -> OpenApi {
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let components = description.components.get_or_insert_default();
    components.add_security_scheme("token", token);
    let (name, schema) = (ErrorBody::name(), ErrorBody::schema());
    components.schemas.insert(name.to_string(), schema);
    components.schemas.insert(ProblemBody::name().to_string(), ProblemBody::schema());
    description.security = Some(vec![SecurityRequirement::new("token", Vec::<String>::new())]);
    let api_error = ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build();
    let error_response = ResponseBuilder::new()
        .description("What is wrong, and what to do")
        .content("application/json", api_error);
    let error_response = RefOr::T(error_response.build());
    let operations = description.paths.paths.values_mut().flat_map(|path| {
        [&mut path.get, &mut path.post, &mut path.put, &mut path.delete].into_iter().flatten()
    });
    for operation in operations {
        operation.responses.responses.entry("default".to_string()).or_insert(error_response.clone());
    }
    description
}

/// Breaks compact JSON so that every operation and every schema has its line.
fn in_lines(json: &str) -> String {
    const DEEPEST: usize = 3;
    let (mut text, mut depth, mut in_string, mut escaped) = (String::new(), 0, false, false);
    for c in json.chars() {
        let closes = !in_string && matches!(c, '}' | ']');
        if closes {
            depth -= 1;
            if depth < DEEPEST {
                text.push('\n');
            }
        }
        text.push(c);
        let opens = !in_string && matches!(c, '{' | '[');
        depth += usize::from(opens);
        if !in_string && depth <= DEEPEST && (opens || c == ',') {
            text.push('\n');
        }
        in_string ^= c == '"' && !escaped;
        escaped = in_string && c == '\\' && !escaped;
    }
    text.push('\n');
    text
}

#[test]
fn openapi_json_is_what_the_handlers_say() {
    let mut description = <Description as utoipa::OpenApi>::openapi();
    description.merge(super::documented_routes().description);
    let description = with_common_responses(description).to_json().expect("JSON");
    let described = in_lines(&description);
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/openapi.json");
        std::fs::write(path, described).expect("written");
        return;
    }
    let changed = described.lines().zip(super::DESCRIPTION.lines()).find(|(new, old)| new != old);
    assert!(
        described == super::DESCRIPTION,
        "openapi.json differs: {changed:?}\nif this is meant: UPDATE_OPENAPI=1 cargo test -p ashta-web --lib openapi"
    );
}
