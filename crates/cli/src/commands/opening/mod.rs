//! `ashta opening`: a book of openings, edited, grown from games, exchanged, practised.

mod editor;
mod exchange;
mod practice;
mod repair;
mod show;

use std::io::Write;
use std::path::{Path, PathBuf};

use ashta_position::{CompiledRules, Move};
use ashta_study::opening::{Book, Edit, Journal, JournalError, Mark, game_of};
use clap::{Args, Subcommand, ValueEnum};

use crate::cli_error::{CliError, ErrorMessage, Status, print_stderr};
use crate::game_arguments::read_rules;

/// Keep a book of openings: edit it, grow it from games, exchange it, be asked about it
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/opening.txt"))]
pub struct OpeningArgs {
    /// The book's file
    file: PathBuf,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Begin a new book
    New {
        /// A name from `ashta games` or a path to a .toml file, with `+change`s
        game: String,
        /// Start from this position, as FEN or SFEN
        #[arg(long, short, value_name = "FEN")]
        position: Option<String>,
    },
    /// Show what the book has after a line
    Show(show::BookShowArgs),
    /// Add a line
    Add {
        /// The moves from the start
        line: String,
    },
    /// Take the last move of a line out of the book
    Remove {
        /// The moves from the start
        line: String,
    },
    /// Put another move in the place of the last of a line
    Correct {
        /// The moves from the start
        line: String,
        /// The right move
        by: String,
    },
    /// Name the position after a line
    Name {
        /// The moves from the start
        line: String,
        /// The name; "" takes it away
        text: String,
    },
    /// Say something of the position after a line
    Comment {
        /// The moves from the start
        line: String,
        /// The words; "" takes them away
        text: String,
    },
    /// Mark the last move of a line: ! ? !! ?? !? ?!
    Mark {
        /// The moves from the start
        line: String,
        /// The mark; "" takes it away
        mark: String,
    },
    /// Take the last edit back
    Undo,
    /// Make the edit again that was taken back last
    Redo,
    /// Add the moves of games: PGN and other records, a Polyglot book (.bin), a collection's folder
    Import(exchange::BookImportArgs),
    /// Write the book as PGN (.pgn) or as a Polyglot book (.bin)
    Export {
        /// The file to write
        to: PathBuf,
    },
    /// Be asked for the book's next moves
    Practice(practice::PracticeArgs),
    /// Step through the book and edit it, line by line
    Edit,
    /// Mend a damaged book: every line that is whole is kept
    Repair(repair::RepairArgs),
}

/// One of two sides.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum SideChoice {
    /// The side that moves first
    First,
    /// The other
    Second,
}

pub fn run(args: &OpeningArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    if let Action::New { game, position } = &args.action {
        return new(&args.file, game, position.as_deref(), out);
    }
    if let Action::Repair(wanted) = &args.action {
        return repair::run(&args.file, wanted, out);
    }
    let mut journal = open(&args.file)?;
    let edit = match &args.action {
        Action::New { .. } | Action::Repair(_) => return Ok(Status::Done),
        Action::Show(wanted) => return show::run(wanted, &journal, out),
        Action::Import(wanted) => return exchange::import(wanted, &mut journal, out),
        Action::Export { to } => return exchange::export(to, &journal, out),
        Action::Practice(wanted) => return practice::run(wanted, journal.book(), out),
        Action::Edit => return editor::run(&mut journal, out),
        Action::Undo => {
            return journal
                .undo()
                .map_err(journal_error)
                .and_then(|()| print_size(&journal, "taken back", out));
        }
        Action::Redo => {
            return journal
                .redo()
                .map_err(journal_error)
                .and_then(|()| print_size(&journal, "made again", out));
        }
        Action::Add { line } => Edit::Add(read_line(journal.book(), line)?),
        Action::Remove { line } => Edit::Remove(read_line(journal.book(), line)?),
        Action::Correct { line, by } => correction(journal.book(), line, by)?,
        Action::Name { line, text } => Edit::Name(read_line(journal.book(), line)?, text.clone()),
        Action::Mark { line, mark } => Edit::Mark(read_line(journal.book(), line)?, read_mark(mark)?),
        Action::Comment { line, text } => Edit::Comment(read_line(journal.book(), line)?, text.clone()),
    };
    journal.edit(edit).map_err(journal_error)?;
    print_size(&journal, "done", out)
}

