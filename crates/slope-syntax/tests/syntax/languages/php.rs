//! PHP.

use slope_syntax::Profile;

use super::{costs, lists, tree};

#[test]
fn php_decisions_follow_the_definitions() {
    costs(
        "php",
        "<?php function f() { % }",
        &[
            ("if ($a) {}", 1, 1),
            ("if ($a) {} elseif ($b) {} else {}", 2, 3),
            ("if ($a) {} else if ($b) {} else {}", 2, 3),
            ("if ($a): b(); elseif ($c): else: endif;", 2, 3),
            (
                "foreach ($a as $b) { while ($c) { do {} while ($d); } }",
                3,
                6,
            ),
            ("for (;;): endfor;", 1, 1),
            (
                "switch ($a) { case 1: case 2: b(); break; default: c(); }",
                2,
                1,
            ),
            (
                "$x = match ($a) { 1, 2 => 3, $b => 4, default => 5 };",
                2,
                1,
            ),
            ("try { a(); } catch (A | B $e) {} finally {}", 1, 1),
            ("$x = $a ? 1 : 2;", 1, 1),
            ("$x = $a ?: 2;", 1, 1),
            ("$x = $a && $b || $c;", 2, 2),
            ("$x = $a and $b or die();", 2, 2),
            ("$x = $a ?? $b;", 1, 1),
            ("$x ??= 1;", 1, 0),
            ("$x = $a xor $b;", 0, 0),
            ("$a?->b()?->c;", 0, 0),
            ("while (a()) { while (b()) { break 2; } }", 2, 4),
            ("while (a()) { continue; }", 1, 1),
            ("goto a; a: b();", 0, 1),
        ],
    );
}

#[test]
fn php_callables_have_names_from_surroundings() {
    lists(
        "php",
        r"<?php
namespace A\B;
function top(int $a, ?string &$b = null, ...$c) {
    $f = function ($x) use ($a) { return $x; };
    $g = fn($x) => $x ? 1 : 2;
    array_map(function ($x) { a(); return $x; }, $c);
    return new class(1) extends Base { function z() {} };
}
abstract class X {
    public string $h { get => 1; set { a(); } }
    public string $plain = 'a';
    function __construct(private int $a) {}
    abstract function without();
    static function m(): int { return new class { function z() {} }; }
}
interface I { function f(); }
trait T { function t() {} }
enum E: string { case A = 'a'; function e() {} }
",
        &[
            ("top", 'F', 3, 5, 1),
            ("top.f", 'F', 1, 1, 1),
            ("top.g", 'F', 1, 1, 2),
            ("top.array_map.<closure>", 'L', 1, 1, 1),
            ("top.Base.z", 'M', 0, 1, 1),
            ("X.h.get", 'M', 0, 1, 1),
            ("X.h.set", 'M', 0, 1, 1),
            ("X.__construct", 'M', 1, 1, 1),
            ("X.m", 'M', 0, 1, 1),
            ("X.m.class@anonymous.z", 'M', 0, 1, 1),
            ("T.t", 'M', 0, 1, 1),
            ("E.e", 'M', 0, 1, 1),
        ],
    );
}

#[test]
fn php_tags_and_comments_are_blank() {
    let code =
        "#!/usr/bin/env php\n<?php\n// a\n# b\n/** c */\n$x = <<<A\n  one\n\n  two\nA;\n?>\n<p>\n";
    let source = tree("php", code).source_lines(Profile::Slope);
    assert_eq!(source.rows().collect::<Vec<_>>(), [5, 6, 8, 9, 11]);
}
