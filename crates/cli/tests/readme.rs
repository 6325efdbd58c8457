//! The commands of the README do what it says they do.

use std::process::Command;

#[test]
fn the_tour_runs() {
    let readme = include_str!("../../../README.md");
    let commands: Vec<&str> = readme.lines().filter(|line| line.starts_with("ashta ")).collect();
    assert!(commands.len() > 5, "the tour has its commands");
    for line in commands {
        let command = line.split('#').next().unwrap_or("").trim();
        let output = Command::new(env!("CARGO_BIN_EXE_ashta")).args(words(command).iter().skip(1)).output();
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

/// The game of CONTRIBUTING.md, as a newcomer would copy it.
#[test]
fn the_recipe_is_a_game() {
    let contributing = include_str!("../../../CONTRIBUTING.md");
    let start = contributing.find("```toml\n").expect("the recipe is there") + "```toml\n".len();
    let text = &contributing[start..start + contributing[start..].find("```").expect("it ends")];
    let text: String = text.lines().map(|line| line.trim_start().to_string() + "\n").collect();
    let rules =
        ashta_rules::load_text("my-chess.toml", &text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(rules.grid().files(), 10);
    let game = ashta_position::Game::start(&ashta_position::CompiledRules::new(rules));
    assert!(game.perft(2) > 600);
}
