//! Sources of the page: what Prettier leaves to the writer.

use super::{expect_none, files, read, root, shown};

/// A changed sentence is a changed line. Prettier keeps an object on one line if its first key is there.
#[test]
fn words_have_one_key_a_line() {
    let mut wrong = Vec::new();
    for path in files(&root().join("crates/web/page/words"), ".js") {
        for (n, line) in read(&path).lines().enumerate() {
            if line.matches("\": ").count() > 1 {
                wrong.push(format!("{}:{}: more than one key", shown(&path), n + 1));
            }
        }
    }
    expect_none(&wrong);
}
