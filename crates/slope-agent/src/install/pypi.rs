//! Packages of the Python Package Index, according to a list of versions and hashes that slope
//! ships.
//!
//! Only wheels are used, so no code of a package runs on the host. They are installed in a folder
//! of their own, for the interpreter of the sandboxes.

use std::path::Path;
use std::process::Command;

use super::{FILES, Failure, Hashes, Place};
use crate::Error;
use crate::agent::InstallContext;
use crate::inside::AGENT_ROOT;

/// Packages in a folder.
#[derive(Debug)]
pub(crate) struct Pypi {
    /// Name of the installation, and of its folder inside.
    pub(crate) name: &'static str,
    /// Version of the main package that the list pins.
    pub(crate) version: &'static str,
    /// Requirements with hashes, in pip's format.
    pub(crate) lock: &'static str,
    /// Folders that are not needed and large.
    pub(crate) leave_out: &'static [&'static str],
    /// Oldest Python, as major and minor, that all of them run on.
    pub(crate) python: (u32, u32),
}

/// Prints the interpreter's properties that wheels depend on: version and ABI.
const QUESTION: &str = "import sys, sysconfig; print(sys.version_info[0], sys.version_info[1], \
     sysconfig.get_config_var('SOABI') or 'unknown')";

impl Pypi {
    /// Distinguishes two installations; refuses a Python that is too old.
    pub(super) fn platform(
        &self,
        version: &str,
        context: &InstallContext<'_>,
    ) -> Result<String, Error> {
        let failed = |message: String| Error::Install {
            agent: self.name.to_owned(),
            version: version.to_owned(),
            message,
        };
        let python = context.python.display();
        let asked = Command::new(context.python)
            .args(["-I", "-c", QUESTION])
            .output()
            .map_err(|error| failed(format!("{python} does not start: {error}")))?;
        let said = String::from_utf8_lossy(&asked.stdout).into_owned();
        let mut words = said.split_whitespace();
        let mut number = || words.next().and_then(|word| word.parse::<u32>().ok());
        let (Some(major), Some(minor)) = (number(), number()) else {
            return Err(failed(format!("{python} does not answer")));
        };
        let (oldest, least) = self.python;
        if (major, minor) < self.python {
            return Err(failed(format!(
                "it needs Python {oldest}.{least}, and {python} is {major}.{minor}\n\
                 help: choose a newer one with --python"
            )));
        }
        let abi = words.next().unwrap_or("unknown").replace('/', "-");
        Ok(format!("py{major}.{minor}-{abi}"))
    }

    /// Makes pip install the listed packages.
    pub(super) fn build(
        &self,
        place: &Place<'_>,
        building: &Path,
        context: &InstallContext<'_>,
    ) -> Result<Hashes, Error> {
        if place.version != self.version {
            return Err(place.failed(format!(
                "only version {} has a list of its packages\nhelp: remove `version`",
                self.version
            )));
        }
        let list = building.join("requirements.txt");
        std::fs::write(&list, self.lock).map_err(Error::io("write", &list))?;
        let mut pip = Command::new(context.python);
        pip.args([
            "-I",
            "-m",
            "pip",
            "install",
            "--require-hashes",
            "--no-deps",
        ])
        .args(["--only-binary", ":all:", "--no-compile"])
        .args(["--disable-pip-version-check", "--no-input", "--quiet"])
        .arg("--target")
        .arg(building.join(FILES))
        .arg("-r")
        .arg(&list)
        .current_dir(building);
        // Bytecode that is valid without checking the source's time, since sandboxes have copies,
        // cannot write, and would otherwise compile thousands of files at each start.
        let mut compile = Command::new(context.python);
        compile
            .args(["-I", "-m", "compileall", "-q", "-j", "0"])
            .args(["--invalidation-mode", "unchecked-hash"])
            // The source path in the bytecode must not be of this machine.
            .arg("-s")
            .arg(building.join(FILES))
            .arg("-p")
            .arg(Path::new(AGENT_ROOT).join(self.name))
            .arg(building.join(FILES));
        let log = building.join("installer.log");
        let run = |command: &mut Command| {
            place.run(command, &log).map_err(|failure| match failure {
                Failure::Missing => {
                    place.failed(format!("{} is missing", context.python.display()))
                }
                Failure::Other(error) => error,
            })
        };
        run(&mut pip)?;
        for folder in self.leave_out {
            let folder = building.join(FILES).join(folder);
            std::fs::remove_dir_all(&folder).map_err(Error::io("remove", &folder))?;
        }
        run(&mut compile)?;
        let list = blake3::hash(self.lock.as_bytes()).to_hex();
        Ok(Hashes::from([(
            format!("{} requirements", self.name),
            format!("blake3:{list}"),
        )]))
    }
}
