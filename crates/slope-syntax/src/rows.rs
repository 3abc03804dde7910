//! Decisions that are rows of a table, which a reader grasps at a glance.
//!
//! A row of a `switch` or `match` leads to one simple value, assignment or call. Of the conditions that are joined
//! by `&&` or `||`, those that ask the same of several values or of several members are rows. A default
//! (`a ?? 1`) is a row of what takes it.

use slope_model::measurement::TableRows;

use crate::language::Roles;
use crate::tree::SyntaxTree;

/// Maximum names and literals in a value without a call.
const MAX_LEAVES: usize = 10;
/// Maximum names and literals in a call.
const MAX_CALL_LEAVES: usize = 14;
/// Maximum calls in a row that differs from all others.
const MAX_CALLS: usize = 4;
/// Maximum names and literals in a row with the shape of its neighbour.
const MAX_ALIKE_LEAVES: usize = 40;
/// Maximum values that a row may set.
const MAX_VALUES: usize = 4;
/// Maximum tokens and comments between two arms.
const MAX_BETWEEN: usize = 8;
/// Maximum operands of a default: `a.b ?? a.c ?? 1`.
const MAX_OPERANDS: usize = 3;

/// A decision of more than one branch or loop.
const BRANCHES: Roles = Roles::STRUCTURE
    .and(Roles::DECISION)
    .and(Roles::NESTING)
    .and(Roles::ARM)
    .and(Roles::CLASS)
    .and(Roles::CALLABLE)
    .and(Roles::LAMBDA);

/// Kinds of operands of an expression that is joined by `&&` and `||`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joined {
    /// Separate conditions.
    Conditions,
    /// One question about several values or members.
    Rows,
    /// A value with its default.
    Default,
}

impl Joined {
    /// Books decisions and what they add to cognitive complexity as rows of tables, if they are.
    pub(crate) fn add_to(self, tables: &mut TableRows, decisions: u32, cognitive: u32) {
        match self {
            Self::Conditions => {}
            Self::Rows => tables.rows += decisions,
            Self::Default => {
                tables.defaults += decisions;
                tables.cognitive += cognitive;
            }
        }
    }
}

/// Kind of a node that decides, except an operator that joins.
pub(crate) fn of_decision(tree: &SyntaxTree, index: u32, roles: Roles) -> Joined {
    let is_row = roles.any(Roles::ARM) && is_row(tree, index);
    if is_row || tree.kind_name(index) == "assert_statement" {
        return Joined::Rows;
    }
    let is_default = if roles.any(Roles::TERNARY) {
        is_default_choice(tree, index)
    } else {
        is_default_word(tree, index)
    };
    if is_default {
        Joined::Default
    } else {
        Joined::Conditions
    }
}

/// Whether an arm is a row of a table.
pub(crate) fn is_row(tree: &SyntaxTree, arm: u32) -> bool {
    let arm = whole(tree, arm);
    let items = items(tree, arm);
    match items.as_slice() {
        [] => true,
        [item] => is_simple(tree, *item) || is_like_neighbour(tree, arm, *item),
        several => several.len() <= MAX_VALUES && several.iter().all(|&i| sets_value(tree, i)),
    }
}

/// The arm with its body. In Java, the label of a case is a separate node.
fn whole(tree: &SyntaxTree, arm: u32) -> u32 {
    match tree.kind_name(arm) {
        "switch_label" => tree.parent(arm).unwrap_or(arm),
        _ => arm,
    }
}

/// The statements or the value of an arm; jumps that end it are left out.
fn items(tree: &SyntaxTree, arm: u32) -> Vec<u32> {
    let mut open: Vec<u32> = body(tree, arm);
    open.reverse();
    let mut items = Vec::new();
    while let Some(item) = open.pop()
        && items.len() <= MAX_VALUES
    {
        let is_list = tree.roles(item).any(Roles::BLOCK) || is_list(tree.kind_name(item));
        if is_list && !tree.roles(item).any(BRANCHES) {
            let mut inner: Vec<u32> = tree.parts(item).collect();
            inner.reverse();
            open.extend(inner);
        } else if !ends(tree, item) {
            items.push(item);
        }
    }
    items
}

