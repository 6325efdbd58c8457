//! Contests, as a game file says them: sides that fight to the last, dice, thrones, blocks, captives.

use ashta_messages::{Message, message};

use super::Context;
use crate::betza::Path;
use crate::contest::{
    Asked, Block, Captives, ComeBack, Command, ContestBare, ContestRules, Dice, DiceOrder, DoubleMoves,
    FallenOnThrone, Freed, Goal, PartnerCapture, RoyalsNeeded, SumOfDice, Throne, WhoIsBare,
};
use crate::ends::{Bare, BareAgainst, BareReply, DeadPieces, Ends, RoyalLoss, Verdict};
use crate::fields::Fields;
use crate::node::Value;
use crate::region::SquareSet;
use crate::rule_parts::{Ban, Kind, Part, PromotesOn};
use crate::rule_parts::{Company, CountOfWaiting, Waiting};
use crate::rules::Rules;

/// The contest, if the file has a table `[contest]`; its parts make no sense without.
pub fn read(root: &Fields, context: &Context) -> Option<ContestRules> {
    let table = root.table("contest", message!("rules.write-contest"));
    let dice = root.table("dice", message!("rules.write-dice")).map(|table| read_dice(&table, context));
    let throne = root.table("throne", message!("rules.write-throne"));
    let block = root.table("block", message!("rules.write-block"));
    let captives = root.table("captives", message!("rules.write-captives"));
    let parts = [("throne", &throne), ("block", &block), ("captives", &captives)];
    let Some(table) = table else {
        let lone = parts.iter().find_map(|(name, part)| Some((*name, part.as_ref()?.place())));
        let dice = root.node("dice").filter(|_| dice.is_some()).map(|node| ("dice", &node.place));
        if let Some((name, place)) = lone.or(dice) {
            let hint = message!("rules.write", example = message!("rules.write-contest"));
            context.report(place, message!("rules.contest-part", name), Some(hint));
        }
        return None;
    };
    let bare_place = table.place();
    let rules = ContestRules {
        dice,
        partner: table.choice(
            "partner",
            &[
                ("all", PartnerCapture::All),
                ("royal-last", PartnerCapture::RoyalLast),
                ("last", PartnerCapture::Last),
            ],
        ),
        goal: table.choice(
            "goal",
            &[("last-royal", Goal::LastRoyal), ("last-team", Goal::LastTeam), ("points", Goal::Points)],
        ),
        royals: table.choice("royals", &[("last", RoyalsNeeded::Last), ("first", RoyalsNeeded::First)]),
        bare: ContestBare {
            who: table.choice("bare", &[("any", WhoIsBare::Any), ("all", WhoIsBare::All)]),
            between_partners: table
                .choice("bare-partner", &[("loss", Verdict::Loss), ("draw", Verdict::Draw)]),
        },
        throne: throne.map(|table| read_throne(&table, context)),
        block: block.map(|table| read_block(&table, context)),
        captives: read_captives(captives.as_ref(), context),
    };
    table.finish();
    let counts_twice = rules.throne.as_ref().is_some_and(|t| t.fallen == FallenOnThrone::CountsTwice);
    if counts_twice && rules.goal != Goal::Points {
        let hint = message!("rules.throne-points.hint");
        context.report(bare_place, message!("rules.throne-points"), Some(hint));
    }
    if context.quarters.len() != 4 && rules.throne.is_some() {
        context.report(bare_place, message!("rules.throne-sides"), None);
    }
    Some(rules)
}

fn read_dice(fields: &Fields, context: &Context) -> Dice {
    let dice = Dice {
        count: fields.number("count", 1..=2).unwrap_or(2) as u8,
        faces: read_faces(fields, context),
        order: fields.choice(
            "order",
            &[
                ("thrown", DiceOrder::Thrown),
                ("rising", DiceOrder::Rising),
                ("any", DiceOrder::Any),
                ("set", DiceOrder::Set),
            ],
        ),
        double: fields.choice(
            "double",
            &[("same-piece", DoubleMoves::SamePiece), ("any-piece", DoubleMoves::AnyPiece)],
        ),
        back: fields
            .choice("back", &[("after-capture", ComeBack::AfterCapture), ("always", ComeBack::Always)]),
        sum: fields.choice("sum", &[("allowed", SumOfDice::Allowed), ("no", SumOfDice::No)]),
    };
    fields.finish();
    dice
}

