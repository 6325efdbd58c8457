//! Every key of a variants.ini, and what becomes of it: the one table of this door.
//!
//! A key that a new part of our rules can say moves from `Refused` to `Part`, and is then read in `game.rs`, `pieces.rs`,
//! `promotion.rs`, `hands.rs` or `ends.rs` beside this file. `key-names.txt` lists every name that any version of
//! Fairy-Stockfish reads; a test compares it with this table.

/// What becomes of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The part of a game file that says it.
    Part(&'static str),
    /// Another way to set these keys.
    Sets(&'static [&'static str]),
    /// A key of an older version, which `settings.rs` turns into others.
    Older,
    /// Our rules cannot say it, and the game would be wrong without it, unless it has one of these values.
    Refused(&'static [&'static str]),
    /// It does not change the rules.
    Noted,
}

/// A key.
pub struct Key {
    pub name: &'static str,
    pub role: Role,
}

const fn key(name: &'static str, role: Role) -> Key {
    Key { name, role }
}

use Role::{Noted, Older, Part, Refused, Sets};

const OFF: &[&str] = &["false"];
const NOTHING: &[&str] = &["", "-"];
const NONE: &[&str] = &["none"];
const ZERO: &[&str] = &["0"];

/// Every key but those of pieces, in the order in which they take effect: older keys, those that set several, all others.
pub const KEYS: &[Key] = &[
    key("maxRank", Part("board.ranks")),
    key("maxFile", Part("board.files")),
    // Older keys.
    key("promotionRank", Older),
    key("doubleStepRank", Older),
    key("doubleStepRankMin", Older),
    key("firstRankDoubleSteps", Older),
    key("shogiDoubledPawn", Older),
    key("whiteFlag", Sets(&["flagRegionWhite"])),
    key("blackFlag", Sets(&["flagRegionBlack"])),
    key("castlingRookPiece", Sets(&["castlingRookPiecesWhite", "castlingRookPiecesBlack"])),
    key("whiteDropRegion", Sets(&["dropRegionWhite"])),
    key("blackDropRegion", Sets(&["dropRegionBlack"])),
    key("kingPass", Sets(&["passWhite", "passBlack"])),
    key("kingPassOnStalemate", Sets(&["passOnStalemateWhite", "passOnStalemateBlack"])),
    key("firstRankDrops", Sets(&["firstRankPawnDrops"])),
    key("xiangqiGeneral", Refused(OFF)),
    key("xiangqiSoldier", Refused(OFF)),
    key("bareKingValue", Refused(NONE)),
    key("bareKingMove", Refused(OFF)),
    key("arrowGating", Refused(OFF)),
    key("dropOnTop", Refused(OFF)),
    // Keys that set several.
    key(
        "pawnTypes",
        Sets(&[
            "promotionPawnTypesWhite",
            "promotionPawnTypesBlack",
            "enPassantTypesWhite",
            "enPassantTypesBlack",
            "nMoveRuleTypesWhite",
            "nMoveRuleTypesBlack",
        ]),
    ),
    key("promotionPawnTypes", Sets(&["promotionPawnTypesWhite", "promotionPawnTypesBlack"])),
    key("promotionPieceTypes", Sets(&["promotionPieceTypesWhite", "promotionPieceTypesBlack"])),
    key("enPassantRegion", Sets(&["enPassantRegionWhite", "enPassantRegionBlack"])),
    key("enPassantTypes", Sets(&["enPassantTypesWhite", "enPassantTypesBlack"])),
    key("castlingKingPiece", Sets(&["castlingKingPieceWhite", "castlingKingPieceBlack"])),
    key("castlingRookPieces", Sets(&["castlingRookPiecesWhite", "castlingRookPiecesBlack"])),
    key("wallingRegion", Sets(&["wallingRegionWhite", "wallingRegionBlack"])),
    key("pass", Sets(&["passWhite", "passBlack"])),
    key("passOnStalemate", Sets(&["passOnStalemateWhite", "passOnStalemateBlack"])),
    key("nMoveRuleTypes", Sets(&["nMoveRuleTypesWhite", "nMoveRuleTypesBlack"])),
    key("flagPiece", Sets(&["flagPieceWhite", "flagPieceBlack"])),
    key("flagRegion", Sets(&["flagRegionWhite", "flagRegionBlack"])),
    // What programs show, and how they play.
    key("variantTemplate", Noted),
    key("pieceToCharTable", Noted),
    key("pocketSize", Noted),
    key("pieceValueMg", Noted),
    key("pieceValueEg", Noted),
    key("endgameEval", Noted),
    // The board and how pieces move.
    key("startFen", Part("board.start")),
    key("mobilityRegion", Refused(NOTHING)),
    key("kingType", Part("pieces.king.moves")),
    key("diagonalLines", Part("pieces.NAME.moves")),
    key("soldierPromotionRank", Part("pieces.soldier.moves")),
    key("doubleStep", Part("pieces.pawn.moves")),
    key("doubleStepRegionWhite", Part("pieces.pawn.moves")),
    key("doubleStepRegionBlack", Part("pieces.pawn.moves")),
    key("tripleStepRegionWhite", Refused(NOTHING)),
    key("tripleStepRegionBlack", Refused(NOTHING)),
    key("enPassantTypesWhite", Part("pieces.pawn.moves")),
    key("enPassantTypesBlack", Part("pieces.pawn.moves")),
    key("enPassantRegionWhite", Part("pieces.pawn.moves")),
    key("enPassantRegionBlack", Part("pieces.pawn.moves")),
    // Promotion.
    key("promotionRegionWhite", Part("promotes.zone")),
    key("promotionRegionBlack", Part("promotes.zone")),
    key("promotionPawnTypesWhite", Part("promotes")),
    key("promotionPawnTypesBlack", Part("promotes")),
    key("promotionPieceTypesWhite", Part("promotes.to")),
    key("promotionPieceTypesBlack", Part("promotes.to")),
    key("promotionLimit", Part("promotes.supply, promotes.at-most")),
    key("promotedPieceType", Part("promotes.to")),
    key("piecePromotionOnCapture", Part("promotes.on")),
    key("mandatoryPawnPromotion", Part("promotes.choice")),
    key("mandatoryPiecePromotion", Part("promotes.choice")),
    key("sittuyinPromotion", Refused(OFF)),
    key("pieceDemotion", Part("promotes")),
    // Castling.
    key("castling", Part("castling")),
    key("castlingKingsideFile", Part("castling")),
    key("castlingQueensideFile", Part("castling")),
    key("castlingRank", Part("castling")),
    key("castlingKingFile", Part("castling")),
    key("castlingKingPieceWhite", Part("castling")),
    key("castlingKingPieceBlack", Part("castling")),
    key("castlingRookKingsideFile", Part("castling")),
    key("castlingRookQueensideFile", Part("castling")),
    key("castlingRookPiecesWhite", Part("castling")),
    key("castlingRookPiecesBlack", Part("castling")),
    key("castlingDroppedPiece", Refused(OFF)),
    key("oppositeCastling", Refused(OFF)),
    key("chess960", Part("castling")),
    // Hands.
    key("pieceDrops", Part("hand")),
    key("capturesToHand", Part("hand")),
    key("mustDrop", Part("hand")),
    key("mustDropType", Refused(&["*"])),
    key("dropLoop", Part("hand")),
    key("firstRankPawnDrops", Part("drop.region")),
    key("promotionZonePawnDrops", Part("drop.region")),
    key("dropRegionWhite", Part("drop.region")),
    key("dropRegionBlack", Part("drop.region")),
    key("sittuyinRookDrop", Part("drop.region")),
    key("dropNoDoubled", Part("drop.per-file")),
    key("dropNoDoubledCount", Part("drop.per-file")),
    key("shogiPawnDropMateIllegal", Part("drop.mate")),
    key("immobilityIllegal", Part("drop.stuck, promotes.choice")),
    key("dropChecks", Refused(&["true"])),
    key("dropOppositeColoredBishop", Refused(OFF)),
    key("dropPromoted", Part("drop.face")),
    key("enclosingDrop", Refused(NONE)),
    key("enclosingDropStart", Noted),
    key("twoBoards", Refused(OFF)),
    // Captures and checks.
    key("mustCapture", Part("capture")),
    key("blastOnCapture", Part("explosion")),
    key("blastImmuneTypes", Refused(&["", "-", "none"])),
    key("mutuallyImmuneTypes", Refused(&["", "-", "none"])),
    key("petrifyOnCaptureTypes", Refused(NOTHING)),
    key("petrifyBlastPieces", Refused(OFF)),
    key("checking", Part("check")),
    key("flipEnclosedPieces", Refused(NONE)),
    // What else a turn may be.
    key("passWhite", Part("pass")),
    key("passBlack", Part("pass")),
    key("passOnStalemateWhite", Part("pass")),
    key("passOnStalemateBlack", Part("pass")),
    key("flyingGeneral", Part("facing")),
    key("makpongRule", Part("royal-in-check")),
    key("cambodianMoves", Part("pieces.king.moves, pieces.fers.moves")),
    // Rights to place pieces behind others have no rules of their own.
    key("gating", Noted),
    key("seirawanGating", Refused(OFF)),
    key("wallingRule", Refused(NONE)),
    key("wallingRegionWhite", Noted),
    key("wallingRegionBlack", Noted),
    key("wallOrMove", Refused(OFF)),
    // Ends.
    key("nMoveRule", Part("ends.quiet")),
    key("nMoveRuleTypesWhite", Part("ends.quiet")),
    key("nMoveRuleTypesBlack", Part("ends.quiet")),
    key("nFoldRule", Part("ends.repetition")),
    key("nFoldValue", Part("ends.repetition")),
    key("nFoldValueAbsolute", Part("ends.repetition")),
    key("perpetualCheckIllegal", Part("ends.repetition")),
    key("moveRepetitionIllegal", Refused(OFF)),
    key("chasingRule", Refused(NONE)),
    key("stalemateValue", Part("ends.stalemate")),
    key("stalematePieceCount", Refused(OFF)),
    key("checkmateValue", Refused(&["loss"])),
    key("shatarMateRule", Refused(OFF)),
    key("bikjangRule", Part("facing")),
    key("extinctionValue", Part("ends.extinction, ends.bare")),
    key("extinctionClaim", Part("ends.bare")),
    key("extinctionPieceTypes", Part("ends.extinction")),
    key("extinctionPieceCount", Part("ends.extinction")),
    key("extinctionOpponentPieceCount", Part("ends.bare")),
    key("extinctionPseudoRoyal", Part("pieces.NAME.royal")),
    key("dupleCheck", Refused(OFF)),
    key("flagPieceWhite", Part("ends.goal")),
    key("flagPieceBlack", Part("ends.goal")),
    key("flagRegionWhite", Part("ends.goal")),
    key("flagRegionBlack", Part("ends.goal")),
    key("flagMove", Part("ends.goal")),
    key("flagPieceSafe", Part("ends.goal")),
    key("flagPieceCount", Refused(&["1"])),
    key("flagPieceBlockedWin", Refused(OFF)),
    key("checkCounting", Part("ends.checks")),
    key("connectN", Refused(ZERO)),
    key("connectNxN", Refused(ZERO)),
    key("collinearN", Refused(ZERO)),
    // They say how pieces are connected, and nothing without the keys above or below.
    key("connectPieceTypes", Noted),
    key("connectVertical", Noted),
    key("connectHorizontal", Noted),
    key("connectDiagonal", Noted),
    key("connectValue", Noted),
    key("connectRegion1White", Refused(NOTHING)),
    key("connectRegion2White", Refused(NOTHING)),
    key("connectRegion1Black", Refused(NOTHING)),
    key("connectRegion2Black", Refused(NOTHING)),
    key("materialCounting", Part("ends.points")),
    key("adjudicateFullBoard", Refused(OFF)),
    key("countingRule", Part("ends.counting")),
    key("castlingWins", Refused(NOTHING)),
];

