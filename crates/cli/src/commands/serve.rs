//! `ashta serve`, and `ashta` alone: the laboratory in a browser.

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};

use ashta_messages::message;
use ashta_records::write_private;
use ashta_web::{Access, ConnectionLimits, ServeError, ServerConfig, Serving, TOKEN_VARIABLE, Token, serve};
use clap::Args;

use crate::cli_error::{CliError, ErrorMessage, Status, print_note, print_notice};

/// Serve the laboratory to the browser: a page and its JSON API
#[derive(Args, Debug, Default)]
#[command(after_help = include_str!("../help/serve.txt"))]
pub struct ServeArgs {
    /// Address to listen on [default: 127.0.0.1:6464, or another port if it is in use]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// Read the token from this file (`-`: standard input) instead of the data folder
    #[arg(long, value_name = "FILE", conflicts_with = "no_token")]
    token_file: Option<PathBuf>,
    /// Require no token: every user and program of this machine has full access
    #[arg(long)]
    no_token: bool,
    /// Rejected: visible in the list of processes
    #[arg(long, value_name = "TEXT", hide = true)]
    token: Option<String>,
    /// Data folder, instead of the user's
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Do not open a browser
    #[arg(long)]
    no_browser: bool,
    /// Serve the page's files from this folder, for work on crates/web/page
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// Write the OpenAPI description and exit
    #[arg(long)]
    openapi: bool,
}

/// Default port: 64 squares, twice.
const DEFAULT_PORT: u16 = 6464;

pub fn run(args: &ServeArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    if args.openapi {
        write!(out, "{}", ashta_web::OPENAPI)?;
        return Ok(Status::Done);
    }
    let program =
        std::env::current_exe().map_err(|error| ErrorMessage::new(message!("cli.no-program", error)))?;
    let listen = args.listen.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, DEFAULT_PORT)));
    let access = access(args)?;
    let data = args.data.clone().unwrap_or_else(default_folder);
    let plan = ServerConfig {
        listen,
        access,
        data,
        page: args.page.clone(),
        program,
        limits: ConnectionLimits::default(),
    };
    let served = match serve(plan.clone(), |serving| greet(&serving, args)) {
        Err(ServeError::Listen { source, .. })
            if args.listen.is_none() && source.kind() == io::ErrorKind::AddrInUse =>
        {
            let plan = ServerConfig { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), ..plan };
            serve(plan.clone(), |serving| greet(&serving, args))
        }
        served => served,
    };
    if let Err(ServeError::InUse { address, token, folder }) = &served {
        // A second start opens the running server.
        if args.listen.is_none() && !address.is_empty() {
            let url = with_token(address, token.as_ref());
            writeln!(out, "Ashtapada is open already at {url}")?;
            open_browser(&url, folder, args);
            return Ok(Status::Done);
        }
    }
    served.map(|()| Status::Done).map_err(|error| {
        let hint = match &error {
            ServeError::InUse { .. } => message!("cli.serve-in-use.hint"),
            ServeError::Folder { .. } => message!("cli.serve-folder.hint"),
            ServeError::Listen { .. } => message!("cli.serve-listen.hint"),
            ServeError::Open(_) => message!("cli.serve-open.hint"),
        };
        ErrorMessage::new(error).hint(hint).into()
    })
}

/// The token, from wherever others cannot see it.
fn access(args: &ServeArgs) -> Result<Access, CliError> {
    if args.token.is_some() {
        let hint = message!("cli.token-visible.hint", variable = TOKEN_VARIABLE);
        return Err(ErrorMessage::new(message!("cli.token-visible")).hint(hint).into());
    }
    if args.no_token {
        return Ok(Access::Open);
    }
    let (text, place) = match (&args.token_file, std::env::var(TOKEN_VARIABLE)) {
        (Some(path), _) => (read_token(path)?, path.display().to_string()),
        (None, Ok(text)) => (text, TOKEN_VARIABLE.to_string()),
        (None, Err(_)) => return Ok(Access::FolderToken),
    };
    let token = Token::read(&text).map_err(|error| {
        ErrorMessage::new(message!("cli.token", place, error)).hint(message!("cli.token.hint"))
    })?;
    Ok(Access::Token(token))
}

/// The first line of a file, or of the standard input.
fn read_token(path: &Path) -> Result<String, CliError> {
    let line = if path == Path::new("-") {
        if io::stdin().is_terminal() {
            print_notice(&message!("cli.token-prompt"));
        }
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|_| line)
    } else {
        std::fs::read_to_string(path)
    };
    let line = line.map_err(|error| ErrorMessage::unreadable(path, &error))?;
    Ok(line.lines().next().unwrap_or_default().to_string())
}

/// An address that lets a browser in.
fn with_token(address: &str, token: Option<&Token>) -> String {
    let token = token.map_or_else(String::new, |token| format!("?token={}", token.as_str()));
    format!("{address}/{token}")
}

/// Prints the address and opens the browser.
fn greet(serving: &Serving, args: &ServeArgs) {
    let (ip, port) = (serving.address.ip(), serving.address.port());
    let address = format!("http://{}", SocketAddr::new(reachable(ip), port));
    let url = with_token(&address, serving.token.as_ref());
    // A closed stdout is ignored.
    _ = writeln!(io::stdout(), "Ashtapada is at {url}").and_then(|()| io::stdout().flush());
    let folder = serving.folder.path();
    print_notice(&message!("cli.serving", folder));
    if serving.token.is_none() {
        print_note(&message!("cli.serving-open"));
    }
    open_browser(&url, folder, args);
}

/// An address that others can be told: "all of them" (0.0.0.0) is none, so the one that leads out of this machine stands
/// for it. Nothing is sent to find it: a socket is only asked where it would send from.
fn reachable(ip: IpAddr) -> IpAddr {
    let outward = || {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
        // An address for documents (RFC 5737), which is nobody's.
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
        Some(socket.local_addr().ok()?.ip())
    };
    if ip.is_unspecified() { outward().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)) } else { ip }
}

/// Opens the browser at a page of the folder that leads to the address: the address itself, with its token, would be seen
/// by whoever lists the processes of this machine.
fn open_browser(url: &str, folder: &Path, args: &ServeArgs) {
    let has_screen = cfg!(not(target_os = "linux"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !args.no_browser && has_screen && io::stderr().is_terminal() {
        let page = folder.join("open.html");
        let text =
            format!("<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=\"0;url={url}\">\n");
        // Without a browser the printed address remains.
        _ = write_private(&page, text).and_then(|()| open::that_detached(&page));
    }
}

/// In the user's data folder, or in the working directory.
fn default_folder() -> PathBuf {
    let named = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = named("XDG_DATA_HOME")
        .or_else(|| named("LOCALAPPDATA"))
        .or_else(|| std::env::home_dir().map(|home| home.join(".local/share")));
    data.map_or_else(|| PathBuf::from("ashta-data"), |data| data.join("ashtapada"))
}
