<?php
declare(strict_types=1);
namespace A\B;
use C\D as E, F;
use function G\h;
/** Doc. */
#[Attr(1)]
final class X extends Y implements Z {
    use T;
    const K = 1;
    private ?int $p = null;
    public string $hooked { get => $this->x; set { $this->x = $value; } }
    public function __construct(private readonly int $a, ?string &$b = null, int ...$c) { parent::__construct($a); }
    abstract protected function without(): void;
    private static function m(int $x): int|null {
        if ($x && $y || $z) { a(); } elseif ($b) { c(); } else if ($d) { } else { e(); }
        foreach ($xs as $k => $v) { continue 2; }
        for ($i = 0; $i < 1; $i++): echo 1; endfor;
        switch ($x) { case 1: case 2: b(); break; default: c(); }
        $r = match (true) { $x > 1, $y => 2, default => 3 };
        $f = function ($x) use ($y): int { return $x ?? $y; };
        $g = fn($x) => $x ?: 1;
        $o = new class(1) extends Y { function z() {} };
        array_map(static function ($x) { return $x; }, $xs);
        $this->a?->b()->c; X::y(); $x ??= 1; $s = "a $x {$y->z} $a[0]"; 
        $h = <<<EOT
          a $x
          EOT;
        try { } catch (A | B $e) { } finally { }
        throw new E(); goto end; end: unset($x); global $z; static $w = 1;
        $x and $y or die(); !$x; @a(); (int) $x; true; null; 1.5;
        return $x ? 1 : 2;
    }
}
enum S: string { case A = 'a'; public function l(): string { return 'x'; } }
