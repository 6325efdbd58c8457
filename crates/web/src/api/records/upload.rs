//! A file on its way into a collection: written to the data folder as it comes, gone when it was read.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Body as Sent;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio_stream::StreamExt;

use crate::failure::Refusal;

/// Most bytes of a file: 1 GB.
pub const MOST_BYTES: u64 = 1 << 30;

/// A file that came; it goes away with this.
#[derive(Debug)]
pub struct Upload {
    /// Where it is.
    pub path: PathBuf,
}

static NEXT: AtomicU64 = AtomicU64::new(0);

/// What is said of a file that is too large.
pub fn too_large() -> Refusal {
    Refusal::wrong("the file has more than 1 GB")
        .hint("`ashta records import` in a terminal takes files of any size; or send it in parts, or packed")
}

impl Upload {
    /// Takes a body in; `tell` is told how many bytes have come.
    pub async fn receive(folder: &Path, body: Sent, tell: impl Fn(u64)) -> Result<Upload, Refusal> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let upload = Upload { path: folder.join(format!("{}-{number}", std::process::id())) };
        let mut file = File::create(&upload.path).await?;
        let mut pieces = body.into_data_stream();
        let mut n_bytes = 0;
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|_| Refusal::wrong("the file did not come whole"))?;
            n_bytes += piece.len() as u64;
            if n_bytes > MOST_BYTES {
                return Err(too_large());
            }
            file.write_all(&piece).await?;
            tell(n_bytes);
        }
        file.flush().await?;
        match n_bytes {
            0 => Err(Refusal::wrong("the file is empty").hint("send its bytes as the body of the request")),
            _ => Ok(upload),
        }
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        // One that stays is removed at the next start.
        let _ = std::fs::remove_file(&self.path);
    }
}
