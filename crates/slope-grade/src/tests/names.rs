//! Ids of tests, which runners and reports spell differently.

/// One spelling of an id: `tests/test_a.py::T::test_x[1]`, `tests.test_a.T.test_x[1]` and `test_x[1] (tests.test_a.T)` are
/// the same test.
pub(super) fn canonical(id: &str) -> String {
    let id = id.trim();
    if let Some((name, class)) = in_class(id) {
        // Since Python 3.11, the class comes with the name.
        let has_name = class.rsplit('.').next() == Some(name);
        return if has_name {
            class.to_owned()
        } else {
            format!("{class}.{name}")
        };
    }
    let (head, parameters) = id.split_at(id.find('[').unwrap_or(id.len()));
    let head = head.replace(".py::", ".").replace("::", ".");
    head.replace('/', ".") + parameters
}

/// The parts of `name (class)`.
fn in_class(id: &str) -> Option<(&str, &str)> {
    let (name, class) = id.strip_suffix(')')?.split_once(" (")?;
    let is_plain = |text: &str| !text.is_empty() && !text.contains([' ', '(', '/']);
    (is_plain(name) && is_plain(class)).then_some((name, class))
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn spellings_of_a_test_are_one() {
        for id in [
            "tests/test_a.py::T::test_x",
            "tests.test_a.T.test_x",
            "tests.test_a.T::test_x",
            "test_x (tests.test_a.T)",
            "test_x (tests.test_a.T.test_x)",
        ] {
            assert_eq!(canonical(id), "tests.test_a.T.test_x", "{id}");
        }
        assert_eq!(canonical("a.py::t[x/y::z]"), "a.t[x/y::z]");
        assert_eq!(canonical("m::tests::works"), "m.tests.works");
        assert_ne!(canonical("a.py::t"), canonical("a.py::t2"));
    }
}
