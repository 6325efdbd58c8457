//! Line input: with editing and completion in a terminal, plain from a pipe.

use std::io::{BufRead, Write};

use ashta_messages::message;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use crate::cli_error::{CliError, ErrorMessage};

pub enum Input<'a> {
    /// A terminal, where lines can be edited and Tab completes them.
    Editor(Box<Editor<Completions, MemHistory>>),
    /// A pipe, or `--plain`.
    Plain(&'a mut dyn BufRead),
}

#[derive(Default)]
pub struct Completions(Vec<String>);

impl<'a> Input<'a> {
    pub fn editor() -> Result<Input<'a>, CliError> {
        let failed = |error: ReadlineError| {
            let message = ErrorMessage::new(message!("cli.terminal-unusable", error = error.to_string()));
            CliError::from(message.hint(message!("cli.terminal-unusable.hint")))
        };
        let config = Config::builder().auto_add_history(true).build();
        let mut editor = Editor::with_history(config, MemHistory::new()).map_err(failed)?;
        editor.set_helper(Some(Completions::default()));
        Ok(Input::Editor(Box::new(editor)))
    }

    /// The next line; `None` at the end of input.
    pub fn line(
        &mut self,
        prompt: &str,
        words: impl FnOnce() -> Vec<String>,
        out: &mut dyn Write,
    ) -> Result<Option<String>, CliError> {
        match self {
            Input::Editor(editor) => {
                out.flush()?;
                if let Some(helper) = editor.helper_mut() {
                    helper.0 = words();
                }
                match editor.readline(prompt) {
                    Ok(line) => Ok(Some(line.trim().to_string())),
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(error) => {
                        let what = message!("cli.terminal-unreadable", error = error.to_string());
                        Err(ErrorMessage::new(what).into())
                    }
                }
            }
            Input::Plain(input) => {
                write!(out, "{prompt}")?;
                out.flush()?;
                let mut bytes = Vec::new();
                let n = input.read_until(b'\n', &mut bytes)?;
                Ok((n > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_string()))
            }
        }
    }
}

impl Helper for Completions {}
impl Highlighter for Completions {}
impl Validator for Completions {}

impl Hinter for Completions {
    type Hint = String;
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> Result<(usize, Vec<String>), ReadlineError> {
        let begun = &line[..at];
        Ok((0, self.0.iter().filter(|word| word.starts_with(begun)).cloned().collect()))
    }
}
