//! Check styles of tests.

use super::counter::{Counter, first_line};
use crate::facts::Habit;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Beginnings of check calls, each with the counted topic and the name of the style.
const CALLS: &[(&str, &str, &str)] = &[
    ("self.assert", "", "call methods of `unittest`"),
    ("t.Error", "", "call methods of `t`"),
    ("t.Fatal", "", "call methods of `t`"),
    ("assert.", "", "call `assert`"),
    ("require.", "", "call `require`"),
    ("expect(", "", "call `expect`"),
    ("it(", "cases", "are begun with `it`"),
    ("test(", "cases", "are begun with `test`"),
];

/// Counts assertions and other checks, and the functions that begin test cases.
pub(super) fn count(view: &View<'_>, counter: &mut Counter) {
    counter.usual(
        Habit::Checks,
        "use `assert`",
        view.of_kind(Construct::Assert).len(),
    );
    for &call in view.of_kind(Construct::Call) {
        let text = view.text(call);
        // The text after a check is a part of it: `expect(a).toBe(b)`.
        let is_first = view.k(view.parent(call)) != Construct::Attribute;
        let mut known = CALLS.iter();
        let found = known.find(|(start, _, _)| is_first && text.starts_with(start));
        if let Some(&(_, topic, way)) = found {
            counter.about(Habit::Checks, topic, way, (call, first_line(view, call)));
        }
    }
}
