//! The update of TD(lambda), as Sasaki states it (about 2004; 004).
//!
//! In: counts of features before and after a move, or the result of the game. Out: changed weights. Never: games.
//!
//! With v = sum of weights times counts, seen from one side throughout the game, and P = 1 / (1 + e^-v):
//!
//! ```text
//! trace_t = lambda trace_{t-1} + grad P_t,   grad P_t = P_t (1 - P_t) counts_t
//! weights += alpha (P_{t+1} - P_t) trace_t,  where the last P is the result: 1, 1/2 or 0
//! ```
//!
//! which is formula 3 with its sum kept as a trace. Seen from the other side P becomes 1 - P and counts change sign: the
//! two signs cancel, so it does not matter whose side is taken.

/// The chance of winning that a sum of weights times counts stands for.
pub fn probability(weights: &[f64], counts: &[f64]) -> f64 {
    let v: f64 = weights.iter().zip(counts).map(|(weight, count)| weight * count).sum();
    1.0 / (1.0 + (-v).exp())
}

/// What follows a position.
#[derive(Clone, Copy, Debug)]
pub enum Next<'a> {
    /// Another position, with these counts.
    Position(&'a [f64]),
    /// The end of the game: 1 if the first side won, 0 if it lost, 1/2 if nobody did.
    Result(f64),
}

/// Eligibility trace of one game.
#[derive(Clone, Debug)]
pub struct EligibilityTrace {
    lambda: f64,
    gradients: Vec<f64>,
}

impl EligibilityTrace {
    /// Of a game that has not begun.
    pub fn new(lambda: f64, n_weights: usize) -> EligibilityTrace {
        EligibilityTrace { lambda, gradients: vec![0.0; n_weights] }
    }

    pub fn begin_game(&mut self) {
        self.gradients.fill(0.0);
    }

    /// Learns from one step: what the weights foretold at `counts`, and what came. The change is added to `changed`,
    /// which may be the weights' own copy or a sum kept for later. Whether anything changed is returned.
    pub fn step(
        &mut self,
        weights: &[f64],
        counts: &[f64],
        next: Next<'_>,
        rate: f64,
        changed: &mut [f64],
    ) -> bool {
        let foretold = probability(weights, counts);
        let slope = foretold * (1.0 - foretold);
        for (gradient, count) in self.gradients.iter_mut().zip(counts) {
            *gradient = self.lambda * *gradient + slope * count;
        }
        let came = match next {
            Next::Position(counts) => probability(weights, counts),
            Next::Result(result) => result,
        };
        let error = rate * (came - foretold);
        if error == 0.0 {
            return false;
        }
        for (weight, gradient) in changed.iter_mut().zip(&self.gradients) {
            *weight += error * gradient;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of four positions with two kinds of piece, worked by hand with lambda 1/2 and alpha 1.
    ///
    /// Position 1: nothing gained. P1 = 1/2, gradient 0.
    /// Position 2: a piece of the first kind ahead, v = ln 3. P2 = 3/4, gradient (3/16, 0).
    /// Position 3: and one of the second behind. The result is a win.
    #[test]
    fn a_game_worked_by_hand() {
        let positions = [[0.0, 0.0], [1.0, 0.0], [1.0, -1.0]];
        let (mut weights, mut trace) = (vec![3f64.ln(), 2f64.ln()], EligibilityTrace::new(0.5, 2));
        let step = |weights: &mut Vec<f64>, trace: &mut EligibilityTrace, from: usize, next: Next<'_>| {
            let before = weights.clone();
            trace.step(&before, &positions[from], next, 1.0, weights)
        };
        // P2 - P1 = 1/4, but no gradient yet.
        assert!(step(&mut weights, &mut trace, 0, Next::Position(&positions[1])));
        assert_eq!(weights, [3f64.ln(), 2f64.ln()]);
        // v3 = ln 3 - ln 2, P3 = 3/5; P3 - P2 = -3/20, trace (3/16, 0): the first weight loses 9/320.
        step(&mut weights, &mut trace, 1, Next::Position(&positions[2]));
        assert!((weights[0] - (3f64.ln() - 9.0 / 320.0)).abs() < 1e-15 && weights[1] == 2f64.ln());
        // Foretold anew with the changed weights: the trace is (3/32 + s, -s) with s = P(1 - P), the error is 1 - P.
        let foretold = 1.0 / (1.0 + (-(weights[0] - weights[1])).exp());
        let slope = foretold * (1.0 - foretold);
        let wanted =
            [weights[0] + (1.0 - foretold) * (3.0 / 32.0 + slope), weights[1] - (1.0 - foretold) * slope];
        step(&mut weights, &mut trace, 2, Next::Result(1.0));
        assert!(weights.iter().zip(wanted).all(|(got, wanted)| (got - wanted).abs() < 1e-15), "{weights:?}");
    }

    #[test]
    fn a_trace_is_the_sum_of_the_formula() {
        let games = [[2.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 2.0]];
        let (weights, lambda) = (vec![0.3, -0.7], 0.8);
        let (mut trace, mut changed) = (EligibilityTrace::new(lambda, 2), vec![0.0; 2]);
        for pair in games.windows(2) {
            trace.step(&weights, &pair[0], Next::Position(&pair[1]), 0.1, &mut changed);
        }
        let mut wanted = vec![0.0; 2];
        for t in 0..games.len() - 1 {
            let difference = probability(&weights, &games[t + 1]) - probability(&weights, &games[t]);
            for (k, counts) in games.iter().enumerate().take(t + 1) {
                let p = probability(&weights, counts);
                for (sum, count) in wanted.iter_mut().zip(counts) {
                    *sum += 0.1 * difference * lambda.powi((t - k) as i32) * p * (1.0 - p) * count;
                }
            }
        }
        assert!(changed.iter().zip(&wanted).all(|(got, wanted)| (got - wanted).abs() < 1e-15));
    }

    #[test]
    fn gradients_are_those_of_small_differences() {
        let (weights, counts, small) = (vec![0.9, 0.4, -0.2], [1.0, -2.0, 3.0], 1e-6);
        let mut trace = EligibilityTrace::new(0.0, 3);
        trace.step(&weights, &counts, Next::Result(0.0), 1.0, &mut [0.0; 3]);
        for at in 0..3 {
            let moved = |by: f64| {
                let mut weights = weights.clone();
                weights[at] += by;
                probability(&weights, &counts)
            };
            let numeric = (moved(small) - moved(-small)) / (2.0 * small);
            assert!((numeric - trace.gradients[at]).abs() < 1e-9, "{at}: {numeric} {}", trace.gradients[at]);
        }
    }

    #[test]
    fn it_does_not_matter_whose_side_is_taken() {
        let games = [[1.0, 0.0], [1.0, -1.0], [2.0, 1.0]];
        let learn = |sign: f64, result: f64| {
            let (mut weights, mut trace) = (vec![0.5, 1.5], EligibilityTrace::new(0.9, 2));
            for (n, counts) in games.iter().enumerate() {
                let own = counts.map(|count| sign * count);
                let later = games.get(n + 1).map(|counts| counts.map(|count| sign * count));
                let next = later.as_ref().map_or(Next::Result(result), |counts| Next::Position(counts));
                let before = weights.clone();
                trace.step(&before, &own, next, 0.05, &mut weights);
            }
            weights
        };
        let (first, second) = (learn(1.0, 1.0), learn(-1.0, 0.0));
        assert!(first.iter().zip(&second).all(|(a, b)| (a - b).abs() < 1e-15), "{first:?} {second:?}");
    }
}
