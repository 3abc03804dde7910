//! One function and its copies, each with what copies go through, in several
//! languages: each must be found, and as what it is.

use crate::support::{report_in, summary};
use slope_model::measurement::CloneKind;

const PYTHON: &str = "\
def settle(orders, limit):
    total = 0
    failed = []
    for order in orders:
        if order.amount > limit:
            failed.append(order.number)
            continue
        total += order.amount * order.rate
        order.close('settled')
    audit.write(total, failed)
    return total, failed
";

const JAVASCRIPT: &str = "\
function settle(orders, limit) {
  let total = 0;
  const failed = [];
  for (const order of orders) {
    if (order.amount > limit) {
      failed.push(order.number);
      continue;
    }
    total += order.amount * order.rate;
    order.close(limit);
  }
  audit.write(total, failed);
  return [total, failed];
}
";

const RUST: &str = "\
fn settle(orders: &mut Vec<Order>, limit: u64) -> (u64, Vec<u32>) {
    let mut total = 0;
    let mut failed = Vec::new();
    for order in orders.iter_mut() {
        if order.amount > limit {
            failed.push(order.number);
            continue;
        }
        total += order.amount * order.rate;
        order.close(limit);
    }
    audit.write(total, &failed);
    (total, failed)
}
";

const GO: &str = "\
package shop

func settle(orders []Order, limit int) (int, []int) {
	total := 0
	failed := make([]int, limit)
	for _, order := range orders {
		if order.amount > limit {
			failed = append(failed, order.number)
			continue
		}
		total += order.amount * order.rate
		order.close(limit)
	}
	audit.write(total, failed)
	return total, failed
}
";

const JAVA: &str = "\
class Till {
    int settle(List<Order> orders, int limit) {
        int total = 0;
        List<Integer> failed = new ArrayList<>();
        for (Order order : orders) {
            if (order.amount > limit) {
                failed.add(order.number);
                continue;
            }
            total += order.amount * order.rate;
            order.close(limit);
        }
        audit.write(total, failed);
        return total;
    }
}
";

const LANGUAGES: &[(&str, &str, &str)] = &[
    ("python", PYTHON, "#"),
    ("javascript", JAVASCRIPT, "//"),
    ("typescript", JAVASCRIPT, "//"),
    ("rust", RUST, "//"),
    ("go", GO, "//"),
    ("java", JAVA, "//"),
];

/// The line that holds `mark`, with the text before its first character.
fn line<'a>(code: &'a str, mark: &str) -> (&'a str, &'a str) {
    let line = code.lines().find(|line| line.contains(mark)).unwrap();
    (line, &line[..line.len() - line.trim_start().len()])
}

/// A comment and an empty line, and other indentation inside brackets.
fn commented(code: &str, comment: &str) -> String {
    let (target, indent) = line(code, "order.close");
    code.replace(
        target,
        &format!("{indent}{comment} done with it\n\n{target}"),
    )
    .replace("(total, failed)", "(total,\n                failed)")
}

fn renamed(code: &str) -> String {
    let names = [
        ("settle", "refund"),
        ("orders", "claims"),
        ("order", "claim"),
        ("total", "sum"),
        ("failed", "refused"),
        ("limit", "most"),
        ("= 0", "= 7"),
        ("'settled'", "'paid'"),
    ];
    names
        .iter()
        .fold(code.to_owned(), |code, (from, to)| code.replace(from, to))
}

/// Two statements more and one less.
fn edited(code: &str) -> String {
    let (closing, inner) = line(code, "order.close");
    let (writing, outer) = line(code, "audit.write");
    let end = if code.contains(';') { ";" } else { "" };
    code.replace(closing, &format!("{inner}order.notify(limit){end}"))
        .replace(
            writing,
            &format!("{outer}clock.stop(limit){end}\n{writing}"),
        )
}

/// Something else, so that there is more than copies.
fn other(code: &str) -> String {
    code.replace("order.amount > limit", "ledger.has(order)")
        .replace("order.amount * order.rate", "order.fee")
}

