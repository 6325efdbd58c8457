//! `ashta serve`, and `ashta` alone: the laboratory in a browser.

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;

use ashta_web::{ConnectionLimits, ServeError, ServerPlan, serve};
use clap::Args;

use crate::failure::{Failure, Message, Status, say};

/// The laboratory in the browser: a page on this machine, and the JSON API that it uses
#[derive(Args, Debug, Default)]
#[command(after_help = include_str!("../help/serve.txt"))]
pub struct ServeArgs {
    /// Where to listen; 127.0.0.1:6464, or another port if that is taken
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// What other machines must know; made up if it is not given
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,
    /// Keep everything in this folder, not among the user's data
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Do not open a browser
    #[arg(long)]
    no_browser: bool,
    /// Serve the page's files from here: for those who work on crates/web/page
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// Write the description of the API (OpenAPI) and end
    #[arg(long)]
    openapi: bool,
}

/// Where it listens unless another address is named: 64 squares, twice.
const USUAL_PORT: u16 = 6464;

pub fn run(args: &ServeArgs, out: &mut dyn Write) -> Result<Status, Failure> {
    if args.openapi {
        writeln!(out, "{}", ashta_web::openapi())?;
        return Ok(Status::Done);
    }
    let program = std::env::current_exe().map_err(|error| {
        Message::new(format!("this program cannot find itself, and jobs need it: {error}"))
    })?;
    let listen = args.listen.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, USUAL_PORT)));
    let token = match (&args.token, listen.ip().is_loopback()) {
        (Some(token), _) => Some(token.clone()),
        (None, true) => None,
        (None, false) => Some(any_token()?),
    };
    let data = args.data.clone().unwrap_or_else(usual_folder);
    let plan = ServerPlan {
        listen,
        token,
        data,
        page: args.page.clone(),
        program,
        limits: ConnectionLimits::default(),
    };
    let served = match serve(plan.clone(), |address| greet(address, &plan, args)) {
        Err(ServeError::Listen { source, .. })
            if args.listen.is_none() && source.kind() == io::ErrorKind::AddrInUse =>
        {
            let plan = ServerPlan { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), ..plan };
            serve(plan.clone(), |address| greet(address, &plan, args))
        }
        served => served,
    };
    if let Err(ServeError::InUse { address, .. }) = &served {
        // Whoever starts it a second time wants to see it.
        if args.listen.is_none() && !address.is_empty() {
            writeln!(out, "Ashtapada is open already at {address}")?;
            open_browser(address, args);
            return Ok(Status::Done);
        }
    }
    served.map(|()| Status::Done).map_err(|error| {
        let hint = match &error {
            ServeError::InUse { .. } => "`--data DIR` opens another one",
            ServeError::Folder { .. } => "`--data DIR` names another folder",
            ServeError::Listen { .. } => "`--listen 127.0.0.1:0` takes any free port",
            ServeError::Open(_) => "`--token TEXT` names one",
        };
        Message::new(error.to_string()).hint(hint).into()
    })
}

/// The address on the output, for whoever started it, and the browser at it.
fn greet(address: SocketAddr, plan: &ServerPlan, args: &ServeArgs) {
    let token = plan.token.as_ref().map_or_else(String::new, |token| format!("?token={token}"));
    let url = format!("http://{}/{token}", SocketAddr::new(reachable(address.ip()), address.port()));
    // A closed output is no reason not to serve.
    _ = writeln!(io::stdout(), "Ashtapada is at {url}").and_then(|()| io::stdout().flush());
    say(&format!("everything is kept in {}; Ctrl-C ends it", plan.data.display()));
    open_browser(&url, args);
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

fn open_browser(url: &str, args: &ServeArgs) {
    let has_screen = cfg!(not(target_os = "linux"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !args.no_browser && has_screen && io::stderr().is_terminal() {
        // Whoever has no browser has the address.
        _ = open::that_detached(url);
    }
}

/// Among the user's data, or here where there is no such place.
fn usual_folder() -> PathBuf {
    let named = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = named("XDG_DATA_HOME")
        .or_else(|| named("LOCALAPPDATA"))
        .or_else(|| std::env::home_dir().map(|home| home.join(".local/share")));
    data.map_or_else(|| PathBuf::from("ashta-data"), |data| data.join("ashtapada"))
}

/// 128 bits that nobody can guess.
fn any_token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        Message::new(format!("no token can be made up here: {error}")).hint("`--token TEXT` names one")
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
