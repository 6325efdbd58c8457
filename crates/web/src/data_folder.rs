//! The data folder, and the names of files in it.
//!
//! In: names from requests. Out: paths below the folder. Never: a path from a request; a [`Name`] has no separator and no dot.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ashta_messages::{Arg, Tell, ToArg};
use ashta_records::{clean_collection, remove_stale_temporaries};

/// Longest name, in characters.
const MAX_CHARACTERS: usize = 64;

/// A name that is one plain part of a path on every system.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(String);

/// A name that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
#[code("web.invalid-name")]
pub struct NameError {
    shown: String,
    max: usize,
}

impl Name {
    /// Letters and digits of any script, `-` and `_`.
    pub fn read(text: &str) -> Result<Name, NameError> {
        let is_plain = |c: char| c.is_alphanumeric() || "-_".contains(c);
        let is_good = !text.is_empty()
            && text.chars().count() <= MAX_CHARACTERS
            && text.chars().all(is_plain)
            && text.chars().any(char::is_alphanumeric);
        if is_good {
            Ok(Name(text.to_string()))
        } else {
            Err(NameError { shown: text.chars().take(MAX_CHARACTERS).collect(), max: MAX_CHARACTERS })
        }
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ToArg for Name {
    fn to_arg(&self) -> Arg {
        self.0.to_arg()
    }
}

#[derive(Debug)]
pub enum Lock {
    /// This process, until the lock is dropped.
    Acquired(FolderLock),
    /// Another.
    HeldBy(LockHolder),
}

/// The process that holds the lock, as written in the lock file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LockHolder {
    /// Its address; empty until it listens.
    pub address: String,
    /// Whether it uses the token in the folder.
    pub has_folder_token: bool,
}

impl LockHolder {
    const FOLDER_TOKEN: &str = "token in folder";

    fn read(text: &str) -> LockHolder {
        let mut lines = text.lines();
        let address = lines.next().unwrap_or_default().trim().to_string();
        LockHolder { address, has_folder_token: lines.next() == Some(LockHolder::FOLDER_TOKEN) }
    }
}

#[derive(Debug)]
pub struct FolderLock(File);

impl FolderLock {
    /// Writes the address of this process to the lock file.
    pub fn tell(&self, holder: &LockHolder) -> io::Result<()> {
        let token = if holder.has_folder_token { LockHolder::FOLDER_TOKEN } else { "" };
        self.0.set_len(0)?;
        (&self.0).write_all(format!("{}\n{token}\n", holder.address).as_bytes())
    }
}

/// The data folder.
#[derive(Clone, Debug)]
pub struct DataFolder(PathBuf);

impl DataFolder {
    pub fn open(path: &Path) -> io::Result<DataFolder> {
        make_private(path)?;
        let folder = DataFolder(fs::canonicalize(path)?);
        for below in [
            folder.games(),
            folder.collections(),
            folder.books(),
            folder.jobs(),
            folder.endings(),
            folder.values(),
            folder.uploads(),
        ] {
            fs::create_dir_all(below)?;
        }
        Ok(folder)
    }

    /// Removes partial files that a kill left; only for the owner of the lock.
    pub fn remove_leftovers(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.uploads())? {
            fs::remove_file(entry?.path())?;
        }
        for entry in fs::read_dir(self.collections())?.flatten() {
            // Errors are reported when the collection is used.
            _ = clean_collection(&entry.path());
        }
        let jobs = fs::read_dir(self.jobs())?.flatten().map(|entry| entry.path());
        let others = [self.0.clone(), self.games(), self.books(), self.endings(), self.values()];
        others.into_iter().chain(jobs).for_each(|folder| remove_stale_temporaries(&folder));
        Ok(())
    }

