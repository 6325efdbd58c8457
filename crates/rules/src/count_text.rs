//! Counts that run, as positions write them.
//!
//! In: fields of FEN and SFEN. Out: the count of a setup. Never: when a count begins.
//!
//! FEN has the limit, in plies, in place of the en passant square, and the plies counted in place of those without progress,
//! as Fairy-Stockfish writes it. SFEN has both at its end, as in `128:5`.

use ashta_messages::message;

use crate::rules::Rules;
use crate::setup::{Count, Setup};
use crate::setup_text::{SetupError, SetupFields, error, read_counter, shorten};

impl Setup {
    /// Reads the limit of a count, if the field is one.
    pub(crate) fn read_count_limit(
        &mut self,
        at: usize,
        text: &str,
        rules: &Rules,
    ) -> Result<bool, SetupError> {
        let Some(counting) = rules.ends().counting.as_ref().filter(|_| is_number(text)) else {
            return Ok(false);
        };
        let limits = counting.limits_in_plies();
        let limit = text.parse().ok().filter(|limit| limits.contains(limit));
        let limit = limit.ok_or_else(|| {
            error(at, message!("rules.setup-counting", text = shorten(text), limits = limits))
        })?;
        self.counting = Some(Count { limit, plies: 0 });
        Ok(true)
    }

    /// Reads plies: of the count that runs, else without progress.
    pub(crate) fn read_plies(&mut self, at: usize, text: &str) -> Result<(), SetupError> {
        let plies = read_counter(at, text)?;
        match &mut self.counting {
            Some(count) => count.plies = plies,
            None => self.quiet = plies,
        }
        Ok(())
    }

    /// Reads `128:5`, if it stands there.
    pub(crate) fn read_sfen_count(
        &mut self,
        fields: &mut SetupFields,
        rules: &Rules,
    ) -> Result<(), SetupError> {
        let Some((at, (limit, plies))) =
            fields.peek().and_then(|(at, text)| Some((at, text.split_once(':')?)))
        else {
            return Ok(());
        };
        if self.read_count_limit(at, limit, rules)? {
            fields.next();
            self.read_plies(at + limit.len() + 1, plies)?;
        }
        Ok(())
    }

    /// The field of FEN that has a square of en passant, where a count runs instead, and the plies after it.
    pub(crate) fn count_texts(&self) -> Option<(String, u32)> {
        self.counting.map(|count| (count.limit.to_string(), count.plies))
    }

    /// ` 128:5` at the end of SFEN.
    pub(crate) fn sfen_count(&self) -> String {
        self.counting.map_or_else(String::new, |count| format!(" {}:{}", count.limit, count.plies))
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
