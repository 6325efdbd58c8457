//! Arguments of messages.
//!
//! In: values. Out: what they are in a sentence of any language. Never: a sentence.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use crate::{Language, Message};

/// An argument of a message.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Arg {
    /// The same in every language: a name, a number with decimals, what somebody typed.
    Text(String),
    /// A whole number, which chooses between singular and plural.
    Integer(i128),
    /// Told in the language of the message around it.
    Message(Box<Message>),
    /// With commas between.
    List(Vec<Arg>),
    /// Not there.
    #[default]
    Absent,
}

impl Arg {
    /// As it stands in a sentence.
    pub fn text(&self, language: Language) -> String {
        match self {
            Arg::Text(text) => text.clone(),
            Arg::Integer(number) => number.to_string(),
            Arg::Message(message) => message.text(language),
            Arg::List(items) => {
                let comma = match language {
                    Language::English => ", ",
                    Language::Japanese => "、",
                };
                items.iter().map(|item| item.text(language)).collect::<Vec<_>>().join(comma)
            }
            Arg::Absent => String::new(),
        }
    }
}

/// What can be an argument.
pub trait ToArg {
    /// The argument.
    fn to_arg(&self) -> Arg;
}

macro_rules! integer_args {
    ($($integer:ty),*) => {
        $(impl ToArg for $integer {
            fn to_arg(&self) -> Arg {
                Arg::Integer(*self as i128)
            }
        })*
    };
}
integer_args!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

macro_rules! text_args {
    ($($text:ty),*) => {
        $(impl ToArg for $text {
            fn to_arg(&self) -> Arg {
                Arg::Text(self.to_string())
            }
        })*
    };
}
text_args!(str, String, char, f32, f64, io::Error, SocketAddr);

impl ToArg for Path {
    fn to_arg(&self) -> Arg {
        Arg::Text(self.display().to_string())
    }
}

impl ToArg for PathBuf {
    fn to_arg(&self) -> Arg {
        self.as_path().to_arg()
    }
}

impl ToArg for Arg {
    fn to_arg(&self) -> Arg {
        self.clone()
    }
}

impl ToArg for Message {
    fn to_arg(&self) -> Arg {
        Arg::Message(Box::new(self.clone()))
    }
}

impl<T: ToArg> ToArg for Option<T> {
    fn to_arg(&self) -> Arg {
        self.as_ref().map_or(Arg::Absent, ToArg::to_arg)
    }
}

impl<T: ToArg> ToArg for [T] {
    fn to_arg(&self) -> Arg {
        Arg::List(self.iter().map(ToArg::to_arg).collect())
    }
}

impl<T: ToArg> ToArg for Vec<T> {
    fn to_arg(&self) -> Arg {
        self.as_slice().to_arg()
    }
}

impl<T: ToArg + ?Sized> ToArg for &T {
    fn to_arg(&self) -> Arg {
        (**self).to_arg()
    }
}

impl<T: ToArg + ?Sized> ToArg for Box<T> {
    fn to_arg(&self) -> Arg {
        (**self).to_arg()
    }
}
