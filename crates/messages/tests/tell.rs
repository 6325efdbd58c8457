//! Messages as a crate makes them, against `messages/*/example.txt`.

use ashta_messages::{Language, Message, Tell, message};

#[derive(Debug, Tell)]
enum InnerError {
    #[code("example.empty")]
    Empty,
}

#[derive(Debug, Tell)]
enum ExampleError {
    #[code("example.unknown-piece")]
    UnknownPiece { text: String, nearest: Option<String> },
    #[code("example.too-many")]
    TooMany(usize, Message),
    #[code(transparent)]
    Inner(#[from] InnerError),
}

#[test]
fn sentences_have_arguments_plurals_and_hints() {
    let error = ExampleError::UnknownPiece { text: "qeen".into(), nearest: Some("queen".into()) };
    assert_eq!(error.to_string(), "`qeen` is not a piece");
    assert_eq!(error.message().text(Language::Japanese), "`qeen` は駒ではありません");
    assert_eq!(error.message().code(), "example.unknown-piece");
    assert_eq!(error.hint().map(|hint| hint.to_string()).as_deref(), Some("did you mean `queen`?"));
    let error = ExampleError::UnknownPiece { text: "zzz".into(), nearest: None };
    assert_eq!(error.hint(), None);
}

#[test]
fn messages_stand_within_messages_and_errors_within_errors() {
    let side = message!("example.first-side");
    assert_eq!(message!("example.unknown-piece", text = 1 + 1).to_string(), "`2` is not a piece");
    let error = ExampleError::TooMany(1, side.clone());
    assert_eq!(error.to_string(), "1 piece of the first side is too many");
    assert_eq!(error.message().text(Language::Japanese), "先手の駒が1枚多すぎます");
    assert_eq!(ExampleError::TooMany(2, side).to_string(), "2 pieces of the first side are too many");
    assert_eq!(ExampleError::from(InnerError::Empty).to_string(), "nothing is there");
}

#[test]
fn names_from_data_have_a_spelling_in_each_language() {
    let name = Message::name("pawn", "ポーン");
    assert_eq!(Language::ALL.map(|language| name.text(language)), ["pawn", "ポーン"]);
}
