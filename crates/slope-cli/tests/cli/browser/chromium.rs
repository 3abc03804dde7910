//! A headless Chromium, spoken to by its DevTools protocol over a pair of pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// Names of the program in distributions.
const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Times that something is waited for, with a pause between two.
const TRIES: u32 = 600;
const PAUSE: Duration = Duration::from_millis(50);

/// A browser with one page.
pub(crate) struct Chromium {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    calls: u64,
    complaints: Vec<String>,
    /// Start of addresses that pages may ask for.
    own: String,
    _profile: tempfile::TempDir,
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Chromium {
    /// Starts a browser; says so if there is none.
    pub(crate) fn start_or_skip() -> Option<Self> {
        let is_there = |program: &&&str| {
            let mut probe = Command::new(program);
            probe
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            probe.status().is_ok_and(|status| status.success())
        };
        let Some(program) = PROGRAMS.iter().find(is_there) else {
            println!("\nskipped: no Chromium is installed");
            return None;
        };
        Some(Self::start(program))
    }

    fn start(program: &str) -> Self {
        let profile = tempfile::tempdir().unwrap();
        // Chromium reads commands from descriptor 3 and answers on 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >&2", "sh", program])
            .args(["--headless", "--remote-debugging-pipe", "--no-sandbox"])
            .args([
                "--disable-gpu",
                "--disable-gpu-compositing",
                "--in-process-gpu",
            ])
            .args([
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh starts");
        let mut browser = Self {
            to: child.stdin.take().unwrap(),
            from: BufReader::new(child.stdout.take().unwrap()),
            child,
            session: None,
            calls: 0,
            complaints: Vec::new(),
            own: "file://".to_owned(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.theme("light");
        browser
    }

    /// Chooses the theme of the system.
    pub(crate) fn theme(&mut self, name: &str) {
        let theme = json!([{"name": "prefers-color-scheme", "value": name}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": theme}));
    }

    /// Switches the scripts of pages on or off, from the next page on.
    pub(crate) fn run_scripts(&mut self, runs: bool) {
        let off = json!({"value": !runs});
        self.call("Emulation.setScriptExecutionDisabled", off);
    }

    /// Calls a method of the protocol.
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser listens");
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).unwrap();
            assert_eq!(bytes.pop(), Some(0), "the browser ended in {method}");
            let mut answer: Value = serde_json::from_slice(&bytes).unwrap();
            if answer["id"] == self.calls {
                assert_eq!(answer["error"], Value::Null, "{method}");
                return answer["result"].take();
            }
            let complaint = complaint(&answer, &self.own);
            self.complaints.extend(complaint);
        }
    }

    /// Opens a file, and waits until its script is done.
    pub(crate) fn open(&mut self, file: &Path) {
        let url = format!("file://{}", file.display());
        self.call("Page.navigate", json!({"url": url}));
        self.wait_for(&format!(
            "location.href === '{url}' && document.documentElement?.dataset.ready === 'true'"
        ));
        self.settle();
    }

    /// Visits a page of a server, which may send itself requests.
    pub(crate) fn visit(&mut self, url: &str) {
        let host = url.splitn(4, '/').take(3).collect::<Vec<_>>();
        self.own = host.join("/") + "/";
        self.call("Page.navigate", json!({"url": url}));
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, expression: &str) {
        for _ in 0..TRIES {
            if self.eval(expression) == true {
                return;
            }
            std::thread::sleep(PAUSE);
        }
        panic!("{expression} did not come true: {:?}", self.complaints);
    }

    /// The value of an expression.
    #[track_caller]
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        // A block of its own, so that names of one do not meet those of the next.
        let parameters = json!({"expression": format!("{{ {expression} }}"), "returnByValue": true, "awaitPromise": true, "replMode": true});
        let answer = self.call("Runtime.evaluate", parameters);
        assert_eq!(answer["exceptionDetails"], Value::Null, "{expression}");
        answer["result"]["value"].clone()
    }

    /// Waits until two frames are painted, so that what was asked for is drawn.
    pub(crate) fn settle(&mut self) {
        self.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))");
    }

    /// The text of an element as it is shown.
    #[track_caller]
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.eval(&format!(
            "document.querySelector(\"{selector}\").textContent"
        ));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Clicks in the middle of an element with the mouse.
    #[track_caller]
    pub(crate) fn click(&mut self, selector: &str) {
        let element = format!("document.querySelector(\"{selector}\")");
        self.eval(&format!("{element}.scrollIntoView({{ block: 'center' }})"));
        // A click goes to what was painted last.
        self.settle();
        let place = self.eval(&format!(
            "const element = {element};
             const box = element.getBoundingClientRect();
             [box.left + box.width / 2, box.top + box.height / 2]"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            self.call(
                "Input.dispatchMouseEvent",
                json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1}),
            );
        }
        self.settle();
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call(
                "Input.dispatchKeyEvent",
                json!({"type": kind, "key": key, "code": key}),
            );
        }
        self.settle();
    }

    /// Strikes Tab or Enter, which do something themselves.
    pub(crate) fn strike(&mut self, key: &str) {
        let (number, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            _ => panic!("{key} is no such key"),
        };
        for kind in ["keyDown", "keyUp"] {
            self.call(
                "Input.dispatchKeyEvent",
                json!({"type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": number}),
            );
        }
        self.settle();
    }

    /// Types a text into what has the focus.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Sets the size of the page's window.
    pub(crate) fn size(&mut self, width: u32, height: u32) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
        self.settle();
    }

    /// Stores what the window shows.
    pub(crate) fn screenshot(&mut self, file: &Path) {
        let image = self.call("Page.captureScreenshot", json!({"format": "png"}));
        write(file, &image["data"]);
    }

    /// Stores the page as it is printed.
    pub(crate) fn print(&mut self, file: &Path) {
        let paper = json!({"paperWidth": 8.27, "paperHeight": 11.69});
        let print = self.call("Page.printToPDF", paper);
        write(file, &print["data"]);
    }

    /// What the browser complained of so far: errors, warnings, what the page's policy refused, and
    /// requests for anything but the file.
    pub(crate) fn complaints(&self) -> Vec<String> {
        self.complaints.clone()
    }
}

fn complaint(event: &Value, own: &str) -> Option<String> {
    let parameters = &event["params"];
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => Some(parameters["exceptionDetails"].to_string()),
        "Runtime.consoleAPICalled" => Some(parameters["args"].to_string()),
        "Log.entryAdded" => Some(parameters["entry"].to_string()),
        "Network.requestWillBeSent" => {
            let url = parameters["request"]["url"].as_str()?;
            let is_fetched = !["about:", "data:", own]
                .iter()
                .any(|start| url.starts_with(start));
            is_fetched.then(|| format!("a request for {url}"))
        }
        _ => None,
    }
}

fn write(file: &Path, data: &Value) {
    let text = data.as_str().expect("data in Base64");
    let bytes = data_encoding::BASE64.decode(text.as_bytes()).unwrap();
    std::fs::write(file, bytes).unwrap();
}
