//! The pages of `slope serve` in a real browser: by clicks, by keys, without a script, in both themes and on a telephone.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::chromium::Chromium;
use super::site_data::{PAGES, serving};
use crate::common::{slope, stdout};
use crate::serve::Serving;

/// Widths of a desk and of a telephone, in pixels.
pub(super) const WIDTHS: [u32; 2] = [1280, 360];
/// The variable with the file `axe.min.js` of the npm package axe-core.
const AXE: &str = "SLOPE_AXE";
/// Where the package is if it was installed here.
const INSTALLED: &str = "../../node_modules/axe-core/axe.min.js";

/// The checks of accessibility; says so if they are not there.
fn axe_or_skip() -> Option<String> {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join(INSTALLED);
    let file = std::env::var_os(AXE).map_or(installed, PathBuf::from);
    let text = std::fs::read_to_string(&file).ok();
    if text.is_none() {
        println!(
            "\nskipped: {} is not there: npm install axe-core",
            file.display()
        );
    }
    text
}

const PROJECT: &str = "location.pathname === '/projects/shop/main'";
const POINT: &str = "location.pathname === '/projects/shop/main/iteration-3'";

/// The page says which function made it worse.
#[track_caller]
fn says_why(browser: &mut Chromium) {
    browser.wait_for(POINT);
    browser.wait_for("document.readyState === 'complete'");
    assert!(browser.text("#places").contains("add_everything"));
}

#[test]
fn two_clicks_lead_to_the_cause() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let serving = serving(folder.path());
    browser.size(WIDTHS[0], 900);
    browser.visit(&serving.url("/"));
    assert!(browser.text("#worse").contains("claude-code"));
    browser.click("#worse .small a");
    says_why(&mut browser);
    browser.visit(&serving.url("/"));
    browser.click("#worse .where a");
    browser.wait_for(PROJECT);
    browser.wait_for("document.readyState === 'complete'");
    browser.click(".card .small a");
    says_why(&mut browser);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn keys_lead_to_the_cause() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let serving = serving(folder.path());
    browser.visit(&serving.url("/"));
    browser.strike("Tab");
    let first = browser.eval("document.activeElement.className");
    assert_eq!(first, "skip", "the first stop skips the head");
    let seen = browser.eval("document.activeElement.getBoundingClientRect().left >= 0");
    assert_eq!(seen, true, "what has the focus is seen");
    browser.press("j");
    browser.strike("Enter");
    browser.wait_for(PROJECT);
    browser.wait_for("document.readyState === 'complete'");
    let on_link = "document.activeElement.pathname?.endsWith('/iteration-3') === true";
    for _ in 0..40 {
        if browser.eval(on_link) == true {
            break;
        }
        browser.strike("Tab");
    }
    browser.strike("Enter");
    says_why(&mut browser);
    browser.press("h");
    browser.wait_for("location.pathname === '/'");
}

#[test]
fn visitors_sign_in_by_keys() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let added = slope()
        .args([
            "serve",
            "token",
            "add",
            "--all-projects",
            "--scope",
            "read",
            "--data",
            "data",
        ])
        .current_dir(folder.path())
        .output();
    let secret = stdout(&added.unwrap()).trim().to_owned();
    let serving = Serving::start(folder.path(), None, &["--require-token"]);
    browser.visit(&serving.url("/runs"));
    browser.wait_for("location.pathname === '/sign-in'");
    while browser.eval("document.activeElement.id") != "token" {
        browser.strike("Tab");
    }
    browser.type_text("slope_wrong");
    browser.strike("Enter");
    browser.wait_for("document.querySelector('#wrong') !== null");
    browser.eval("document.querySelector('#token').focus()");
    browser.type_text(&secret);
    browser.strike("Enter");
    browser.wait_for("location.pathname === '/runs'");
}

#[test]
fn pages_are_accessible_in_both_themes() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let Some(axe) = axe_or_skip() else { return };
    let folder = tempfile::tempdir().unwrap();
    let serving = serving(folder.path());
    let mut faults = Vec::new();
    for theme in ["light", "dark"] {
        browser.theme(theme);
        for (path, width) in PAGES
            .into_iter()
            .flat_map(|path| WIDTHS.map(|width| (path, width)))
        {
            browser.size(width, 900);
            browser.visit(&serving.url(path));
            browser.eval(&axe);
            browser.eval(
                "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => {
                   window.found = violations.map(one => one.id + ': ' + one.nodes.map(node =>
                     node.target.join(' ') + ' ' + node.failureSummary).join('; '));
                 })",
            );
            browser.wait_for("window.found !== undefined");
            let found = browser.eval("window.found");
            if found != json!([]) {
                faults.push(format!("{path}, {theme}, {width} pixels: {found}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn pages_fit_and_need_no_script() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let serving = serving(folder.path());
    for path in PAGES {
        let mut words = Vec::new();
        for has_script in [true, false] {
            browser.run_scripts(has_script);
            for width in WIDTHS {
                browser.size(width, 900);
                browser.visit(&serving.url(path));
                let over = browser.eval(
                    "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)",
                );
                assert_eq!(over, 0, "{path}: wider than {width} pixels");
            }
            words.push(browser.eval(
                "document.querySelector('main').textContent.replace(/\\s+/g, ' ').replaceAll(location.origin, 'http://127.0.0.1:8750')",
            ));
        }
        assert_eq!(words[0], words[1], "{path}: another text without a script");
        browser.run_scripts(true);
    }
}
