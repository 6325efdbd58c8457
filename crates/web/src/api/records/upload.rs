//! A file on its way into a collection: written to the data folder as it comes, gone when it was read.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ashta_messages::message;
use axum::body::Body as Sent;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_LENGTH;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;
use tokio_stream::StreamExt;

use crate::api_error::ApiError;
use crate::connections::{Client, Reservation, client_from};

/// How long nothing of a file may come.
const SILENCE: Duration = Duration::from_secs(30);

/// A file that came; it goes away with this.
#[derive(Debug)]
pub struct Upload {
    /// Where it is.
    pub path: PathBuf,
}

/// How large a file may be.
#[derive(Clone, Copy, Debug)]
pub struct UploadLimit {
    /// Most bytes.
    pub n_bytes: u64,
    /// The error for a larger file.
    pub too_large: fn() -> ApiError,
}

/// The body of a request that is a file.
#[derive(Debug)]
pub struct SentFile {
    /// Bytes that it will have, if that was said.
    pub length: Option<u64>,
    body: Sent,
    client: Option<Arc<Client>>,
}

impl<S: Send + Sync> FromRequest<S> for SentFile {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<SentFile, ApiError> {
        let length = request.headers().get(CONTENT_LENGTH);
        let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
        let client = client_from(request.extensions()).cloned();
        Ok(SentFile { length, body: request.into_body(), client })
    }
}

static NEXT: AtomicU64 = AtomicU64::new(0);

impl SentFile {
    /// Receives the file; `on_progress` gets the number of bytes so far.
    pub async fn receive(
        self,
        folder: &Path,
        limit: UploadLimit,
        on_progress: impl Fn(u64),
    ) -> Result<Upload, ApiError> {
        if self.length.is_some_and(|length| length > limit.n_bytes) {
            return Err((limit.too_large)());
        }
        if let Some(client) = &self.client {
            client.reserve(Reservation::Upload).await?;
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let upload = Upload { path: folder.join(format!("{}-{number}", std::process::id())) };
        let mut file = File::create(&upload.path).await?;
        let mut pieces = self.body.into_data_stream();
        let mut n_bytes = 0;
        let cut_short = || ApiError::bad_request(message!("web.incomplete-upload"));
        while let Some(piece) = timeout(SILENCE, pieces.next()).await.map_err(|_| cut_short())? {
            let piece = piece.map_err(|_| cut_short())?;
            n_bytes += piece.len() as u64;
            if n_bytes > limit.n_bytes {
                return Err((limit.too_large)());
            }
            file.write_all(&piece).await?;
            on_progress(n_bytes);
        }
        file.flush().await?;
        match n_bytes {
            0 => Err(ApiError::bad_request(message!("web.empty-file")).hint(message!("web.empty-file.hint"))),
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
