//! A position as a board of text.

use ashta_messages::message;
use ashta_position::Game;
use ashta_rules::{Coordinates, Hand, Kind, KindId, Rules, Side, Square, Wraps, piece_text};

use super::{left, right, width};

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
        // A game file may hold any character; unprintable ones are not drawn.
        let drawable = |sign: &&String| width(sign) > 0 && !sign.chars().any(char::is_control);
        signs?.get(side.index()).filter(drawable).map(String::as_str)
    }

    /// A piece as it stands on the board, which may have been turned by some quarters.
    fn piece(self, side: Side, kind: KindId, rules: &Rules, turned: u8) -> String {
        let looks = match (rules.sides()[side.index()].quarters + turned) % 4 {
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
        let widest = pieces.map(|(side, kind)| width(&self.piece(side, kind, rules, 0))).max().unwrap_or(1);
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

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardView {
    pub style: Style,
    pub flipped: bool,
    /// Squares in reverse video.
    pub marked: Vec<Square>,
}

impl BoardView {
    /// From the first side.
    pub fn plain(style: Style) -> BoardView {
        BoardView { style, flipped: false, marked: Vec::new() }
    }

    fn in_order(&self, numbers: std::ops::Range<u8>) -> Vec<u8> {
        if self.flipped { numbers.rev().collect() } else { numbers.collect() }
    }

    /// A square of a row.
    fn cell(&self, game: &Game, square: Option<Square>, columns: usize) -> String {
        // Nothing is drawn where the board has a hole.
        let Some(square) = square else { return " ".repeat(columns) };
        let text = match game.piece(square) {
            Some((side, kind)) => {
                self.style.piece(side, kind, game.rules(), if self.flipped { 2 } else { 0 })
            }
            None => self.style.empty().to_string(),
        };
        let padded = right(&text, columns);
        if self.marked.contains(&square) { format!("\x1b[7m{padded}\x1b[0m") } else { padded }
    }
}

/// The board with coordinates on its edges.
pub fn board(game: &Game, style: Style) -> Vec<String> {
    board_with(game, &BoardView::plain(style))
}

fn board_with(game: &Game, view: &BoardView) -> Vec<String> {
    let (rules, style) = (game.rules(), view.style);
    let grid = rules.grid();
    let cell = style.cell(rules);
    let closing = if style == Style::Kanji { "" } else { " " };
    let files = view.in_order(0..grid.files());
    let ranks: Vec<u8> = view.in_order(0..grid.ranks()).into_iter().rev().collect();
    let rank_columns = ranks.iter().map(|rank| width(&grid.rank_name(*rank))).max().unwrap_or(1);
    let margin = match grid.coordinates() {
        Coordinates::Letters => " ".repeat(rank_columns + 1),
        Coordinates::Numbers => String::new(),
    };
    let names: String = files.iter().map(|file| right(&grid.file_name(*file), cell)).collect();
    let names = format!("{margin} {names}");
    let edge = format!("{margin}+{}+", "-".repeat(cell * files.len() + closing.len()));
    let rows = ranks.iter().map(|rank| {
        let squares = files.iter().map(|file| grid.at(i16::from(*file), i16::from(*rank)));
        let row: String = squares.map(|square| view.cell(game, square, cell)).collect();
        // Around a ring the row goes on at its other end.
        let end = if grid.wraps() == Wraps::Files { '~' } else { '|' };
        let (row, name) = (format!("{end}{row}{closing}{end}"), grid.rank_name(*rank));
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

/// The board, the hands and the status.
pub fn position(game: &Game, style: Style) -> Vec<String> {
    let mut lines = position_with(game, &BoardView::plain(style));
    lines.push(String::new());
    lines.push(status(game));
    lines
}

/// The board with the hands above and below.
pub fn position_with(game: &Game, view: &BoardView) -> Vec<String> {
    let n_sides = game.rules().sides().len() as u8;
    let mut sides: Vec<Side> = (0..n_sides).rev().map(Side).collect();
    if view.flipped {
        sides.reverse();
    }
    let hands: Vec<String> = match game.rules().hand() {
        Hand::None => Vec::new(),
        _ => sides.iter().map(|side| hand(game, *side, view.style)).collect(),
    };
    let (above, below) = hands.split_at(hands.len().saturating_sub(1));
    [above, &board_with(game, view), below].concat()
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
pub fn status(game: &Game) -> String {
    let rules = game.rules();
    if let Some(outcome) = game.outcome() {
        return outcome.words(rules).to_string();
    }
    let (side, n) = (side_name(game.turn(), rules), game.legal_moves().len());
    let status = match game.is_in_check() {
        true => message!("cli.to-move-in-check", side, n),
        false => message!("cli.to-move", side, n),
    };
    status.to_string()
}
