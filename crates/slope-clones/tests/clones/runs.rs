//! Runs of statements, and what is left out.

use crate::support::{places, report, report_in, summary};
use slope_clones::CloneReport;
use slope_model::measurement::CloneKind;

/// Kind and places of the classes other than near misses.
fn copies(report: &CloneReport) -> Vec<(CloneKind, Vec<(u32, u32)>)> {
    let classes = summary(report).into_iter();
    classes
        .filter(|(kind, _)| *kind != CloneKind::NearMiss)
        .collect()
}

const BLOCK: &str = "    path = root / name
    text = path.read_text(encoding='utf-8')
    head, _, rest = text.partition('---')
    meta = dict(parse_line(row) for row in head.splitlines())
    meta['name'] = name
    meta.setdefault('title', rest.strip()[:80])
";

#[test]
fn shared_block_is_clone_with_lines() {
    let one = format!("def load(root, name):\n{BLOCK}    return meta, rest\n");
    let two = format!("def show(root, name, out):\n    out.begin()\n{BLOCK}    out.write(meta)\n");
    let found = report(&[&one, &two]);
    assert_eq!(copies(&found), [(CloneKind::Exact, vec![(0, 2), (1, 3)])]);
    assert_eq!(
        found.clone_lines[0].rows().collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6]
    );
    assert_eq!(
        found.clone_lines[1].rows().collect::<Vec<_>>(),
        [2, 3, 4, 5, 6, 7]
    );
    let class = found
        .classes
        .iter()
        .find(|c| c.kind == CloneKind::Exact)
        .unwrap();
    assert_eq!(class.lines, 6);
    let member = &class.members[0];
    let text = &one[member.start_byte as usize..member.end_byte as usize];
    assert_eq!(text, BLOCK.trim());
}

#[test]
fn rewrapped_renamed_block_is_a_clone() {
    let other = BLOCK
        .replace("path", "file")
        .replace("meta", "info")
        .replace("text = file.read_text(", "text = file.read_text(\n        ");
    let one = format!("def load(root, name):\n{BLOCK}    return meta, rest\n");
    let two = format!("def show(root, name, out):\n    out.begin()\n{other}    out.write(info)\n");
    let found = report(&[&one, &two]);
    assert_eq!(copies(&found), [(CloneKind::Renamed, vec![(0, 2), (1, 3)])]);
    assert_eq!(found.clone_lines[1].rows().last(), Some(8));
}

#[test]
fn clone_run_extends_over_whole_constructs() {
    let block = format!(
        "{BLOCK}    for row in rest.splitlines():\n        meta.rows.append(row)\n        meta.size += len(row)\n    meta.close()\n    meta.save(root)\n"
    );
    let one = format!("def load(root, name):\n    check(root)\n{block}    return meta, rest\n");
    let two = format!("def show(root, name, out):\n    out.begin()\n{block}    out.write(meta)\n");
    let found = report(&[&one, &two]);
    assert_eq!(copies(&found), [(CloneKind::Exact, vec![(0, 3), (1, 3)])]);
    assert_eq!(found.clone_lines[0].count(), 11);
}

#[test]
fn structure_and_preceding_lines_give_variety() {
    let body = |loop_head: &str, adds: &str| {
        format!(
            "    out = []\n    for row in rows:\n        if row > {loop_head}:\n            \
             out.append(row * 2 + row // 3)\n        elif row == 0 or row == 9:\n            out.append({adds})\n"
        )
    };
    let one = format!(
        "def pick(rows, top):\n    check(top)\n{}",
        body("top", "top")
    );
    let two = body("end", "end")
        .replace("out", "found")
        .replace("row", "item");
    let two = format!("def find(items, end, of):\n    of.begin(items)\n    end()\n{two}");
    let found = report(&[&one, &two]);
    let run = (CloneKind::Renamed, vec![(0, 3), (1, 4)]);
    assert!(copies(&found).contains(&run), "{:?}", summary(&found));
    // If the structure is the smaller part, it says little about the code before it.
    let lines = |name: &str| {
        let lines: String = (0..6)
            .map(|i| format!("    {name}.append({name}.x{i})\n"))
            .collect();
        let last =
            format!("    if {name}.size:\n        {name}.append(1)\n        {name}.pop(2)\n");
        format!("def {name}(a):\n    {name}_head(a)\n{lines}{last}")
    };
    let other = lines("b").replace("b_head(a)", "b_head(a, a)");
    let found = report(&[&lines("a"), &other]);
    let longest = found.clone_lines[0].count();
    assert!(longest <= 3, "{:?}", summary(&found));
}

