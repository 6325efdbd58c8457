//! Resource limits for input files, and a decompressor that enforces them.
//!
//! In: a compressed file. Out: its bytes, up to a limit. Never: unbounded memory for a decompression bomb.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use ashta_messages::{Arg, Tell, ToArg};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// A longer record is rejected, and the next one is read.
    pub record_bytes: usize,
    /// Every compressed file may decompress to this many bytes.
    pub unpacked_bytes: u64,
    /// A compressed file may exceed that by up to this multiple of its compressed size...
    pub unpacked_ratio: u64,
    /// ...but never this.
    pub max_unpacked_bytes: u64,
    /// Largest window of a zstd file, as a power of two: decompressing takes as much memory.
    pub zstd_window_log: u32,
}

impl Default for Limits {
    /// For local files: records compress to about a tenth, archives use `--long=31`.
    fn default() -> Limits {
        Limits {
            record_bytes: 16 << 20,
            unpacked_bytes: 1 << 30,
            unpacked_ratio: 200,
            max_unpacked_bytes: u64::MAX,
            zstd_window_log: 31,
        }
    }
}

impl Limits {
    /// For uploads: a small one decompresses to little, and none keeps the machine busy for long.
    pub fn for_uploads() -> Limits {
        Limits {
            unpacked_bytes: 64 << 20,
            unpacked_ratio: 100,
            max_unpacked_bytes: 4 << 30,
            zstd_window_log: 27,
            ..Limits::default()
        }
    }
}

/// A reader of the decompressed file that fails beyond its limits. An uncompressed file has none.
pub fn decompress(file: impl Read + 'static, limits: Limits) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(BUFFER, file);
    let start = file.fill_buf()?;
    let is = |magic: &[u8]| start.starts_with(magic);
    if let Some((_, name)) = UNSUPPORTED_COMPRESSION.iter().find(|(magic, _)| is(magic)) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, LimitError::Unsupported { name }));
    }
    let (is_zstd, is_gzip) = (is(&[0x28, 0xB5, 0x2F, 0xFD]), is(&[0x1F, 0x8B]));
    let n_packed = Rc::new(Cell::new(0));
    let packed = CountingReader { inner: file, n_read: n_packed.clone() };
    let decoder: Box<dyn Read> = if is_zstd {
        let mut decoder = zstd::Decoder::with_buffer(packed)?;
        decoder.window_log_max(limits.zstd_window_log)?;
        Box::new(decoder)
    } else if is_gzip {
        Box::new(flate2::bufread::MultiGzDecoder::new(packed))
    } else {
        return Ok(Box::new(packed.inner));
    };
    let limited = LimitedReader { inner: decoder, n_packed, n_unpacked: 0, limits };
    Ok(Box::new(BufReader::with_capacity(BUFFER, limited)))
}

const BUFFER: usize = 1 << 20;

/// Magic numbers of unsupported formats.
const UNSUPPORTED_COMPRESSION: [(&[u8], &str); 4] =
    [(b"PK\x03\x04", "zip"), (b"BZh", "bzip2"), (b"\xFD7zXZ\x00", "xz"), (b"7z\xBC\xAF\x27\x1C", "7z")];

/// Counts the bytes read.
struct CountingReader<R> {
    inner: R,
    n_read: Rc<Cell<u64>>,
}

impl<R: BufRead> Read for CountingReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(out)?;
        self.n_read.set(self.n_read.get() + n as u64);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for CountingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.n_read.set(self.n_read.get() + n as u64);
        self.inner.consume(n);
    }
}

/// Enforces the limits.
struct LimitedReader {
    inner: Box<dyn Read>,
    n_packed: Rc<Cell<u64>>,
    n_unpacked: u64,
    limits: Limits,
}

impl Read for LimitedReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(out).map_err(zstd_error)?;
        self.n_unpacked += n as u64;
        let by_size = self.n_packed.get().saturating_mul(self.limits.unpacked_ratio);
        let max = self.limits.unpacked_bytes.max(by_size).min(self.limits.max_unpacked_bytes);
        if self.n_unpacked > max { Err(too_large(LimitError::TooLarge { max })) } else { Ok(n) }
    }
}

/// Rephrases zstd's error for a window that is too large.
fn zstd_error(error: io::Error) -> io::Error {
    if error.to_string().contains("too much memory") { too_large(LimitError::TooMuchMemory) } else { error }
}

fn too_large(error: LimitError) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, error)
}

/// Why a file is not decompressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Tell)]
enum LimitError {
    #[code("records.unsupported-compression")]
    Unsupported { name: &'static str },
    #[code("records.decompresses-to-too-much")]
    TooLarge { max: u64 },
    #[code("records.decompression-memory")]
    TooMuchMemory,
}

/// An error of a reader as an argument of a message.
pub fn read_error(error: &io::Error) -> Arg {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<LimitError>()) {
        Some(limit) => limit.to_arg(),
        None => error.to_arg(),
    }
}
