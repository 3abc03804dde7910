//! Environment variables that tests set for their programs.

use slope_model::verdict::State;

use super::{calm, program, stock_with};

const SETS_VARIABLES: &str = r#"
import os
import subprocess


def test_variables(entrypoint_argv):
    own = {"SCBENCH_FAKE_CLIPBOARD": "a", "PYTEST_ADDOPTS": "b", "SLOPE_X": "c"}
    argv = [*entrypoint_argv, *own, "PYTEST_CURRENT_TEST"]
    done = subprocess.run(argv, env={**os.environ, **own}, capture_output=True, text=True)
    assert done.stdout.split() == ["a", "b", "c", "None"]
"#;

pub(crate) fn variables_of_tests_reach_programs() {
    let (_folder, problem) = stock_with(SETS_VARIABLES);
    let prints = "import os, sys\nprint(*(os.environ.get(name) for name in sys.argv[1:]))\n";
    let verdict = program(&problem, 1, prints, &calm());
    assert_eq!(verdict.state, State::Passed, "{verdict:#?}");
}
