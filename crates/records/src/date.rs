//! Dates in game records.
//!
//! In: the text of a tag. Out: a date as far as it is known, or none. Never: a time of day taken for a date, or a day
//! guessed where two orders are possible.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DateText {
    /// Year, month and day in one number, 0 for unknown parts: `19710812`, `19710000`.
    Date(u32),
    /// Not even the year is known: `????.08.12`.
    Unknown,
    /// Not a date: a time, a name.
    Other,
}

/// A date number; `None` without a year.
pub fn date_number(text: &str) -> Option<u32> {
    match DateText::read(text) {
        DateText::Date(number) => Some(number),
        DateText::Unknown | DateText::Other => None,
    }
}

/// The year before the first year of each Japanese era.
const ERAS: [(&str, u32); 5] =
    [("明治", 1867), ("大正", 1911), ("昭和", 1925), ("平成", 1988), ("令和", 2018)];

impl DateText {
    /// Reads `1971.08.12`, `1971/8/12 09:00`, `1971-08-12T09:00:00Z`, `1971年8月12日(木)`, `昭和46年8月12日`, `19710812`,
    /// `12.08.1971`, `8/30/1971`; `1971`, `1971.08`, and question marks or zeros for unknown parts.
    pub fn read(text: &str) -> DateText {
        let text: String = text.trim().chars().map(plain).collect();
        if text.starts_with("??") {
            return DateText::Unknown;
        }
        let read = of_era(&text)
            .or_else(|| compact(&text))
            .or_else(|| year_first(&text))
            .or_else(|| year_last(&text));
        read.map_or(DateText::Other, DateText::Date)
    }
}

/// Full-width digits and signs as ASCII.
fn plain(c: char) -> char {
    match c {
        '０'..='９' | '／' | '．' | '：' | '？' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '　' => ' ',
        _ => c,
    }
}

/// A part of a date: digits, or question marks.
struct Part<'t> {
    digits: &'t str,
    rest: &'t str,
}

fn part(text: &str) -> Option<Part<'_>> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '?').unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    (!digits.is_empty()).then_some(Part { digits, rest })
}

impl Part<'_> {
    /// A month or a day: 0 if unknown, `None` if it is neither a number of one or two digits nor question marks.
    fn number(&self) -> Option<u32> {
        match self.digits {
            digits if digits.len() > 2 => None,
            digits if digits.contains('?') => Some(0),
            digits => digits.parse().ok(),
        }
    }
}

/// `昭和46年8月12日`, `令和元年5月`.
fn of_era(text: &str) -> Option<u32> {
    let (rest, before) = ERAS.iter().find_map(|(era, before)| Some((text.strip_prefix(era)?, before)))?;
    let rest = rest.trim_start();
    let (year, rest) = match rest.strip_prefix('元') {
        Some(rest) => (1, rest),
        None => part(rest).and_then(|part| Some((part.number()?, part.rest)))?,
    };
    month_and_day(before + year, rest.strip_prefix('年')?.trim_start(), '月')
}

/// `19710812`, alone or before a time.
fn compact(text: &str) -> Option<u32> {
    let Part { digits, rest } = part(text)?;
    let is_apart = !rest.starts_with([':', '.', '/', '-', '年']);
    let number: u32 = (digits.len() == 8 && is_apart).then(|| digits.parse().ok())??;
    checked(number / 10_000, number / 100 % 100, number % 100)
}

/// `1971.08.12`, `1971年8月12日`, `1971`.
fn year_first(text: &str) -> Option<u32> {
    let Part { digits, rest } = part(text)?;
    let year: u32 = (digits.len() == 4).then(|| digits.parse().ok())??;
    match rest.chars().next() {
        None => checked(year, 0, 0),
        Some(c) if c.is_whitespace() => checked(year, 0, 0),
        Some('年') => month_and_day(year, rest.strip_prefix('年')?.trim_start(), '月'),
        Some(sign @ ('.' | '/' | '-')) => month_and_day(year, &rest[1..], sign),
        Some(_) => None,
    }
}

/// After a year: a month and a day with a separator, a month, or nothing.
fn month_and_day(year: u32, text: &str, sign: char) -> Option<u32> {
    let Some(month) = part(text) else {
        return if is_end(text) { checked(year, 0, 0) } else { None };
    };
    let day = month.rest.strip_prefix(sign).map(str::trim_start).and_then(part);
    let (day, rest) = match &day {
        Some(day) => (day.number()?, day.rest),
        None => (0, month.rest),
    };
    // Minutes follow hours, not months.
    if rest.starts_with(':') {
        return None;
    }
    checked(year, month.number()?, day)
}

