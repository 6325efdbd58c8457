//! A laboratory of its own for a test, and a client that asks it as a script would.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use ashta_web::{Access, ConnectionLimits, ServerConfig, serve};
use serde_json::Value;

/// A server with a data folder that goes away.
pub struct Laboratory {
    pub address: SocketAddr,
    pub folder: tempfile::TempDir,
}

/// What was answered.
#[derive(Debug)]
pub struct Answered {
    pub status: u16,
    pub body: Value,
}

impl Laboratory {
    /// Starts a server at a port that is free; it ends with the test's process. No sample games are played: they would
    /// take the processor from the tests.
    pub fn open() -> Laboratory {
        Laboratory::with_limits(ConnectionLimits::default())
    }

    /// The same with other limits on connections.
    pub fn with_limits(limits: ConnectionLimits) -> Laboratory {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("samples-made"), "").expect("written");
        Laboratory::start(folder, limits)
    }

    /// A server that finds an empty folder, and plays its sample games.
    pub fn at_first_start() -> Laboratory {
        Laboratory::start(tempfile::tempdir().expect("a folder"), ConnectionLimits::default())
    }

    fn start(folder: tempfile::TempDir, limits: ConnectionLimits) -> Laboratory {
        let (tell, told) = mpsc::channel();
        let plan = ServerConfig {
            listen: "127.0.0.1:0".parse().expect("an address"),
            access: Access::Open,
            data: folder.path().to_path_buf(),
            page: None,
            program: "ashta".into(),
            limits,
        };
        std::thread::spawn(move || {
            serve(plan, |serving| tell.send(serving.address).expect("the test listens"))
        });
        Laboratory { address: told.recv_timeout(Duration::from_secs(20)).expect("it serves"), folder }
    }

    /// Sends bytes as the body of a request.
    pub fn send(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> Answered {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let head = format!(
            "{method} /api/{path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("it reads");
        // A server that refuses a body may close before all of it is read.
        _ = stream.write_all(body);
        let mut answer = Vec::new();
        _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        let (head, rest) = text.split_once("\r\n\r\n").expect("an answer has a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Answered { status, body: serde_json::from_str(rest).unwrap_or(Value::Null) }
    }

    /// Asks for something.
    pub fn get(&self, path: &str) -> Answered {
        self.send("GET", path, "text/plain", b"")
    }

    /// Sends JSON.
    pub fn post(&self, path: &str, body: &Value) -> Answered {
        self.send("POST", path, "application/json", body.to_string().as_bytes())
    }

    /// Sends JSON to be kept.
    pub fn put(&self, path: &str, body: &Value) -> Answered {
        self.send("PUT", path, "application/json", body.to_string().as_bytes())
    }

    /// Throws something away.
    pub fn delete(&self, path: &str) -> Answered {
        self.send("DELETE", path, "text/plain", b"")
    }

    /// What is answered to a request that must be granted.
    pub fn granted(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body);
        assert_eq!(answer.status, 200, "{path} {body}: {}", answer.body);
        answer.body
    }

    /// The sentence with which a request is refused, and what to do.
    pub fn refused(&self, path: &str, body: &Value) -> String {
        let answer = self.post(path, body);
        assert!((400..500).contains(&answer.status), "{path} {body}: {} {}", answer.status, answer.body);
        sentence(&answer.body)
    }
}

/// A refusal as a terminal would say it.
pub fn sentence(body: &Value) -> String {
    let error = body["error"].as_str().unwrap_or("no error").to_string();
    let hint = body["hint"].as_str().map(|hint| format!(" ({hint})")).unwrap_or_default();
    let offset = body["offset"].as_u64().map(|offset| format!(" at {offset}")).unwrap_or_default();
    format!("{error}{offset}{hint}")
}
