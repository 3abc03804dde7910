//! Bash and POSIX shells.

use slope_syntax::Profile;

use super::{costs, lists, tree};

#[test]
fn bash_decisions_follow_the_definitions() {
    costs(
        "bash",
        "f() { %\n}",
        &[
            ("if a; then b; fi", 1, 1),
            ("if a; then b; elif c; then d; else e; fi", 2, 3),
            ("if a; then b; else if c; then d; fi; fi", 2, 4),
            (
                "for x in a; do while b; do until c; do d; done; done; done",
                3,
                6,
            ),
            ("for ((i = 0; i < 1; i++)); do a; done", 1, 1),
            ("select x in a; do b; done", 1, 1),
            ("case $a in b | c) d ;; e) f ;& *) g ;; esac", 2, 1),
            ("case $a in *\"b\" | *c) d ;; (e | *) f ;; esac", 1, 1),
            ("a && b || c", 2, 2),
            ("a && b && c", 2, 1),
            ("[[ -n $a && -n $b ]]", 1, 1),
            ("[ -n $a -a -n $b ]", 1, 1),
            ("((a && b))", 1, 1),
            ("x=$((a ? b : c))", 1, 1),
            ("x=\"$(a || b)\"", 1, 1),
            ("cat <<E && a\nb\nE", 1, 1),
            ("while a; do while b; do break 2; done; done", 2, 4),
            ("while a; do continue; done", 1, 1),
            ("a | b; ! c; (d) & { e; }", 0, 0),
            ("x=${a:-b} y=${c:?d}", 0, 0),
        ],
    );
}

#[test]
fn bash_functions_of_every_form_are_found() {
    lists(
        "bash",
        "\
a() { b; }
function c { d; }
function e() {
  f
}
g-h() ( i )
j::k() { l() { m; }; l; }
if n; then
  o() { p; }
fi
q() if r; then s; fi
",
        &[
            ("a", 'F', 0, 1, 1),
            ("c", 'F', 0, 1, 1),
            ("e", 'F', 0, 2, 1),
            ("g-h", 'F', 0, 1, 1),
            ("j::k", 'F', 0, 1, 1),
            ("j::k.l", 'F', 0, 1, 1),
            ("o", 'F', 0, 1, 1),
            ("q", 'F', 0, 1, 2),
        ],
    );
}

#[test]
fn bash_block_words_are_no_source_lines() {
    let code = "#!/bin/bash\n# a\nif a\nthen\n  b <<E # c\none\n\n# two\nE\nfi\nfor x in y\ndo\n  z\ndone\n";
    let source = tree("bash", code).source_lines(Profile::Slope);
    assert_eq!(source.rows().collect::<Vec<_>>(), [2, 4, 5, 7, 8, 10, 12]);
}

#[test]
fn bash_syntax_that_the_grammar_lacks_parses() {
    for code in [
        "for file do\n  a \"$file\"\ndone\n",
        "a=\"${b%%]*}\"\nc=${d%[0-9]*}\n",
        "a=$(( 10#$b + 08 ))\n",
    ] {
        assert_eq!(tree("bash", code).errors(), None, "{code}");
    }
}
