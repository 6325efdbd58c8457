//! Contests, as a game file says them: sides that fight to the last, dice, thrones, blocks, captives.

use super::Context;
use crate::contest::{
    Asked, Block, Captives, ComeBack, Command, ContestBare, ContestRules, Dice, DiceOrder, DoubleMoves,
    FallenOnThrone, Freed, Goal, PartnerCapture, RoyalsNeeded, SumOfDice, Throne, WhoIsBare,
};
use crate::fields::Fields;
use crate::node::Value;
use crate::region::SquareSet;
use crate::rule_parts::{BareReply, Ends, Kind, PromotesOn, RoyalLoss, Verdict};
use crate::rule_parts::{Company, CountOfWaiting, Waiting};
use crate::rules::Rules;

const CONTEST: &str = "[contest] with goal = \"last-royal\", \"last-team\" or \"points\"";
const DICE: &str = "[dice] with count = 2 and faces = [2, 3, 4, 5]";

/// The contest, if the file has a table `[contest]`; its parts make no sense without.
pub fn read(root: &Fields, context: &Context) -> Option<ContestRules> {
    let table = root.table("contest", CONTEST);
    let dice = root.table("dice", DICE).map(|table| read_dice(&table, context));
    let throne = root.table("throne", "[throne] with command = \"while-there\"");
    let block = root.table("block", "[block] with kinds = [\"...\"], files = 2 and ranks = 2");
    let captives = root.table("captives", "[captives] with freed = \"by-exchange\"");
    let parts = [("throne", &throne), ("block", &block), ("captives", &captives)];
    let Some(table) = table else {
        let lone = parts.iter().find_map(|(name, part)| Some((*name, part.as_ref()?.place())));
        let dice = root.node("dice").filter(|_| dice.is_some()).map(|node| ("dice", &node.place));
        if let Some((name, place)) = lone.or(dice) {
            context.report(
                place,
                format!("[{name}] is a part of a contest"),
                Some(format!("write {CONTEST}")),
            );
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
        let hint = Some("goal = \"points\" counts them".to_string());
        context.report(bare_place, "points of a throne count twice where none are counted", hint);
    }
    if context.quarters.len() != 4 && rules.throne.is_some() {
        context.report(bare_place, "a throne is a partner's, and sides of a game for two have none", None);
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
    let hint = || Some("write faces = [2, 3, 4, 5]".to_string());
    let Some(node) = fields.node("faces") else {
        context.report(fields.place(), "the key `faces` is missing", hint());
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
            let what = format!("`faces` is a list of up to {MAX_FACES} different numbers from 1 to 20");
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
        context.report(fields.place(), "a block has at least two squares and one kind of piece", None);
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
    const WHEN: &str = "when = { rook = { pawn = 2 } }: at most two pawns for a pawn to become a rook";
    let Some(table) = fields.table("when", WHEN) else { return Vec::new() };
    let mut conditions = Vec::new();
    let is_absent = |value: &Value| matches!(value, Value::Text(text) if text == "none");
    for entry in table.all().iter().filter(|entry| !is_absent(&entry.node.value)) {
        let target = context.kind((&entry.key, &entry.key_place));
        let inner = Fields::of(&entry.node, WHEN, context.problems);
        let mut most = Vec::new();
        for limit in inner.all() {
            match limit.node.value {
                Value::Number(n) if n.fract() == 0.0 && (0.0..=255.0).contains(&n) => {
                    most.push((context.kind((&limit.key, &limit.key_place)), n as u8));
                }
                _ => {
                    context.report(&limit.node.place, "a number of pieces from 0 to 255 is wanted here", None)
                }
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
    ends: &Ends,
    root: &Fields,
    context: &Context,
) {
    let report = |what: String, hint: &str| context.report(root.place(), what, Some(hint.to_string()));
    let Some(contest) = contest else {
        if let Some(kind) = kinds.iter().find(|kind| kind.number.is_some()) {
            report(
                format!("{} has a number, and no dice are thrown", kind.name),
                "write [dice] and [contest]",
            );
        }
        let conditional = |kind: &&Kind| kind.promotion.as_ref().is_some_and(|p| !p.company.is_empty());
        if let Some(kind) = kinds.iter().find(conditional) {
            report(
                format!("{} promotes under conditions, which only contests have", kind.name),
                "write [contest]",
            );
        }
        return;
    };
    if ends.royal_loss != RoyalLoss::Capture {
        report("in a contest royal pieces are captured".into(), "write royal = \"capture\" in [ends]");
    }
    if ends.impasse.is_some()
        || ends.repetition.is_some()
        || ends.quiet.is_some()
        || !ends.insufficient.is_empty()
    {
        report(
            "a contest ends by royal pieces, bare royal pieces or its length alone".into(),
            "take repetition, quiet, insufficient and impasse out of [ends]",
        );
    }
    if ends.bare.is_some_and(|bare| bare.verdict != Verdict::Draw || bare.reply != BareReply::None) {
        report(
            "in a contest a bare royal piece is a draw".into(),
            "write bare = { verdict = \"draw\" } in [ends]",
        );
    }
    for kind in kinds {
        if kind.drop.is_some() {
            report(format!("{} may be dropped, and contests have no hands", kind.name), "leave `hand` out");
        }
        if kind.promotion.as_ref().is_some_and(|p| p.on != PromotesOn::End) {
            report(format!("in a contest {} promotes where its move ends", kind.name), "leave `on` out");
        }
        if kind.moves.iter().any(|part| part.movement.first_move_only) && !Rules::only_goes_forward(kind) {
            report(
                format!("in a contest {} cannot have a first move of its own", kind.name),
                "leave `i` out",
            );
        }
        if kind.moves.iter().any(|part| part.movement.en_passant) {
            report(format!("in a contest {} cannot capture in passing", kind.name), "leave `e` out");
        }
    }
    check_numbers(contest, kinds, root, context);
}

fn check_numbers(contest: &ContestRules, kinds: &[Kind], root: &Fields, context: &Context) {
    let Some(dice) = &contest.dice else { return };
    for kind in kinds {
        let what = match kind.number {
            None => format!("{} has no number, so no throw can move it", kind.name),
            Some(number) if dice.faces.contains(&number) => continue,
            Some(number) => format!("{} has the number {number}, which is on no die", kind.name),
        };
        let faces: Vec<String> = dice.faces.iter().map(u8::to_string).collect();
        let hint = format!("write number = one of {} for it", faces.join(", "));
        context.report(root.place(), what, Some(hint));
    }
}