fn is_list(kind: &str) -> bool {
    matches!(
        kind,
        "do" | "then" | "statement_list" | "match" | "declaration_list" | "block"
    )
}

/// The parts of an arm behind its pattern.
fn body(tree: &SyntaxTree, arm: u32) -> Vec<u32> {
    let is_mark = |&child: &u32| {
        let marks = [":", "=>", "->", "=", "then"];
        !tree.node(child).named && marks.contains(&tree.kind_name(child))
    };
    let is_body = |child: &u32| tree.kind_name(*child) != "switch_label";
    let parts = || tree.parts(arm).filter(is_body);
    if let Some(then) = tree
        .children(arm)
        .find(|&c| matches!(tree.kind_name(c), "then" | "match"))
    {
        return vec![then];
    }
    match tree.children(arm).find(is_mark) {
        Some(mark) => parts().filter(|&part| part > mark).collect(),
        None => parts().last().into_iter().collect(),
    }
}

/// Whether a statement only leaves: `break`, `return`, `return nil`.
fn ends(tree: &SyntaxTree, item: u32) -> bool {
    if tree.roles(item).any(Roles::JUMP) {
        return true;
    }
    let kind = tree.kind_name(item);
    if matches!(
        kind,
        "pass_statement" | "empty_statement" | "fallthrough_statement"
    ) {
        return true;
    }
    if tree.node(item).end == item + 1 {
        return tree.node_text(item) == ";";
    }
    if tree.parts(item).count() == 1
        && kind.contains("expression_statement")
        && let Some(inner) = tree.parts(item).next()
    {
        return tree.roles(inner).any(Roles::JUMP) || leaves(tree, inner);
    }
    leaves(tree, item)
}

fn leaves(tree: &SyntaxTree, item: u32) -> bool {
    if !tree.roles(item).any(Roles::RETURN) {
        return false;
    }
    let value = tree.node_text(item).trim_start_matches("return");
    let value = value.trim_matches([' ', ';']);
    matches!(value, "" | "nil" | "null" | "None" | "undefined" | "Ok(())")
}

/// Counts of a stretch of code.
#[derive(Default)]
struct Contents {
    leaves: usize,
    calls: usize,
    operators: usize,
    branches: usize,
    statements: usize,
}

impl Contents {
    fn of(tree: &SyntaxTree, top: u32) -> Self {
        let mut contents = Self::default();
        let mut index = top;
        // A row never has more leaves.
        while index < tree.node(top).end && contents.leaves <= MAX_ALIKE_LEAVES {
            let roles = tree.roles(index);
            let node = tree.node(index);
            if roles.any(Roles::COMMENT) {
                index = node.end;
                continue;
            }
            contents.branches += usize::from(roles.any(BRANCHES) || tree.joins(index));
            contents.statements += usize::from(roles.any(Roles::STATEMENT));
            contents.calls += usize::from(is_call(tree, index));
            let kind = tree.kind_name(index);
            contents.operators += usize::from(
                node.named
                    && (roles.any(Roles::LOGICAL)
                        || matches!(kind, "binary_operator" | "comparison_operator")),
            );
            let is_leaf = node.end == index + 1;
            contents.leaves += usize::from(is_leaf && node.named || is_text(tree, index));
            index += 1;
        }
        contents
    }
}

fn is_text(tree: &SyntaxTree, index: u32) -> bool {
    tree.roles(index).any(Roles::STRING)
}

