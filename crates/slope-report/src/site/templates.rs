//! The templates of the pages.

/// Names and texts.
pub(super) const ALL: [(&str, &str); 22] = [
    (
        "parts.html",
        include_str!("../../templates/site/parts.html"),
    ),
    ("base.html", include_str!("../../templates/site/base.html")),
    (
        "changes.html",
        include_str!("../../templates/site/changes.html"),
    ),
    (
        "change.html",
        include_str!("../../templates/site/change.html"),
    ),
    ("runs.html", include_str!("../../templates/site/runs.html")),
    ("run.html", include_str!("../../templates/site/run.html")),
    (
        "trial.html",
        include_str!("../../templates/site/trial.html"),
    ),
    (
        "versus.html",
        include_str!("../../templates/site/versus.html"),
    ),
    ("home.html", include_str!("../../templates/site/home.html")),
    (
        "function.html",
        include_str!("../../templates/site/function.html"),
    ),
    (
        "judge.html",
        include_str!("../../templates/site/judge.html"),
    ),
    (
        "judges.html",
        include_str!("../../templates/site/judges.html"),
    ),
    (
        "project.html",
        include_str!("../../templates/site/project.html"),
    ),
    (
        "point.html",
        include_str!("../../templates/site/point.html"),
    ),
    (
        "sign_in.html",
        include_str!("../../templates/site/sign_in.html"),
    ),
    (
        "problem.html",
        include_str!("../../templates/site/problem.html"),
    ),
    crate::watch::TEMPLATE,
    (
        "watches.html",
        include_str!("../../templates/site/watches.html"),
    ),
    (
        "watch.html",
        include_str!("../../templates/site/watch.html"),
    ),
    (
        "watch_feed.xml",
        include_str!("../../templates/site/watch_feed.xml"),
    ),
    (
        "watch_badge.xml",
        include_str!("../../templates/site/watch_badge.xml"),
    ),
    (
        "start.html",
        include_str!("../../templates/site/start.html"),
    ),
];
