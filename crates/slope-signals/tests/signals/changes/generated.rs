//! Trees of small files that use each other's few names.

use std::collections::BTreeMap;

use super::random::Random;

/// A language with pieces of code. In them `N`, `M` and `K` are names, `C` and `B` classes, `F` is a file, `P` and `Q`
/// are parameters.
pub(super) struct Language {
    pub(super) suffix: &'static str,
    head: &'static [&'static str],
    pieces: &'static [&'static str],
}

const NAMES: &[&str] = &[
    "load",
    "store_item",
    "render",
    "parse_rows",
    "visit_node",
    "visit_leaf",
    "total",
    "as_text",
];
const CLASSES: &[&str] = &["Shape", "Square", "Reader", "Store", "Plan"];
const FILES: &[&str] = &["area", "book", "core", "data", "util", "test_area"];
const FOLDERS: &[&str] = &["", "pkg/", "pkg/inner/", "other/"];
const PARAMETERS: &[&str] = &["item", "size", "flag", "path"];

impl Language {
    /// Files of random pieces.
    pub(super) fn tree(&self, random: &mut Random) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        for _ in 0..14 {
            let path = format!("{}{}.{}", random.of(FOLDERS), random.of(FILES), self.suffix);
            let mut text = String::new();
            for _ in 0..random.below(3) {
                text.push_str(&self.filled(random.of(self.head), random));
            }
            text.push('\n');
            for _ in 0..2 + random.below(7) {
                text.push_str(&self.filled(random.of(self.pieces), random));
                text.push('\n');
            }
            texts.insert(path, text);
        }
        texts
    }

    /// A piece with names.
    fn filled(&self, piece: &str, random: &mut Random) -> String {
        let (n, m, k) = (random.of(NAMES), random.of(NAMES), random.of(NAMES));
        let (c, b) = (random.of(CLASSES), random.of(CLASSES));
        let (p, q) = (random.of(PARAMETERS), random.of(PARAMETERS));
        let fills = [
            ("<N>", n),
            ("<M>", m),
            ("<K>", k),
            ("<C>", c),
            ("<B>", b),
            ("<F>", random.of(FILES)),
            ("<P>", p),
            ("<Q>", q),
        ];
        let mut text = piece.to_owned();
        for (mark, name) in fills {
            text = text.replace(mark, name);
        }
        text + "\n"
    }
}

