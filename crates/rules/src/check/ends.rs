//! How games end, as a game file says it.

use ashta_messages::message;

use super::{Context, counting, special_ends};
use crate::ends::{
    Attacker, Bare, BareAgainst, BareReply, BareWait, Chaser, Checker, DeadPieces, Ends, Impasse, JudgedSide,
    Material, Quiet, Repetition, RoyalLoss, SideMaterial, Verdict,
};
use crate::fields::Fields;
use crate::grid::Grid;
use crate::problem::Place;
use crate::region::far_ranks;
use crate::rule_parts::{Kind, KindId};

const VERDICTS: [(&str, Verdict); 3] =
    [("draw", Verdict::Draw), ("loss", Verdict::Loss), ("win", Verdict::Win)];

// What to write when something else than a table stands there.
const BARE: &str = r#"bare = { verdict = "loss", reply = "bare-back" }"#;
const REPETITION: &str = r#"repetition = { fold = 3, verdict = "draw" }"#;
const CHASE: &str = r#"chase = { by = ["rook", "knight"] }"#;
const QUIET: &str = r#"quiet = { plies = 100, verdict = "draw" }"#;

fn goal_example(grid: Option<Grid>) -> String {
    let zone = grid.map_or_else(|| "all".to_string(), far_ranks);
    format!(r#"goal = {{ region = "{zone}" }}"#)
}

fn impasse_example(grid: Option<Grid>) -> String {
    let zone = grid.map_or_else(|| "all".to_string(), far_ranks);
    format!(r#"impasse = {{ zone = "{zone}", men = 10, first-points = 28, second-points = 27 }}"#)
}

/// Reads the table `[ends]`; every part of it may be absent.
pub fn read(root: &Fields, context: &Context, kinds: &[Kind]) -> Ends {
    let Some(fields) = root.required_table("ends", message!("rules.write-ends")) else {
        return Ends {
            royal_loss: RoyalLoss::Checkmate,
            stalemate: Verdict::Draw,
            bare: None,
            repetition: None,
            quiet: None,
            ply_cap: None,
            insufficient: Vec::new(),
            impasse: None,
            goal: None,
            extinction: None,
            checks: None,
            passes: None,
            points: None,
            counting: None,
        };
    };
    let ends = Ends {
        royal_loss: fields
            .choice("royal", &[("checkmate", RoyalLoss::Checkmate), ("capture", RoyalLoss::Capture)]),
        stalemate: fields.choice("stalemate", &VERDICTS),
        bare: fields.table("bare", BARE).map(|table| read_bare(&table, context)),
        repetition: fields.table("repetition", REPETITION).map(|table| read_repetition(&table, context)),
        quiet: fields.table("quiet", QUIET).map(|table| read_quiet(&table, context)),
        ply_cap: fields.number("plies", 1..=100_000),
        insufficient: fields
            .texts("insufficient")
            .unwrap_or_default()
            .iter()
            .filter_map(|text| read_material(*text, kinds, context))
            .collect(),
        impasse: fields
            .table("impasse", impasse_example(context.grid))
            .map(|table| read_impasse(&table, context, kinds)),
        goal: fields
            .table("goal", goal_example(context.grid))
            .map(|table| special_ends::read_goal(&table, context, kinds)),
        extinction: fields
            .table("extinction", special_ends::EXTINCTION)
            .map(|table| special_ends::read_extinction(&table, context, kinds)),
        checks: fields.number("checks", 1..=special_ends::MAX_CHECKS).map(|n| n as u8),
        passes: fields.number("passes", 2..=10),
        points: fields
            .table("points", special_ends::POINTS)
            .map(|table| special_ends::read_points(&table, context, kinds)),
        counting: fields.table("counting", counting::COUNTING).map(|table| counting::read(&table, context)),
    };
    if ends.royal_loss == RoyalLoss::Checkmate && context.quarters.len() != 2 {
        let hint = message!("rules.checkmate-sides.hint");
        context.report(fields.place(), message!("rules.checkmate-sides"), Some(hint));
    }
    fields.finish();
    ends
}

fn read_bare(fields: &Fields, context: &Context) -> Bare {
    let wait = |(text, place): (&str, &Place)| match text {
        "check" => Some(BareWait::Check),
        "retake" => Some(BareWait::Retake),
        _ => {
            let hint = message!("rules.choices", names = vec!["check", "retake"]);
            context.report(place, message!("rules.wrong-choice", key = "waits", text), Some(hint));
            None
        }
    };
    let bare = Bare {
        verdict: fields.choice("verdict", &[VERDICTS[1], VERDICTS[0]]),
        reply: fields.choice("reply", &[("none", BareReply::None), ("bare-back", BareReply::BareBack)]),
        uncounted: fields.texts("uncounted").map(|texts| context.kinds(&texts)).unwrap_or_default(),
        dead: fields
            .choice("dead", &[("counted", DeadPieces::Counted), ("uncounted", DeadPieces::Uncounted)]),
        against: fields.choice("against", &[("some", BareAgainst::Some), ("one", BareAgainst::One)]),
        waits: fields.texts("waits").unwrap_or_default().into_iter().filter_map(wait).collect(),
    };
    fields.finish();
    bare
}

fn read_repetition(fields: &Fields, context: &Context) -> Repetition {
    let repetition = Repetition {
        fold: fields.number("fold", 2..=10).unwrap_or(3) as u8,
        verdict: fields.choice("verdict", &VERDICTS),
        judged: fields
            .choice("for", &[("side-to-move", JudgedSide::ToMove), ("first-side", JudgedSide::First)]),
        checker: fields.choice("checker", &[("ignored", Checker::Ignored), ("loses", Checker::Loses)]),
        attacker: fields.choice("attacker", &[("ignored", Attacker::Ignored), ("loses", Attacker::Loses)]),
        plies: fields.number("plies", 0..=1000).unwrap_or(0),
        chaser: fields.table("chase", CHASE).map_or(Chaser::Ignored, |table| read_chaser(&table, context)),
    };
    fields.finish();
    repetition
}

/// Who chases and what is chased: every kind if the file does not say.
fn read_chaser(fields: &Fields, context: &Context) -> Chaser {
    let set = |key| match fields.texts(key) {
        Some(texts) => context.kinds(&texts).iter().fold(0, |set, kind| set | 1 << kind.0),
        None => u64::MAX,
    };
    let chaser = Chaser::Loses { by: set("by"), of: set("of") };
    fields.finish();
    chaser
}

fn read_quiet(fields: &Fields, context: &Context) -> Quiet {
    let quiet = Quiet {
        plies: fields.number("plies", 1..=10_000).unwrap_or(100),
        verdict: fields.choice("verdict", &VERDICTS),
        progress: fields.texts("progress").map(|texts| context.kinds(&texts)).unwrap_or_default(),
    };
    fields.finish();
    quiet
}

/// `king bishop* v king`: `*` stands for any number, also none; `one-colour` at the end, where all pieces but the royal
/// ones must stand on one colour.
fn read_material(text: (&str, &Place), kinds: &[Kind], context: &Context) -> Option<Material> {
    let (words, one_colour) = match text.0.strip_suffix(" one-colour") {
        Some(words) => (words, true),
        None => (text.0, false),
    };
    let Some((first, second)) = words.split_once(" v ") else {
        let hint = message!("rules.such-as", example = "\"king bishop v king\"");
        context.report(text.1, message!("rules.material"), Some(hint));
        return None;
    };
    let read = |names: &str| {
        let mut side = SideMaterial { kinds: Vec::new(), any_number_of: Vec::new() };
        for name in names.split_whitespace() {
            match name.strip_suffix('*') {
                Some(name) => side.any_number_of.push(context.kind((name, text.1))),
                None => side.kinds.push(context.kind((name, text.1))),
            }
        }
        side.kinds.retain(|kind| !side.any_number_of.contains(kind));
        side.kinds.sort_unstable();
        side
    };
    let sides = [read(first), read(second)];
    let is_royal = |kind: &KindId| kinds.get(kind.index()).is_some_and(|kind| kind.royal);
    if !sides.iter().all(|side| side.kinds.iter().any(is_royal)) {
        context.report(text.1, message!("rules.material-royal"), None);
    }
    Some(Material { sides, one_colour })
}

fn read_impasse(fields: &Fields, context: &Context, kinds: &[Kind]) -> Impasse {
    let zone = context.region(fields.required_text("zone"));
    let men = fields.number("men", 0..=256).unwrap_or(0);
    let points = [fields.number("first-points", 0..=1000), fields.number("second-points", 0..=1000)];
    let (fives, place) = (fields.texts("five-points").unwrap_or_default(), fields.place());
    if context.quarters.len() != 2 || points.contains(&None) {
        context.report(place, message!("rules.impasse"), None);
    }
    let fives = context.kinds(&fives);
    let worth = |n: usize| match &kinds[n] {
        kind if kind.royal => 0,
        _ if fives.contains(&KindId(n as u8)) => 5,
        _ => 1,
    };
    let impasse = Impasse {
        zone,
        n_pieces: men,
        points: points.iter().map(|p| p.unwrap_or(0)).collect(),
        worth: (0..kinds.len()).map(worth).collect(),
    };
    fields.finish();
    impasse
}
