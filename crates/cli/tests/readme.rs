//! The commands of the README do what it says they do.

use std::process::Command;

#[test]
fn the_tour_runs() {
    let readme = include_str!("../../../README.md");
    let commands: Vec<&str> = readme.lines().filter(|line| line.starts_with("ashta ")).collect();
    assert!(commands.len() > 5, "the tour has its commands");
    // The collection of an earlier run may have another format.
    let _ = std::fs::remove_dir_all(concat!(env!("CARGO_TARGET_TMPDIR"), "/my-games"));
    let _ = std::fs::remove_file(concat!(env!("CARGO_TARGET_TMPDIR"), "/my.book"));
    for line in commands {
        let command = line.split('#').next().unwrap_or("").trim();
        // Experiments keep their runs where they are started.
        let folder = env!("CARGO_TARGET_TMPDIR");
        let mut ashta = Command::new(env!("CARGO_BIN_EXE_ashta"));
        let output = ashta.args(words(command).iter().skip(1)).current_dir(folder).output();
        let output = output.expect("ashta starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}\n{errors}");
        assert!(!output.stdout.is_empty(), "{command}");
    }
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
    let blocks = contributing.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let games: Vec<&str> = blocks.filter(|block| block.contains("name = ")).collect();
    assert_eq!(games.len(), 2, "one that extends another, one from nothing");
    for text in games {
        let text: String = text.lines().map(|line| line.trim_start().to_string() + "\n").collect();
        let rules = ashta_rules::load_text("my-game.toml", &text, &[])
            .unwrap_or_else(|problems| panic!("{problems}"));
        let game = ashta_position::Game::start(&ashta_position::CompiledRules::new(rules));
        assert!(game.perft(2) > 30);
    }
}
