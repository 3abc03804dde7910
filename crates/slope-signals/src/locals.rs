//! Locals that nothing reads, outside Python, which has rules of its own.
//!
//! The name of a declaration (in Ruby: an assignment) is searched among the reads of its function;
//! the few names without any are then searched in the text that is not a name to the grammar, such
//! as macros and shorthand keys.

pub(crate) mod filled;

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::words::{Map, identifiers};
use slope_syntax::Construct as K;
use slope_syntax::view::View;

/// A name that is stored in a function and not read there.
struct Candidate {
    name: u32,
    node: u32,
    scope: u32,
}

/// Reports locals that are declared in a function and never read in it.
pub(crate) fn find(gatherer: &mut Gatherer<'_>, language: &str) {
    if !matches!(
        language,
        "javascript"
            | "typescript"
            | "tsx"
            | "java"
            | "csharp"
            | "c"
            | "cpp"
            | "ruby"
            | "rust"
            | "go"
    ) {
        return;
    }
    let mut candidates = unread(gatherer, language);
    let text = gatherer.view.tree.text();
    if candidates.is_empty() || is_told_to_leave(text, language) || is_cited(text) {
        return;
    }
    let errors = errors(&gatherer.view);
    let unseen = unseen_words(gatherer, &candidates, language);
    candidates.retain(|c| {
        let view = &gatherer.view;
        let scope = view.tree.node(c.scope);
        let bytes = if is_c(language) {
            // A macro anywhere in the file may name it.
            0..u32::MAX
        } else {
            scope.start_byte..scope.end_byte
        };
        let places = unseen.get(&c.name).map_or(&[][..], Vec::as_slice);
        let nodes = c.scope..scope.end;
        !any_within(places, bytes) && !any_within(&errors, nodes)
    });
    for Candidate { name, node, scope } in candidates {
        let view = &gatherer.view;
        let text = view.text(node);
        let end = view.end(scope);
        let reads = gatherer.names.reads(name, scope, end);
        let uses = (reads, gatherer.names.writes(name, scope, end));
        let is_filled = filled::is_only_filled(view, node, uses);
        let verb = if is_filled {
            "filled"
        } else if reads.is_empty() && !has_value(view, node) {
            "declared"
        } else {
            "assigned"
        };
        let message = format!("`{text}` is {verb} and never read.");
        let tried = is_tried(view, node, language);
        gatherer.report(Signal::UnusedLocal, node, message, text);
        if let Some(local) = gatherer.local.last_mut() {
            local.tried = tried;
        }
    }
}

/// Whether in a test the declaration itself may be the check: what it calls does not fail, what it is
/// given has the type that it says, or a comment below it shows what it is given.
fn is_tried(view: &View<'_>, node: u32, language: &str) -> bool {
    let statement = statement_of(view, node);
    let end = view.end(statement);
    let runs = [K::Call, K::New, K::Await];
    let is_typed = matches!(language, "typescript" | "tsx")
        && !view.kind_within(K::Type, statement, end).is_empty();
    let below = view.tree.node(statement).end_row + 1;
    let below = view.tree.row_text(below).trim_start();
    is_typed
        || below.starts_with("//")
        || runs
            .iter()
            .any(|&kind| !view.kind_within(kind, statement, end).is_empty())
}

