//! Copies with a few statements changed.

use crate::common::Repo;
use slope_gate::Head;
use slope_model::gate::{GateRule, Level, Violation};
use slope_testkit::HELPER;

/// The gate's report on clones in new files next to old ones.
fn clones(old: &[(&str, &str)], new: &[(&str, &str)]) -> Vec<Violation> {
    let repo = Repo::new(old);
    repo.write(new);
    let violations = repo.judge(None, Head::Worktree).violations.into_iter();
    let clones = violations.filter(|v| v.rule == GateRule::NewClone);
    clones.collect()
}

fn is_near(old: (&str, &str), new: (&str, &str)) -> bool {
    let found = clones(&[old], &[new]);
    found.iter().any(|v| v.message.contains(" is nearly "))
}

const GO: &str = "\
package text

func Collect(text string, limit int) []Span {
\tvar spans []Span
\tcurrent := Span{}
\tfor i, line := range strings.Split(text, \"\\n\") {
\t\tswitch {
\t\tcase strings.HasPrefix(line, \"<<<<\"):
\t\t\tcurrent.start = i
\t\t\tcurrent.open = true
\t\tcase strings.HasPrefix(line, \"====\"):
\t\t\tcurrent.middle = i + limit
\t\tcase strings.HasPrefix(line, \">>>>\"):
\t\t\tcurrent.end = i
\t\t\tspans = append(spans, current)
\t\t\tcurrent = Span{}
\t\t}
\t}
\treturn spans
}
";

const TYPESCRIPT: &str = "\
export function settle(orders: Order[], limit: number): Total {
  let total = 0;
  const failed: string[] = [];
  for (const order of orders) {
    if (order.amount > limit) {
      failed.push(order.number);
      continue;
    }
    total += order.amount * order.rate;
    order.close('done');
  }
  audit.write(total, failed);
  return { total, failed };
}
";

const RUST: &str = "\
pub fn settle(orders: &mut Vec<Order>, limit: u64) -> Total {
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
    audit::write(total, &failed);
    Total { total, failed }
}
";

#[test]
fn near_copy_with_changed_statement_warns() {
    let cases = [
        (
            "a.go",
            GO,
            "Collect",
            "current.middle = i + limit",
            "log.Println(i, line)",
        ),
        (
            "a.py",
            HELPER,
            "normalise",
            "seen.setdefault(name, []).append(row)",
            "seen[name] = row.total(key)",
        ),
        (
            "a.ts",
            TYPESCRIPT,
            "settle",
            "total += order.amount * order.rate",
            "total += tax.of(order)",
        ),
        (
            "a.rs",
            RUST,
            "settle",
            "order.close(limit)",
            "order.archive()",
        ),
    ];
    for (path, code, name, from, to) in cases {
        let copy = code.replace(from, to).replace(name, "gather");
        assert_ne!(copy, code.replace(name, "gather"));
        let new = path.replace("a.", "b.");
        let found = clones(&[(path, code)], &[(&new, &copy)]);
        assert_eq!(found.len(), 1, "{path}: {found:?}");
        let message = &found[0].message;
        assert!(
            message.starts_with(&format!("`gather` is nearly `{name}` (")),
            "{message}"
        );
        assert!(message.contains(&format!(" % alike, {path}:")), "{message}");
        assert_eq!(found[0].level, Level::Warning);
    }
}

#[test]
fn renamed_variables_hide_no_near_copy() {
    let copy = HELPER
        .replace("normalise", "tidy")
        .replace("seen", "known")
        .replace("row", "line")
        .replace("name.strip().lower()", "clean(name, default)");
    assert!(is_near(("lib/a.py", HELPER), ("lib/b.py", &copy)));
    let more = copy.replace(
        "    result = []\n",
        "    log.info(known)\n    result = []\n",
    );
    assert!(is_near(("lib/a.py", HELPER), ("lib/b.py", &more)));
}

#[test]
fn clearly_different_functions_pass() {
    let other = "\
def archive(rows, key, default):
    seen = {}
    for row in rows:
        name = row.get(key, default)
        if name is None:
            continue
        store.write(name, row.total)
    audit.close()
    return seen
";
    assert!(!is_near(("lib/a.py", HELPER), ("lib/b.py", other)));
}

#[test]
fn similar_tests_and_namesake_methods_pass() {
    let copy = HELPER
        .replace(".strip().lower()", ".title()")
        .replace("normalise", "test_tidy");
    assert!(!is_near(
        ("tests/test_a.py", HELPER),
        ("tests/test_b.py", &copy)
    ));
    let class = |name: &str, change: (&str, &str)| {
        let body = HELPER
            .replace(change.0, change.1)
            .replace("(rows", "(self, rows");
        let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
        format!("class {name}:\n{body}")
    };
    let (first, second) = (
        class("A", ("", "")),
        class("B", (".strip().lower()", ".title()")),
    );
    assert!(!is_near(("lib/a.py", &first), ("lib/b.py", &second)));
}

#[test]
fn inner_functions_are_not_near_copies() {
    let plugin = "\
export const addExtension = (build: Build, limit: number): Plugin => ({
  setup(hooks: Hooks) {
    const loader = hooks.loaderOf(build.kind);
    const found = resolve(loader, limit);
    if (found.isMissing) {
      throw new MissingError(found.path);
    }
    hooks.onEnd(found.close);
    hooks.onStart(found.open);
    return hooks.finish(found);
  },
});
";
    assert_eq!(
        clones(&[("a.ts", "export const a = 1;\n")], &[("b.ts", plugin)]),
        []
    );
}

