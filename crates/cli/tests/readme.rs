//! The commands of the README and of the guides do what they say.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

#[test]
fn readme_runs() {
    run_document("README.md", include_str!("../../../README.md"));
}

#[test]
fn player_guide_runs() {
    run_document("guide-player.md", include_str!("../../../docs/guide-player.md"));
}

#[test]
fn researcher_guide_runs() {
    run_document("guide-researcher.md", include_str!("../../../docs/guide-researcher.md"));
}

#[test]
fn record_keeper_guide_runs() {
    run_document("guide-record-keeper.md", include_str!("../../../docs/guide-record-keeper.md"));
}

#[test]
fn inventor_guide_runs() {
    run_document("guide-inventor.md", include_str!("../../../docs/guide-inventor.md"));
}

#[test]
fn engineer_guide_runs() {
    run_document("guide-engineer.md", include_str!("../../../docs/guide-engineer.md"));
}

/// Runs the commands of a document in order, in a new folder with the files that it asks its reader to save.
fn run_document(name: &str, text: &str) {
    let folder = new_folder(name);
    for (file, content) in files_to_save(text) {
        fs::write(folder.join(file), content).expect("the folder can be written to");
    }
    let commands: Vec<&str> = blocks(text, "sh").flat_map(str::lines).filter(|line| is_ours(line)).collect();
    assert!(commands.len() > 5, "{name} has commands");
    for command in commands {
        let output = run(command, &folder);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {command}\n{errors}");
        assert!(!output.stdout.is_empty() || !errors.is_empty(), "{name}: {command}: no output");
    }
}

/// Empty, because the files of an earlier run may have another format.
fn new_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder of temporary files can be written to");
    folder
}

/// The fenced blocks of a language.
fn blocks<'a>(text: &'a str, language: &str) -> impl Iterator<Item = &'a str> {
    let fence = format!("```{language}\n");
    let starts: Vec<usize> = text.match_indices(&fence).map(|(at, _)| at + fence.len()).collect();
    starts.into_iter().filter_map(|start| text[start..].split("```").next())
}

/// TOML and INI blocks whose first line is a comment with a file's name.
fn files_to_save(text: &str) -> impl Iterator<Item = (&str, &str)> {
    blocks(text, "toml").chain(blocks(text, "ini")).filter_map(|block| {
        let name = block.lines().next()?.strip_prefix("# ")?;
        [".toml", ".ini"].iter().any(|ending| name.ends_with(ending)).then_some((name, block))
    })
}

fn is_ours(line: &str) -> bool {
    line.starts_with("ashta ") || line.starts_with("echo ")
}

/// Runs `ashta ...` or `echo "input" | ashta ...`.
fn run(line: &str, folder: &Path) -> Output {
    let line = line.split(" #").next().unwrap_or_default().trim();
    let (input, command) = match line.strip_prefix("echo ").and_then(|rest| rest.split_once(" | ")) {
        Some((input, command)) => (words(input).join(" ") + "\n", command),
        None => (String::new(), line),
    };
    let mut ashta = Command::new(env!("CARGO_BIN_EXE_ashta"));
    ashta.args(words(command).iter().skip(1)).current_dir(folder);
    ashta.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = ashta.spawn().expect("ashta starts");
    // A command that does not read its input may have ended.
    let _ = child.stdin.take().expect("stdin is a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("ashta ends")
}

/// Words as a shell has them, with double quotes.
fn words(command: &str) -> Vec<String> {
    let quoted = command.split('"').enumerate();
    quoted
        .flat_map(|(n, part)| match n % 2 {
            0 => part.split_whitespace().map(str::to_string).collect(),
            _ => vec![part.to_string()],
        })
        .collect()
}

/// The games of CONTRIBUTING.md, as a newcomer would copy them.
#[test]
fn the_recipes_are_games() {
    let contributing = include_str!("../../../CONTRIBUTING.md");
    let games: Vec<&str> = blocks(contributing, "toml").filter(|block| block.contains("name = ")).collect();
    assert_eq!(games.len(), 4, "two that extend another, two from nothing");
    for text in games {
        let text: String = text.lines().map(|line| line.trim_start().to_string() + "\n").collect();
        let rules = ashta_rules::load_text("my-game.toml", &text, &[])
            .unwrap_or_else(|problems| panic!("{problems}"));
        let game = ashta_position::Game::start(&ashta_position::CompiledRules::new(rules));
        assert!(game.perft(2) > 30);
    }
}
