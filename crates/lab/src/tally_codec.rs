//! Tallies as bytes, little-endian.
//!
//! In: a tally, or any bytes. Out: its bytes, or the tally, or an error. Never: a panic, a file.
//!
//! Four lists, each a `u32` count and then records of one size: rows, plies, kinds, contests. A reason is its
//! [`Reason::number`]. The highest bit of the count of kinds says that their records have histories; those of version 0.1.0
//! have none.

use ashta_position::Reason;

use crate::byte_reader::{ByteReader, TallyError};
use crate::tally::{ContestRow, GameRow, KindHistory, KindTally, PlyTally, UnitTally};

const ROW_BYTES: usize = 42;
const PLY_BYTES: usize = 40;
const OLD_KIND_BYTES: usize = 32;
const KIND_BYTES: usize = 104;
const HAS_HISTORIES: u32 = 1 << 31;
const CONTEST_BYTES: usize = 42;
const MAX_SIDES: u8 = 4;

/// Writes a tally after what `bytes` holds.
pub fn write_tally(tally: &UnitTally, bytes: &mut Vec<u8>) {
    let UnitTally { rows, by_ply, by_kind, contests } = tally;
    bytes.reserve(
        16 + contests.len() * CONTEST_BYTES
            + rows.len() * ROW_BYTES
            + by_ply.len() * PLY_BYTES
            + by_kind.len() * KIND_BYTES,
    );
    write_count(bytes, rows.len());
    rows.iter().for_each(|row| write_row(bytes, row));
    write_count(bytes, by_ply.len());
    for ply in by_ply {
        let PlyTally { n_games, moves_sum, moves_squared_sum, n_captures, n_checks } = *ply;
        write_words(bytes, &[n_games, moves_sum, moves_squared_sum, n_captures, n_checks]);
    }
    bytes.extend_from_slice(&(by_kind.len() as u32 | HAS_HISTORIES).to_le_bytes());
    by_kind.iter().for_each(|kind| write_kind(bytes, kind));
    write_count(bytes, contests.len());
    contests.iter().for_each(|row| write_contest(bytes, row));
}

fn write_kind(bytes: &mut Vec<u8>, kind: &KindTally) {
    let KindTally { n_at_start, n_at_end, n_mobile_moves, n_mobile_pieces, history } = *kind;
    write_words(bytes, &[n_at_start, n_at_end, n_mobile_moves, n_mobile_pieces]);
    let KindHistory { n_seen, n_lost, first_loss_sum, first_loss_squared_sum, .. } = history;
    write_words(bytes, &[n_seen, n_lost, first_loss_sum, first_loss_squared_sum]);
    write_words(bytes, &[history.n_losers, history.n_losers_won]);
    write_words(bytes, &history.n_intact);
}

fn write_contest(bytes: &mut Vec<u8>, row: &ContestRow) {
    write_words(bytes, &[row.n_all_rolls, row.n_before_doubled]);
    for count in [row.n_piece_moves, row.n_passes] {
        bytes.extend_from_slice(&count.to_le_bytes());
    }
    bytes.extend_from_slice(&[row.n_exchanges, row.n_blocks]);
    row.takes.iter().for_each(|by| bytes.extend_from_slice(by));
}

fn write_row(bytes: &mut Vec<u8>, row: &GameRow) {
    bytes.extend_from_slice(&row.n_plies.to_le_bytes());
    write_words(bytes, &[row.n_moves]);
    bytes.push(row.winner.map_or(0, |side| side.saturating_add(1)));
    bytes.push(row.reason.number());
    for count in [row.n_captures, row.n_checks, row.n_lead_changes] {
        bytes.extend_from_slice(&count.to_le_bytes());
    }
    write_words(bytes, &row.openings);
}

fn write_count(bytes: &mut Vec<u8>, count: usize) {
    // A unit is a part of an experiment, held in memory: far from four thousand million records.
    bytes.extend_from_slice(&(count as u32).to_le_bytes());
}

