//! The only way out is the listening socket.

use std::io::{Read, Write};
use std::net::TcpListener;

use slope_sandbox::Network;

use crate::bench::Bench;
use crate::{Outcome, Test};

pub(crate) const TESTS: &[Test] = &[
    (
        "the_listener_is_the_only_door",
        the_listener_is_the_only_door,
    ),
    (
        "the_hosts_network_is_out_of_reach",
        the_hosts_network_is_out_of_reach,
    ),
];

const ASK: &str = "exec python3 -c \"import socket\n\
    s = socket.create_connection(('127.0.0.1', 8080)); s.sendall(b'ping')\n\
    print(s.recv(10).decode())\"";

fn the_listener_is_the_only_door() -> Outcome {
    // Two at once on the same port, because each has a network of its own.
    let benches = [Bench::script(ASK), Bench::script(ASK)];
    let mut open = Vec::new();
    for (i, mut bench) in benches.into_iter().enumerate() {
        bench.spec.network = Network::Listener(8080);
        let mut running = crate::runtime().start(&bench.spec)?;
        let listener = running.take_listener().unwrap();
        assert!(running.take_listener().is_none());
        open.push((bench, running, listener, format!("pong{i}")));
    }
    for (bench, running, listener, answer) in open {
        let (mut stream, _) = listener.accept()?;
        let mut asked = [0; 4];
        stream.read_exact(&mut asked)?;
        assert_eq!(&asked, b"ping");
        stream.write_all(answer.as_bytes())?;
        drop(stream);
        let outcome = running.wait()?;
        let ran = bench.ran(outcome);
        assert_eq!(ran.out, format!("{answer}\n"), "{}", ran.err);
    }
    Ok(())
}

fn the_hosts_network_is_out_of_reach() -> Outcome {
    let host = TcpListener::bind("127.0.0.1:0")?;
    let port = host.local_addr()?.port();
    let abstract_name = format!("slope-test-{}", std::process::id());
    let address =
        <std::os::unix::net::SocketAddr as std::os::linux::net::SocketAddrExt>::from_abstract_name(
            abstract_name.as_bytes(),
        )?;
    let _unix = std::os::unix::net::UnixListener::bind_addr(&address)?;
    let bench = Bench::script(&format!(
        "exec python3 -c \"import socket\n\
         def attempt(name, family, address):\n\
         \x20   s = socket.socket(family, socket.SOCK_STREAM); s.settimeout(5)\n\
         \x20   try: s.connect(address); print(name, 'reached')\n\
         \x20   except OSError as e: print(name, type(e).__name__, e.errno)\n\
         attempt('loopback', socket.AF_INET, ('127.0.0.1', {port}))\n\
         attempt('outside', socket.AF_INET, ('192.0.2.1', 80))\n\
         attempt('abstract', socket.AF_UNIX, chr(0) + '{abstract_name}')\n\
         print(socket.if_nameindex())\""
    ));
    let ran = bench.run();
    let expected = "loopback ConnectionRefusedError 111\noutside OSError 101\n\
                    abstract ConnectionRefusedError 111\n[(1, 'lo')]\n";
    assert_eq!(ran.out, expected, "{}", ran.err);
    Ok(())
}