/// A type of piece with a name of its own.
pub struct PieceType {
    pub name: &'static str,
    /// How it moves, in XBoard's dialect.
    pub moves: &'static str,
}

const fn piece(name: &'static str, moves: &'static str) -> PieceType {
    PieceType { name, moves }
}

/// Every type of piece with a name, from the weakest to the strongest, the king last.
pub const PIECES: &[PieceType] = &[
    piece("immobile", ""),
    piece("clobber", "cW"),
    piece("shogiPawn", "fW"),
    piece("pawn", "mfWcfF"),
    piece("breakthrough", "mfWfF"),
    piece("soldier", "fsW"),
    piece("shogiKnight", "fN"),
    piece("euroshogiKnight", "fNsW"),
    piece("fers", "F"),
    piece("alfil", "A"),
    piece("elephant", "nA"),
    piece("wazir", "W"),
    piece("lance", "fR"),
    piece("fersAlfil", "FA"),
    piece("silver", "FfW"),
    piece("gold", "WfF"),
    piece("horse", "nN"),
    piece("janggiElephant", "nZ"),
    piece("commoner", "K"),
    piece("knight", "N"),
    piece("knibis", "mNcB"),
    piece("biskni", "mBcN"),
    piece("bishop", "B"),
    piece("kniroo", "mNcR"),
    piece("rookni", "mRcN"),
    piece("janggiCannon", "pR"),
    piece("cannon", "mRcpR"),
    piece("rook", "R"),
    piece("dragonHorse", "BW"),
    piece("bers", "RF"),
    piece("centaur", "KN"),
    piece("archbishop", "BN"),
    piece("chancellor", "RN"),
    piece("banner", "RcpRnN"),
    piece("queen", "Q"),
    piece("quietQueen", "mQ"),
    piece("ataxx", "mDmNmA"),
    piece("aiwok", "RNF"),
    piece("amazon", "QN"),
    piece("king", "K"),
];

/// How many pieces a file may make, `customPiece1` and so on.
pub const N_CUSTOM_PIECES: usize = 25;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_every_version_is_known_once() {
        let listed: Vec<&str> =
            include_str!("key-names.txt").lines().filter(|line| !line.starts_with('#')).collect();
        let known = |name: &str| {
            KEYS.iter().filter(|key| key.name == name).count()
                + PIECES.iter().filter(|piece| piece.name == name).count()
        };
        for name in &listed {
            assert_eq!(known(name), 1, "{name}");
        }
        for name in KEYS.iter().map(|key| key.name).chain(PIECES.iter().map(|piece| piece.name)) {
            assert!(listed.contains(&name), "{name} is read by no version");
        }
    }

    #[test]
    fn keys_that_set_others_come_before_them() {
        for (n, key) in KEYS.iter().enumerate() {
            let Sets(others) = key.role else { continue };
            for other in others {
                assert!(KEYS[n..].iter().any(|later| later.name == *other), "{} sets {other}", key.name);
            }
        }
    }
}
