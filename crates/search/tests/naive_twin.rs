//! The fast searches give exactly the moves that a full-width search gives, on positions of every game.

use ashta_position::{CompiledRules, Game, Move, Position, with_line};
use ashta_rules::{Rules, game_names, load};
use ashta_search::SearchWord;
use ashta_search::{
    AlphaBeta, Depth, EndShape, FeatureChoice, Features, Forced, HandWeights, Leaves, Material, Mates,
    MobilityCount, MobilityWeight, SquareWeights, Values,
};

use crate::naive::{ended, evaluating_moves, mates_with, semi_random_moves};

/// Nodes up to which the slow twin is asked.
const MOST_NODES: u64 = 60_000;

struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// What was compared, so that a test cannot pass by comparing nothing.
#[derive(Default, Debug)]
struct Compared {
    forced: u32,
    decided: u32,
    material: u32,
    captures: u32,
    mates: u32,
    mating: u32,
}

struct Searchers {
    forced: Forced,
    /// Each with what it looks for at its leaves.
    searches: Vec<(Leaves, AlphaBeta)>,
    mates: Mates,
}

impl Searchers {
    /// Plain values that see ends, the same that count material, values that differ in hand and by square, and values
    /// of mobility.
    fn new(rules: &Rules, values: Values) -> Searchers {
        let search = |values: &Values, leaves| {
            (leaves, AlphaBeta::with_leaves(rules, Material::new(rules, values.clone()), leaves))
        };
        let (uneven, mobile) = (uneven_values(rules), mobile_values(rules));
        Searchers {
            forced: Forced::new(EndShape::of(rules)),
            searches: vec![
                search(&values, Leaves::SeeEnds),
                search(&values, Leaves::CountMaterial),
                search(&uneven, Leaves::SeeEnds),
                search(&uneven, Leaves::CountMaterial),
                search(&mobile, Leaves::CountMaterial),
            ],
            mates: Mates::new(),
        }
    }
}

/// Values that make almost every move a little better or worse.
fn uneven_values(rules: &Rules) -> Values {
    let choice = FeatureChoice {
        hand: HandWeights::Apart,
        squares: SquareWeights::Mirrored,
        mobility: MobilityWeight::None,
    };
    let (features, mut random) = (Features::new(rules, choice), Lcg(11));
    let weight = |worth: f64| worth + (random.below(7) as f64 - 3.0) / 16.0;
    features.values(&features.start().into_iter().map(weight).collect::<Vec<_>>())
}

/// Values of pieces, and of the squares that they attack.
fn mobile_values(rules: &Rules) -> Values {
    let choice = FeatureChoice { mobility: MobilityWeight::Shared, ..FeatureChoice::default() };
    let features = Features::new(rules, choice);
    let weights = features.names().iter().map(|name| if name == "mobility" { 0.3 } else { 1.0 });
    features.values(&weights.collect::<Vec<_>>())
}

fn compare<W: SearchWord>(
    position: &Position<W>,
    searchers: &mut Searchers,
    compared: &mut Compared,
    name: &str,
) {
    let moves = position.legal_moves();
    if moves.is_empty() || ended(position).is_some() {
        return;
    }
    let (mut fast, mut best) = (position.clone(), Vec::new());
    let told = format!("{name}: {}", position.text());
    let affordable = |plies: u32| (moves.len() as u64 + 2).pow(plies) <= MOST_NODES;
    for depth in (1..=4).filter(|depth| affordable(*depth)) {
        let slow = semi_random_moves(position, depth);
        searchers.forced.best_moves(&mut fast, &moves, depth, &mut best);
        assert_eq!(best, slow, "P{depth} of {told}");
        compared.forced += 1;
        compared.decided += u32::from(slow.len() < moves.len());
    }
    for (plies, captures) in [(1, 0), (2, 0), (3, 0), (4, 0), (1, 1), (1, 2), (2, 1)] {
        if affordable(u32::from(plies + captures)) {
            let depth = Depth { plies, captures };
            // The definition for leaves and values of other sorts is asked where it answers quickly.
            let n_asked = if affordable(u32::from(plies + captures) + 1) { 5 } else { 1 };
            for (leaves, search) in searchers.searches.iter_mut().take(n_asked) {
                let slow = evaluating_moves(position, search.material(), depth, *leaves);
                let value = search.best_moves(&mut fast, &moves, depth, &mut best);
                assert_eq!((value, &best), (slow.0, &slow.1), "{depth:?} {leaves:?} of {told}");
                // Another question of the same positions: what is remembered may not serve it.
                search.new_game();
                let mut in_other_order = moves.clone();
                in_other_order.reverse();
                in_other_order.rotate_left(moves.len() * 2 / 3);
                let first = in_other_order.iter().find(|mv| slow.1.contains(mv)).copied();
                let told = format!("the first best, {depth:?} {leaves:?} of {told}");
                assert_eq!(search.first_best(&mut fast, &in_other_order, depth), first, "{told}");
                search.new_game();
            }
            if captures == 0 { compared.material += 1 } else { compared.captures += 1 }
        }
    }
    for plies in [1, 3, 5].into_iter().filter(|plies| affordable(u32::from(*plies) - u32::from(*plies) / 3)) {
        let slow: Vec<Move> = moves.iter().copied().filter(|mv| mates_with(position, *mv, plies)).collect();
        searchers.mates.mating_moves(&mut fast, &moves, plies, &mut best);
        assert_eq!(best, slow, "mates in {plies} plies of {told}");
        compared.mates += 1;
        compared.mating += u32::from(!slow.is_empty());
    }
    assert_eq!(fast.text(), position.text(), "a search leaves the position as it was");
}

