//! `ashta opening`: a book of openings, edited, grown from games, exchanged, practised.

mod editor;
mod exchange;
mod practice;
mod repair;
mod show;

use std::io::Write;
use std::path::{Path, PathBuf};

use ashta_messages::message;
use ashta_position::{CompiledRules, Move};
use ashta_study::opening::{Book, Edit, Journal, JournalError, Mark, game_of};
use clap::{Args, Subcommand, ValueEnum};

use crate::cli_error::{CliError, ErrorMessage, Status, print_note};
use crate::game_arguments::{read_rules, require_two_sides};

/// Maintain an opening book: edit it, grow it from games, import, export, practise
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
    /// Create a book
    New {
        /// A name from `ashta games` or a path to a .toml file, with `+change`s, or variants.ini:NAME
        game: String,
        /// Start from this position, as FEN or SFEN
        #[arg(long, short, value_name = "FEN")]
        position: Option<String>,
    },
    /// Show the book's moves after a line
    Show(show::BookShowArgs),
    /// Add a line
    Add {
        /// The moves from the start
        line: String,
    },
    /// Remove the last move of a line from the book
    Remove {
        /// The moves from the start
        line: String,
    },
    /// Replace the last move of a line
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
        /// The name; "" removes it
        text: String,
    },
    /// Comment on the position after a line
    Comment {
        /// The moves from the start
        line: String,
        /// The comment; "" removes it
        text: String,
    },
    /// Mark the last move of a line: ! ? !! ?? !? ?!
    Mark {
        /// The moves from the start
        line: String,
        /// The mark; "" removes it
        mark: String,
    },
    /// Undo the last edit
    Undo,
    /// Redo the edit that was last undone
    Redo,
    /// Add the moves of games: PGN and other records, a Polyglot book (.bin), a collection's folder
    Import(exchange::BookImportArgs),
    /// Write the book as PGN (.pgn) or as a Polyglot book (.bin)
    Export {
        /// The file to write
        to: PathBuf,
    },
    /// Practise the book's moves
    Practice(practice::PracticeArgs),
    /// Step through the book and edit it, line by line
    Edit,
    /// Repair a damaged book: intact lines are kept
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
            let hint = message!("cli.marks.hint", marks = marks.join(" "));
            Err(ErrorMessage::new(message!("cli.not-a-mark", text)).hint(hint).into())
        }
    }
}

fn correction(book: &Book, line: &str, by: &str) -> Result<Edit, CliError> {
    let line = read_line(book, line)?;
    let Some((_, before)) = line.split_last() else {
        return Err(ErrorMessage::new(message!("cli.empty-line")).into());
    };
    let game = book.after(before).map_err(ErrorMessage::new)?;
    let mv = crate::game_arguments::read_move(&game, by).map_err(ErrorMessage::new)?;
    Ok(Edit::Correct(line, mv))
}

fn new(file: &Path, game: &str, position: Option<&str>, out: &mut dyn Write) -> Result<Status, CliError> {
    let rules = read_rules(game)?;
    require_two_sides(&rules, game)?;
    let rules = CompiledRules::new(rules);
    Journal::create(file, &rules, game, position).map_err(|error| match &error {
        JournalError::File { error: io, .. } if io.kind() == std::io::ErrorKind::AlreadyExists => {
            let message = ErrorMessage::new(message!("cli.book-exists", path = file));
            message.hint(message!("cli.book-exists.hint")).into()
        }
        _ => journal_error(error),
    })?;
    writeln!(out, "{}: an empty book of {}", file.display(), rules.rules().name())?;
    Ok(Status::Done)
}

fn check_exists(file: &Path) -> Result<(), CliError> {
    if !file.exists() {
        let hint = message!("cli.no-book.hint", path = file);
        return Err(ErrorMessage::new(message!("cli.no-book", path = file)).hint(hint).into());
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
    let message = ErrorMessage::new(error);
    match error {
        JournalError::Line { path, .. } => message.hint(message!("cli.repair.hint", path)),
        JournalError::File { .. }
        | JournalError::NotABook { .. }
        | JournalError::Format { .. }
        | JournalError::Edit(_)
        | JournalError::NothingToUndo
        | JournalError::NothingToRedo => message,
    }
}

fn read_line(book: &Book, text: &str) -> Result<Vec<Move>, CliError> {
    book.read_line(text).map_err(|error| ErrorMessage::new(error).into())
}

/// Prints the size of the book.
fn print_size(journal: &Journal, what: &str, out: &mut dyn Write) -> Result<Status, CliError> {
    let (positions, moves) = journal.book().size();
    let (done, undone) = journal.n_edits();
    writeln!(out, "{what}: {positions} positions, {moves} moves")?;
    if undone > 0 {
        out.flush()?;
        print_note(&message!("cli.undone-edits", undone, done));
    }
    Ok(Status::Done)
}
