//! The HTML report in a real browser: it opens from a file, says nothing on the console, and what people
//! click and press does what it should. Screenshots and a print stay in `target/tmp/browser`.

mod chromium;
mod site;
mod site_data;
mod site_ways;

use std::path::{Path, PathBuf};

use crate::common::{self, run, sandbox_or_skip, stderr, text};
use chromium::Chromium;
use slope_model::exhibit::{Changes, Excerpt, Listed, Step, TestLine, TrialExhibit};
use slope_report::{Page, StudyOptions};

/// Widths of a desk and of a telephone, in pixels.
const WIDE: u32 = 1280;
const NARROW: u32 = 400;

/// Text that would run, break out of its element, or be taken for a template.
const HOSTILE: &str =
    "</script><script>hacked = 1</script><img src=x onerror='hacked = 2'>\"'&{{ 7*7 }}<!--\u{202e}";

/// Where screenshots stay.
fn artefacts() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the built-in problem as the quickstart does, and gives the folder of its runs and their page.
fn two_runs(dir: &Path) -> (PathBuf, PathBuf) {
    let (out, html) = (dir.join("runs"), dir.join("report.html"));
    let problem = common::builtin(dir);
    let of = ["tidy", "sloppy"].map(|name| {
        let (run_dir, script) = (out.join(name), common::script(&problem, name));
        let model = format!("scripted-{name}");
        let more = ["--script", text(&script), "--out", text(&run_dir)];
        let who = ["--agent", "slope", "--model", &model, "--label", name];
        let ran = run(&[&["run", text(&problem), "--quiet"], &who[..], &more[..]].concat());
        assert!(ran.status.success(), "{}", stderr(&ran));
        run_dir
    });
    let told = run(&["report", text(&of[0]), text(&of[1]), "--html", text(&html)]);
    assert!(told.status.success(), "{}", stderr(&told));
    (out, html)
}

/// No plot's labels touch one another, and nothing is wider than the screen.
fn check_layout(browser: &mut Chromium, what: &str) {
    let touching = browser.eval(
        "[...document.querySelectorAll('.plot')].filter(p => p.clientWidth).flatMap(p => {
           const all = [...p.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
           return all.flatMap(([a, r], i) => all.slice(i + 1).filter(([, s]) =>
             Math.min(r.right, s.right) - Math.max(r.left, s.left) > 1 &&
             Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top) > 1).map(([b]) => a + ' / ' + b));
         })",
    );
    assert_eq!(touching, serde_json::json!([]), "{what}: labels touch");
    let over = browser.eval(
        "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)",
    );
    assert_eq!(over, 0, "{what}: wider than the screen");
    let empty = browser.eval(
        "[...document.querySelectorAll('.plot')].filter(p => p.clientWidth && !p.querySelector('svg path, svg rect')).length",
    );
    assert_eq!(empty, 0, "{what}: plots that are not drawn");
}

/// Looks at the view at a width: all of its layout, and a picture from `place` on.
fn look(browser: &mut Chromium, name: &str, width: u32, place: &str) {
    browser.size(width, 1200);
    browser.wait_for(
        "[...document.querySelectorAll('.plot')].every(p => !p.clientWidth || p.querySelector('svg'))",
    );
    check_layout(browser, name);
    browser.eval(&format!(
        "document.querySelector('{place}').scrollIntoView()"
    ));
    browser.settle();
    browser.screenshot(&artefacts().join(format!("{name}.png")));
    browser.size(width, 900);
}

