//! Writing to the standard output: lines, JSON, numbers.

use std::io::Write;
use std::time::Duration;

use ashta_messages::{Message, message};
use serde::Serialize;

use crate::cli_error::{CliError, Status};

pub fn write_lines(out: &mut dyn Write, lines: &[String]) -> Result<(), CliError> {
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

pub fn write_json(out: &mut dyn Write, value: &impl Serialize) -> Result<Status, CliError> {
    // Serialising cannot fail, only writing can.
    serde_json::to_writer_pretty(&mut *out, value).map_err(|error| CliError::Output(error.into()))?;
    writeln!(out)?;
    Ok(Status::Done)
}

/// `12,345,678`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1.25 s, 97 million nodes/s`.
pub fn speed(nodes: u64, elapsed: Duration) -> Message {
    let seconds = elapsed.as_secs_f64();
    let millions = nodes as f64 / seconds.max(1e-9) / 1e6;
    if seconds < 0.001 {
        message!("cli.fast")
    } else {
        message!("cli.speed", seconds = format!("{seconds:.3}"), millions = format!("{millions:.1}"))
    }
}