/// Whether a node is a call. If it is applied to several arguments one by one, only the whole
/// counts.
fn is_call(tree: &SyntaxTree, index: u32) -> bool {
    let node = tree.node(index);
    let parent = node.parent;
    let is_applied = tree.node(parent).kind == node.kind && index == parent + 1;
    tree.roles(index).any(Roles::CALL) && !is_applied
}

/// Whether a statement or value is simple on its own.
fn is_simple(tree: &SyntaxTree, item: u32) -> bool {
    let contents = Contents::of(tree, item);
    let is_plain = match contents.calls {
        0 => contents.leaves <= MAX_LEAVES,
        calls => {
            calls <= MAX_CALLS && contents.operators == 0 && contents.leaves <= MAX_CALL_LEAVES
        }
    };
    is_plain && contents.branches == 0 && contents.statements <= 2
}

/// Whether the arm before or behind does the same with other names.
fn is_like_neighbour(tree: &SyntaxTree, arm: u32, item: u32) -> bool {
    let contents = Contents::of(tree, item);
    if contents.branches > 0 || contents.statements > 2 || contents.leaves > MAX_ALIKE_LEAVES {
        return false;
    }
    let shape = shape(tree, item);
    let is_alike = |other: u32| {
        tree.node(other).kind == tree.node(arm).kind
            && matches!(items(tree, other).as_slice(), [one] if self::shape(tree, *one) == shape)
    };
    // Between arms there may be a comma.
    let before = |&other: &u32| tree.previous_sibling(other);
    let behind = |&other: &u32| tree.next_sibling(other);
    let of_kind = |&other: &u32| tree.node(other).kind == tree.node(arm).kind;
    let near_before = std::iter::successors(before(&arm), before).take(MAX_BETWEEN);
    let near_behind = std::iter::successors(behind(&arm), behind).take(MAX_BETWEEN);
    near_before.into_iter().find(of_kind).is_some_and(is_alike)
        || near_behind.into_iter().find(of_kind).is_some_and(is_alike)
}

/// The kinds of all nodes, in order.
fn shape(tree: &SyntaxTree, top: u32) -> Vec<u16> {
    (top..tree.node(top).end)
        .map(|index| tree.node(index).kind)
        .collect()
}

/// Whether a statement gives a plain value to something: `a = 1`.
fn sets_value(tree: &SyntaxTree, item: u32) -> bool {
    let contents = Contents::of(tree, item);
    let mut inside = item..tree.node(item).end;
    let is_given = |index: u32| {
        let sets = tree.is_token(index, "=") || tree.is_token(index, ":=");
        let parent = tree.roles(tree.node(index).parent);
        sets && parent.any(Roles::ASSIGNMENT.and(Roles::DECLARATION))
    };
    contents.calls == 0
        && contents.operators == 0
        && contents.branches == 0
        && contents.leaves <= MAX_LEAVES
        && inside.any(is_given)
}

/// Kind of the operands of an expression; `top` is the outermost part of it that is joined.
pub(crate) fn joined(tree: &SyntaxTree, top: u32) -> Joined {
    let (operands, operators) = operands(tree, top);
    if is_asserted(tree, top) {
        return Joined::Default;
    }
    if operands.len() <= MAX_OPERANDS
        && operators.iter().all(|o| matches!(*o, "??" | "||" | "or"))
        && is_default(tree, top, &operands, operators.contains(&"??"))
    {
        return Joined::Default;
    }
    if is_one_question(tree, &operands) || compares_members(tree, &operands) {
        return Joined::Rows;
    }
    Joined::Conditions
}

/// Whether an expression is all that an assertion says.
fn is_asserted(tree: &SyntaxTree, top: u32) -> bool {
    tree.kind_name(tree.node(outer(tree, top)).parent) == "assert_statement"
}

/// The node with the parentheses around it.
fn outer(tree: &SyntaxTree, index: u32) -> u32 {
    let mut here = index;
    while let Some(parent) = tree.parent(here)
        && tree.roles(parent).any(Roles::PARENTHESES)
    {
        here = parent;
    }
    here
}