fn is_end(text: &str) -> bool {
    text.chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, '(' | 'T'))
}

/// `12.08.1971`, `30-12-2018`, `12/30/2018`. Where both orders are possible only the year is taken, except with dots,
/// which always mean day first.
fn year_last(text: &str) -> Option<u32> {
    let first = part(text)?;
    let sign = first.rest.chars().next().filter(|c| matches!(c, '.' | '/' | '-'))?;
    let second = part(&first.rest[1..])?;
    let third = second.rest.strip_prefix(sign).and_then(part)?;
    let year: u32 = (third.digits.len() == 4 && is_end(third.rest)).then(|| third.digits.parse().ok())??;
    match (first.number()?, second.number()?) {
        (day, month) if sign == '.' || day > 12 || day == month => checked(year, month, day),
        (month, day) if day > 12 => checked(year, month, day),
        (_, _) => checked(year, 0, 0),
    }
}

/// Rejects dates that the calendar does not have.
fn checked(year: u32, month: u32, day: u32) -> Option<u32> {
    // The Julian calendar applies before 1582.
    let is_leap =
        year.is_multiple_of(4) && (year < 1582 || !year.is_multiple_of(100) || year.is_multiple_of(400));
    let n_days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    // A day without a month is dropped.
    let day = if month == 0 { 0 } else { day };
    ((1..=9999).contains(&year) && month <= 12 && day <= n_days).then_some(year * 10_000 + month * 100 + day)
}

/// Whether two dates are compatible in the parts that both have.
pub fn agree(one: u32, other: u32) -> bool {
    let parts = |date: u32| [date / 10_000, date / 100 % 100, date % 100];
    parts(one).into_iter().zip(parts(other)).all(|(a, b)| a == 0 || b == 0 || a == b)
}

#[cfg(test)]
mod tests {
    use super::DateText::{self, Date, Other, Unknown};
    use super::agree;

    #[test]
    fn dates_as_people_write_them() {
        let texts = [
            ("1971.08.12", Date(19710812)),
            ("1997.??.??", Date(19970000)),
            ("1982.09.??", Date(19820900)),
            ("1900.00.00", Date(19000000)),
            ("1972", Date(19720000)),
            ("1972.??", Date(19720000)),
            ("2021/10/02 22:35:06", Date(20211002)),
            ("2014/07/08 9:00", Date(20140708)),
            ("2014/09/13 14：59", Date(20140913)),
            ("2005/08/23(火) 22:50", Date(20050823)),
            ("2008/12/20(土)", Date(20081220)),
            ("2005/11/29･30日", Date(20051129)),
            ("2017-03-22T01:00:00.000Z", Date(20170322)),
            ("12/30/2018 10:29:48 PM", Date(20181230)),
            ("30/12/2018", Date(20181230)),
            ("12.08.1971", Date(19710812)),
            ("08/12/1971", Date(19710000)),
            ("08/08/1971", Date(19710808)),
            ("19710812", Date(19710812)),
            ("20260416_224728", Date(20260416)),
            ("２０１４年９月１３日", Date(20140913)),
            ("1971年8月", Date(19710800)),
            ("1971年", Date(19710000)),
            ("昭和46年8月12日", Date(19710812)),
            ("令和元年5月1日", Date(20190501)),
            ("0940.??.??", Date(9400000)),
            ("2024.02.29", Date(20240229)),
            ("????.??.??", Unknown),
            ("????.08.12", Unknown),
            // Times, and what no calendar has.
            (" 09:10:01", Other),
            ("22:47:29", Other),
            ("2247", Date(22470000)),
            ("2014/09:13", Other),
            ("1971.13.01", Other),
            ("1971.02.30", Other),
            ("2023.02.29", Other),
            ("1972-73", Other),
            ("197.1.1", Other),
            ("71.08.12", Other),
            ("1850s", Other),
            ("yesterday", Other),
            ("", Other),
            ("/", Other),
            ("1971.x", Other),
            ("99999999", Other),
            ("123456789012345678901234567890", Other),
        ];
        for (text, wanted) in texts {
            assert_eq!(DateText::read(text), wanted, "{text}");
        }
    }

    #[test]
    fn dates_agree_as_far_as_both_are_known() {
        for (one, other, wanted) in [
            (19710812, 19710812, true),
            (19710800, 19710812, true),
            (19710000, 19710812, true),
            (0, 19710812, true),
            (19710812, 19710813, false),
            (19700000, 19710812, false),
        ] {
            assert_eq!(agree(one, other), wanted, "{one} {other}");
        }
    }
}
