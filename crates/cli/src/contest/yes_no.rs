//! Yes or no answers.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum YesNo {
    Yes,
    No,
}

impl YesNo {
    /// `y`, `yes`, `n`, `no`, in any case; nothing else is an answer.
    pub fn read(line: &str) -> Option<YesNo> {
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" => Some(YesNo::Yes),
            "n" | "no" => Some(YesNo::No),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::YesNo;

    #[test]
    fn only_yes_and_no_are_answers() {
        for text in ["y", "Y", "yes", " YES\n", "Yes"] {
            assert_eq!(YesNo::read(text), Some(YesNo::Yes), "{text}");
        }
        for text in ["n", "N", "no", "NO ", "No\r\n"] {
            assert_eq!(YesNo::read(text), Some(YesNo::No), "{text}");
        }
        for text in ["", " ", "ye", "nope", "yess", "1", "quit", "ｙ"] {
            assert_eq!(YesNo::read(text), None, "{text}");
        }
    }
}