/// Locals without a read that the grammar shows, each once a function, in order of position.
fn unread(gatherer: &Gatherer<'_>, language: &str) -> Vec<Candidate> {
    let Gatherer { view, names, .. } = gatherer;
    let blinding: Vec<u32> = blinding(language)
        .iter()
        .filter_map(|name| names.names.known(name))
        .collect();
    let mut seen: Map<(u32, u32), ()> = Map::default();
    let mut blind: Map<u32, bool> = Map::default();
    let mut kept: Map<u32, bool> = Map::default();
    let mut found = Vec::new();
    for (name, node) in names.stored(language) {
        let Some(scope) = scope_of(view, node, language) else {
            continue;
        };
        if !is_local(view, node, language) || seen.insert((scope, name), ()).is_some() {
            continue;
        }
        if language == "ruby" && is_passed_to_super(view, scope, node) {
            continue;
        }
        let end = read_until(view, scope, language);
        let uses = (
            names.reads(name, scope, end),
            names.writes(name, scope, end),
        );
        let is_read = is_read(view, node, uses, language);
        let row = view.tree.node(node).start_row;
        // A row may hold very many locals.
        let mut is_kept = || *kept.entry(row).or_insert_with(|| is_kept(view, row));
        if is_read || is_kept() || steps_on(view, node, language) {
            continue;
        }
        let is_blind = *blind.entry(scope).or_insert_with(|| {
            let mut all = blinding.iter();
            all.any(|&name| !names.reads(name, scope, end).is_empty())
                || is_c(language) && calls_a_macro(view, scope)
        });
        if !is_blind {
            found.push(Candidate { name, node, scope });
        }
    }
    found
}

/// Whether one of the reads of a local uses its value. A variable without any does not compile in Go.
fn is_read(view: &View<'_>, local: u32, uses: filled::Uses<'_>, language: &str) -> bool {
    let (reads, _) = uses;
    let is_idle = (language != "go" || is_lone_constant(view, local))
        && reads.iter().all(|&read| is_written(view, read));
    !is_idle && !filled::is_only_filled(view, local, uses)
}

/// Whether a local is a constant of Go that is declared alone. Of several one may be there for its number.
fn is_lone_constant(view: &View<'_>, local: u32) -> bool {
    let spec = view.parent(local);
    let is_alone = view.only(view.parent(spec)) == Some(spec);
    view.tree.kind_name(spec) == "const_spec" && is_alone
}

/// Whether a Ruby method passes a name on by `super` without arguments, which passes the present values
/// of all parameters.
fn is_passed_to_super(view: &View<'_>, scope: u32, name: u32) -> bool {
    let tree = &view.tree;
    let nodes = || scope..view.end(scope);
    let is_implicit = |node: u32| {
        let parent = view.parent(node);
        let mut siblings = view.children(parent);
        (tree.kind_name(node) == "super")
            && !((tree.kind_name(parent) == "call")
                && siblings.any(|sibling| tree.kind_name(sibling) == "argument_list"))
    };
    let is_parameter = |node: u32| {
        (tree.kind_name(node) == "method_parameters")
            && (node..view.end(node))
                .any(|below| view.k(below) == K::Identifier && view.text(below) == view.text(name))
    };
    nodes().any(is_parameter) && nodes().any(is_implicit)
}

fn is_c(language: &str) -> bool {
    matches!(language, "c" | "cpp")
}

/// Whether a function of C has a call or a statement in capitals, a macro that may name any
/// of its locals.
fn calls_a_macro(view: &View<'_>, function: u32) -> bool {
    let end = view.end(function);
    let calls = view.kind_within(K::Call, function, end).iter();
    let mut all = calls.chain(view.kind_within(K::ExprStmt, function, end));
    all.any(|&node| {
        if view.end(node) == node + 1 {
            return false;
        }
        let name = view.text(node + 1);
        let is_name = view.k(node + 1) == K::Identifier && name.len() > 1;
        is_name && !name.contains(|c: char| c.is_lowercase())
    })
}

/// Names of what sees every local of the function that it is used in.
fn blinding(language: &str) -> &'static [&'static str] {
    match language {
        "javascript" | "typescript" | "tsx" => &["eval"],
        "ruby" => &["binding", "eval", "instance_eval", "local_variables"],
        _ => &[],
    }
}

/// The callable that a local belongs to: in Ruby the method, whose blocks and lambdas
/// assign to its locals.
fn scope_of(view: &View<'_>, node: u32, language: &str) -> Option<u32> {
    let scope = view.scope(node);
    match view.k(scope) {
        // A class behind a macro looks like a function without parameters in C++.
        K::Function if is_c(language) => view.signature(scope).map(|_| scope),
        // The grammar of C# takes some structs with parameters for local functions.
        K::Function if language == "csharp" && is_type(view, scope) => None,
        K::Function => Some(scope),
        K::Lambda if language == "ruby" => view.function(node),
        K::Lambda => Some(scope),
        _ => None,
    }
}

