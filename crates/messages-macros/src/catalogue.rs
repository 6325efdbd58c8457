//! The catalogues on disk: `messages/en/AREA.txt`, `messages/ja/AREA.txt`.
//!
//! In: a code. Out: its sentence in each language, checked. Never: a sentence without its translation.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, LitStr, Result};

use crate::template::{self, Piece};

const LANGUAGES: [&str; 2] = ["en", "ja"];

/// The sentences of one area, by code, in one language.
type Area = BTreeMap<String, String>;

thread_local! {
    static AREAS: RefCell<HashMap<PathBuf, Area>> = RefCell::new(HashMap::new());
}

/// A code with its sentences.
pub struct Entry {
    pub code: String,
    templates: [Vec<Piece>; LANGUAGES.len()],
    /// Names of arguments that the sentences speak of.
    pub places: BTreeSet<String>,
    files: [PathBuf; LANGUAGES.len()],
}

impl Entry {
    /// Finds a code that must be in every language.
    pub fn find(code: &LitStr) -> Result<Entry> {
        let found = Entry::lookup(&code.value()).map_err(|what| Error::new(code.span(), what))?;
        found.ok_or_else(|| {
            let area = code.value().split('.').next().unwrap_or_default().to_string();
            Error::new(code.span(), format!("no message `{}` in messages/en/{area}.txt", code.value()))
        })
    }

    /// Finds the hint of a code, which need not be there.
    pub fn find_hint(code: &LitStr) -> Result<Option<Entry>> {
        let hint = format!("{}.hint", code.value());
        Entry::lookup(&hint).map_err(|what| Error::new(code.span(), what))
    }

    fn lookup(code: &str) -> std::result::Result<Option<Entry>, String> {
        let (area, _) =
            code.split_once('.').ok_or_else(|| format!("`{code}` has no area: write `area.name`"))?;
        let root = catalogue_folder()?;
        let files = LANGUAGES.map(|language| root.join(language).join(format!("{area}.txt")));
        let texts = [sentence(&files[0], code)?, sentence(&files[1], code)?];
        let templates = match texts {
            [None, None] => return Ok(None),
            [Some(english), Some(japanese)] => [template::parse(&english)?, template::parse(&japanese)?],
            [english, _] => {
                let lacking = if english.is_some() { "ja" } else { "en" };
                return Err(format!("messages/{lacking}/{area}.txt has no `{code}`"));
            }
        };
        let places = template::places(&templates[0]);
        if places != template::places(&templates[1]) {
            return Err(format!("the two languages of `{code}` have different placeholders"));
        }
        Ok(Some(Entry { code: code.to_string(), templates, places, files }))
    }

    /// The entry as an expression; its sentences refer to arguments by their index in `args`.
    pub fn tokens(&self, args: &[String]) -> TokenStream {
        let number = |name: &String| args.iter().position(|arg| arg == name).unwrap_or(0);
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => quote!(::ashta_messages::Piece::Text(#text)),
            Piece::Arg(name) => {
                let n = number(name);
                quote!(::ashta_messages::Piece::Arg(#n))
            }
            Piece::Plural(name, one, other) => {
                let n = number(name);
                quote!(::ashta_messages::Piece::Plural(#n, #one, #other))
            }
        };
        let sentences = self.templates.iter().map(|template| {
            let pieces = template.iter().map(piece);
            quote!(&[#(#pieces),*])
        });
        let code = &self.code;
        quote!(&::ashta_messages::Entry { code: #code, sentences: [#(#sentences),*] })
    }

    /// Makes the compiler read the catalogues again when they change.
    pub fn tracking(&self) -> TokenStream {
        let paths = self.files.iter().map(|file| file.display().to_string());
        quote! { #( const _: &str = ::core::include_str!(#paths); )* }
    }
}

/// The folder `messages` beside the workspace of the crate that is compiled.
#[expect(
    clippy::disallowed_methods,
    reason = "Cargo tells a macro by the environment which crate it runs in"
)]
fn catalogue_folder() -> std::result::Result<PathBuf, String> {
    let manifest = std::env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?;
    let folder = Path::new(&manifest).ancestors().map(|folder| folder.join("messages"));
    let mut found = folder.filter(|folder| folder.join("en").is_dir());
    found.next().ok_or_else(|| format!("no folder `messages/en` above {manifest}"))
}

fn sentence(file: &Path, code: &str) -> std::result::Result<Option<String>, String> {
    AREAS.with_borrow_mut(|areas| {
        if !areas.contains_key(file) {
            areas.insert(file.to_path_buf(), read(file)?);
        }
        Ok(areas.get(file).and_then(|area| area.get(code)).cloned())
    })
}

/// Lines are `code = sentence`; one that begins with a space goes on with the sentence before; `#` begins a comment.
fn read(file: &Path) -> std::result::Result<Area, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut area = Area::new();
    let mut last: Option<String> = None;
    for (n, line) in text.lines().enumerate() {
        let wrong = |what: &str| format!("{}, line {}: {what}", file.display(), n + 1);
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        if line.starts_with(' ') {
            let code = last.as_ref().ok_or_else(|| wrong("nothing to go on with"))?;
            let sentence = area.entry(code.clone()).or_default();
            sentence.push(' ');
            sentence.push_str(line.trim());
            continue;
        }
        let (code, sentence) = line.split_once(" = ").ok_or_else(|| wrong("expected `code = sentence`"))?;
        if area.insert(code.trim().to_string(), sentence.trim().to_string()).is_some() {
            return Err(wrong("this code is there twice"));
        }
        last = Some(code.trim().to_string());
    }
    Ok(area)
}
