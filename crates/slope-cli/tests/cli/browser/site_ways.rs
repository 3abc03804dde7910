//! Ways through runs, changes and judges, by clicks and by keys.

use serde_json::json;

use super::chromium::Chromium;
use super::site::WIDTHS;
use super::site_data::serving;

/// The address of a cohort in the page's own form.
const COHORTS: &str =
    "[...document.querySelectorAll('#leaderboard [name=first]')].map(one => one.value).join()";

/// Waits for a page.
#[track_caller]
fn at(browser: &mut Chromium, path: &str) {
    browser.wait_for(&format!("location.pathname === '{path}'"));
    browser.wait_for("document.readyState === 'complete'");
}

/// Moves the focus by Tab to a link, and follows it.
#[track_caller]
fn follow(browser: &mut Chromium, is_there: &str) {
    for _ in 0..80 {
        if browser.eval(&format!("document.activeElement.matches(\"{is_there}\")")) == true {
            browser.strike("Enter");
            return;
        }
        browser.strike("Tab");
    }
    panic!("Tab does not lead to {is_there}");
}

#[test]
fn clicks_lead_from_runs_to_lines() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let serving = serving(folder.path());
    browser.size(WIDTHS[0], 900);
    browser.visit(&serving.url("/"));
    browser.click(".pages a[href='/runs']");
    at(&mut browser, "/runs");
    browser.click("#runs a[href='/runs/shop/r1']");
    at(&mut browser, "/runs/shop/r1");
    browser.click("#trials a[href='/runs/shop/r1/vault/1']");
    at(&mut browser, "/runs/shop/r1/vault/1");
    assert!(browser.text("#details").contains("test_cart"));
    // A finding leads to its line in the changes, which is marked.
    browser.click("#details th a");
    browser.wait_for("document.querySelector('.diff span:target') !== null");
    assert_eq!(browser.text(".diff span:target").trim(), "+new");
    browser.click("nav[aria-label=Details] a[href*='show=steps']");
    browser.wait_for("document.querySelectorAll('.agent-step').length > 0");
    browser.wait_for("document.readyState === 'complete'");
    // The page before has the same parts, so a mark tells when it is gone.
    browser.eval("window.isBefore = true");
    browser.click("#details form button");
    browser.wait_for("window.isBefore === undefined && document.readyState === 'complete'");
    browser.wait_for("document.querySelector('.agent-steps') !== null");
    browser.click(".crumbs a[href='/runs/shop/r1']");
    at(&mut browser, "/runs/shop/r1");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn keys_lead_through_runs_and_steps() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let serving = serving(folder.path());
    browser.size(WIDTHS[0], 900);
    browser.visit(&serving.url("/runs"));
    follow(&mut browser, "#runs a[href='/runs/shop/r1']");
    at(&mut browser, "/runs/shop/r1");
    follow(&mut browser, "#trials th a[href='/runs/shop/r1/vault/1']");
    at(&mut browser, "/runs/shop/r1/vault/1");
    follow(
        &mut browser,
        "nav[aria-label=Details] a[href*='show=steps']",
    );
    browser.wait_for("document.querySelectorAll('.agent-step').length > 0");
    browser.wait_for("document.readyState === 'complete'");
    browser.press("j");
    let first = browser.eval("document.activeElement.id");
    browser.press("j");
    let second = browser.eval("document.activeElement.id");
    assert_ne!(first, second, "j goes to the next step");
    browser.press("k");
    assert_eq!(browser.eval("document.activeElement.id"), first);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn home_leads_to_alarms_of_assistants() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let serving = serving(folder.path());
    browser.size(WIDTHS[0], 900);
    browser.visit(&serving.url("/"));
    browser.click("#alarms a");
    at(&mut browser, "/projects/shop/watch/nightly");
    let place = "document.querySelector(decodeURIComponent(location.hash).replace(/\\./g, '\\\\.')) !== null";
    assert_eq!(browser.eval(place), true, "the alarm is on the page");
    assert!(
        browser
            .text("#alarms")
            .contains("the version of the agent changed")
    );
    // The same by keys, then two days side by side.
    browser.visit(&serving.url("/watch"));
    follow(&mut browser, "main a[href='/projects/shop/watch/nightly']");
    at(&mut browser, "/projects/shop/watch/nightly");
    browser.eval("document.querySelector('[name=from]').value = '2026-09-20'");
    browser.eval("document.querySelector('[name=to]').value = '2026-10-12'");
    browser.click("#compare button");
    browser.wait_for("location.search.includes('to=2026-10-12')");
    browser.wait_for("document.readyState === 'complete'");
    assert!(browser.text("#compare").contains("Output tokens"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn cohorts_are_compared_by_their_form() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let serving = serving(folder.path());
    browser.size(WIDTHS[0], 900);
    browser.visit(&serving.url("/runs"));
    assert_ne!(browser.eval(COHORTS), "");
    browser.click("#leaderboard button[type=submit]");
    at(&mut browser, "/runs/compare");
    let title = browser.text("h1");
    assert!(title.contains("m1") && title.contains("m2"), "{title}");
    // A checkpoint that only one solved leads to its trial.
    browser.click("main a[href*='/vault/1']");
    browser.wait_for("location.pathname.endsWith('/vault/1')");
    // The same by keys.
    browser.visit(&serving.url("/runs"));
    follow(&mut browser, "#leaderboard button[type=submit]");
    at(&mut browser, "/runs/compare");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn live_runs_are_followed_and_paused() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let serving = serving(folder.path());
    browser.size(WIDTHS[1], 900);
    browser.visit(&serving.url("/runs/shop/r2"));
    browser.click(".follow");
    assert_eq!(
        browser.eval("document.querySelector('.follow').ariaPressed"),
        "false"
    );
    browser.click("button[value=pause]");
    browser.wait_for("document.body?.textContent.includes('pause requested')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn changes_lead_to_their_evidence() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let serving = serving(folder.path());
    browser.size(WIDTHS[0], 900);
    for by_keys in [false, true] {
        browser.visit(&serving.url("/changes"));
        if by_keys {
            follow(&mut browser, "tbody th a");
        } else {
            browser.click("tbody th a");
        }
        at(&mut browser, "/changes/shop/pr-1");
        let open = "document.querySelector('#violations details').open";
        assert_eq!(browser.eval(open), false);
        if by_keys {
            follow(&mut browser, "#violations summary");
        } else {
            browser.click("#violations summary");
        }
        browser.wait_for(open);
        assert!(browser.text("#violations").contains("normalise"));
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn judges_lead_to_findings_and_functions() {
    let Some(mut browser) = Chromium::start_or_skip() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let serving = serving(folder.path());
    browser.size(WIDTHS[0], 900);
    browser.visit(&serving.url("/"));
    browser.click(".pages a[href='/judge']");
    at(&mut browser, "/judge");
    browser.press("j");
    browser.strike("Enter");
    at(&mut browser, "/projects/shop/main/judge");
    assert!(browser.text("#issues").contains("shop/cart.py:12–95"));
    browser.click("#issues a[href*='score=verbosity']");
    browser.wait_for("location.search === '?score=verbosity'");
    browser.wait_for("document.readyState === 'complete'");
    assert!(!browser.text("#issues").contains("shop/cart.py"));
    browser.click(".path a");
    at(&mut browser, "/projects/shop/main");
    follow(&mut browser, "#functions th a");
    at(&mut browser, "/projects/shop/main/function");
    assert!(browser.text("#changes").contains("+    if cart:"));
    browser.click("#changes a");
    at(&mut browser, "/projects/shop/main/iteration-3");
    assert_eq!(browser.eval("location.hash"), json!("#places"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
