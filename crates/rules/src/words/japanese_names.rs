//! What pieces, sides and squares are called in Japanese.

use crate::grid::{Coordinates, Grid, Square};
use crate::rule_parts::Kind;
use crate::rules::{Rules, SideRules};

/// Pieces that are known by a name of their own where no character stands on them.
const PIECES: [(&str, &str); 62] = [
    ("pawn", "ポーン"),
    ("knight", "ナイト"),
    ("bishop", "ビショップ"),
    ("rook", "ルーク"),
    ("queen", "クイーン"),
    ("king", "キング"),
    ("promoted-knight", "成りナイト"),
    ("promoted-bishop", "成りビショップ"),
    ("promoted-rook", "成りルーク"),
    ("promoted-queen", "成りクイーン"),
    ("archbishop", "アーチビショップ"),
    ("chancellor", "チャンセラー"),
    ("elephant", "象"),
    ("horse", "馬"),
    ("chariot", "車"),
    ("cart", "車"),
    ("camel", "ラクダ"),
    ("giraffe", "キリン"),
    ("lion", "獅子"),
    ("unicorn", "一角獣"),
    ("crocodile", "ワニ"),
    ("aanca", "アアンカ"),
    ("jester", "道化"),
    ("sage", "賢者"),
    ("courier", "クーリエ"),
    ("general", "将"),
    ("mantri", "マントリ"),
    ("gaja", "ガジャ"),
    ("raja", "ラージャ"),
    ("firzan", "フィルザーン"),
    ("fil", "フィール"),
    ("met", "メット"),
    ("khon", "コーン"),
    ("bers", "ベルス"),
    ("noyon", "ノヨン"),
    ("padati", "パダーティ"),
    ("roca", "ロカ"),
    ("ashwa", "アシュワ"),
    ("hasti", "ハスティ"),
    ("ai-wok", "アイウォック"),
    ("wizard", "ウィザード"),
    ("cannon", "砲"),
    ("war-machine", "攻城機"),
    ("dabbaba", "ダッバーバ"),
    ("ferz", "フェルズ"),
    ("wazir", "ワジール"),
    ("picket", "斥候"),
    ("prince", "王子"),
    ("bodyguard", "護衛"),
    ("champion", "チャンピオン"),
    ("right-pawn", "右のポーン"),
    ("pawn-of-pawns", "ポーンのポーン"),
    ("pawn-of-dabbabas", "ダッバーバのポーン"),
    ("pawn-of-camels", "ラクダのポーン"),
    ("pawn-of-elephants", "象のポーン"),
    ("pawn-of-ferzes", "フェルズのポーン"),
    ("pawn-of-kings", "王のポーン"),
    ("pawn-of-wazirs", "ワジールのポーン"),
    ("pawn-of-giraffes", "キリンのポーン"),
    ("pawn-of-pickets", "斥候のポーン"),
    ("pawn-of-knights", "ナイトのポーン"),
    ("pawn-of-rooks", "ルークのポーン"),
];

/// Colours and states that sides are named after.
const COLOURS: [(&str, &str); 8] = [
    ("White", "白"),
    ("Black", "黒"),
    ("Red", "赤"),
    ("Green", "緑"),
    ("Yellow", "黄"),
    ("Blue", "青"),
    ("Cho", "楚"),
    ("Han", "漢"),
];

const RANKS: [&str; 16] = [
    "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二", "十三", "十四", "十五",
    "十六",
];

/// The characters on the piece, or the name in katakana, or the file's own word.
pub fn kind(kind: &Kind) -> String {
    let kanji = kind.kanji.as_ref().and_then(|kanji| kanji.first());
    let known = || PIECES.iter().find(|(name, _)| *name == kind.name).map(|(_, name)| name.to_string());
    kanji.cloned().or_else(known).unwrap_or_else(|| kind.name.clone())
}

/// By who begins where boards are numbered as in shogi, else by colour.
pub fn side(side: &SideRules, rules: &Rules) -> String {
    let at = rules.sides().iter().position(|other| other == side);
    match (rules.grid().coordinates(), rules.sides().len(), at) {
        (Coordinates::Numbers, 2, Some(0)) => "先手".to_string(),
        (Coordinates::Numbers, 2, Some(_)) => "後手".to_string(),
        _ => COLOURS
            .iter()
            .find(|(name, _)| *name == side.name)
            .map_or_else(|| side.name.clone(), |(_, colour)| colour.to_string()),
    }
}

/// A rank: `三` on boards that are numbered as in shogi.
pub fn rank_name(grid: Grid, rank: u8) -> String {
    match grid.coordinates() {
        Coordinates::Letters => grid.rank_name(rank),
        Coordinates::Numbers => {
            RANKS.get(usize::from(grid.ranks() - 1 - rank)).map_or_else(String::new, |name| name.to_string())
        }
    }
}

/// A square: `5五` on boards that are numbered as in shogi.
pub fn square_name(grid: Grid, square: Square) -> String {
    format!("{}{}", grid.file_name(grid.file(square)), rank_name(grid, grid.rank(square)))
}