#[test]
fn short_runs_and_uniform_lists_pass() {
    let short: String = BLOCK.lines().take(4).map(|l| format!("{l}\n")).collect();
    let one = format!("def load(root, name):\n{short}    return meta, rest\n");
    let two = format!("def show(root, name, out):\n    out.begin()\n{short}    out.write(meta)\n");
    assert!(copies(&report(&[&one, &two])).is_empty());
    let table = |name: &str| {
        let rows: String = (0..30)
            .map(|i| format!("    parser.add_argument('--{name}-{i}', type=int, default={i})\n"))
            .collect();
        format!(
            "def {name}(parser):\n    {name}_head(parser, {name})\n{rows}    return {name}(1, parser)\n"
        )
    };
    let found = report(&[&table("a"), &table("b").replace("(1, parser)", "")]);
    assert!(copies(&found).is_empty(), "{:?}", summary(&found));
}

#[test]
fn longer_matches_are_found_among_shorter() {
    let block = BLOCK.rsplit_once("    meta.set").unwrap().0;
    let end = "    meta.setdefault('title', rest.strip()[:80])\n";
    let file = |name: &str, before: &str, body: &str| {
        format!("def {name}(root, name):\n    {before}\n{body}    {before}\n")
    };
    let files = [
        file("a", "check(root)", &format!("{block}{end}")),
        file("b", "root.open(1)", &format!("{block}{end}")),
        file("c", "name = root / 2", block),
        file(
            "d",
            "yield",
            &format!("{}{end}", block.split_once('\n').unwrap().1),
        ),
    ];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let found = copies(&report(&files));
    assert_eq!(found, [(CloneKind::Exact, vec![(0, 3), (1, 3)])]);
}

#[test]
fn exact_tables_and_declarations_are_copies() {
    let table: String = (0..20)
        .map(|i| format!("    'key{i}': [{i}, 'v{i}'],\n"))
        .collect();
    let one = format!("import a\n\nTABLE = {{\n{table}}}\n");
    let two = format!("import b\n\nprint(b)\nTABLE = {{\n{table}}}\n");
    let found = report(&[&one, &two]);
    assert_eq!(copies(&found), [(CloneKind::Exact, vec![(0, 3), (1, 4)])]);
    let other = two.replace("'v", "'w");
    assert!(report(&[&one, &other]).classes.is_empty());
}

#[test]
fn class_hides_only_its_contained_classes() {
    let body = BLOCK.replace("    ", "        ");
    let function = format!("def load(root, name):\n    while root:\n{body}    return meta\n");
    let inner = "def only(self, rest):\n    while self:\n        a = self.next(rest)\n        b = self.next(a)\n        self.put(a, b, rest)\n    return a\n";
    assert_eq!(report(&[&function, &function]).classes.len(), 1);
    assert_eq!(report(&[inner, inner]).classes.len(), 1);
    // A third place of the loop alone keeps the loop's class.
    let third = inner
        .replace(
            "def only(self, rest):",
            "def third(self, rest, b):\n    b.log(a)",
        )
        .replace("return a", "yield a, b");
    let found = report(&[inner, inner, &third]);
    assert_eq!(
        found.classes.iter().map(places).collect::<Vec<_>>().len(),
        2
    );
}

