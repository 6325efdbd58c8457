//! The clocks of two players.
//!
//! In: time control, elapsed times. Out: remaining times. Never: the time of day.

use std::time::Duration;

use ashta_rules::{Rules, Side};

use crate::draw::side_name;

/// Time control: base time and increment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockPlan {
    pub time: Duration,
    pub increment: Duration,
}

impl ClockPlan {
    /// `5` is five minutes, `5+3` adds three seconds a move, `0.5` is half a minute.
    pub fn read(text: &str) -> Option<ClockPlan> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str, most: f64| {
            text.trim().parse::<f64>().ok().filter(|n| n.is_finite() && (0.0..=most).contains(n))
        };
        let time = Duration::from_secs_f64(number(minutes, 10_000.0)? * 60.0);
        let increment = Duration::from_secs_f64(number(seconds, 10_000.0)?);
        (time > Duration::ZERO).then_some(ClockPlan { time, increment })
    }
}

/// Two clocks; without a plan they count upward.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    plan: Option<ClockPlan>,
    used: [Duration; 2],
    gained: [Duration; 2],
}

impl Clocks {
    pub fn new(plan: Option<ClockPlan>) -> Clocks {
        Clocks { plan, used: [Duration::ZERO; 2], gained: [Duration::ZERO; 2] }
    }

    /// A side has moved after this time.
    pub fn press(&mut self, side: usize, thought: Duration) {
        self.used[side] += thought;
        self.gained[side] += self.plan.map_or(Duration::ZERO, |plan| plan.increment);
    }

    /// Remaining time; `None` without a time control.
    pub fn left(&self, side: usize, thinking: Duration) -> Option<Duration> {
        let plan = self.plan?;
        Some((plan.time + self.gained[side]).saturating_sub(self.used[side] + thinking))
    }

    /// Whether a side's time is over.
    pub fn is_over(&self, side: usize, thinking: Duration) -> bool {
        self.left(side, thinking) == Some(Duration::ZERO)
    }

    /// Both clocks: `clocks: White 4:58, Black 5:00`.
    pub fn line(&self, rules: &Rules) -> String {
        let one = |side: usize| format!("{} {}", side_name(Side(side as u8), rules), self.text(side));
        format!("clocks: {}, {}", one(0), one(1))
    }

    /// A side's clock as text: what is left, or what was used.
    pub fn text(&self, side: usize) -> String {
        let shown = self.left(side, Duration::ZERO).unwrap_or(self.used[side]).as_secs();
        match shown / 3600 {
            0 => format!("{}:{:02}", shown / 60, shown % 60),
            hours => format!("{hours}:{:02}:{:02}", shown / 60 % 60, shown % 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_used_and_added() {
        let plan = ClockPlan::read("1+2");
        let mut clocks = Clocks::new(plan);
        let second = Duration::from_secs;
        clocks.press(0, second(10));
        assert_eq!(clocks.left(0, Duration::ZERO), Some(second(52)));
        assert_eq!((clocks.text(0).as_str(), clocks.text(1).as_str()), ("0:52", "1:00"));
        assert!(!clocks.is_over(1, second(59)) && clocks.is_over(1, second(60)));
    }

    #[test]
    fn without_a_plan_clocks_count_upward() {
        let mut clocks = Clocks::new(None);
        clocks.press(1, Duration::from_secs(3700));
        assert_eq!((clocks.text(0).as_str(), clocks.text(1).as_str()), ("0:00", "1:01:40"));
        assert!(!clocks.is_over(1, Duration::from_secs(1_000_000)));
    }

    #[test]
    fn plans_that_are_none_are_refused() {
        for text in ["", "0", "-1", "nan", "inf", "5+", "5+x", "1e99", "5+3+1"] {
            assert_eq!(ClockPlan::read(text), None, "{text}");
        }
        assert_eq!(ClockPlan::read("0.5").map(|plan| plan.time), Some(Duration::from_secs(30)));
    }
}
