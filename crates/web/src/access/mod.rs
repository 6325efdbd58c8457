//! Access control: our own page, and scripts that have the token.
//!
//! In: the head of a request. Out: an error, or the request passed on. Never: an answer to another site's page, under its
//! own name or one that it made lead here; the token in a cookie, in a file that others can read, or in a list of processes.

mod guard;
mod sessions;
mod throttle;
mod token;

use std::io;
use std::net::SocketAddr;

pub use guard::{Guard, guard};
use sessions::Sessions;
pub use token::{Token, TokenError};

use crate::data_folder::DataFolder;

/// How clients authenticate.
#[derive(Clone, Debug)]
pub enum Access {
    /// Nothing: every program and every user of this machine may ask. For loopback alone.
    Open,
    /// The token in the data folder; generated when missing.
    FolderToken,
    /// This token.
    Token(Token),
}

impl Access {
    /// Whether the token is the one in the folder.
    pub fn is_folder_token(&self) -> bool {
        matches!(self, Access::FolderToken)
    }

    /// The token, from the folder or as it was given.
    pub fn token(&self, folder: &DataFolder) -> io::Result<Option<Token>> {
        match self {
            Access::Open => Ok(None),
            Access::FolderToken => Token::of_folder(folder).map(Some),
            Access::Token(token) => Ok(Some(token.clone())),
        }
    }
}

/// The guard of a server at an address.
pub fn guard_for(listen: SocketAddr, token: Option<&Token>, folder: &DataFolder) -> Guard {
    Guard::new(listen, token.map(|token| Sessions::open(token, folder, listen.port())))
}
