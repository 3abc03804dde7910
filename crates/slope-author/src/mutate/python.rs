//! Mutations in Python.

use slope_syntax::SyntaxTree;

use super::site::{Change, Operator};

/// Comparisons and their replacements: the neighbour that differs at the boundary, and the
/// opposite.
const COMPARISONS: [(&str, &[&str]); 10] = [
    ("<", &["<=", ">="]),
    ("<=", &["<", ">"]),
    (">", &[">=", "<="]),
    (">=", &[">", "<"]),
    ("==", &["!="]),
    ("!=", &["=="]),
    ("is", &["is not"]),
    ("is not", &["is"]),
    ("in", &["not in"]),
    ("not in", &["in"]),
];

/// Arithmetic operators and their opposites.
const ARITHMETIC: [(&str, &str); 10] = [
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("/", "*"),
    ("//", "*"),
    ("%", "*"),
    ("+=", "-="),
    ("-=", "+="),
    ("*=", "+="),
    ("//=", "*="),
];

/// Kinds of statements that can be left out.
const REMOVABLE: [&str; 5] = [
    "expression_statement",
    "raise_statement",
    "break_statement",
    "continue_statement",
    "delete_statement",
];

/// Kinds of nodes that are not changed, because no case can detect it.
const UNSEEN: [&str; 5] = [
    "type",
    "decorator",
    "import_statement",
    "import_from_statement",
    "future_import_statement",
];

/// All changes of a file, in order.
pub(super) fn changes(tree: &SyntaxTree) -> Vec<Change> {
    let mut found = Finder {
        tree,
        changes: Vec::new(),
    };
    let count = u32::try_from(tree.nodes().len()).unwrap_or(u32::MAX);
    let mut index = 0;
    while index < count {
        let node = tree.node(index);
        if node.named && UNSEEN.contains(&tree.kind_name(index)) {
            index = node.end;
            continue;
        }
        if node.named {
            found.of_node(index);
        }
        index += 1;
    }
    found.changes
}

struct Finder<'a> {
    tree: &'a SyntaxTree,
    changes: Vec<Change>,
}

