//! Mutation of sample sources, and what must hold for whatever comes out.

use slope_syntax::{Language, Limits, Profile, callables, maintainability, parse};

/// Language id and a text with most of its constructs.
pub(crate) const SAMPLES: &[(&str, &str)] = &[
    ("python", include_str!("../../tests/samples/sample.py")),
    ("javascript", include_str!("../../tests/samples/sample.js")),
    ("typescript", include_str!("../../tests/samples/sample.ts")),
    ("tsx", include_str!("../../tests/samples/sample.tsx")),
    ("rust", include_str!("../../tests/samples/sample.rs")),
    ("go", include_str!("../../tests/samples/sample.go")),
    ("java", include_str!("../../tests/samples/sample.java")),
    ("c", include_str!("../../tests/samples/sample.c")),
    ("cpp", include_str!("../../tests/samples/sample.cpp")),
    ("csharp", include_str!("../../tests/samples/sample.cs")),
    ("ruby", include_str!("../../tests/samples/sample.rb")),
    ("haskell", include_str!("../../tests/samples/sample.hs")),
    ("zig", include_str!("../../tests/samples/sample.zig")),
    ("kotlin", include_str!("../../tests/samples/sample.kt")),
    ("php", include_str!("../../tests/samples/sample.php")),
    ("lua", include_str!("../../tests/samples/sample.lua")),
    ("bash", include_str!("../../tests/samples/sample.sh")),
    ("scala", include_str!("../../tests/samples/sample.scala")),
    ("swift", include_str!("../../tests/samples/sample.swift")),
];

/// Pieces that parsers and counters have trouble with.
const TROUBLE: &[&str] = &[
    "\u{c}",
    "\u{2028}",
    "\u{85}",
    "\r",
    "\r\n",
    "\t",
    "\u{feff}",
    "\u{1f600}",
    "\u{301}",
    "\\\n",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "/*",
    "*/",
    "//",
    "#",
    "=begin\n",
    "<<~A\n",
    "else",
    "else if a {",
    "case",
    "=>",
    "&&",
    "||",
    "and",
    "|x|",
    "->",
    "lambda: ",
    "#if A\n",
    "#endif\n",
    "if",
    "match x {",
    "switch (x) {",
    "fn f() {",
    "def f():\n",
    "class A {",
    "${",
    "#{",
    "R\"(",
    "r#\"",
    "@",
    ";",
    ":",
    ",",
    "?",
    "_",
    "\0",
];

/// A small generator of random numbers (`SplitMix64`), the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or(0)
    }

    /// Two positions in a text, in order and not far apart.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let from = self.below(length + 1);
        let to = (from + 1 + self.below(60)).min(length);
        (from, to.max(from))
    }
}

/// Changes a sample in one to eight places.
pub(crate) fn mutate(sample: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = sample.to_vec();
    for _ in 0..=random.below(8) {
        let (from, to) = random.range(text.len());
        match random.below(8) {
            0 if from < text.len() => text[from] ^= 1 << random.below(8),
            1 => drop(text.drain(from..to)),
            2 => {
                let part = text[from..to].to_vec();
                let at = random.below(text.len() + 1);
                text.splice(at..at, part);
            }
            3 => {
                let part = text[from..to].repeat(1 + random.below(40));
                text.splice(from..from, part);
            }
            4 | 5 => {
                let piece = TROUBLE[random.below(TROUBLE.len())];
                text.splice(from..from, piece.bytes());
            }
            6 => {
                let piece = TROUBLE[random.below(TROUBLE.len())];
                let deep = piece.repeat(1 + random.below(300));
                text.splice(from..from, deep.bytes());
            }
            _ => text.truncate(to.max(1)),
        }
    }
    text
}

/// Runs all that this crate can say of a text, and checks what always holds.
///
/// # Panics
/// If it does not hold.
pub(crate) fn check(language: Language, text: &[u8]) {
    let limits = Limits {
        max_bytes: 1 << 20,
        max_depth: 2_000,
    };
    let Ok(tree) = parse(language, text, &limits) else {
        return;
    };
    for profile in [Profile::Slope, Profile::Paper] {
        let source = tree.source_lines(profile);
        assert!(
            source.count() <= tree.physical_lines().max(1),
            "more source lines than lines"
        );
        for facts in callables(&tree, profile, &source) {
            assert!(facts.complexity >= 1, "{facts:?}");
            assert!(facts.last >= facts.node, "{facts:?}");
            assert!((facts.last as usize) < tree.nodes().len(), "{facts:?}");
            assert!(
                profile == Profile::Paper || facts.rows <= source.count(),
                "{facts:?}"
            );
            assert!(facts.sloc >= facts.rows, "{facts:?}");
            assert!(!facts.name.is_empty(), "{facts:?}");
        }
        let index = maintainability(&tree, &source);
        assert_eq!(index.is_none(), source.count() == 0);
        assert!(index.is_none_or(|index| (0.0..=100.0).contains(&index)));
    }
    for index in (0u32..).take(tree.nodes().len()) {
        let _ = (tree.is_exempt_unit(index), tree.roles(index));
    }
}
