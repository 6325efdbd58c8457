//! A game as a tree of moves with comments, as JSON in both directions.
//!
//! Nodes stand in one list and name their parents, so that a long game is no deep JSON and a node has a number. The first
//! child of a node goes on with its line; the others are variations.

use std::convert::Infallible;

use ashta_messages::message;
use ashta_position::notation::read_coordinates;
use ashta_position::{Game, Move};
use ashta_records::annotations::{MAX_NESTING, NotatedLine, write_line};
use ashta_records::{Annotations, GameRecord, Note, Variation};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::position_view::WrittenMove;
use crate::api_error::ApiError;

/// A game as a tree of moves.
#[derive(Clone, Serialize, Deserialize, ToSchema, Debug)]
pub struct MoveTree {
    /// Plies of the game itself: from the start along first children. What goes on from there was not played.
    pub plies: usize,
    /// The start position, then every move. A node comes after its parent.
    pub nodes: Vec<TreeNode>,
}

/// A position of a tree, and the move that leads to it.
#[derive(Clone, Serialize, Deserialize, ToSchema, Default, Debug)]
pub struct TreeNode {
    /// The place in the list of the position that the move is played in; nothing for the start.
    #[serde(default)]
    pub parent: Option<usize>,
    /// The move; of what is sent back only `text` is read.
    #[serde(flatten)]
    pub mv: WrittenMove,
    /// Comment after the move; at the root, of the game.
    #[serde(flatten)]
    pub note: NoteBody,
    /// Comment before the move, where a variation begins with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<NoteBody>,
}

/// Annotations of one node.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Default, Debug)]
pub struct NoteBody {
    /// Words; they may have several lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// What is thought of the move, as PGN numbers it: 1 is `!`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<u8>,
    /// Time that the move took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent_ms: Option<u64>,
}

impl NoteBody {
    fn of(note: Option<&Note>) -> NoteBody {
        let Note { comment, glyphs, spent_ms, .. } = note.cloned().unwrap_or_default();
        NoteBody { comment, glyphs, spent_ms }
    }

    fn say_in(&self, notes: &mut Annotations, ply: usize) {
        notes.add_comment(ply, &self.comment);
        self.glyphs.iter().for_each(|glyph| notes.add_glyph(ply, *glyph));
        self.spent_ms.iter().for_each(|spent_ms| notes.set_time(ply, *spent_ms));
    }
}

impl MoveTree {
    /// Plays the record on `game`, from its start to its end.
    pub fn of(record: &GameRecord, game: &mut Game) -> MoveTree {
        let first_ply = game.setup().ply;
        let mut write = |game: &Game, mv| Ok::<_, Infallible>(WrittenMove::of(game, mv, 0));
        let Ok(line) = write_line(game, &record.moves, &record.annotations, &mut write);
        let mv = WrittenMove { ply: first_ply, ..WrittenMove::default() };
        let start = TreeNode { mv, note: NoteBody::of(line.before), ..TreeNode::default() };
        let mut tree = MoveTree { plies: line.moves.len(), nodes: vec![start] };
        tree.add_line(&line, 0);
        tree
    }

    /// The moves of the game itself, in coordinates.
    pub fn main_line(&self) -> Vec<String> {
        let mut texts = Vec::with_capacity(self.plies);
        let mut at = 0;
        for (n, node) in self.nodes.iter().enumerate() {
            if node.parent == Some(at) && texts.len() < self.plies {
                texts.push(node.mv.text.clone());
                at = n;
            }
        }
        texts
    }

    /// Bytes of all words.
    pub fn n_bytes(&self) -> usize {
        let before = |node: &TreeNode| node.before.as_ref().map_or(0, |note| note.comment.len());
        self.nodes.iter().map(|node| node.note.comment.len() + before(node)).sum()
    }

    /// Adds the moves of a line, each followed by the lines beside it, as records are written.
    fn add_line(&mut self, line: &NotatedLine<WrittenMove>, from: usize) {
        let mut parent = from;
        for mv in &line.moves {
            let ply = self.nodes[parent].mv.ply + 1;
            let written = WrittenMove { ply, ..mv.text.clone() };
            let (note, node) = (NoteBody::of(mv.note), self.nodes.len());
            self.nodes.push(TreeNode { parent: Some(parent), mv: written, note, before: None });
            mv.instead.iter().for_each(|beside| self.add_variation(beside, parent));
            parent = node;
        }
        line.onward.iter().for_each(|onward| self.add_variation(onward, parent));
    }

