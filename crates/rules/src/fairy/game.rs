//! The text of a game file that says what a variant of a variants.ini says.
//!
//! In: the settings of a variant. Out: TOML whose every line knows the key that it comes from. Never: a rule left out in
//! silence: keys that cannot be said are problems of [`Settings`].

use super::settings::Settings;
use super::variant::{GameText, HandKind, Variant, quoted};
use super::{castling, effects, ends, hands, pieces, squares, start};
use crate::setup_board::holes_in_text;

/// Writes the game file of a variant. The rest is not judged if the board is wrong.
pub fn write(name: &str, settings: &mut Settings) -> Option<GameText> {
    settings.refuse_what_we_cannot_say();
    let fen = settings.text("startFen").unwrap_or(CHESS).to_string();
    let grid = settings.grid()?;
    let grid = grid.with_holes(holes_in_text(grid, &fen, 2));
    let start = match start::read(&fen, grid) {
        Ok(start) => start,
        Err(what) => {
            settings.report("startFen", what);
            return None;
        }
    };
    let mut variant =
        Variant { settings, grid, start, regions: Vec::new(), pieces: Vec::new(), promoted: Vec::new() };
    variant.pieces = pieces::read(&mut variant);
    let hand = hands::kind_of_hand(&mut variant);
    let pieces = pieces::write(&mut variant, hand);
    let castling = castling::write(&mut variant);
    let explosion = effects::write_explosion(&mut variant);
    let ends = ends::write(&mut variant);
    let mut out = GameText { text: String::new(), places: Vec::new() };
    variant.write_head(name, hand, &mut out);
    variant.write_regions(&mut out);
    for part in [pieces, castling, explosion, ends] {
        part.iter().for_each(|(place, text)| out.line(place, text));
    }
    Some(out)
}

const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Variant<'_> {
    fn write_head(&mut self, name: &str, hand: HandKind, out: &mut GameText) {
        let place = self.settings.place.clone();
        out.line(&place, &format!("name = {}", quoted(name)));
        out.line(&place, &format!("about = {}", quoted(&format!("{name}, from a variants.ini."))));
        if let Some(word) = hand.word() {
            out.line(&self.settings.place_of("pieceDrops"), &format!("hand = \"{word}\""));
        }
        ends::write_turns(self, out);
        effects::write(self, out);
        out.line(&place, "\n[board]");
        out.line(&self.settings.place_of("maxFile"), &format!("files = {}", self.grid.files()));
        out.line(&self.settings.place_of("maxRank"), &format!("ranks = {}", self.grid.ranks()));
        let start = self.start_text(hand);
        out.line(&self.settings.place_of("startFen"), &format!("start = {}", quoted(&start)));
    }

    /// The start as our positions are written.
    fn start_text(&mut self, hand: HandKind) -> String {
        let hands = match (hand.word(), &self.start.hands) {
            (Some(_), hands) => format!("[{}]", hands.as_deref().unwrap_or_default()),
            (None, _) => String::new(),
        };
        let rights = castling::rights(self);
        let checks = match (self.settings.truth("checkCounting", false), self.start.checks) {
            (true, Some((first, second))) => format!(" {first}+{second}"),
            (true, None) | (false, _) => String::new(),
        };
        format!("{}{hands} {} {rights} -{checks} 0 1", self.start.board_text, self.start.turn)
    }

    fn write_regions(&self, out: &mut GameText) {
        if self.regions.is_empty() {
            return;
        }
        out.line(&self.settings.place, "\n[regions]");
        for (name, [first, second], place) in &self.regions {
            let [ours, theirs] = [first, second].map(|set| quoted(&squares::in_game_file(set, self.grid)));
            let text = match self.turned(first) == *second {
                true => ours,
                false => format!("[{ours}, {theirs}]"),
            };
            out.line(place, &format!("{name} = {text}"));
        }
    }
}