/// Whether what looks like a function of C# is a type with parameters: `struct Point(int x) { … }`.
fn is_type(view: &View<'_>, function: u32) -> bool {
    let head = view.text(function).split(['(', '{']).next();
    let mut words = identifiers(head.unwrap_or_default());
    words.any(|word| matches!(word, "struct" | "class" | "record"))
}

/// Whether a name says that nothing reads it on purpose, or is there to hide one of the language's
/// surroundings: `var define, module, exports;` around a bundle.
fn is_on_purpose(name: &str, language: &str) -> bool {
    let starts = ["_", "ignore", "unused", "dummy"];
    let is_script = matches!(language, "javascript" | "typescript" | "tsx");
    starts.iter().any(|start| name.starts_with(start))
        || is_script && matches!(name, "define" | "module" | "exports" | "require")
}

/// Whether a stored name is a local that nothing but its reads gives a meaning.
fn is_local(view: &View<'_>, node: u32, language: &str) -> bool {
    if is_on_purpose(view.text(node), language) {
        return false;
    }
    let statement = statement_of(view, node);
    let head_end = view.tree.node(node).start_byte as usize;
    let head_start = view.tree.node(statement).start_byte as usize;
    let head = view.tree.text().get(head_start..head_end);
    let head = head.unwrap_or_default().trim_start();
    let around = view.k(view.parent(statement));
    let is_declared = view.k(statement) == K::Declaration;
    match language {
        "ruby" => around == K::Block && !is_last(view, statement),
        "rust" => view.k(statement) == K::Declarator && around == K::Block,
        "go" => is_declared_in_go(view, node),
        "c" | "cpp" => {
            is_declared
                && matches!(around, K::Block | K::Case)
                && !is_special(head)
                && (language == "c" || is_plain(view, node, head))
        }
        _ => {
            is_declared
                && !matches!(around, K::For | K::Export)
                && !ends_lambda(view, statement)
                // What is given to a `ref` of C# is given to what it refers to.
                && !["using", "await using", "declare", "@", "ref ", "scoped ref "]
                    .iter()
                    .any(|word| head.starts_with(word))
        }
    }
}

fn is_declared_in_go(view: &View<'_>, node: u32) -> bool {
    let outer = |&node: &u32| Some(view.parent(node));
    let mut above = std::iter::successors(Some(view.parent(node)), outer).take(3);
    above.any(|node| matches!(view.k(node), K::Declarator | K::Declaration))
        || is_lone_constant(view, node)
}

/// Whether nothing of its block is run after a statement, so that in Ruby it is the block's value.
fn is_last(view: &View<'_>, statement: u32) -> bool {
    let is_run = |part: u32| {
        let kind = view.k(part);
        let waits = matches!(
            kind,
            K::Catch | K::Else | K::Finally | K::Heredoc | K::Comment
        );
        view.tree.node(part).named && !waits
    };
    // What follows tells it at once, mostly.
    let next = |&part: &u32| view.tree.next_sibling(part);
    let mut after = std::iter::successors(view.tree.next_sibling(statement), next);
    !after.any(is_run)
}

/// Whether a declaration ends a lambda: its value is read to see what happens then
/// (`assertThrows(() -> { int n = a.size(); })`).
fn ends_lambda(view: &View<'_>, statement: u32) -> bool {
    let body = view.parent(statement);
    view.k(view.parent(body)) == K::Lambda && is_last(view, statement)
}

/// The statement that declares a name: declarators and their parents are skipped.
fn statement_of(view: &View<'_>, node: u32) -> u32 {
    let mut above = view.parent(node);
    for _ in 0..8 {
        let outer = view.parent(above);
        let goes_on = match view.k(above) {
            K::Declarator => view.k(outer) != K::Block,
            K::Pointer => true,
            // C# puts the declarators of a declaration into a node of their own.
            K::Other => view.k(outer) == K::Declaration,
            _ => false,
        };
        if !goes_on {
            break;
        }
        above = outer;
    }
    above
}