    /// Locks the folder.
    pub fn lock(&self) -> io::Result<Lock> {
        let path = self.0.join("in-use");
        let file = File::options().read(true).write(true).create(true).truncate(false).open(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock::Acquired(FolderLock(file))),
            Err(TryLockError::WouldBlock) => Ok(Lock::HeldBy(LockHolder::read(&fs::read_to_string(path)?))),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// The folder itself, to be shown.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Game files that were written here, `NAME.toml`.
    pub fn games(&self) -> PathBuf {
        self.0.join("games")
    }

    /// Collections of records, a folder each.
    pub fn collections(&self) -> PathBuf {
        self.0.join("collections")
    }

    /// Books of openings, `NAME.book`.
    pub fn books(&self) -> PathBuf {
        self.0.join("books")
    }

    /// Jobs, a folder each.
    pub fn jobs(&self) -> PathBuf {
        self.0.join("jobs")
    }

    /// Endgame tables.
    pub fn endings(&self) -> PathBuf {
        self.0.join("endings")
    }

    /// Values of pieces that were learned or written here, `NAME.values`.
    pub fn values(&self) -> PathBuf {
        self.0.join("values")
    }

    /// Files on their way into a collection; what is left there by a kill is removed at the next start.
    pub fn uploads(&self) -> PathBuf {
        self.0.join("uploads")
    }

    /// The token that scripts and browsers show, for its owner alone to read.
    pub fn token(&self) -> PathBuf {
        self.0.join("token")
    }

    /// Browsers that have shown it.
    pub fn sessions(&self) -> PathBuf {
        self.0.join("sessions.json")
    }

    /// Saved queries.
    pub fn queries(&self) -> PathBuf {
        self.0.join("queries.json")
    }

    /// Marks that the sample collections were made, so that deleted ones do not come back.
    pub fn samples_note(&self) -> PathBuf {
        self.0.join("samples-made")
    }

    /// One of these tables.
    pub fn values_file(&self, name: &Name) -> PathBuf {
        self.values().join(format!("{name}.values"))
    }

    /// The names of what is in one of the folders with this ending (empty for folders), in order.
    pub fn names(folder: &Path, ending: &str) -> io::Result<Vec<Name>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            let file_name = entry?.file_name();
            let stem = file_name.to_str().and_then(|name| name.strip_suffix(ending));
            names.extend(stem.and_then(|stem| Name::read(stem).ok()));
        }
        names.sort();
        Ok(names)
    }
}

/// Creates a folder with mode 0700; an existing one is unchanged.
fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

#[cfg(test)]
mod tests {
    use ashta_position::CompiledRules;
    use ashta_records::{CollectionWriter, Manifest};

    use super::*;

    #[test]
    fn names_are_one_plain_part_of_a_path() {
        for good in ["my-games", "定跡", "a_1"] {
            assert_eq!(Name::read(good).map(|name| name.to_string()), Ok(good.to_string()));
        }
        for bad in ["", "..", ".", "a/b", "a\\b", "a.toml", "C:", "a b", "\0", "-", &"x".repeat(65)] {
            assert!(Name::read(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn what_a_kill_left_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = DataFolder::open(folder.path()).expect("opened");
        let rules = CompiledRules::new(ashta_rules::load("chess").expect("a game"));
        let kept = data.collections().join("kept");
        drop(CollectionWriter::open(&kept, &rules, "chess").expect("begun"));
        fs::create_dir(data.collections().join("begun")).expect("made");
        fs::create_dir(data.collections().join("others")).expect("made");
        let half = data.collections().join("kept").join("MANIFEST.tmp");
        let other = data.collections().join("others").join("letter.txt");
        let upload = data.uploads().join("1-0");
        for path in [&half, &other, &upload, &data.games().join("mine.toml.4294967295-0.half")] {
            fs::write(path, "x").expect("written");
        }
        data.remove_leftovers().expect("swept");
        assert!(!half.exists() && !upload.exists() && !data.collections().join("begun").exists());
        assert_eq!(fs::read_dir(data.games()).expect("read").count(), 0);
        assert!(other.exists(), "somebody else's stays");
        assert!(Manifest::read(&kept).is_ok(), "a collection without games stays");
    }
}
