//! The rules of a contest as messages.

use ashta_messages::{Message, message};

use super::sentences::any_of;
use super::{folded, joined, listed, royal};
use crate::contest::{
    Asked, ComeBack, Command, ContestRules, Dice, DiceOrder, DoubleMoves, FallenOnThrone, Freed, Goal,
    PartnerCapture, RoyalsNeeded, SumOfDice, WhoIsBare,
};
use crate::ends::Verdict;
use crate::roll::Chances;
use crate::rule_parts::{Company, Kind, Waiting};
use crate::rules::Rules;

/// Teams, dice, thrones, blocks and captives.
pub fn contest(contest: &ContestRules, rules: &Rules) -> Vec<Message> {
    let royal = || royal(rules);
    let mut sentences = vec![teams(rules)];
    sentences.extend(contest.dice.as_ref().map(|thrown| dice(thrown, rules)));
    sentences.extend(Chances::of(contest).map(|found| chances(&found)));
    sentences.push(match contest.partner {
        PartnerCapture::All => message!("prose.partner-all"),
        PartnerCapture::RoyalLast => message!("prose.partner-royal-last", royal = royal()),
        PartnerCapture::Last => message!("prose.partner-last"),
    });
    if let Some(throne) = &contest.throne {
        let long = match throne.command {
            Command::WhileThere => message!("prose.throne-there"),
            Command::FromThenOn => message!("prose.throne-ever"),
        };
        sentences.push(message!("prose.throne", royal = royal(), long));
        match throne.fallen {
            FallenOnThrone::CountsTwice => sentences.push(message!("prose.throne-twice", royal = royal())),
            FallenOnThrone::CountsOnce => {}
        }
    }
    if let Some(block) = &contest.block {
        let names = any_of(&block.kinds, rules);
        sentences.push(message!("prose.block", names, files = block.files, ranks = block.ranks));
    }
    sentences.extend(match contest.captives.freed {
        Freed::Never => None,
        Freed::ByExchange(asked) => {
            let when = match asked {
                Asked::Once => message!("prose.exchange-once"),
                Asked::EachTurn => message!("prose.exchange-each-turn"),
            };
            Some(message!("prose.exchange", royal = royal(), when))
        }
        Freed::ByCapture => Some(message!("prose.freed-by-capture", royal = royal())),
        Freed::ByCapturingAll => Some(message!("prose.freed-by-all", royal = royal())),
    });
    sentences
}

fn teams(rules: &Rules) -> Message {
    let mut teams: Vec<u8> = rules.sides().iter().map(|side| side.team).collect();
    teams.sort_unstable();
    teams.dedup();
    let team = |team: u8| {
        let ours = rules.side_ids().filter(|side| rules.sides()[side.index()].team == team);
        let names = ours.map(|side| rules.side_message(side)).collect();
        listed(names, |first, second| message!("prose.and", first, second))
    };
    joined(teams.into_iter().map(team).collect(), |first, second| message!("prose.against", first, second))
}

fn dice(dice: &Dice, rules: &Rules) -> Message {
    let number = |n: &u8| {
        let names = rules.kinds().iter().filter(|kind| kind.number == Some(*n)).map(Kind::message).collect();
        let names = listed(names, |first, second| message!("prose.or", first, second));
        message!("prose.die-number", n, names)
    };
    let numbers: Vec<Message> = dice.faces.iter().map(number).collect();
    if dice.count == 1 {
        return message!("prose.one-die", numbers);
    }
    let order = match dice.order {
        DiceOrder::Thrown => message!("prose.dice-thrown"),
        DiceOrder::Rising => message!("prose.dice-rising"),
        DiceOrder::Any | DiceOrder::Set => message!("prose.dice-any"),
    };
    let order = match dice.sum {
        SumOfDice::Allowed => message!("prose.dice-sum", order),
        SumOfDice::No => order,
    };
    let double = match (dice.double, dice.back) {
        (DoubleMoves::SamePiece, ComeBack::AfterCapture) => message!("prose.double-back"),
        (DoubleMoves::SamePiece, ComeBack::Always) => message!("prose.double-same"),
        (DoubleMoves::AnyPiece, _) => message!("prose.double-any"),
    };
    message!("prose.two-dice", numbers, order, double)
}

/// How likely it is that a number, or two, can be used.
fn chances(chances: &Chances) -> Message {
    let all = chances.n_rolls;
    let one = chances.one.iter().map(|(number, n)| message!("prose.chance", number, n, all));
    let numbers: Vec<Message> = one.collect();
    let one = message!("prose.chances", numbers);
    match chances.two {
        [0, _] => one,
        [same, other] => message!("prose.chances-two", chances = one, same, other, all),
    }
}

/// How a contest ends.
pub fn contest_ends(contest: &ContestRules, rules: &Rules) -> Vec<Message> {
    let royal = || royal(rules);
    let lost = match contest.royals {
        RoyalsNeeded::Last => message!("prose.out-last", royal = royal()),
        RoyalsNeeded::First => message!("prose.out-first", royal = royal()),
    };
    let goal = match contest.goal {
        Goal::LastRoyal => message!("prose.goal-last-royal", royal = royal()),
        Goal::LastTeam => message!("prose.goal-last-team"),
        Goal::Points => message!("prose.goal-points", royal = royal()),
    };
    let mut sentences = vec![lost, goal];
    if rules.ends().bare.is_some() {
        sentences.push(match contest.bare.who {
            WhoIsBare::Any => message!("prose.bare-any", royal = royal()),
            WhoIsBare::All => message!("prose.bare-all", royal = royal()),
        });
        match (contest.bare.between_partners, contest.bare.who) {
            (Verdict::Loss, WhoIsBare::Any) => sentences.push(message!("prose.bare-partners")),
            (Verdict::Loss, WhoIsBare::All) | (Verdict::Win | Verdict::Draw, _) => {}
        }
    }
    sentences.extend(rules.ends().ply_cap.map(|n| message!("prose.turn-cap", n)));
    sentences
}

/// The conditions of a promotion.
pub fn company(company: &[Company], waiting: Waiting, rules: &Rules) -> Vec<Message> {
    let said = |company: &Company| {
        let most = company.most.iter().map(|(kind, most)| match most {
            0 => message!("prose.company-none", name = rules.kind(*kind)),
            n => message!("prose.company-most", n, name = rules.kind(*kind)),
        });
        let most = folded(
            most.collect(),
            |first, second| message!("prose.clauses", first, second),
            |first, second| message!("prose.and-clause", first, second),
        );
        message!("prose.company", name = rules.kind(company.target), most)
    };
    let mut sentences: Vec<Message> = company.iter().map(said).collect();
    match waiting {
        Waiting::Promotes if !company.is_empty() => sentences.push(message!("prose.company-waits")),
        Waiting::Promotes | Waiting::Stays => {}
    }
    sentences
}
