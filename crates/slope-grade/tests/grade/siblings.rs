//! Checks of inputs, compared with those of a reference and of other attempts.

use slope_grade::group;
use slope_model::grade::Grade;
use slope_model::grade_request::Change;

use crate::common::{Desk, kinds, request};

/// A file with a function, with its checks and without.
const FILES: [(&str, &str, &str); 3] = [
    (
        "a.py",
        "def f(a):\n    if a is None:\n        raise ValueError(a)\n    if a.b < 0:\n        raise ValueError(a)\n    if not a.c:\n        raise ValueError(a)\n    return a.b + a.c\n",
        "def f(a):\n    return a.b + a.c\n",
    ),
    (
        "A.cs",
        "class A {\n    int F(B a) {\n        if (a == null) {\n            throw new Wrong();\n        }\n        if (a.B < 0) {\n            throw new Wrong();\n        }\n        if (a.C > 9) {\n            throw new Wrong();\n        }\n        return a.B + a.C;\n    }\n}\n",
        "class A {\n    int F(B a) {\n        return a.B + a.C;\n    }\n}\n",
    ),
    (
        "a.c",
        "int f(struct a *a) {\n    if (a == NULL) {\n        return -1;\n    }\n    if (a->b < 0) {\n        return -1;\n    }\n    if (a->c > 9) {\n        return -1;\n    }\n    return a->b + a->c;\n}\n",
        "int f(struct a *a) {\n    return a->b + a->c;\n}\n",
    ),
];

fn desk() -> Desk {
    Desk::new(&[("app.py", "A = 1\n")])
}

#[test]
fn checks_of_the_reference_are_missed() {
    let desk = desk();
    for (path, checked, bare) in FILES {
        let graded = |text: &str, reference: &str| {
            let mut request = request(&[(path, text)]);
            let files = [(path.to_owned(), Some(reference.to_owned()))];
            request.reference = Some(Change::Files(files.into()));
            desk.grader.grade(&request)
        };
        let without = graded(bare, checked);
        assert_eq!(kinds(&without, "p_contract"), ["missing-check"], "{path}");
        assert!(
            graded(checked, checked).components.p_contract == Some(0.0),
            "{path}"
        );
        assert!(
            graded(checked, bare).components.p_contract == Some(0.0),
            "{path}"
        );
    }
}

#[test]
fn checks_of_most_attempts_are_missed() {
    let desk = desk();
    for (path, checked, bare) in FILES {
        let attempts = |texts: &[&str]| -> Vec<Grade> {
            let mut grades: Vec<Grade> = texts
                .iter()
                .map(|text| {
                    let mut request = request(&[(path, text)]);
                    request.task.group = Some("task".to_owned());
                    desk.grader.grade(&request)
                })
                .collect();
            let groups = vec![Some("task".to_owned()); grades.len()];
            group::apply(&mut grades, &groups, desk.grader.pack());
            grades
        };
        let contract = |grade: &Grade| grade.components.p_contract.unwrap();
        let most = attempts(&[checked, checked, checked, bare]);
        assert!(
            contract(&most[0]) == 0.0 && contract(&most[3]) > 0.1,
            "{path}"
        );
        let few = attempts(&[bare, bare, checked, bare]);
        assert!(few.iter().all(|grade| contract(grade) == 0.0), "{path}");
        let two = attempts(&[checked, bare]);
        assert!(contract(&two[1]) == 0.0, "{path}");
    }
}