/// Whether the words before a name of C give it a life of its own: static storage, an
/// attribute, or a clean-up that runs at the end of its block.
fn is_special(head: &str) -> bool {
    let head = head.to_ascii_lowercase();
    let words = [
        "static",
        "extern",
        "volatile",
        "auto",
        "clean",
        "guard",
        "attribute",
        "[[",
        "defer",
    ];
    words.iter().any(|word| head.contains(word))
}

/// Types of C++ without constructors and destructors.
const PLAIN: &[&str] = &[
    "int",
    "char",
    "bool",
    "float",
    "double",
    "long",
    "short",
    "unsigned",
    "signed",
    "wchar_t",
    "size_t",
    "ssize_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
];

/// Whether a name of C++ is declared as a pointer, or with a type that does nothing by itself.
fn is_plain(view: &View<'_>, node: u32, head: &str) -> bool {
    let above = view.parent(node);
    let is_pointer = view.k(above) == K::Pointer && view.text(above).starts_with('*');
    let mut words =
        identifiers(head).filter(|word| !matches!(*word, "const" | "constexpr" | "std"));
    is_pointer || words.next().is_some_and(|word| PLAIN.contains(&word))
}

/// Whether a name is only assigned to: `name = value;`.
fn is_written(view: &View<'_>, node: u32) -> bool {
    let assign = view.parent(node);
    view.k(assign) == K::Assign
        && view.first(assign) == Some(node)
        && view.text(node + 1) == "="
        && view.k(view.parent(assign)) == K::ExprStmt
}

/// Whether a declaration gives its name a value.
fn has_value(view: &View<'_>, node: u32) -> bool {
    let mut above = view.parent(node);
    while view.k(above) == K::Pointer {
        above = view.parent(above);
    }
    let is_set = matches!(view.k(above), K::Declarator | K::Assign);
    is_set && view.text(above).contains('=')
}

/// Whether a name is given what is read next, without being asked which (`reader.ReadInt32()`): it is
/// read to get past it, and the name says what is skipped.
fn steps_on(view: &View<'_>, node: u32, language: &str) -> bool {
    if language == "ruby" {
        return false;
    }
    // Its own declarator only: a statement may hold very many.
    let declarator = view.parent(node);
    let calls = view.kind_within(K::Call, declarator, view.end(declarator));
    calls.iter().any(|&call| {
        let called = view.text(call).strip_suffix("()").unwrap_or_default();
        let name = called.rsplit(['.', '>']).next().unwrap_or_default();
        let is_method = name.len() < called.len();
        let steps = ["read", "Read", "next", "Next", "skip", "Skip"];
        is_method && steps.iter().any(|step| name.starts_with(step))
    })
}

/// Words in or above a declaration that say that it is meant, or tell a linter so.
const DIRECTIVES: &[&str] = &[
    "eslint",
    "biome",
    "@ts-",
    "noinspection",
    "nosonar",
    "nopmd",
    "nolint",
    "rubocop",
    "unused",
    "resharper",
    "#[allow",
    "#[expect",
    "tslint",
    "jshint",
];

/// Whether a comment, an attribute or a directive at a declaration in a row says that it is meant.
pub(crate) fn is_kept(view: &View<'_>, row: u32) -> bool {
    (row.saturating_sub(1)..=row).any(|row| {
        let text = view.tree.row_text(row).to_ascii_lowercase();
        DIRECTIVES.iter().any(|word| text.contains(word))
    })
}

/// Whether documentation shows parts of a file, which are marked as Asciidoctor does (`// tag::name[]`):
/// a local there says what one gets.
fn is_cited(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    lines.any(|line| {
        let said = line.trim_start_matches(['/', '#', '*', ' ']);
        said.len() < line.len() && said.starts_with("tag::") && said.ends_with(']')
    })
}

