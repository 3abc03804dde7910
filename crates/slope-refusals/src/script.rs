//! JavaScript and TypeScript, by a parser of their own.

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use slope_syntax::SyntaxTree;

use crate::{MAX_PLACES, Refusal, line_of};

/// A file is refused if it is refused in every form that it may have: as a module, as a script, and as a file of
/// declarations. The result is that of the form with the fewest places.
pub(crate) fn refusals(tree: &SyntaxTree, forms: &[SourceType]) -> Vec<Refusal> {
    let text = tree.text();
    let mut least: Option<Vec<Refusal>> = None;
    for form in forms {
        if form.is_typescript_definition() && !may_declare_only(tree) {
            continue;
        }
        let found = in_form(*form, text, tree.embedding().is_some());
        if found.is_empty() {
            return found;
        }
        if least.as_ref().is_none_or(|least| found.len() < least.len()) {
            least = Some(found);
        }
    }
    let is_of_flow = text
        .get(..text.len().min(1000))
        .unwrap_or(text)
        .contains("@flow");
    least.filter(|_| !is_of_flow).unwrap_or_default()
}

/// JavaScript as a module, and as a module of Node.
pub(crate) const PLAIN: &[SourceType] = &[
    SourceType::mjs().with_jsx(true),
    SourceType::cjs().with_jsx(true),
];

/// TypeScript as a module, as a script, and as declarations.
pub(crate) const TYPED: &[SourceType] = &[
    SourceType::ts(),
    SourceType::ts().with_script(true),
    SourceType::d_ts(),
];

/// The same with tags.
pub(crate) const TAGGED: &[SourceType] = &[SourceType::tsx(), SourceType::tsx().with_script(true)];

/// Statements that a file of declarations may have.
const DECLARED: &[&str] = &[
    "ambient_declaration",
    "comment",
    "empty_statement",
    "export_statement",
    "import_alias",
    "import_statement",
    "interface_declaration",
    "type_alias_declaration",
];

/// Whether all statements of a file are allowed in a file of declarations, and no function has a body.
fn may_declare_only(tree: &SyntaxTree) -> bool {
    let kind = |node| tree.language().kind_name(tree.node(node).kind);
    let nodes = 0..tree.node(0).end;
    tree.children(0).all(|node| DECLARED.contains(&kind(node)))
        && nodes.into_iter().all(|node| {
            !tree.node(node).named || kind(node) != "statement_block" || is_of_module(tree, node)
        })
}

/// Whether a block is the body of a namespace.
fn is_of_module(tree: &SyntaxTree, block: u32) -> bool {
    let around = tree.node(tree.node(block).parent).kind;
    matches!(
        tree.language().kind_name(around),
        "internal_module" | "module" | "ambient_declaration"
    )
}

/// Errors that projects live with, because their compilers do not check files of declarations.
const TOLERATED: &[&str] = &["'declare' modifier"];

fn is_tolerated(message: &str) -> bool {
    TOLERATED.iter().any(|words| message.contains(words))
}

/// The refusals of a text in a form. Code in a component has several scripts, whose names are apart, and may be the body
/// of a function.
fn in_form(form: SourceType, text: &str, in_component: bool) -> Vec<Refusal> {
    let allocator = Allocator::default();
    let options = ParseOptions {
        allow_return_outside_function: form.is_commonjs() || in_component,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(&allocator, text, form)
        .with_options(options)
        .parse();
    let mut errors = parsed.diagnostics;
    if errors.is_empty() && !in_component {
        let checked = SemanticBuilder::new()
            .with_check_syntax_error(true)
            .build(&parsed.program);
        errors = checked.diagnostics;
    }
    let errors = errors.iter().filter(|error| !is_tolerated(&error.message));
    let errors = errors.take(MAX_PLACES).map(|error| {
        let place = error.labels.first().map_or(0, |label| label.offset());
        Refusal {
            line: line_of(text, place),
            message: error.message.to_string(),
        }
    });
    errors.collect()
}
