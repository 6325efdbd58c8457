//! The rules of a contest in Japanese.

use super::japanese::names;
use super::{Language, japanese_names, side_name};
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
        PartnerCapture::All => "ほかの側の駒は、味方の駒も取れる".to_string(),
        PartnerCapture::RoyalLast => format!("味方の{royal}は、ほかの組が敗れるまで取れない"),
        PartnerCapture::Last => "味方の駒は、ほかの組が敗れるまで取れない".to_string(),
    });
    if let Some(throne) = &contest.throne {
        let long = match throne.command {
            Command::WhileThere => "そこにいる間",
            Command::FromThenOn => "それ以後ずっと",
        };
        sentences.push(format!("味方の{royal}の初めのマスに入った{royal}は、{long}味方の駒も動かせる"));
        match throne.fallen {
            FallenOnThrone::CountsTwice => {
                sentences.push(format!("相手の{royal}をその王座で取った{royal}は二倍に数える"));
            }
            FallenOnThrone::CountsOnce => {}
        }
    }
    if let Some(block) = &contest.block {
        let (files, ranks) = (block.files, block.ranks);
        let names = names(block.kinds.iter().copied(), rules, "・");
        sentences.push(format!("{files}×{ranks}のマスを最後に埋めた{names}は、その中のほかの駒をすべて取る"));
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
        let ours = sides.iter().filter(|side| side.team == team);
        ours.map(|side| side_name(side, rules, Language::Japanese)).collect::<Vec<_>>().join("・")
    };
    teams.into_iter().map(team).collect::<Vec<String>>().join(" 対 ")
}

fn dice_words(dice: &Dice, rules: &Rules) -> String {
    let number = |n: &u8| {
        let kinds = rules.kinds().iter().filter(|kind| kind.number == Some(*n));
        format!("{n}は{}", kinds.map(japanese_names::kind).collect::<Vec<_>>().join("・"))
    };
    let numbers = dice.faces.iter().map(number).collect::<Vec<_>>().join("、");
    if dice.count == 1 {
        return format!("さいころ一つで動かす駒が決まる：{numbers}");
    }
    let order = match dice.order {
        DiceOrder::Thrown => "出た順に両方",
        DiceOrder::Rising => "小さい目から順に両方",
        DiceOrder::Any | DiceOrder::Set => "好きな順に両方",
    };
    let double = match (dice.double, dice.back) {
        (DoubleMoves::SamePiece, ComeBack::AfterCapture) => {
            "ぞろ目は一つの駒を二度動かし、駒を取ったときだけ元に戻れる"
        }
        (DoubleMoves::SamePiece, ComeBack::Always) => "ぞろ目は一つの駒を二度動かす",
        (DoubleMoves::AnyPiece, _) => "ぞろ目は一つの駒を二度か、二つの駒を動かす",
    };
    let sum = match dice.sum {
        SumOfDice::Allowed => "、または合計を一つの数として",
        SumOfDice::No => "",
    };
    format!("さいころ二つで動かす駒が決まる：{numbers}。一手には一つか、{order}{sum}使う。{double}")
}

/// How likely it is that a number, or two, can be used.
fn chance_words(chances: &Chances) -> String {
    let of = chances.n_rolls;
    let one: Vec<String> = chances.one.iter().map(|(number, n)| format!("{number}は{n}/{of}")).collect();
    let two = match chances.two {
        [0, _] => String::new(),
        [same, other] => format!("。決まったぞろ目は{same}/{of}、決まった二つの数は{other}/{of}"),
    };
    format!("その数で動ける確率：{}{two}", one.join("、"))
}

fn freed(freed: Freed, royal: &str) -> Option<String> {
    Some(match freed {
        Freed::Never => return None,
        Freed::ByExchange(asked) => {
            let when = match asked {
                Asked::Once => "そのときに限り",
                Asked::EachTurn => "手番のたびに",
            };
            format!("敵同士の二人が残り、互いに相手の味方の{royal}を捕らえていれば、{when}交換できる")
        }
        Freed::ByCapture => format!("敵の{royal}を取ると、味方の{royal}が戻る"),
        Freed::ByCapturingAll => format!("敵の{royal}をすべて取ると、味方の{royal}が戻る"),
    })
}

/// How a contest ends.
pub fn contest_ends(contest: &ContestRules, royal: &str, rules: &Rules) -> Vec<String> {
    let lost = match contest.royals {
        RoyalsNeeded::Last => format!("{royal}のなくなった側は抜け、駒は残る"),
        RoyalsNeeded::First => format!("{royal}を一つでも失った側は抜け、駒は残る"),
    };
    let goal = match contest.goal {
        Goal::LastRoyal => format!("一組が残ると味方同士で戦い、最後の{royal}が勝つ"),
        Goal::LastTeam => "最後に残った組が勝つ".to_string(),
        Goal::Points => format!("{royal}が一つになったとき、取った点の多い側が勝つ"),
    };
    let mut sentences = vec![lost, goal];
    if rules.ends().bare.is_some() {
        sentences.push(match contest.bare.who {
            WhoIsBare::Any => format!("組同士の戦いの間に{royal}だけの側が出れば引き分け"),
            WhoIsBare::All => format!("残った側がみな{royal}だけになれば引き分け"),
        });
        match (contest.bare.between_partners, contest.bare.who) {
            (Verdict::Loss, WhoIsBare::Any) => sentences.push("味方同士の戦いでは負け".to_string()),
            (Verdict::Loss, WhoIsBare::All) | (Verdict::Win | Verdict::Draw, _) => {}
        }
    }
    sentences.extend(rules.ends().ply_cap.map(|cap| format!("{cap}手番で引き分け")));
    sentences
}

/// The conditions of a promotion.
pub fn company_in_words(company: &[Company], waiting: Waiting, rules: &Rules) -> Vec<String> {
    let name = |kind| japanese_names::kind(rules.kind(kind));
    let told = |company: &Company| {
        let most = company.most.iter().map(|(kind, most)| match most {
            0 => format!("{}なし", name(*kind)),
            n => format!("{}{n}枚以下", name(*kind)),
        });
        format!("{}になれるのは{}のとき", name(company.target), most.collect::<Vec<_>>().join("、"))
    };
    let mut sentences: Vec<String> = company.iter().map(told).collect();
    match waiting {
        Waiting::Promotes if !company.is_empty() => sentences.push("成れるまでそこで待つ".to_string()),
        Waiting::Promotes | Waiting::Stays => {}
    }
    sentences
}