/// Whether a file tells its compiler or linter to leave unused locals.
fn is_told_to_leave(text: &str, language: &str) -> bool {
    if language == "csharp" {
        // CS0168, CS0219 and IDE0059.
        return text
            .lines()
            .filter(|line| line.trim_start().starts_with("#pragma warning disable"))
            .any(|line| ["168", "219", "IDE0059"].iter().any(|id| line.contains(id)));
    }
    let words: &[&str] = match language {
        "javascript" | "typescript" | "tsx" => &["no-unused-vars", "@ts-nocheck"],
        "java" => &[
            "\"unused\"",
            "SuppressWarnings(\"all\"",
            "UnusedLocal",
            "UnusedVariable",
        ],
        "rust" => &["allow(unused"],
        "ruby" => &["Lint/UselessAssignment"],
        _ => &["-Wunused"],
    };
    words.iter().any(|word| text.contains(word))
}

/// The node up to which a name is looked for: the end of its function, and in a file of C
/// with errors the end of the file, since directives make functions end too soon there.
fn read_until(view: &View<'_>, scope: u32, language: &str) -> u32 {
    if is_c(language) && !view.tree.is_whole() {
        return u32::MAX;
    }
    view.end(scope)
}

/// Nodes outside the language, ascending.
fn errors(view: &View<'_>) -> Vec<u32> {
    if view.tree.is_whole() {
        return Vec::new();
    }
    (0u32..)
        .zip(view.tree.nodes())
        .filter(|(_, node)| node.is_error() || node.is_missing())
        .map(|(index, _)| index)
        .collect()
}

/// Whether an ascending list has something in a range.
fn any_within(ascending: &[u32], range: std::ops::Range<u32>) -> bool {
    let first = ascending.partition_point(|&at| at < range.start);
    ascending.get(first).is_some_and(|&at| at < range.end)
}

/// Where names of candidates are in text that is neither a name to the grammar nor prose of a
/// comment nor a string (but in Rust, whose strings name what they format): bytes, ascending.
fn unseen_words(
    gatherer: &Gatherer<'_>,
    candidates: &[Candidate],
    language: &str,
) -> Map<u32, Vec<u32>> {
    let Gatherer { view, names, .. } = gatherer;
    let mut found: Map<u32, Vec<u32>> = candidates.iter().map(|c| (c.name, Vec::new())).collect();
    let mut from = 0u32;
    for (node, kind) in view.all() {
        let skipped = match kind {
            K::Identifier | K::Member | K::TypeName => true,
            // What code in a comment reads is kept for it.
            K::Comment => !view.text(node).contains(['(', '=', ';']),
            K::String => language != "rust",
            _ => false,
        };
        let at = view.tree.node(node);
        // Names in interpolations come later: they are occurrences already.
        if !skipped || at.start_byte < from {
            continue;
        }
        words(view, from..at.start_byte, &mut |word, byte| {
            if let Some(places) = names.names.known(word).and_then(|n| found.get_mut(&n)) {
                places.push(byte);
            }
        });
        from = at.end_byte;
    }
    let end = view.tree.node(0).end_byte;
    words(view, from..end, &mut |word, byte| {
        if let Some(places) = names.names.known(word).and_then(|n| found.get_mut(&n)) {
            places.push(byte);
        }
    });
    found
}

/// Calls `each` with the words of a range of the text and where they begin.
fn words(view: &View<'_>, bytes: std::ops::Range<u32>, each: &mut dyn FnMut(&str, u32)) {
    let range = bytes.start as usize..bytes.end as usize;
    let text = view.tree.text().get(range).unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut begin = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (begin, is_part(c)) {
            (None, true) => begin = Some(at),
            (Some(start), false) => {
                let offset = u32::try_from(start).unwrap_or(u32::MAX);
                each(&text[start..at], bytes.start.saturating_add(offset));
                begin = None;
            }
            _ => {}
        }
    }
}