    fn add_variation(&mut self, line: &NotatedLine<WrittenMove>, from: usize) {
        let first = self.nodes.len();
        self.add_line(line, from);
        let before =
            line.before.map(|note| NoteBody::of(Some(note))).filter(|note| *note != NoteBody::default());
        if let Some(node) = self.nodes.get_mut(first) {
            node.before = before;
        }
    }

    /// The main line and its annotations; `game` is at the root and is restored.
    pub fn read(&self, game: &mut Game) -> Result<(Vec<Move>, Annotations), ApiError> {
        let reading = Reading { tree: self, children: self.children()? };
        let mut main = vec![0];
        while main.len() <= self.plies {
            let next = main.last().and_then(|at| reading.children[*at].first());
            main.push(*next.ok_or_else(|| {
                ApiError::bad_request(message!("web.tree-plies", n = main.len() - 1, plies = self.plies))
            })?);
        }
        reading.line(game, &main, 0)
    }

    /// The children of every node.
    fn children(&self) -> Result<Vec<Vec<usize>>, ApiError> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            match (n, node.parent) {
                (0, None) => {}
                (n, Some(parent)) if parent < n => children[parent].push(n),
                (n, _) => {
                    let what = message!("web.tree-parent", n);
                    return Err(ApiError::bad_request(what).hint(message!("web.tree-parent.hint")));
                }
            }
        }
        if children.is_empty() { Err(ApiError::bad_request(message!("web.tree-root"))) } else { Ok(children) }
    }
}

/// A tree that is being read.
struct Reading<'t> {
    tree: &'t MoveTree,
    children: Vec<Vec<usize>>,
}

impl Reading<'_> {
    /// The line through these nodes, from the position of the first. `game` is restored.
    fn line(
        &self,
        game: &mut Game,
        nodes: &[usize],
        depth: usize,
    ) -> Result<(Vec<Move>, Annotations), ApiError> {
        if depth > MAX_NESTING {
            return Err(ApiError::bad_request(message!("web.tree-nesting", max = MAX_NESTING)));
        }
        let (mut moves, mut notes) = (Vec::with_capacity(nodes.len()), Annotations::default());
        for (ply, node) in nodes.iter().enumerate() {
            self.say(&mut notes, *node, ply, depth);
            let next = nodes.get(ply + 1);
            // Variations from the first position of a variation are its sisters: the line around it has them.
            if depth == 0 || ply > 0 {
                for other in self.children[*node].iter().filter(|other| Some(*other) != next) {
                    notes.add_variation(ply, self.variation(game, *other, depth + 1)?);
                }
            }
            if let Some(next) = next {
                let mv = self.read_move(game, *next)?;
                moves.push(mv);
                game.play_unchecked(mv);
            }
        }
        moves.iter().for_each(|_| _ = game.take_back());
        Ok((moves, notes))
    }

    /// Adds the annotations of a node. The first node of a variation belongs to the enclosing line and adds none.
    fn say(&self, notes: &mut Annotations, node: usize, ply: usize, depth: usize) {
        let said = &self.tree.nodes[node];
        if depth == 0 || ply > 0 {
            // Only a variation begins with words; within a line they belong to the move before.
            let at = ply.saturating_sub(1);
            said.before.iter().for_each(|note| note.say_in(notes, at));
            said.note.say_in(notes, ply);
        }
    }

    fn variation(&self, game: &mut Game, first: usize, depth: usize) -> Result<Variation, ApiError> {
        let parent = self.tree.nodes[first].parent.unwrap_or_default();
        let mut nodes = vec![parent, first];
        while let Some(next) = nodes.last().and_then(|at| self.children[*at].first()) {
            nodes.push(*next);
        }
        let (moves, notes) = self.line(game, &nodes, depth)?;
        Ok(Variation { moves, notes })
    }

    fn read_move(&self, game: &Game, node: usize) -> Result<Move, ApiError> {
        let text = &self.tree.nodes[node].mv.text;
        read_coordinates(game, text)
            .map_err(|error| ApiError::bad_request(message!("web.tree-node", node, error)))
    }
}