fn write_words(bytes: &mut Vec<u8>, words: &[u64]) {
    words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
}

/// Reads a tally that is the whole of `bytes`.
pub fn read_tally(bytes: &[u8]) -> Result<UnitTally, TallyError> {
    let mut reader = ByteReader::new(bytes);
    let rows = reader.list(ROW_BYTES, read_row)?;
    let by_ply = reader.list(PLY_BYTES, |reader| {
        let [n_games, moves_sum, moves_squared_sum, n_captures, n_checks] = reader.words()?;
        Ok(PlyTally { n_games, moves_sum, moves_squared_sum, n_captures, n_checks })
    })?;
    let count = reader.count()?;
    let has_histories = count & HAS_HISTORIES != 0;
    let kind_bytes = if has_histories { KIND_BYTES } else { OLD_KIND_BYTES };
    let by_kind =
        reader.records(count & !HAS_HISTORIES, kind_bytes, |reader| read_kind(reader, has_histories))?;
    let contests = reader.list(CONTEST_BYTES, read_contest)?;
    reader.finish(UnitTally { rows, by_ply, by_kind, contests })
}

fn read_kind(reader: &mut ByteReader, has_history: bool) -> Result<KindTally, TallyError> {
    let [n_at_start, n_at_end, n_mobile_moves, n_mobile_pieces] = reader.words()?;
    let mut kind =
        KindTally { n_at_start, n_at_end, n_mobile_moves, n_mobile_pieces, history: KindHistory::default() };
    if has_history {
        let [n_seen, n_lost, first_loss_sum, first_loss_squared_sum, n_losers, n_losers_won] =
            reader.words()?;
        let n_intact = reader.words()?;
        kind.history = KindHistory {
            n_seen,
            n_lost,
            first_loss_sum,
            first_loss_squared_sum,
            n_losers,
            n_losers_won,
            n_intact,
        };
    }
    Ok(kind)
}

fn read_contest(reader: &mut ByteReader) -> Result<ContestRow, TallyError> {
    let [n_all_rolls, n_before_doubled] = reader.words()?;
    let (n_piece_moves, n_passes) = (reader.count()?, reader.count()?);
    let [n_exchanges, n_blocks] = reader.take()?;
    let mut takes = [[0; 4]; 4];
    for by in &mut takes {
        *by = reader.take()?;
    }
    Ok(ContestRow { n_all_rolls, n_before_doubled, n_piece_moves, n_passes, n_exchanges, n_blocks, takes })
}