/// Most numbers on a die, and the largest: sums must stay small.
const MAX_FACES: usize = 8;
const MAX_NUMBER: f64 = 20.0;

fn read_faces(fields: &Fields, context: &Context) -> Vec<u8> {
    let hint = || Some(message!("rules.write", example = "faces = [2, 3, 4, 5]"));
    let Some(node) = fields.node("faces") else {
        context.report(fields.place(), message!("rules.missing-key", key = "faces"), hint());
        return Vec::new();
    };
    let number = |value: &Value| match value {
        Value::Number(n) if n.fract() == 0.0 && (1.0..=MAX_NUMBER).contains(n) => Some(*n as u8),
        _ => None,
    };
    let faces: Option<Vec<u8>> = match &node.value {
        Value::List(nodes) => nodes.iter().map(|node| number(&node.value)).collect(),
        _ => None,
    };
    let distinct = |faces: &Vec<u8>| (1..faces.len()).all(|n| !faces[..n].contains(&faces[n]));
    match faces.filter(|faces| (1..=MAX_FACES).contains(&faces.len()) && distinct(faces)) {
        Some(faces) => faces,
        None => {
            let what = message!("rules.faces", most = MAX_FACES);
            context.report(&node.place, what, hint());
            Vec::new()
        }
    }
}

fn read_throne(fields: &Fields, context: &Context) -> Throne {
    let throne = Throne {
        squares: context.region(fields.required_text("square")),
        command: fields.choice(
            "command",
            &[("while-there", Command::WhileThere), ("from-then-on", Command::FromThenOn)],
        ),
        fallen: fields.choice(
            "fallen",
            &[("counts-once", FallenOnThrone::CountsOnce), ("counts-twice", FallenOnThrone::CountsTwice)],
        ),
    };
    fields.finish();
    throne
}

fn read_block(fields: &Fields, context: &Context) -> Block {
    let block = Block {
        kinds: fields.texts("kinds").map(|texts| context.kinds(&texts)).unwrap_or_default(),
        files: fields.number("files", 1..=4).unwrap_or(2) as u8,
        ranks: fields.number("ranks", 1..=4).unwrap_or(2) as u8,
    };
    if block.kinds.is_empty() || block.files * block.ranks < 2 {
        context.report(fields.place(), message!("rules.block-size"), None);
    }
    fields.finish();
    block
}

fn read_captives(fields: Option<&Fields>, context: &Context) -> Captives {
    let anywhere = || context.turned_for_each_side(SquareSet::all);
    let Some(fields) = fields else { return Captives { freed: Freed::Never, place: anywhere() } };
    let captives = Captives {
        freed: fields.choice(
            "freed",
            &[
                ("never", Freed::Never),
                ("by-exchange", Freed::ByExchange(Asked::Once)),
                ("by-exchange-any-turn", Freed::ByExchange(Asked::EachTurn)),
                ("by-capture", Freed::ByCapture),
                ("by-capturing-all", Freed::ByCapturingAll),
            ],
        ),
        place: fields.text("place").map_or_else(anywhere, |text| context.region(text)),
    };
    fields.finish();
    captives
}

/// The conditions of a promotion: `when.rook = { pawn = 2 }` lets a pawn become a rook while its side has at most two.
pub fn read_company(fields: &Fields, context: &Context) -> Vec<Company> {
    let Some(table) = fields.table("when", message!("rules.write-when")) else { return Vec::new() };
    let mut conditions = Vec::new();
    let is_absent = |value: &Value| matches!(value, Value::Text(text) if text == "none");
    for entry in table.all().iter().filter(|entry| !is_absent(&entry.node.value)) {
        let target = context.kind((&entry.key, &entry.key_place));
        let inner = Fields::of(&entry.node, message!("rules.write-when"), context.problems);
        let mut most = Vec::new();
        for limit in inner.all() {
            match limit.node.value {
                Value::Number(n) if n.fract() == 0.0 && (0.0..=255.0).contains(&n) => {
                    most.push((context.kind((&limit.key, &limit.key_place)), n as u8));
                }
                _ => context.report(&limit.node.place, message!("rules.piece-count"), None),
            }
        }
        conditions.push(Company { target, most });
    }
    conditions
}