pub(super) const LANGUAGES: &[Language] = &[
    Language {
        suffix: "py",
        head: &[
            "from pkg.<F> import <N>",
            "from pkg.<F> import _<N>, <C>",
            "from .<F> import *",
            "import <F>",
            "__all__ = [\"<N>\", \"<C>\"]",
        ],
        pieces: &[
            "def _<N>(<P>, rest=None):\n    if <P>:\n        return <M>(<P>)\n    return rest\n",
            "def <N>(<P>):\n    return _<M>(<P>)\n",
            "def <N>(<P>, <Q>x):\n    return <M>(<P>, <Q>x)\n",
            "def <N>(<P>, mode=False):\n    print(\"%s\" % <P>)\n    return _<M>(<P>, rest=None)\n",
            "def <N>(<P>):\n    raise ValueError(f\"bad {<P>}\")\n",
            "def <N>(<P>):\n    raise RuntimeError(\"bad \" + <P>)\n",
            "class _<C>:\n    def _<N>(self, <P>):\n        return self.inner.<N>(<P>)\n\n    def <M>(self):\n        return self._<K>(1)\n",
            "class <C>(<B>):\n    def <N>(self, <P>, extra):\n        return self.inner.<N>(<P>, extra)\n\n    def __<M>(self):\n        return 1\n",
            "class <C>(ABC):\n    @abstractmethod\n    def <N>(self):\n        raise NotImplementedError\n",
            "def run_<N>(node):\n    return getattr(node, f\"<M>_{node}\")\n",
            "COLORS = [\"red\", \"green\", \"blue\", \"cyan\", \"black\", \"white\", \"pink\", \"gold\", \"teal\", \"navy\", \"<N>\"]\n",
            "CODES = {\"a\": 11, \"b\": 12, \"c\": 13, \"d\": 14, \"e\": 15, \"f\": 16, \"g\": 17, \"h\": 18, \"i\": 19, \"j\": 20}\n",
            "def <N>_rows(lines):\n    rows = []\n    for line in lines:\n        if line.startswith(\"#\"):\n            continue\n        key, _, value = line.partition(\"=\")\n        rows.append((key.strip(), value.strip().lower()))\n    rows.sort(key=lambda row: row[0])\n    total = sum(len(value) for _, value in rows)\n    log.warning(\"rows %d\", total)\n    return rows, total\n",
            "def read_<N>(lines):\n    rows = []\n    for line in lines:\n        if line.startswith(\"#\"):\n            continue\n        key, _, value = line.partition(\"=\")\n        rows.append((key.strip(), value.strip().upper()))\n    rows.sort(key=lambda row: row[0])\n    total = sum(len(value) for _, value in rows)\n    log.warning(\"rows %d\", total)\n    return rows, total\n",
            "def _slugify_<N>(text):\n    cleaned = re.sub(\"[^a-z]+\", \"-\", text.lower())\n    return cleaned.strip(\"-\")[:40]\n",
            "def make_slug_<M>(title):\n    lowered = title.lower()\n    return re.sub(\"[^a-z]+\", \"-\", lowered).strip(\"-\")[:40]\n",
            "_<N>(True, <M>)\n",
            "def test_<N>():\n    assert <M>(1) == 2\n",
            "x = <C>()._<B>__<N>\n",
        ],
    },
    Language {
        suffix: "rs",
        head: &[
            "use crate::<F>::<N>;",
            "use super::<F>::{<N>, <C>};",
            "use super::*;",
            "mod <F>;",
        ],
        pieces: &[
            "fn <N>(<P>: u32, rest: u32) -> u32 {\n    <M>(<P>, rest)\n}\n",
            "pub fn <N>(<P>: u32) -> u32 {\n    <M>(<P>, 0)\n}\n",
            "pub(crate) fn <N>(<P>: &str, <Q>x: bool) -> String {\n    if <Q>x { format!(\"{<P>}\") } else { <M>(<P>) }\n}\n",
            "struct <C> {\n    inner: <B>,\n}\n\nimpl <C> {\n    fn <N>(&self, <P>: u32) -> u32 {\n        self.inner.<N>(<P>)\n    }\n\n    pub fn <M>(&self) -> u32 {\n        self.inner.<M>()\n    }\n}\n",
            "trait <C> {\n    fn <N>(&self) -> u32;\n}\n",
            "impl <C> for <B> {\n    fn <N>(&self) -> u32 {\n        <M>(1, 2)\n    }\n}\n",
            "const COLORS: &[&str] = &[\"red\", \"green\", \"blue\", \"cyan\", \"black\", \"white\", \"pink\", \"gold\", \"teal\", \"navy\"];\n",
            "fn rows_<N>(lines: &[&str]) -> usize {\n    let mut rows = Vec::new();\n    for line in lines {\n        if line.starts_with('#') {\n            continue;\n        }\n        let (key, value) = line.split_once('=').unwrap_or((line, \"\"));\n        rows.push((key.trim(), value.trim().to_lowercase()));\n    }\n    rows.sort();\n    let total = rows.iter().map(|(_, value)| value.len()).sum();\n    log::warn!(\"rows {total}\");\n    total\n}\n",
            "fn count_<M>(lines: &[&str]) -> usize {\n    let mut rows = Vec::new();\n    for line in lines {\n        if line.starts_with('#') {\n            continue;\n        }\n        let (key, value) = line.split_once('=').unwrap_or((line, \"\"));\n        rows.push((key.trim(), value.trim().to_uppercase()));\n    }\n    rows.sort();\n    let total = rows.iter().map(|(_, value)| value.len()).sum();\n    log::warn!(\"rows {total}\");\n    total\n}\n",
            "#[test]\nfn <N>_works() {\n    assert_eq!(<M>(1, 2), 3);\n}\n",
        ],
    },
    Language {
        suffix: "go",
        head: &["package pkg", "import \"x/<F>\"", "//go:generate tool"],
        pieces: &[
            "func <N>(<P> int, rest int) int {\n\treturn <M>(<P>, rest)\n}\n",
            "func <N>X(<P> int) int {\n\treturn pkg.<M>(<P>)\n}\n",
            "func <N>(<P> string) error {\n\treturn fmt.Errorf(\"bad %v\", <P>)\n}\n",
            "type <C> struct {\n\tinner <B>\n}\n\nfunc (s *<C>) <N>(<P> int) int {\n\treturn s.inner.<N>(<P>)\n}\n\nfunc (s *<C>) <M>() int {\n\treturn s.inner.<M>()\n}\n",
            "type <C> interface {\n\t<N>(int) int\n}\n",
            "func asm_<N>(<P> int) int\n",
            "func Test<C>(t *testing.T) {\n\tif <N>(1, 2) != 3 {\n\t\tt.Fatal(\"x\")\n\t}\n}\n",
            "var colors = []string{\"red\", \"green\", \"blue\", \"cyan\", \"black\", \"white\", \"pink\", \"gold\", \"teal\", \"navy\"}\n",
            "func rows<C>(lines []string) int {\n\ttotal := 0\n\tfor _, line := range lines {\n\t\tif strings.HasPrefix(line, \"#\") {\n\t\t\tcontinue\n\t\t}\n\t\tkey, value, _ := strings.Cut(line, \"=\")\n\t\ttotal += len(strings.TrimSpace(key))\n\t\ttotal += len(strings.ToLower(value))\n\t}\n\tlog.Printf(\"rows %d\", total)\n\treturn total\n}\n",
        ],
    },
    Language {
        suffix: "ts",
        head: &[
            "import { <N>, <M> } from './<F>';",
            "import * as <K> from '../<F>';",
            "import './<F>';",
            "export { <N> } from './<F>';",
        ],
        pieces: &[
            "function <N>(<P>: number, rest = false) {\n  return <M>(<P>, rest);\n}\n",
            "export function <N>(<P>: string) {\n  return <M>(<P>);\n}\n",
            "export const <N> = (<P>: string, other: string) => <M>(<P>, other);\n",
            "class <C> extends <B> {\n  private <N>(<P>: number) {\n    return this.inner.<N>(<P>);\n  }\n\n  <M>(<Q>x: number) {\n    return this.inner.<M>(<Q>x);\n  }\n}\n",
            "abstract class <C> {\n  abstract <N>(): number;\n}\n",
            "interface <C> {\n  <N>(a: number): number;\n}\n",
            "class <B>Impl implements <C> {\n  <N>() {\n    throw new Error('bad ' + this.<M>);\n  }\n}\n",
            "const colors = ['red', 'green', 'blue', 'cyan', 'black', 'white', 'pink', 'gold', 'teal', \"navy\"];\n",
            "export function rows<C>(lines: string[]) {\n  const rows = [];\n  for (const line of lines) {\n    if (line.startsWith('#')) {\n      continue;\n    }\n    const [key, value] = line.split('=');\n    rows.push([key.trim(), value.trim().toLowerCase()]);\n  }\n  rows.sort();\n  console.warn(`rows ${rows.length}`);\n  return rows;\n}\n",
        ],
    },
    Language {
        suffix: "java",
        head: &[
            "package pkg;",
            "import pkg.<C>;",
            "import static pkg.<C>.<N>;",
        ],
        pieces: &[
            "class <C> extends <B> {\n    private int <N>(int <P>, int rest) {\n        return <M>(<P>, rest);\n    }\n\n    public int <M>(int <P>) {\n        return inner.<M>(<P>);\n    }\n}\n",
            "abstract class <C> {\n    abstract int <N>(int a);\n}\n",
            "interface <C> {\n    int <N>(int a);\n}\n",
            "class <B>Impl implements <C> {\n    public int <N>(int a) {\n        throw new IllegalStateException(\"bad\" + a);\n    }\n\n    private static void <K>() {\n    }\n}\n",
            "class Table<C> {\n    static final String[] COLORS = {\"red\", \"green\", \"blue\", \"cyan\", \"black\", \"white\", \"pink\", \"gold\", \"teal\", \"navy\"};\n}\n",
        ],
    },
];