fn read_row(reader: &mut ByteReader) -> Result<GameRow, TallyError> {
    let n_plies = reader.count()?;
    let [n_moves] = reader.words()?;
    let [winner, reason] = reader.take()?;
    Ok(GameRow {
        n_plies,
        n_moves,
        winner: match winner {
            0 => None,
            1..=MAX_SIDES => Some(winner - 1),
            code => return Err(TallyError::Winner { code }),
        },
        reason: Reason::from_number(reason).ok_or(TallyError::Reason { code: reason })?,
        n_captures: reader.count()?,
        n_checks: reader.count()?,
        n_lead_changes: reader.count()?,
        openings: reader.words()?,
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        fn any_row()(
            (n_plies, n_moves) in any::<(u32, u64)>(),
            winner in proptest::option::of(0..MAX_SIDES),
            reason in proptest::sample::select(&Reason::ALL[..]),
            (n_captures, n_checks, n_lead_changes) in any::<(u32, u32, u32)>(),
            openings in any::<[u64; 2]>(),
        ) -> GameRow {
            GameRow { n_plies, n_moves, winner, reason, n_captures, n_checks, n_lead_changes, openings }
        }
    }

    prop_compose! {
        pub(crate) fn any_tally()(
            rows in proptest::collection::vec(any_row(), 0..6),
            plies in proptest::collection::vec(any::<[u64; 5]>(), 0..6),
            kinds in proptest::collection::vec(any::<[u64; 13]>(), 0..6),
            contests in proptest::collection::vec(any::<([u64; 2], [u32; 2], [u8; 2], [[u8; 4]; 4])>(), 0..4),
        ) -> UnitTally {
            let contest = |(sums, counts, few, takes): ([u64; 2], [u32; 2], [u8; 2], [[u8; 4]; 4])| ContestRow {
                n_all_rolls: sums[0],
                n_before_doubled: sums[1],
                n_piece_moves: counts[0],
                n_passes: counts[1],
                n_exchanges: few[0],
                n_blocks: few[1],
                takes,
            };
            let ply = |[n_games, moves_sum, moves_squared_sum, n_captures, n_checks]: [u64; 5]| {
                PlyTally { n_games, moves_sum, moves_squared_sum, n_captures, n_checks }
            };
            let kind = |n: [u64; 13]| KindTally {
                n_at_start: n[0],
                n_at_end: n[1],
                n_mobile_moves: n[2],
                n_mobile_pieces: n[3],
                history: KindHistory {
                    n_seen: n[4],
                    n_lost: n[5],
                    first_loss_sum: n[6],
                    first_loss_squared_sum: n[7],
                    n_losers: n[8],
                    n_losers_won: n[9],
                    n_intact: [n[10], n[11], n[12]],
                },
            };
            UnitTally {
                rows,
                by_ply: plies.into_iter().map(ply).collect(),
                by_kind: kinds.into_iter().map(kind).collect(),
                contests: contests.into_iter().map(contest).collect(),
            }
        }
    }

    fn written(tally: &UnitTally) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_tally(tally, &mut bytes);
        bytes
    }

    proptest! {
        #[test]
        fn write_then_read_is_the_identity(tally in any_tally()) {
            let bytes = written(&tally);
            let (rows, plies) = (tally.rows.len() * ROW_BYTES, tally.by_ply.len() * PLY_BYTES);
            let (kinds, contests) = (tally.by_kind.len() * KIND_BYTES, tally.contests.len() * CONTEST_BYTES);
            prop_assert_eq!(bytes.len(), 16 + rows + plies + kinds + contests);
            prop_assert_eq!(read_tally(&bytes), Ok(tally));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read_tally(&bytes);
        }

        #[test]
        fn a_part_is_not_a_tally(tally in any_tally(), cut in any::<proptest::sample::Index>()) {
            let bytes = written(&tally);
            prop_assert!(read_tally(&bytes[..cut.index(bytes.len())]).is_err());
        }

        #[test]
        fn merging_forged_sums_does_not_panic(a in any_tally(), b in any_tally()) {
            let merged = UnitTally::merge([&a, &b]);
            merged.by_ply.iter().for_each(|ply| { ply.deviation_of_moves(); });
        }
    }

    /// Kinds as version 0.1.0 wrote them.
    #[test]
    fn kinds_without_histories_are_read() {
        let mut bytes = vec![0; 8];
        write_count(&mut bytes, 1);
        write_words(&mut bytes, &[8, 3, 30, 10]);
        write_count(&mut bytes, 0);
        let kind = KindTally {
            n_at_start: 8,
            n_at_end: 3,
            n_mobile_moves: 30,
            n_mobile_pieces: 10,
            history: KindHistory::default(),
        };
        assert_eq!(read_tally(&bytes), Ok(UnitTally { by_kind: vec![kind], ..UnitTally::default() }));
    }

    #[test]
    fn errors_are_sentences() {
        let says = |bytes: &[u8]| read_tally(bytes).map_err(|error| error.to_string());
        assert_eq!(says(&[1, 0]), Err("the tally ends at byte 2, inside a record".into()));
        assert_eq!(says(&[0; 18]), Err("2 bytes follow the end of the tally".into()));
        let mut row = vec![0; 4 + ROW_BYTES + 12];
        row[0] = 1;
        assert_eq!(says(&row), Err("unknown end of game 0".into()));
        row[4 + 12] = 5;
        assert_eq!(says(&row), Err("unknown side 5".into()));
    }
}