/// What becomes of pieces that arrive too early, and whether they count.
pub fn read_waiting(fields: &Fields) -> (Waiting, CountOfWaiting) {
    (
        fields.choice("waiting", &[("promotes", Waiting::Promotes), ("stays", Waiting::Stays)]),
        fields.choice("waiting-count", &[("yes", CountOfWaiting::Counted), ("no", CountOfWaiting::Ignored)]),
    )
}

/// What goes with a contest and what does not.
pub fn check_combination(
    contest: Option<&ContestRules>,
    kinds: &[Kind],
    bans: &[Ban],
    ends: &Ends,
    root: &Fields,
    context: &Context,
) {
    let report = |what: Message, hint: Message| context.report(root.place(), what, Some(hint));
    let Some(contest) = contest else { return check_without_contest(kinds, report) };
    if ends.royal_loss != RoyalLoss::Capture {
        report(message!("rules.contest-royals"), message!("rules.contest-royals.hint"));
    }
    if ends.impasse.is_some()
        || ends.repetition.is_some()
        || ends.quiet.is_some()
        || !ends.insufficient.is_empty()
        || ends.goal.is_some()
        || ends.extinction.is_some()
        || ends.checks.is_some()
        || ends.passes.is_some()
        || ends.points.is_some()
        || ends.counting.is_some()
    {
        report(message!("rules.contest-ends"), message!("rules.contest-ends.hint"));
    }
    if ends.bare.as_ref().is_some_and(|bare| !is_plain_draw(bare)) {
        report(message!("rules.contest-bare"), message!("rules.contest-bare.hint"));
    }
    let leave_out = |key: &str| message!("rules.leave-out", key);
    if !bans.is_empty() {
        report(message!("rules.contest-bans"), leave_out("bans"));
    }
    for kind in kinds {
        if kind.drop.is_some() {
            report(message!("rules.contest-drop", kind), leave_out("hand"));
        }
        if kind.promotion.as_ref().is_some_and(|p| p.on != [PromotesOn::End]) {
            report(message!("rules.contest-promotion", kind), leave_out("on"));
        }
        if kind.moves.iter().any(|part| part.movement.first_move_only) && !Rules::only_goes_forward(kind) {
            report(message!("rules.contest-first-move", kind), leave_out("i"));
        }
        if kind.moves.iter().any(|part| part.movement.en_passant) {
            report(message!("rules.contest-en-passant", kind), leave_out("e"));
        }
        let has_two_legs =
            |part: &Part| matches!(part.movement.path, Path::TwoLegs { .. } | Path::OutAndBack);
        if kind.moves.iter().any(has_two_legs) {
            report(message!("rules.contest-two-legs", kind), leave_out("a"));
        }
        if kind.moves.iter().any(|part| part.movement.path.has_least()) {
            report(message!("rules.contest-least", kind), leave_out("+"));
        }
    }
    check_numbers(contest, kinds, root, context);
}

/// Whether a bare-king rule is the one that contests know.
fn is_plain_draw(bare: &Bare) -> bool {
    let Bare { verdict, reply, uncounted, dead, against, waits } = bare;
    (*verdict, *reply, *dead, *against)
        == (Verdict::Draw, BareReply::None, DeadPieces::Counted, BareAgainst::Some)
        && uncounted.is_empty()
        && waits.is_empty()
}

/// What only contests have.
fn check_without_contest(kinds: &[Kind], report: impl Fn(Message, Message)) {
    if let Some(kind) = kinds.iter().find(|kind| kind.number.is_some()) {
        let hint = message!("rules.number-without-dice.hint");
        report(message!("rules.number-without-dice", kind), hint);
    }
    let conditional = |kind: &&Kind| kind.promotion.as_ref().is_some_and(|p| !p.company.is_empty());
    if let Some(kind) = kinds.iter().find(conditional) {
        let hint = message!("rules.conditions-without-contest.hint");
        report(message!("rules.conditions-without-contest", kind), hint);
    }
}

fn check_numbers(contest: &ContestRules, kinds: &[Kind], root: &Fields, context: &Context) {
    let Some(dice) = &contest.dice else { return };
    for kind in kinds {
        let what = match kind.number {
            None => message!("rules.no-number", kind),
            Some(number) if dice.faces.contains(&number) => continue,
            Some(number) => message!("rules.number-not-on-die", kind, number),
        };
        let hint = message!("rules.write-number", faces = dice.faces);
        context.report(root.place(), what, Some(hint));
    }
}
