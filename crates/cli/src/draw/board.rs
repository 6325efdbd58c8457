//! A position as a board of text.

use ashta_position::Game;
use ashta_rules::{Coordinates, Hand, Kind, KindId, Rules, Side, piece_text};

use super::{left, right, width};

/// What pieces are drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// The characters of shogi and xiangqi pieces; those of other sides are marked by the way they look.
    Kanji,
    /// Chess glyphs.
    Glyphs,
    /// The letters of positions, in ASCII.
    Letters,
}

impl Style {
    /// The style that the game file gives signs for.
    pub fn of(rules: &Rules) -> Style {
        let has =
            |signs: fn(&Kind) -> &Option<Vec<String>>| rules.kinds().iter().any(|kind| signs(kind).is_some());
        match (has(|kind| &kind.kanji), has(|kind| &kind.symbols)) {
            (true, _) => Style::Kanji,
            (false, true) => Style::Glyphs,
            (false, false) => Style::Letters,
        }
    }

    /// A kind's own sign, without a mark of whose it is.
    pub fn sign(self, side: Side, kind: KindId, rules: &Rules) -> String {
        self.own_sign(side, rules.kind(kind)).map_or_else(|| piece_text(side, kind, rules), str::to_string)
    }

    fn own_sign(self, side: Side, kind: &Kind) -> Option<&str> {
        let signs = match self {
            Style::Kanji => kind.kanji.as_ref(),
            Style::Glyphs => kind.symbols.as_ref(),
            Style::Letters => None,
        };
        // A file may hold anything; what would break the picture is not drawn.
        let drawable = |sign: &&String| width(sign) > 0 && !sign.chars().any(char::is_control);
        signs?.get(side.index()).filter(drawable).map(String::as_str)
    }

    /// A piece as it stands on the board.
    fn piece(self, side: Side, kind: KindId, rules: &Rules) -> String {
        let looks = match rules.sides()[side.index()].quarters % 4 {
            0 => ' ',
            1 => '>',
            2 => 'v',
            _ => '<',
        };
        match self.own_sign(side, rules.kind(kind)) {
            Some(sign) if self == Style::Kanji => format!("{looks}{sign}"),
            Some(sign) if self.own_sign(other_side(side), rules.kind(kind)) == Some(sign) => {
                format!("{looks}{sign}")
            }
            Some(sign) => sign.to_string(),
            None => piece_text(side, kind, rules),
        }
    }

    fn empty(self) -> &'static str {
        match self {
            Style::Kanji => "・",
            Style::Glyphs | Style::Letters => ".",
        }
    }

    /// Columns of one square: the widest piece of the game, so that boards of one game have one shape.
    fn cell(self, rules: &Rules) -> usize {
        let sides = (0..rules.sides().len() as u8).map(Side);
        let pieces = sides.flat_map(|side| rules.kind_ids().map(move |kind| (side, kind)));
        let widest = pieces.map(|(side, kind)| width(&self.piece(side, kind, rules))).max().unwrap_or(1);
        let names =
            (0..rules.grid().files()).map(|file| width(&rules.grid().file_name(file))).max().unwrap_or(1);
        match self {
            Style::Kanji => widest.max(names + 1),
            Style::Glyphs | Style::Letters => widest.max(names) + 1,
        }
    }
}

fn other_side(side: Side) -> Side {
    match side {
        Side::FIRST => Side::SECOND,
        _ => Side::FIRST,
    }
}

/// A side's name.
pub fn side_name(side: Side, rules: &Rules) -> &str {
    &rules.sides()[side.index()].name
}

/// The board with coordinates on its edges.
pub fn board(game: &Game, style: Style) -> Vec<String> {
    let rules = game.rules();
    let grid = rules.grid();
    let cell = style.cell(rules);
    let closing = if style == Style::Kanji { "" } else { " " };
    let ranks: Vec<u8> = (0..grid.ranks()).rev().collect();
    let rank_columns = ranks.iter().map(|rank| width(&grid.rank_name(*rank))).max().unwrap_or(1);
    let margin = match grid.coordinates() {
        Coordinates::Letters => " ".repeat(rank_columns + 1),
        Coordinates::Numbers => String::new(),
    };
    let names: String = (0..grid.files()).map(|file| right(&grid.file_name(file), cell)).collect();
    let names = format!("{margin} {names}");
    let edge = format!("{margin}+{}+", "-".repeat(cell * grid.files() as usize + closing.len()));
    let rows = ranks.iter().map(|rank| {
        let squares = (0..grid.files()).map(|file| {
            let square = grid.at(i16::from(file), i16::from(*rank));
            let piece = square.and_then(|square| game.piece(square));
            let text = piece.map_or(style.empty().to_string(), |(side, kind)| style.piece(side, kind, rules));
            right(&text, cell)
        });
        let row = format!("|{}{closing}|", squares.collect::<String>());
        let name = grid.rank_name(*rank);
        match grid.coordinates() {
            Coordinates::Letters => format!("{} {row}", right(&name, rank_columns)),
            Coordinates::Numbers => format!("{row} {name}"),
        }
    });
    let rows = std::iter::once(edge.clone()).chain(rows).chain(std::iter::once(edge.clone()));
    match grid.coordinates() {
        Coordinates::Letters => rows.chain(std::iter::once(names)).collect(),
        Coordinates::Numbers => std::iter::once(names).chain(rows).collect(),
    }
}

/// The board, the hands as the players sit, and how the game stands.
pub fn position(game: &Game, style: Style) -> Vec<String> {
    let rules = game.rules();
    let mut lines = Vec::new();
    if rules.hand() != Hand::None {
        let others = (1..rules.sides().len() as u8).rev().map(Side);
        lines.extend(others.map(|side| hand(game, side, style)));
    }
    lines.extend(board(game, style));
    if rules.hand() != Hand::None {
        lines.push(hand(game, Side::FIRST, style));
    }
    lines.push(String::new());
    lines.push(status(game));
    lines
}

fn hand(game: &Game, side: Side, style: Style) -> String {
    let rules = game.rules();
    let columns = rules.sides().iter().map(|side| width(&side.name)).max().unwrap_or(0);
    // Strongest first, as positions are written: kinds stand in the file from the weakest to the strongest.
    let kinds: Vec<KindId> = rules.kind_ids().collect();
    let held = kinds.into_iter().rev().filter_map(|kind| match game.in_hand(side, kind) {
        0 => None,
        1 => Some(style.sign(side, kind, rules)),
        count => Some(format!("{}{count}", style.sign(side, kind, rules))),
    });
    let held: Vec<String> = held.collect();
    let held = if held.is_empty() { "nothing".to_string() } else { held.join(" ") };
    format!("{} in hand: {held}", left(side_name(side, rules), columns))
}

/// Who is to move, or how the game ended.
fn status(game: &Game) -> String {
    let rules = game.rules();
    if let Some(outcome) = game.outcome() {
        return outcome.words(rules).to_string();
    }
    let n_moves = game.legal_moves().len();
    let check = if game.is_in_check() { ", in check" } else { "" };
    let plural = if n_moves == 1 { "" } else { "s" };
    format!("{} to move{check}, {n_moves} legal move{plural}", side_name(game.turn(), rules))
}