#[test]
fn report_page_works_in_browser() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (runs, html) = two_runs(dir.path());
    let bytes = std::fs::metadata(&html).unwrap().len();
    println!("the page of two runs: {bytes} bytes");
    assert!(bytes < 5_000_000);
    browser.size(WIDE, 900);
    browser.open(&html);
    println!(
        "ready after {} ms",
        browser.eval("Math.round(performance.now())")
    );
    overview(&mut browser);
    one_trial(&mut browser);
    two_trials(&mut browser);
    keyboard(&mut browser);
    browser.print(&artefacts().join("trial.pdf"));
    browser.eval("location.hash = ''");
    browser.print(&artefacts().join("overview.pdf"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
    hostile(&mut browser, &runs, dir.path());
}

fn overview(browser: &mut Chromium) {
    look(browser, "overview-light", WIDE, "body");
    look(browser, "phases-light", WIDE, "#phases");
    look(browser, "overview-narrow", NARROW, "#phases");
    browser.size(WIDE, 900);
    let ground = "getComputedStyle(document.body).backgroundColor";
    let before = browser.eval(ground);
    browser.click("#theme");
    browser.wait_for(&format!("{ground} !== {before}"));
    look(browser, "overview-dark", WIDE, "#study");
    browser.click("#theme");
    browser.wait_for(&format!("{ground} === {before}"));
    // A legend's entry hides its lines.
    let lines =
        "document.querySelectorAll('#trajectories .plot svg path[stroke-width=\"2\"]').length";
    browser.eval("document.querySelector('#trajectories').scrollIntoView()");
    browser.settle();
    let drawn = browser.eval(lines).as_u64().unwrap();
    browser.click("[data-legend=trials] button");
    browser.wait_for(&format!("{lines} < {drawn}"));
    browser.click("[data-legend=trials] button");
}

fn one_trial(browser: &mut Chromium) {
    browser.click(".trials a[href='#trial-2']");
    browser.wait_for("document.querySelector('#view-overview').hidden");
    let title = browser.text("#view-trial h2");
    assert!(title.contains("sloppy"), "{title}");
    browser.click("#tab-2");
    browser.wait_for("location.hash === '#trial-2/2'");
    let parts = browser.text("#checkpoint-panel");
    for part in ["Spec", "Changes", "Tests", "Findings", "Agent's steps"] {
        assert!(parts.contains(part), "{part} is not in {parts}");
    }
    let count = |what: &str| format!("document.querySelectorAll('{what}').length");
    assert_eq!(
        browser.eval(&count(".part > .empty")),
        0,
        "a run holds all of it"
    );
    browser.wait_for(&format!("{} > 0", count(".diff tr.add")));
    look(browser, "trial-light", WIDE, "body");
    browser.click("#checkpoint-panel .small-button");
    browser.wait_for(&format!("{} > 0", count(".diff.split")));
    browser.click("#checkpoint-panel .small-button");
    look(browser, "trial-narrow", NARROW, ".tabs");
    browser.size(WIDE, 900);
    browser.eval("document.querySelectorAll('.part').forEach(part => { part.open = true; })");
    browser.click("#theme");
    look(browser, "trial-dark", WIDE, ".tabs");
    browser.click("#theme");
}

fn two_trials(browser: &mut Chromium) {
    browser.click("[data-view=compare]");
    browser.wait_for("location.hash === '#compare-1-2/1'");
    assert_eq!(
        browser.eval("document.querySelectorAll('#tab-3').length"),
        1,
        "an id is there once"
    );
    browser.click("#tab-3");
    browser.wait_for("location.hash.endsWith('/3')");
    let sides =
        browser.eval("[...document.querySelectorAll('.whose')].map(side => side.textContent)");
    let sides = sides.to_string();
    assert!(
        sides.contains("tidy") && sides.contains("sloppy"),
        "{sides}"
    );
    look(browser, "compare-light", WIDE, ".tabs");
    look(browser, "compare-narrow", NARROW, "body");
    browser.size(WIDE, 900);
    // Another trial on the right is the same page with another address.
    browser.eval("const s = document.querySelectorAll('#view-compare select')[1]; s.value = '0'; s.dispatchEvent(new Event('change'))");
    browser.wait_for("location.hash === '#compare-1-1/1'");
}

/// Arrow keys go through tabs and through the values of a plot, which are said aloud.
fn keyboard(browser: &mut Chromium) {
    browser.eval("location.hash = '#trial-1'");
    // An address that a script sets is followed a moment later: what comes of it is waited for, never assumed.
    browser.wait_for("document.querySelector('#view-trial h2')?.textContent.includes('tidy')");
    browser.settle();
    browser.eval("document.querySelector('#tab-1').focus()");
    browser.press("ArrowRight");
    browser.wait_for("document.activeElement.id === 'tab-2'");
    browser.wait_for("location.hash === '#trial-1/2'");
    browser.eval("document.querySelectorAll('#view-trial .plot')[1].focus()");
    browser.press("ArrowRight");
    browser.press("ArrowRight");
    browser.wait_for("document.querySelector('#live').textContent.startsWith('checkpoint 2, ')");
    let outline = browser.eval("getComputedStyle(document.activeElement).outlineStyle");
    assert_eq!(outline, "solid", "what has the focus is seen");
}

/// A page all of whose foreign texts try to run.
fn hostile(browser: &mut Chromium, runs: &Path, dir: &Path) {
    let gathered = slope_bench::gather::gather(&[runs]).unwrap();
    let mut reports = gathered.reports;
    let mut details = slope_bench::exhibit::exhibits(&reports);
    for report in &mut reports {
        HOSTILE.clone_into(&mut report.config.label);
        HOSTILE.clone_into(&mut report.config.model);
        for trial in &mut report.trials {
            trial.checkpoints[0].reason = Some(HOSTILE.to_owned());
        }
    }
    details.iter_mut().for_each(poison);
    let study = slope_report::study(&reports, &StudyOptions::default());
    let page = slope_report::render_html(&Page {
        reports: &reports,
        study: &study,
        details: &details,
    });
    let file = dir.join("hostile.html");
    std::fs::write(&file, page.unwrap()).unwrap();
    browser.open(&file);
    for (address, view) in [
        ("#trial-1", "#view-trial"),
        ("#compare-1-2", "#view-compare"),
        ("#trajectories", "#view-overview"),
    ] {
        browser.eval(&format!("location.hash = '{address}'"));
        browser.wait_for(&format!("!document.querySelector('{view}').hidden"));
        browser.settle();
        browser.eval("document.querySelectorAll('details').forEach(part => { part.open = true; })");
        assert_eq!(browser.eval("typeof hacked"), "undefined", "{view}");
        assert_eq!(browser.eval("document.images.length"), 0, "{view}");
        let shown = browser.text("#main");
        assert!(shown.contains("<img src=x onerror='hacked = 2'>"), "{view}");
    }
    // A tooltip is made of the same texts.
    browser.eval("document.querySelector('#trajectories .plot').focus()");
    browser.settle();
    browser.press("ArrowRight");
    assert_eq!(browser.eval("document.images.length"), 0);
    assert_eq!(browser.eval("typeof hacked"), "undefined");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

fn poison(detail: &mut TrialExhibit) {
    for checkpoint in &mut detail.checkpoints {
        checkpoint.spec = Ok(Excerpt::of(HOSTILE, 10_000));
        let changes: &mut Changes = checkpoint.changes.as_mut().unwrap();
        for file in &mut changes.files {
            HOSTILE.clone_into(&mut file.path);
            for line in file.hunks.iter_mut().flat_map(|hunk| &mut hunk.lines) {
                *line = format!("+{HOSTILE}");
            }
        }
        let tests: &mut Listed<TestLine> = checkpoint.tests.as_mut().unwrap();
        for test in &mut tests.items {
            HOSTILE.clone_into(&mut test.id);
            test.message = Some(HOSTILE.to_owned());
        }
        for found in &mut checkpoint.findings.as_mut().unwrap().items {
            HOSTILE.clone_into(&mut found.message);
        }
        let steps: &mut Listed<Step> = checkpoint.steps.as_mut().unwrap();
        for step in &mut steps.items {
            step.message = Excerpt::of(HOSTILE, 10_000);
            step.results = vec![Excerpt::of(HOSTILE, 10_000)];
        }
    }
}