/// The operands of an expression and the operators between them.
fn operands(tree: &SyntaxTree, top: u32) -> (Vec<u32>, Vec<&str>) {
    let (mut operands, mut operators) = (Vec::new(), Vec::new());
    let mut open = vec![top];
    while let Some(index) = open.pop() {
        let roles = tree.roles(index);
        let mut joints = tree.children(index).filter(|&child| tree.joins(child));
        let joint = joints.next();
        let is_part = joint.is_some() || roles.any(Roles::PARENTHESES);
        if is_part && tree.parts(index).next().is_some() {
            operators.extend(joint.map(|joint| tree.node_text(joint)));
            let mut parts: Vec<u32> = tree.parts(index).filter(|&p| Some(p) != joint).collect();
            parts.reverse();
            open.extend(parts);
        } else {
            operands.push(index);
        }
    }
    (operands, operators)
}

/// Whether an expression is a value with a default.
fn is_default(tree: &SyntaxTree, top: u32, operands: &[u32], is_sure: bool) -> bool {
    let Some((&last, before)) = operands.split_last() else {
        return false;
    };
    let is_value = |&index: &u32| {
        let contents = Contents::of(tree, index);
        contents.operators + contents.branches == 0
            && contents.calls <= 1
            && contents.leaves <= MAX_LEAVES
    };
    is_taken(tree, top)
        && before.iter().all(is_value)
        && is_value(&last)
        && (is_sure || is_constant(tree, last) || is_named_default(tree, last))
}

fn is_named_default(tree: &SyntaxTree, index: u32) -> bool {
    let text = tree.node_text(index);
    let name = text.rsplit(['.', ':', '>']).next().unwrap_or(text);
    let lower = text.to_ascii_lowercase();
    name.starts_with(char::is_uppercase) || lower.contains("default") || lower.contains("fallback")
}

/// Whether a node is a literal, or a collection of literals.
fn is_constant(tree: &SyntaxTree, top: u32) -> bool {
    (top..tree.node(top).end).all(|index| {
        let node = tree.node(index);
        let is_leaf = node.end == index + 1;
        !tree
            .roles(index)
            .any(Roles::IDENTIFIER.and(Roles::CALL).and(Roles::MEMBER))
            && (!is_leaf || !node.named || is_literal(tree, index) || is_in_text(tree, index))
    })
}

fn is_literal(tree: &SyntaxTree, index: u32) -> bool {
    tree.info(index).literal.is_some()
        || matches!(
            tree.node_text(index),
            "nil" | "null" | "None" | "undefined" | "true" | "false"
        )
        || tree.node(index).end == index + 1
            && tree.node_text(index).starts_with(['[', '{', '(', ':'])
}

fn is_in_text(tree: &SyntaxTree, index: u32) -> bool {
    tree.roles(tree.node(index).parent).any(Roles::STRING)
}

/// Whether a value is given to something: a variable, a member, a parameter, an entry.
fn is_taken(tree: &SyntaxTree, top: u32) -> bool {
    let parent = tree.node(outer(tree, top)).parent;
    let roles = tree.roles(parent);
    let kind = tree.kind_name(parent);
    let takers = [
        "pair",
        "declarator",
        "argument",
        "initializer",
        "element",
        "array",
        "list",
        "dictionary",
        "property",
        "assignment",
        "field",
        "variable_declaration",
        "equals_value_clause",
        "return_statement",
    ];
    let takes = Roles::ASSIGNMENT
        .and(Roles::DECLARATION)
        .and(Roles::ARGUMENTS);
    let is_condition = roles.any(Roles::STRUCTURE) || kind.contains("binary");
    !is_condition && (roles.any(takes) || takers.iter().any(|taker| kind.contains(taker)))
}

