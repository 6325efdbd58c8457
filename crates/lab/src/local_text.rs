//! Texts of data files: titles, remarks, names of changes.
//!
//! In: `"text"`, or `{ en = "text", ja = "文" }`. Out: an argument of messages. Never: a translation.

use std::fmt;

use ashta_messages::{Arg, Message, ToArg};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A text in English, and in Japanese where its file has that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalText {
    english: String,
    japanese: Option<String>,
}

impl LocalText {
    /// In English.
    pub fn english(&self) -> &str {
        &self.english
    }
}

impl ToArg for LocalText {
    fn to_arg(&self) -> Arg {
        match &self.japanese {
            None => self.english.to_arg(),
            Some(japanese) => Message::name(&self.english, japanese).to_arg(),
        }
    }
}

/// With a text for each language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Translated {
    en: String,
    ja: String,
}

struct LocalTextVisitor;

impl<'de> Visitor<'de> for LocalTextVisitor {
    type Value = LocalText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<LocalText, E> {
        Ok(LocalText { english: text.to_string(), japanese: None })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<LocalText, A::Error> {
        let Translated { en, ja } = Translated::deserialize(MapAccessDeserializer::new(map))?;
        Ok(LocalText { english: en, japanese: Some(ja) })
    }
}

impl<'de> Deserialize<'de> for LocalText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LocalText, D::Error> {
        deserializer.deserialize_any(LocalTextVisitor)
    }
}

#[cfg(test)]
mod tests {
    use ashta_messages::Language;

    use super::*;

    #[derive(Deserialize)]
    struct File {
        title: LocalText,
    }

    #[test]
    fn a_text_is_one_or_one_for_each_language() {
        let read = |text: &str| toml::from_str::<File>(text).map(|file| file.title.to_arg());
        let texts = |arg: Arg| Language::ALL.map(|language| arg.text(language));
        assert_eq!(read("title = 'My game'").map(texts), Ok(["My game", "My game"].map(String::from)));
        assert_eq!(
            read("title = { en = 'castling', ja = 'キャスリング' }").map(texts),
            Ok(["castling", "キャスリング"].map(String::from))
        );
        for wrong in ["title = 3", "title = { en = 'castling' }", "title = { en = 'a', ja = 'b', de = 'c' }"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