#[test]
fn existing_near_copies_pass() {
    let copy = HELPER
        .replace(".strip().lower()", ".title()")
        .replace("normalise", "tidy");
    let repo = Repo::new(&[("lib/a.py", HELPER), ("lib/b.py", &copy)]);
    repo.write(&[("lib/b.py", &copy.replace("group[0]", "first(group)"))]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(judgement.violations, []);
    // Nor is a new place news.
    repo.git(&["mv", "lib/b.py", "lib/c.py"]);
    assert_eq!(repo.judge(None, Head::Worktree).violations, []);
}

#[test]
fn mutual_near_copies_report_once() {
    let copy = HELPER
        .replace(".strip().lower()", ".title()")
        .replace("normalise", "tidy");
    let old = ("lib/old.py", "def f():\n    return 1\n");
    let found = clones(&[old], &[("lib/a.py", HELPER), ("lib/b.py", &copy)]);
    let near: Vec<_> = found
        .iter()
        .filter(|v| v.message.contains(" is nearly "))
        .collect();
    assert_eq!(near.len(), 1, "{found:?}");
    assert_eq!(near[0].path, "lib/b.py");
}

const HASKELL: &str = "module NAME where

run :: [Row] -> Options -> Report
run rows options =
  let wanted = filter (isWanted options) rows
      keys = map rowKey wanted
      sums = map (sum . rowValues) wanted
      largest = CHANGED
      share = map (\\s -> fromIntegral s / fromIntegral largest) sums
      header = title options ++ \" (\" ++ show (length wanted) ++ \")\"
      footer = \"total \" ++ show (sum sums)
  in Report header (zipWith3 render keys sums share) footer
";

const ZIG: &str = "pub fn run(allocator: Allocator, path: []const u8, limit: usize) !usize {
    const file = try open(path, .{});
    defer file.close();
    const text = try file.readToEndAlloc(allocator, limit);
    var total: usize = 0;
    var lines = split(u8, text, limit);
    while (lines.next()) |line| {
        const value = try parseInt(usize, line, 10);
        total += CHANGED;
        try check(total, value);
    }
    print(total, limit);
    return total;
}
";

#[test]
fn near_copies_work_without_signals() {
    for (text, suffix, changes) in [
        (HASKELL, "hs", ["maximum (0 : sums)", "foldr max 1 sums"]),
        (ZIG, "zig", ["value", "weigh(value, 2)"]),
    ] {
        let one = text.replace("NAME", "A").replace("CHANGED", changes[0]);
        let two = text.replace("NAME", "B").replace("CHANGED", changes[1]);
        let two = two.replace("run", "gather").replace("wanted", "chosen");
        let repo = Repo::new(&[(&format!("A.{suffix}"), &one)]);
        repo.write(&[(&format!("B.{suffix}"), &two)]);
        let judgement = repo.judge(None, Head::Worktree);
        let mut told = judgement.violations.iter();
        let is_copy = |v: &Violation| v.rule == GateRule::NewClone;
        assert!(told.any(is_copy), "{suffix}: {:?}", judgement.violations);
    }
}

#[test]
fn one_changed_large_statement_is_near_copy() {
    let code = |name: &str, value: &str| {
        format!(
            "impl View {{\n    fn {name}(&self, config: &Config, theme: &Theme) -> Result<(), Error> {{\n        \
             let mut row = String::new();\n        for c in &self.columns {{\n            if c.visible {{\n                \
             row = format!(\"{{}} {{}}\", row, color({value}, &config.style.unit, theme, false));\n            \
             }}\n        }}\n        row = trim_end(&row);\n        row = truncate(&row, self.width).to_string();\n        \
             self.terminal.write_line(&row)?;\n        Ok(())\n    }}\n}}\n"
        )
    };
    let old = code("display_unit", "c.column.display_unit(&c.align)");
    let new = code("display_ruler", "\"-\".repeat(c.column.width())");
    assert!(is_near(("a.rs", &old), ("b.rs", &new)));
}

#[test]
fn own_name_in_message_is_no_change() {
    let code = |name: &str, sign: &str| {
        format!(
            "package a\n\nfunc {name}(hosts ...string) Policy {{\n\tknown := make(map[string]bool)\n\t\
             for _, h := range hosts {{\n\t\tknown[strings.ToLower(h)] = true\n\t}}\n\t\
             check := PolicyFunc(func(req *http.Request, via []*http.Request) error {{\n\t\t\
             if ok := known[hostOf(req.URL.Host)]; {sign}ok {{\n\t\t\t\
             return errors.New(\"redirect is not allowed by {name}\")\n\t\t}}\n\t\treturn nil\n\t}})\n\treturn check\n}}\n"
        )
    };
    let (old, new) = (code("AllowedHosts", "!"), code("ForbiddenHosts", ""));
    assert!(is_near(("a.go", &old), ("b.go", &new)));
}