fn compare_game(name: &str, n_games: usize, compared: &mut Compared) {
    let rules = CompiledRules::new(load(name).unwrap_or_else(|error| panic!("{name}: {error}")));
    let values = Values::by_mobility(rules.rules(), MobilityCount::Moves);
    let mut searchers = Searchers::new(rules.rules(), values);
    let mut random =
        Lcg(name.bytes().fold(7u64, |sum, byte| u64::wrapping_add(sum.wrapping_mul(31), u64::from(byte))));
    for _ in 0..n_games {
        let mut game = Game::start(&rules);
        let wanted = random.below(160);
        for _ in 0..wanted {
            let moves = game.legal_moves();
            if game.outcome().is_some() || moves.is_empty() {
                break;
            }
            game.play_unchecked(moves[random.below(moves.len())]);
            // The last positions of a game are where something is decided.
            if random.below(12) == 0 {
                with_line!(game.line(), line => compare(line.position(), &mut searchers, compared, name));
            }
        }
        game.take_back();
        with_line!(game.line(), line => compare(line.position(), &mut searchers, compared, name));
    }
}

fn n_games() -> usize {
    if std::env::var_os("ASHTA_DEEP").is_some() { 40 } else { 2 }
}

#[test]
fn every_game_is_searched_as_its_definition_says() {
    let mut compared = Compared::default();
    let presets = ["shatranj+paper-001", "chaturanga+paper-001", "chess+paper-001", "heian-shogi+historical"];
    // Contests are not searched as games of two sides are.
    let is_contest = |name: &&str| load(name).is_ok_and(|rules| rules.contest().is_some());
    for name in game_names().into_iter().filter(|name| !is_contest(name)).chain(presets) {
        compare_game(name, n_games(), &mut compared);
    }
    assert!(compared.forced > 200 && compared.material > 200, "{compared:?}");
    assert!(compared.captures > 100 && compared.mates > 200, "{compared:?}");
    assert!(compared.decided > 20 && compared.mating > 5, "{compared:?}");
}

#[test]
fn small_games_are_searched_deeply() {
    // Endings of few men: searches of four plies and mates of five are within reach of the slow twin.
    let positions = [
        ("chess", "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1"),
        ("chess", "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1"),
        ("chess", "k7/2K5/8/8/8/8/8/1R6 w - - 97 80"),
        ("shatranj", "7k/8/6K1/8/8/8/8/R7 w - - 0 1"),
        ("shatranj", "7k/8/5PK1/8/8/8/8/3r4 w - - 0 1"),
        ("chaturanga", "7k/8/6K1/8/8/8/8/R7 w - - 0 1"),
        ("makruk", "7k/8/6K1/8/8/8/8/R5R1 w - - 0 1"),
        ("minishogi", "4k/5/4P/5/4K b G 1"),
    ];
    let mut compared = Compared::default();
    for (name, text) in positions {
        let rules = CompiledRules::new(load(name).expect(name));
        let game = Game::from_text(&rules, text).unwrap_or_else(|error| panic!("{name} {text}: {error}"));
        let values = Values::by_mobility(rules.rules(), MobilityCount::Promoted);
        let mut searchers = Searchers::new(rules.rules(), values);
        with_line!(game.line(), line => compare(line.position(), &mut searchers, &mut compared, name));
    }
    assert!(compared.forced > 15 && compared.decided > 5 && compared.mating > 3, "{compared:?}");
}