/// Whether an operator gives a default for a missing value: `a orelse 1`, `a ??= 1`.
fn is_default_word(tree: &SyntaxTree, index: u32) -> bool {
    let node = tree.node(index);
    if node.named {
        return false;
    }
    let parent = node.parent;
    match tree.kind_name(index) {
        "orelse" => {
            let parts: Vec<u32> = tree.parts(parent).collect();
            is_default(tree, parent, &parts, true)
        }
        "??=" | "||=" => tree.parts(parent).all(|part| {
            let contents = Contents::of(tree, part);
            contents.operators + contents.branches == 0 && contents.calls <= 1
        }),
        _ => false,
    }
}

/// Whether a conditional expression returns a value if it exists, and another one if not: `a.b !=
/// null ? a.b : 1`.
fn is_default_choice(tree: &SyntaxTree, choice: u32) -> bool {
    let parts: Vec<u32> = tree.parts(choice).collect();
    let &[a, b, c] = parts.as_slice() else {
        return false;
    };
    let (condition, values) = match tree.language().condition_at() {
        1 => (b, [a, c]),
        _ => (a, [b, c]),
    };
    let condition_text = tree.node_text(condition);
    let is_in_condition = |value: u32| condition_text.contains(tree.node_text(value));
    let is_plain = |index: u32| {
        let contents = Contents::of(tree, index);
        contents.branches == 0 && contents.leaves <= MAX_LEAVES && contents.calls <= 1
    };
    is_taken(tree, choice)
        && is_plain(condition)
        && values.iter().all(|&value| is_plain(value))
        && (is_in_condition(values[0]) && is_constant(tree, values[1])
            || is_in_condition(values[1]) && is_constant(tree, values[0]))
}

/// Whether three of four operands are equal except for literals and names of constants: `c == 'a'
/// || c == 'b'`.
fn is_one_question(tree: &SyntaxTree, operands: &[u32]) -> bool {
    let mut questions: Vec<String> = operands.iter().map(|&o| question(tree, o)).collect();
    questions.sort_unstable();
    let most = questions
        .chunk_by(|a, b| a == b)
        .map(<[String]>::len)
        .max()
        .unwrap_or(0);
    operands.len() > 2 && most * 4 >= operands.len() * 3
}

/// An operand without literals and names of constants. One without any cannot test a value.
fn question(tree: &SyntaxTree, operand: u32) -> String {
    let (mut text, mut index, mut masked) = (String::new(), operand, false);
    while index < tree.node(operand).end {
        let node = tree.node(index);
        let is_leaf = node.end == index + 1;
        let shown = tree.node_text(index);
        let is_name = is_leaf && shown.starts_with(char::is_uppercase);
        if is_name || tree.info(index).literal.is_some() {
            masked = true;
            text.push('_');
            index = node.end;
            continue;
        }
        // A constant means its last name, wherever it is.
        let is_path = is_leaf && matches!(shown, "." | "::");
        if is_leaf && !is_path {
            text.push_str(shown);
            text.push(' ');
        }
        index += 1;
    }
    if masked { text } else { format!("{operand}") }
}

/// Whether three of four operands compare a member of two things: `a.x == b.x && a.y == b.y`.
fn compares_members(tree: &SyntaxTree, operands: &[u32]) -> bool {
    let compares = |&&operand: &&u32| {
        let text = tree.node_text(operand);
        let asks = ["==", "!=", "/=", " is "]
            .iter()
            .any(|sign| text.contains(sign))
            || text.to_ascii_lowercase().contains("equal");
        let leaves = operand..tree.node(operand).end;
        let names = leaves.filter(|&index| {
            let node = tree.node(index);
            node.end == index + 1 && node.named
        });
        let mut names: Vec<&str> = names.map(|index| tree.node_text(index)).collect();
        names.sort_unstable();
        asks && names.windows(2).any(|pair| pair[0] == pair[1])
    };
    operands.len() > 2 && operands.iter().filter(compares).count() * 4 >= operands.len() * 3
}