fn read_mark(text: &str) -> Result<Option<Mark>, CliError> {
    match (text, Mark::read(text)) {
        ("", _) => Ok(None),
        (_, Some(mark)) => Ok(Some(mark)),
        (_, None) => {
            let marks: Vec<&str> = Mark::ALL.iter().map(|mark| mark.symbol()).collect();
            Err(ErrorMessage::new(format!("`{text}` is no mark"))
                .hint(format!("marks are {}", marks.join(" ")))
                .into())
        }
    }
}

fn correction(book: &Book, line: &str, by: &str) -> Result<Edit, CliError> {
    let line = read_line(book, line)?;
    let Some((_, before)) = line.split_last() else {
        return Err(ErrorMessage::new("the line has no moves").into());
    };
    let game = book.after(before).map_err(|error| ErrorMessage::new(error.to_string()))?;
    let mv =
        crate::game_arguments::read_move(&game, by).map_err(|error| ErrorMessage::new(error.to_string()))?;
    Ok(Edit::Correct(line, mv))
}

fn new(file: &Path, game: &str, position: Option<&str>, out: &mut dyn Write) -> Result<Status, CliError> {
    let rules = read_rules(game)?;
    if rules.sides().len() != 2 || rules.contest().is_some() {
        return Err(ErrorMessage::new(format!("{game} is not a game of two sides without dice")).into());
    }
    let rules = CompiledRules::new(rules);
    Journal::create(file, &rules, game, position).map_err(|error| match &error {
        JournalError::File { error: io, .. } if io.kind() == std::io::ErrorKind::AlreadyExists => {
            ErrorMessage::new(format!("{} is there already", file.display()))
                .hint("`show` shows a book, `add` adds to it; a new one needs another name")
                .into()
        }
        _ => journal_error(error),
    })?;
    writeln!(out, "{}: an empty book of {}", file.display(), rules.rules().name())?;
    Ok(Status::Done)
}

fn check_exists(file: &Path) -> Result<(), CliError> {
    if !file.exists() {
        let begin = format!("`ashta opening {} new GAME` begins a book", file.display());
        return Err(ErrorMessage::new(format!("there is no file {}", file.display())).hint(begin).into());
    }
    Ok(())
}

fn open(file: &Path) -> Result<Journal, CliError> {
    check_exists(file)?;
    let game = game_of(file).map_err(journal_error)?;
    let rules = CompiledRules::new(read_rules(&game)?);
    Journal::open(file, &rules).map_err(journal_error)
}

fn journal_error(error: JournalError) -> CliError {
    message(&error).into()
}

/// What is wrong with a book, and what to do about it.
pub fn message(error: &JournalError) -> ErrorMessage {
    let message = ErrorMessage::new(error.to_string());
    match error {
        JournalError::Line { path, .. } => message.hint(format!(
            "`ashta opening {} repair` keeps every line that is whole, and the damaged file beside it",
            path.display()
        )),
        JournalError::File { .. }
        | JournalError::NotABook { .. }
        | JournalError::Format { .. }
        | JournalError::Edit(_)
        | JournalError::NothingToUndo
        | JournalError::NothingToRedo => message,
    }
}

fn read_line(book: &Book, text: &str) -> Result<Vec<Move>, CliError> {
    book.read_line(text).map_err(|error| ErrorMessage::new(error.to_string()).into())
}

/// Prints the size of the book.
fn print_size(journal: &Journal, what: &str, out: &mut dyn Write) -> Result<Status, CliError> {
    let (positions, moves) = journal.book().size();
    let (done, undone) = journal.n_edits();
    writeln!(out, "{what}: {positions} positions, {moves} moves")?;
    if undone > 0 {
        out.flush()?;
        print_stderr(&format!(
            "note: edits that `redo` makes again: {undone}; that `undo` takes back: {done}"
        ));
    }
    Ok(Status::Done)
}