#[test]
fn boilerplate_is_not_a_clone() {
    let stubs = "@overload
def get(
    self,
    key: str,
    default: None = None,
) -> str:
    ...
@overload
def get(
    self,
    key: int,
    default: None = None,
) -> int:
    ...
";
    let optional = "try:
    import simplejson as json
    from simplejson import JSONDecodeError as Failure
except ImportError:
    json = None
    Failure = None
";
    let checking = "if TYPE_CHECKING:
    from a import b, c, d, e, f, g
    from h import i, j, k, l, m, n
";
    let imports: String = (0..20)
        .map(|i| format!("from pkg.mod{i} import a{i}, b{i}\n"))
        .collect();
    let documented = "def hook(self, first, second, third, fourth):
    '''Called before anything else.'''
    pass

def other(self, first, second, third, fourth):
    '''Called
    after.'''
    # nothing yet
    pass
";
    for code in [stubs, optional, checking, &imports, documented] {
        let found = report(&[code, code]);
        assert!(found.classes.is_empty(), "{code}: {:?}", summary(&found));
    }
    // What does more than import is code like any other.
    let active = optional.replace("json = None", "json = fallback.load(name, 1, 2)");
    assert_eq!(report(&[&active, &active]).classes.len(), 1);
    let imports = "use std::a::{b, c, d};\nuse e::{f, g};\nuse h::{i, j, k};\nuse l::m;\nuse n::{o, p};\nuse q::{r, s};\nuse t::{u, v};\n";
    assert!(report_in("rust", &[imports, imports]).classes.is_empty());
}

#[test]
fn nested_function_is_not_near_miss() {
    let code = "def wrap(call):
    def inner(first, second, rest):
        log.write('start', first, second)
        value = call(first, second, *rest)
        if value is None:
            log.write('nothing', first)
            raise Missing(first, second)
        log.write('end', value)
        return value
    return inner
";
    let found = report(&[code]);
    assert!(found.classes.is_empty(), "{:?}", summary(&found));
}

/// Functions as one formatter writes them, and as another does.
const LAYOUTS: &[(&str, &str, &str)] = &[
    (
        "python",
        "def load(rows, key):\n    total = rows[0] + rows[1] * key\n    make(rows, key, total)\n    return [rows, key, total]\n",
        "def load(\n    rows,\n    key,\n):\n    total = (\n        rows[0] + rows[1] * key\n    )\n    make(\n        rows,\n        key,  # the key\n        total,  # the total\n    )\n    return [\n        rows,\n        key,\n        total,\n    ]\n",
    ),
    (
        "javascript",
        "function load(rows, key) {\n  const total = rows[0] && rows[1] || key;\n  make(rows, { key, total });\n  return total;\n}\n",
        "function load(rows, key) {\n  const total = (rows[0] && rows[1]) || key\n  make(\n    rows,\n    {\n      key,\n      total,\n    },\n  )\n  return total\n}\n",
    ),
    (
        "typescript",
        "function load(rows: A[], key: string): B {\n  const total: B = rows[0] as B;\n  make(rows, key, total);\n  return total;\n}\n",
        "function load(\n  rows: A[],\n  key: string,\n): B {\n  const total: B = (rows[0] as B)\n  make(\n    rows,\n    key,\n    total,\n  )\n  return total\n}\n",
    ),
    (
        "rust",
        "fn load(rows: &[u32], key: u32) -> u32 {\n    let total = match key {\n        1 => rows[0],\n        _ => rows[1] + key\n    };\n    make(rows, key, total)\n}\n",
        "fn load(\n    rows: &[u32],\n    key: u32,\n) -> u32 {\n    let total = match key {\n        1 => rows[0],\n        _ => (rows[1] + key),\n    };\n    make(\n        rows,\n        key,\n        total,\n    )\n}\n",
    ),
    (
        "go",
        "package p\n\nfunc load(rows []int, key int) int {\n\ttotal := rows[0] + key\n\tmake(rows, key, total)\n\treturn total\n}\n",
        "package p\n\nfunc load(\n\trows []int,\n\tkey int,\n) int {\n\ttotal := (rows[0] + key)\n\tmake(\n\t\trows,\n\t\tkey,\n\t\ttotal,\n\t)\n\treturn total\n}\n",
    ),
];

#[test]
fn formatter_changes_make_no_difference() {
    for (language, one, two) in LAYOUTS {
        let found = report_in(language, &[one, two]);
        let kinds: Vec<_> = copies(&found).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [CloneKind::Exact], "{language}");
    }
    // Parentheses that change the tree do.
    let one = "def load(rows, key):\n    total = rows[0] + rows[1] * key\n    make(rows, key, total)\n    return total\n";
    let two = one.replace("rows[0] + rows[1]", "(rows[0] + rows[1])");
    assert_eq!(copies(&report(&[one, &two])), []);
    // A tuple needs its comma.
    let three = one.replace("return total", "return total,");
    assert_eq!(copies(&report(&[one, &three])), []);
}
