use slope_syntax::*;
#[test]
fn dump() {
    let all = [
        (
            "rust",
            "use a::b::C;\n/// Doc.\n#[inline]\npub fn f(a: &str, mut b: u32) -> Option<u32> {\n    let x = a.len();\n    let (y, z) = g(b)?;\n    for i in 0..3 { x += i; }\n    if b > 2 { return None; }\n    println!(\"{x}\", y);\n    a.b(c);\n    match z { Err(E::N) => 1, _ => 2 };\n    Some(y)\n}\nimpl A { fn m(&self, q: T) { self.x = S { q }; } }\n",
        ),
        (
            "go",
            "package a\nimport (\n\t\"fmt\"\n\tx \"y/z\"\n)\n// F does.\nfunc F(a, b int, c *T) (int, error) {\n\tx, err := g(a)\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\tvar q = 3\n\ty := 4\n\tfmt.Println(x)\n\tfor i, v := range c.L { y += v }\n\treturn y, nil\n}\nfunc (t *T) M() { t.a(1) }\n",
        ),
        (
            "java",
            "package a;\nimport b.C;\npublic class A {\n    private int x;\n    /** doc */\n    @Override\n    public static int f(String a, final int b) throws E {\n        int y = 3;\n        List<String> l = new ArrayList<>();\n        y = g(a);\n        if (a == null) { throw new IllegalArgumentException(\"x\"); }\n        try { h(); } catch (IOException e) { }\n        for (String s : l) { y += 1; }\n        return y;\n    }\n}\n",
        ),
        (
            "c",
            "#include <a.h>\nstatic int f(const char *a, struct t *b, int n) {\n    int x = 3;\n    char *p = g(a);\n    int q;\n    if (!b) return -1;\n    x = h(x);\n    b->z = 1;\n    for (int i = 0; i < n; i++) { x += i; }\n    return x;\n}\n",
        ),
        (
            "cpp",
            "#include <a.h>\nnamespace n {\nint A::f(const std::string& a, std::vector<int> b) {\n    auto x = 3;\n    try { g(); } catch (const std::exception& e) { }\n    for (auto& i : b) { x += i; }\n    if (x) { throw std::runtime_error(\"a\"); }\n    return x;\n}\n}\n",
        ),
        (
            "typescript",
            "import { a } from 'b';\nexport const f = async (x: number, y?: string): Promise<number> => {\n  const z = x + 1;\n  let { p, q } = z;\n  z.a(b);\n  w = 3;\n  return z;\n};\nexport class K { m(a = 1) { this.x = a; } }\nfunction g(a) { return { a, b: 1 }; }\nmodule.exports.h = function (q) { return q; };\n",
        ),
        (
            "python",
            "import os\nfrom a import b\n@d\ndef f(a, b: int = 2, *c):\n    \"\"\"Doc.\"\"\"\n    x = a\n    y, z = b\n    g(x, k=1)\n    for i in x:\n        y += i\n    if not a:\n        raise ValueError(\"b\")\n    return [q for q in x]\n",
        ),
    ];
    for (id, code) in all {
        println!("=== {id}");
        let language = Language::by_id(id).unwrap();
        let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
        let source = tree.source_lines(Profile::Slope);
        let cs = callables(&tree, Profile::Slope, &source);
        let view = view::View::new(&tree, &cs, &source).unwrap();
        println!("errors {:?}", tree.errors());
        for (i, n) in (0u32..).zip(tree.nodes()) {
            if !n.named {
                continue;
            }
            let mut d = 0;
            let mut p = i;
            while p != 0 {
                p = tree.node(p).parent;
                d += 1;
            }
            let t: String = view.text(i).chars().take(24).collect();
            println!(
                "{}{} {:?} {:?}",
                " ".repeat(d),
                language.kind_name(n.kind),
                view.k(i),
                t
            );
        }
        for (n, name) in view.definitions() {
            println!(
                "DEF {} {} method {}",
                view.text(name),
                tree.language().kind_name(tree.node(n).kind),
                view.is_method(n)
            );
        }
    }
}