impl Finder<'_> {
    fn of_node(&mut self, index: u32) {
        match self.tree.kind_name(index) {
            "comparison_operator" => self.comparison(index),
            "boolean_operator" => self.connective(index),
            "not_operator" => self.unnegated(index),
            "binary_operator" | "augmented_assignment" => self.arithmetic(index),
            "if_statement" | "elif_clause" | "while_statement" => self.condition(index, 0),
            "conditional_expression" => self.condition(index, 1),
            "integer" => self.number(index),
            "true" => self.replace(index, Operator::Truth, "False".to_owned()),
            "false" => self.replace(index, Operator::Truth, "True".to_owned()),
            "string" => self.string(index),
            "return_statement" => self.returned(index),
            "argument_list" => self.arguments(index),
            kind if REMOVABLE.contains(&kind) => self.statement(index),
            _ => {}
        }
    }

    fn replace(&mut self, index: u32, operator: Operator, replacement: String) {
        let node = self.tree.node(index);
        let range = node.start_byte as usize..node.end_byte as usize;
        self.changes.push(Change {
            range,
            replacement,
            operator,
        });
    }

    /// The children that are operators or keywords.
    fn tokens(&self, index: u32) -> Vec<u32> {
        let children = self.tree.children(index);
        children.filter(|&c| !self.tree.node(c).named).collect()
    }

    fn comparison(&mut self, index: u32) {
        for token in self.tokens(index) {
            let text = self.tree.node_text(token);
            let into = COMPARISONS.iter().find(|(from, _)| *from == text);
            for other in into.map_or(&[][..], |(_, into)| into) {
                self.replace(token, Operator::Comparison, (*other).to_owned());
            }
        }
    }

    fn connective(&mut self, index: u32) {
        for token in self.tokens(index) {
            match self.tree.node_text(token) {
                "and" => self.replace(token, Operator::Connective, "or".to_owned()),
                "or" => self.replace(token, Operator::Connective, "and".to_owned()),
                _ => {}
            }
        }
    }

    fn unnegated(&mut self, index: u32) {
        let Some(argument) = self.tree.parts(index).next() else {
            return;
        };
        let text = format!("({})", self.tree.node_text(argument));
        self.replace(index, Operator::Condition, text);
    }

    fn arithmetic(&mut self, index: u32) {
        for token in self.tokens(index) {
            let text = self.tree.node_text(token);
            if let Some((_, into)) = ARITHMETIC.iter().find(|(from, _)| *from == text) {
                self.replace(token, Operator::Arithmetic, (*into).to_owned());
            }
        }
    }

    /// Negates the part with this number, which is the condition.
    fn condition(&mut self, index: u32, part: usize) {
        let Some(condition) = self.tree.parts(index).nth(part) else {
            return;
        };
        // An existing negation is mutated at its own position.
        if self.tree.kind_name(condition) != "not_operator" {
            let text = format!("not ({})", self.tree.node_text(condition));
            self.replace(condition, Operator::Condition, text);
        }
    }

    fn number(&mut self, index: u32) {
        let Ok(number) = self.tree.node_text(index).parse::<u64>() else {
            return;
        };
        self.replace(
            index,
            Operator::Number,
            (number.saturating_add(1)).to_string(),
        );
        if let Some(less) = number.checked_sub(1) {
            self.replace(index, Operator::Number, less.to_string());
        }
    }

    fn string(&mut self, index: u32) {
        let parent = self.tree.node(index).parent;
        if self.tree.kind_name(parent) == "expression_statement" {
            return;
        }
        let contents = |c: &u32| self.tree.kind_name(*c) == "string_content";
        let last = self.tree.children(index).filter(contents).last();
        match last {
            Some(content) => {
                let text = format!("{}x", self.tree.node_text(content));
                self.replace(content, Operator::Text, text);
            }
            None => self.empty_string(index),
        }
    }

    /// Changes an empty text to one letter, unless it only joins values.
    fn empty_string(&mut self, index: u32) {
        let children: Vec<_> = self.tree.children(index).collect();
        if let [start, end] = children[..] {
            let opened = self.tree.node_text(start).to_owned();
            let text = format!("{opened}x{}", self.tree.node_text(end));
            self.replace(index, Operator::Text, text);
        }
    }

    fn returned(&mut self, index: u32) {
        let Some(value) = self.tree.parts(index).next() else {
            return;
        };
        if self.tree.kind_name(value) != "none" {
            self.replace(index, Operator::Return, "return None".to_owned());
        }
    }

    fn arguments(&mut self, index: u32) {
        let positional = |c: &u32| {
            !matches!(
                self.tree.kind_name(*c),
                "keyword_argument" | "list_splat" | "dictionary_splat"
            )
        };
        let all: Vec<u32> = self.tree.parts(index).filter(positional).collect();
        let [first, second, ..] = all[..] else { return };
        let (one, two) = (self.tree.node_text(first), self.tree.node_text(second));
        if one == two {
            return;
        }
        let (from, to) = (self.tree.node(first), self.tree.node(second));
        let between = self
            .tree
            .text()
            .get(from.end_byte as usize..to.start_byte as usize);
        let replacement = [two, between.unwrap_or(", "), one].concat();
        self.changes.push(Change {
            range: from.start_byte as usize..to.end_byte as usize,
            replacement,
            operator: Operator::Arguments,
        });
    }

    /// Statements of functions; docstrings of modules and classes stay.
    fn statement(&mut self, index: u32) {
        let is_text = |c: u32| self.tree.kind_name(c) == "string";
        let only_text = self.tree.parts(index).next().is_some_and(is_text);
        if only_text || !self.in_function(index) {
            return;
        }
        self.replace(index, Operator::Statement, "pass".to_owned());
    }

    fn in_function(&self, index: u32) -> bool {
        let mut at = index;
        loop {
            let parent = self.tree.node(at).parent;
            if parent == at {
                return false;
            }
            match self.tree.kind_name(parent) {
                "function_definition" => return true,
                "class_definition" => return false,
                _ => at = parent,
            }
        }
    }
}