#[test]
fn reformatted_commented_copy_is_exact() {
    for (language, code, comment) in LANGUAGES {
        let copy = commented(code, comment);
        assert_ne!(*code, copy);
        let found = report_in(language, &[code, &copy]);
        let classes = summary(&found);
        assert_eq!(classes.len(), 1, "{language}: {classes:?}");
        assert_eq!(classes[0].0, CloneKind::Exact, "{language}");
    }
}

#[test]
fn copy_with_other_names_is_renamed() {
    for (language, code, _) in LANGUAGES {
        let found = report_in(language, &[code, &renamed(code)]);
        let classes = summary(&found);
        assert_eq!(classes.len(), 1, "{language}: {classes:?}");
        assert_eq!(classes[0].0, CloneKind::Renamed, "{language}");
        assert!(found.clone_lines[0].count() > 9, "{language}");
        assert_eq!(found.near_lines[0].count(), 0, "{language}");
    }
}

#[test]
fn edited_copy_is_a_near_miss() {
    for (language, code, _) in LANGUAGES {
        for copy in [edited(code), edited(&renamed_but_members(code))] {
            let found = report_in(language, &[code, &copy]);
            let near: Vec<_> = found
                .classes
                .iter()
                .filter(|class| class.kind == CloneKind::NearMiss)
                .collect();
            assert_eq!(near.len(), 1, "{language}: {:?}", summary(&found));
            assert_eq!(near[0].members.len(), 2);
            assert!(found.near_lines[0].count() > 9 && found.near_lines[1].count() > 9);
        }
    }
}

/// Renames what the function itself names.
fn renamed_but_members(code: &str) -> String {
    [("total", "sum"), ("failed", "refused"), ("limit", "most")]
        .iter()
        .fold(code.to_owned(), |code, (from, to)| code.replace(from, to))
        .replace("order.notify(most)", "order.notify(limit)")
}

#[test]
fn added_and_dropped_statements_near_miss() {
    let copy = PYTHON
        .replace("        order.close('settled')\n", "")
        .replace(
            "    audit.write",
            "    metrics.count('orders', len(orders))\n    lock.release()\n    audit.write",
        );
    let found = report_in("python", &[PYTHON, &copy]);
    let near = &found.classes[0];
    assert_eq!(near.kind, CloneKind::NearMiss);
    let similar: Vec<u16> = near.members.iter().map(|m| m.similarity).collect();
    assert!(
        similar.contains(&1000) && similar.iter().all(|&s| s >= 700),
        "{similar:?}"
    );
    assert_eq!(near.members[near.representative as usize].similarity, 1000);
}

#[test]
fn mixed_copies_are_classified_separately() {
    let unlike = "\
def plan(route):
    stops = sorted({stop.key for stop in route if stop.open})
    with maps.session() as session:
        for stop in stops:
            session.add(stop, weight=route.weights.get(stop, 1.0))
        best = session.solve(max_steps=len(stops) ** 2)
    return [best[stop] for stop in stops]
";
    let files = [
        PYTHON.to_owned(),
        commented(PYTHON, "#"),
        renamed(PYTHON),
        edited(PYTHON),
        unlike.to_owned(),
    ];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let found = report_in("python", &files);
    let near: Vec<_> = summary(&found)
        .into_iter()
        .filter(|(kind, _)| *kind == CloneKind::NearMiss)
        .collect();
    assert_eq!(
        near,
        [(CloneKind::NearMiss, vec![(0, 1), (1, 1), (2, 1), (3, 1)])]
    );
    let renamed: Vec<_> = summary(&found)
        .into_iter()
        .filter(|(kind, _)| *kind == CloneKind::Renamed)
        .collect();
    assert!(renamed.contains(&(CloneKind::Renamed, vec![(0, 1), (1, 1), (2, 1)])));
    assert_eq!(
        found.clone_lines[4].count() + found.near_lines[4].count(),
        0
    );
}

#[test]
fn same_shape_alone_is_not_clone() {
    // Same statements in the same order, but neither names nor operators agree.
    let unlike = other(PYTHON)
        .replace("order.number", "ledger.next(order)")
        .replace("total, failed", "failed")
        .replace(
            "order.close('settled')",
            "self.queue = [order, *self.queue]",
        );
    let found = report_in("python", &[PYTHON, &unlike]);
    assert!(found.classes.is_empty(), "{:?}", summary(&found));
}
