//! Code compiled for instructions is chosen only on processors that were asked for every one of them.

use super::{expect_none, files, read, root, shown};

#[test]
fn instructions_of_the_move_generator_are_asked_for() {
    let source = root().join("crates/position/src");
    let asked = read(&source.join("bmi2.rs"));
    let mut n_found = 0;
    let mut wrong = Vec::new();
    for path in files(&source, ".rs") {
        let text = read(&path);
        for enabled in text.split("target_feature(enable = \"").skip(1) {
            n_found += 1;
            for feature in enabled.split('"').next().unwrap_or_default().split(',') {
                if !asked.contains(&format!("is_x86_feature_detected!(\"{feature}\")")) {
                    wrong.push(format!(
                        "{}: `{feature}` is enabled, and `has_pext` does not ask",
                        shown(&path)
                    ));
                }
            }
        }
    }
    assert!(n_found > 0, "no code is compiled for instructions");
    expect_none(&wrong);
}
