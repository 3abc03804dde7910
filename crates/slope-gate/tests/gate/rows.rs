//! Branches that are a table, and branches that do work.

use crate::common::{Repo, rules};
use slope_gate::Head;
use slope_model::gate::GateRule;

/// 22 rows, with `N` for the number of each.
fn rows(row: &str, joint: &str) -> String {
    let rows: Vec<String> = (0..22).map(|n| row.replace('N', &n.to_string())).collect();
    rows.join(joint)
}

/// The rules of complexity that a new file breaks.
fn complexity(path: &str, text: &str) -> Vec<GateRule> {
    let repo = Repo::new(&[("z.py", "z = 1\n")]);
    repo.write(&[(path, text)]);
    let judgement = repo.judge(None, Head::Worktree);
    let told = rules(&judgement);
    let told = told.into_iter().map(|(rule, _)| rule);
    told.filter(|rule| *rule == GateRule::NewComplexity)
        .collect()
}

/// Path, begin, row, what joins rows, and end.
type Sample = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

fn text_of(&(_, begin, row, joint, end): &Sample) -> String {
    format!("{begin}{}{end}", rows(row, joint))
}

const WORK: &[Sample] = &[
    (
        "a.ts",
        "export function run(k: string, s: any) {\n  switch (k) {\n",
        "    case 'kN':\n      log('N');\n      s.xN = f(s) + 2;\n      break;\n",
        "",
        "  }\n}\n",
    ),
    (
        "b.ts",
        "export function isGood(a: any) {\n  return ",
        "a.xN > N",
        "\n    && ",
        ";\n}\n",
    ),
    (
        "a.rs",
        "pub fn run(k: u32, s: &mut S) -> u32 {\n    match k {\n",
        "        N => {\n            let y = s.fN(k);\n            s.push(y);\n            y + N\n        }\n",
        "",
        "        _ => 0,\n    }\n}\n",
    ),
    (
        "a.py",
        "def run(k, s):\n    match k:\n",
        "        case 'kN':\n            x = s.fN(k)\n            s.push(x)\n",
        "",
        "",
    ),
    (
        "b.py",
        "def is_good(a):\n    return (",
        "a.xN",
        "\n        or ",
        ")\n",
    ),
    (
        "A.java",
        "class A {\n  public void run(int k, S s) {\n    switch (k) {\n",
        "      case N:\n        s.aN();\n        s.b = gN(s);\n        break;\n",
        "",
        "    }\n  }\n}\n",
    ),
    (
        "A.cs",
        "class A {\n  public void Run(int k, S s) {\n    switch (k) {\n",
        "      case N:\n        s.AN();\n        s.B = GN(s);\n        break;\n",
        "",
        "    }\n  }\n}\n",
    ),
    (
        "a.hs",
        "module A where\n\nrun k s = case k of\n",
        "  N -> do\n    aN s\n    bN s k\n",
        "",
        "  _ -> pure ()\n",
    ),
];

#[test]
fn working_branches_are_complex() {
    for sample in WORK {
        let found = complexity(sample.0, &text_of(sample));
        assert_eq!(found, [GateRule::NewComplexity], "{}", sample.0);
    }
}

const TABLES: &[Sample] = &[
    (
        "a.ts",
        "export function read(x: any) {\n  return {\n",
        "    aN: x.aN ?? N,\n",
        "",
        "  };\n}\n",
    ),
    (
        "b.ts",
        "export class C {\n  constructor(x: any) {\n",
        "    this.aN = x.aN || false;\n",
        "",
        "  }\n}\n",
    ),
    (
        "c.ts",
        "export function read(x: any) {\n  return {\n",
        "    aN: x.aN !== undefined ? x.aN : [],\n",
        "",
        "  };\n}\n",
    ),
    (
        "d.ts",
        "export const isKey = (key: string) => ",
        "key === 'kN'",
        " || ",
        ";\n",
    ),
    (
        "a.py",
        "def read(x):\n    return Thing(\n",
        "        aN=x.get(\"aN\") or N,\n",
        "",
        "    )\n",
    ),
    (
        "a.rb",
        "def read(x)\n  {\n",
        "    aN: x[:aN] || N,\n",
        "",
        "  }\nend\n",
    ),
    (
        "A.cs",
        "class A {\n  public B Read(X x) => new B {\n",
        "    AN = x.AN ?? \"\",\n",
        "",
        "  };\n}\n",
    ),
    (
        "A.java",
        "class A {\n  public boolean equals(Object o) {\n    A b = (A) o;\n    return ",
        "Objects.equals(aN, b.aN)",
        "\n      && ",
        ";\n  }\n}\n",
    ),
    (
        "a.rs",
        "pub fn read(k: u32) -> Option<Thing> {\n    match k {\n",
        "        N => Some(Thing::new(String::from(\"N\"), N)),\n",
        "",
        "        _ => None,\n    }\n}\n",
    ),
    (
        "a.zig",
        "pub fn read(x: X) Y {\n    return .{\n",
        "        .aN = x.aN orelse N,\n",
        "",
        "    };\n}\n",
    ),
];

#[test]
fn tables_and_defaults_are_not_complex() {
    for sample in TABLES {
        let found = complexity(sample.0, &text_of(sample));
        assert_eq!(found, [], "{}", sample.0);
    }
}
