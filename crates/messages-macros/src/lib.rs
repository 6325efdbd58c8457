//! Checks messages against the catalogues while the program is compiled.
//!
//! In: codes in Rust, `messages/en` and `messages/ja`. Out: messages with their sentences. Never: a message that lacks a language
//! or whose placeholders are not its arguments: that is a compile error at the code.

mod catalogue;
mod derive;
mod message;
mod template;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Implements `Tell`, `ToArg`, `Display` (in English) and `Error` for an error type whose variants have codes.
///
/// `#[code("area.name")]` names a sentence of the catalogues; its placeholders are fields. Where there is a sentence
/// `area.name.hint`, it is the hint; it is left out if one of its arguments is `None`. `#[code(transparent)]` hands on what the
/// only field tells; `#[from]` on that field converts.
#[proc_macro_derive(Tell, attributes(code, from))]
pub fn derive_tell(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive::tell(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// A message of the catalogues: `message!("report.games", n = 12, game)`; `game` stands for `game = game`.
#[proc_macro]
pub fn message(input: TokenStream) -> TokenStream {
    let call = parse_macro_input!(input as message::Call);
    message::expand(&call).unwrap_or_else(|error| error.to_compile_error()).into()
}
