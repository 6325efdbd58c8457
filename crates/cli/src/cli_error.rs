//! Error messages and exit status: `error:`, the place, a blank line, `hint:`.
//!
//! In: errors of every operation. Out: a message for the error output and an exit status. Never: data.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use ashta_messages::{Message, Tell, message};
use ashta_rules::{Problems, nearest};
use clap::error::{ContextKind, ContextValue};

use crate::draw;
use crate::sanitize::{sanitize_line, shown};

/// Exit status of a command that ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It is done.
    Done,
    /// The answer is negative, as in `grep`.
    No,
    /// Partly failed; the reasons have been printed.
    Partial,
}

#[derive(Debug)]
pub enum CliError {
    /// Wrong arguments, or an unusable file.
    Message(ErrorMessage),
    /// A game file is wrong.
    Problems(Problems),
    /// The output cannot be written.
    Output(io::Error),
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::Output(error)
    }
}

impl From<ErrorMessage> for CliError {
    fn from(message: ErrorMessage) -> CliError {
        CliError::Message(message)
    }
}

#[derive(Debug)]
pub struct ErrorMessage {
    what: Message,
    place: Option<ArgumentSpan>,
    hint: Option<Message>,
}

/// A character of an argument.
#[derive(Debug)]
pub struct ArgumentSpan {
    /// The option, such as `--position`.
    pub option: &'static str,
    pub text: String,
    /// Byte offset of the wrong character.
    pub offset: usize,
}

impl ErrorMessage {
    /// An error, with its hint if it has one.
    pub fn new(error: impl Tell) -> ErrorMessage {
        ErrorMessage { what: error.message(), place: None, hint: error.hint() }
    }

    /// A file that cannot be read.
    pub fn unreadable(path: &Path, error: &io::Error) -> ErrorMessage {
        ErrorMessage::new(message!("cli.cannot-read", path, error))
    }

    /// A file that cannot be written.
    pub fn unwritable(path: &Path, error: &io::Error) -> ErrorMessage {
        ErrorMessage::new(message!("cli.cannot-write", path, error))
    }

    pub fn what(&self) -> &Message {
        &self.what
    }

    pub fn hint(self, hint: Message) -> ErrorMessage {
        ErrorMessage { hint: Some(hint), ..self }
    }

    /// Adds the argument with a caret under the character.
    pub fn at(self, place: ArgumentSpan) -> ErrorMessage {
        ErrorMessage { place: Some(place), ..self }
    }
}

impl fmt::Display for ErrorMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", sanitize_line(&self.what.to_string()))?;
        if let Some(place) = &self.place {
            write!(f, "\n{place}")?;
        }
        match &self.hint {
            Some(hint) => write!(f, "\n\nhint: {}", sanitize_line(&hint.to_string())),
            None => Ok(()),
        }
    }
}

/// Characters shown on each side of the wrong one.
const SHOWN_AROUND: usize = 60;

impl fmt::Display for ArgumentSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = (0..=self.offset).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        let (before, after) = self.text.split_at(offset);
        let n_before = before.chars().count();
        let skipped = n_before.saturating_sub(SHOWN_AROUND);
        let mut shown: String = if skipped > 0 { "...".into() } else { String::new() };
        shown.extend(before.chars().skip(skipped));
        let shown = sanitize_line(&shown);
        let mut rest: String = after.chars().take(SHOWN_AROUND).collect();
        if after.chars().count() > SHOWN_AROUND {
            rest.push_str("...");
        }
        writeln!(f, "  --> {}, character {}", self.option, n_before + 1)?;
        writeln!(f, "      | {shown}{}", sanitize_line(&rest))?;
        write!(f, "      | {}^", " ".repeat(draw::width(&shown)))
    }
}

/// Reformats an error of clap, which says `tip:` and repeats the usage.
pub fn usage(error: &clap::Error, command: &clap::Command) -> String {
    let rendered = error.render().to_string();
    let mut paragraphs = rendered.trim_end().split("\n\n");
    let mut lines: Vec<&str> = paragraphs.next().unwrap_or_default().lines().collect();
    // A missing subcommand makes clap print its whole help; the first line is the error.
    lines.truncate(6);
    let mut hints: Vec<String> = Vec::new();
    for paragraph in paragraphs {
        for line in paragraph.lines() {
            if let Some(tip) = line.trim().strip_prefix("tip: ") {
                hints.push(tip.replace('\'', "`"));
            } else if let Some(usage) = line.trim().strip_prefix("Usage: ") {
                hints.push(format!("usage: {usage}"));
            }
        }
    }
    if hints.iter().all(|hint| hint.starts_with("usage: ")) {
        hints.extend(similar_command(error, command).map(|hint| hint.to_string()));
    }
    // The usage is only a fallback for a hint.
    if hints.iter().any(|hint| !hint.starts_with("usage: ")) {
        hints.retain(|hint| !hint.starts_with("usage: "));
    }
    if hints.is_empty() {
        hints.push(message!("cli.help.hint").to_string());
    }
    let what = lines.join("\n").replace('\'', "`");
    let hints: Vec<String> = hints.iter().map(|hint| format!("hint: {hint}")).collect();
    format!("{what}\n\n{}", hints.join("\n"))
}

/// clap has no tip for what follows `help`.
fn similar_command(error: &clap::Error, command: &clap::Command) -> Option<Message> {
    let ContextValue::String(typed) = error.get(ContextKind::InvalidSubcommand)? else { return None };
    let near = nearest(typed, command.get_subcommands().map(clap::Command::get_name))?;
    Some(message!("cli.similar-command.hint", name = near))
}

/// Prints the error, if any; returns the exit code.
pub fn finish(result: Result<Status, CliError>) -> ExitCode {
    match result {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::No) => ExitCode::from(1),
        Ok(Status::Partial) => ExitCode::from(2),
        // The reader closed the pipe.
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            print_stderr(&match failure {
                CliError::Message(message) => message.to_string(),
                CliError::Problems(problems) => problems.to_string(),
                CliError::Output(error) => {
                    ErrorMessage::new(message!("cli.cannot-write-output", error)).to_string()
                }
            });
            ExitCode::from(2)
        }
    }
}

/// Writes a line to stderr; a closed stderr is ignored.
pub fn print_stderr(text: &str) {
    use io::Write as _;
    _ = writeln!(io::stderr(), "{}", shown(text));
}

/// Writes a notice to stderr.
pub fn print_notice(notice: &Message) {
    print_stderr(&notice.to_string());
}

/// The same after `note:`.
pub fn print_note(note: &Message) {
    print_notice(&message!("cli.note", message = note));
}

/// A hint that a name may have been mistyped.
pub fn did_you_mean(name: &str) -> Message {
    message!("cli.did-you-mean.hint", name)
}
