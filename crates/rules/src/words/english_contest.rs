//! The rules of a contest in English.

use super::list;
use crate::contest::{
    Asked, ComeBack, Command, ContestRules, Dice, DiceOrder, DoubleMoves, FallenOnThrone, Freed, Goal,
    PartnerCapture, RoyalsNeeded, SumOfDice, WhoIsBare,
};
use crate::roll::Chances;
use crate::rule_parts::Verdict;
use crate::rule_parts::{Company, Waiting};
use crate::rules::Rules;

/// Teams, dice, thrones, blocks and captives.
pub fn contest_in_words(contest: &ContestRules, royal: &str, rules: &Rules) -> Vec<String> {
    let mut sentences = vec![teams(rules)];
    sentences.extend(contest.dice.as_ref().map(|dice| dice_words(dice, rules)));
    sentences.extend(Chances::of(contest).map(|chances| chance_words(&chances)));
    sentences.push(match contest.partner {
        PartnerCapture::All => "any piece of another side may be captured, a partner's too".to_string(),
        PartnerCapture::RoyalLast => {
            format!("a partner's {royal} may be captured only when the other teams are beaten")
        }
        PartnerCapture::Last => {
            "a partner's pieces may be captured only when the other teams are beaten".into()
        }
    });
    if let Some(throne) = &contest.throne {
        let long = match throne.command {
            Command::WhileThere => "while it stands there",
            Command::FromThenOn => "from then on",
        };
        sentences
            .push(format!("a {royal} where its partner's began may move the partner's pieces too, {long}"));
        if throne.fallen == FallenOnThrone::CountsTwice {
            sentences.push(format!("a {royal} that takes another on its own throne counts it twice"));
        }
    }
    if let Some(block) = &contest.block {
        let names: Vec<&str> = block.kinds.iter().map(|kind| rules.kind(*kind).name.as_str()).collect();
        let (files, ranks, names) = (block.files, block.ranks, list(&names, "or"));
        sentences.push(format!("the {names} that fills a block of {files} x {ranks} takes the others in it"));
    }
    sentences.extend(freed(contest.captives.freed, royal));
    sentences
}

fn teams(rules: &Rules) -> String {
    let sides = rules.sides();
    let mut teams: Vec<u8> = sides.iter().map(|side| side.team).collect();
    teams.sort_unstable();
    teams.dedup();
    let team = |team: u8| {
        let names: Vec<&str> =
            sides.iter().filter(|side| side.team == team).map(|side| side.name.as_str()).collect();
        list(&names, "and")
    };
    teams.into_iter().map(team).collect::<Vec<String>>().join(" against ")
}

fn dice_words(dice: &Dice, rules: &Rules) -> String {
    let number = |n: &u8| {
        let names =
            rules.kinds().iter().filter(|kind| kind.number == Some(*n)).map(|kind| kind.name.as_str());
        format!("{n} {}", list(&names.collect::<Vec<_>>(), "or"))
    };
    let numbers: Vec<String> = dice.faces.iter().map(number).collect();
    if dice.count == 1 {
        return format!("a die says what may move: {}", numbers.join(", "));
    }
    let order = match dice.order {
        DiceOrder::Thrown => "both in the order thrown",
        DiceOrder::Rising => "both, the lower number first",
        DiceOrder::Any | DiceOrder::Set => "both in either order",
    };
    let double = match (dice.double, dice.back) {
        (DoubleMoves::SamePiece, ComeBack::AfterCapture) => {
            "a double moves one piece twice, back only after a capture"
        }
        (DoubleMoves::SamePiece, ComeBack::Always) => "a double moves one piece twice",
        (DoubleMoves::AnyPiece, _) => "a double moves one piece twice or two",
    };
    let sum = match dice.sum {
        SumOfDice::Allowed => ", or their sum as one",
        SumOfDice::No => "",
    };
    format!("two dice say what may move: {}; a turn uses one, {order}{sum}; {double}", numbers.join(", "))
}

/// How likely it is that a number, or two, can be used.
fn chance_words(chances: &Chances) -> String {
    let of = chances.n_rolls;
    let one: Vec<String> = chances.one.iter().map(|(number, n)| format!("{number} {n}/{of}")).collect();
    let two = match chances.two {
        [0, _] => String::new(),
        [same, other] => format!("; for a given double {same}/{of}, for two given numbers {other}/{of}"),
    };
    format!("chances to move by a number: {}{two}", one.join(", "))
}

fn freed(freed: Freed, royal: &str) -> Option<String> {
    Some(match freed {
        Freed::Never => return None,
        Freed::ByExchange(asked) => {
            let when = match asked {
                Asked::Once => "these may be exchanged at once",
                Asked::EachTurn => "these may be exchanged before any turn",
            };
            format!("when two enemies are left and each holds the other's partner's {royal}, {when}")
        }
        Freed::ByCapture => format!("who takes an enemy's {royal} frees its partner's"),
        Freed::ByCapturingAll => format!("who has taken every enemy's {royal} frees its partner's"),
    })
}

/// How a contest ends.
pub fn contest_ends(contest: &ContestRules, royal: &str, rules: &Rules) -> Vec<String> {
    let lost = match contest.royals {
        RoyalsNeeded::Last => format!("a side without a {royal} is out; its men stay"),
        RoyalsNeeded::First => format!("a side that loses a {royal} is out; its men stay"),
    };
    let goal = match contest.goal {
        Goal::LastRoyal => format!("when one team is left its partners fight; the last {royal} wins"),
        Goal::LastTeam => "the last team wins".to_string(),
        Goal::Points => format!("when one {royal} is left, most points for captures win"),
    };
    let mut sentences = vec![lost, goal];
    if rules.ends().bare.is_some() {
        sentences.push(match contest.bare.who {
            WhoIsBare::Any => format!("a side with nothing but its {royal} is a draw while teams fight"),
            WhoIsBare::All => format!("it is a draw when every living side has nothing but its {royal}"),
        });
        if contest.bare.between_partners == Verdict::Loss && contest.bare.who == WhoIsBare::Any {
            sentences.push("between partners it loses".to_string());
        }
    }
    sentences.extend(rules.ends().ply_cap.map(|cap| format!("a game of {cap} turns is a draw")));
    sentences
}

/// The conditions of a promotion.
pub fn company_in_words(company: &[Company], waiting: Waiting, rules: &Rules) -> Vec<String> {
    let mut sentences: Vec<String> = company
        .iter()
        .map(|company| {
            let most: Vec<String> = company
                .most
                .iter()
                .map(|(kind, most)| match most {
                    0 => format!("no {}", rules.kind(*kind).name),
                    n => format!("at most {n} {}", rules.kind(*kind).name),
                })
                .collect();
            format!("to {} with {}", rules.kind(company.target).name, list(&most, "and"))
        })
        .collect();
    if !company.is_empty() && waiting == Waiting::Promotes {
        sentences.push("until it may, it waits".to_string());
    }
    sentences
}
