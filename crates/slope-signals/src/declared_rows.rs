//! Tables that are declared: enumerations, the fields of structures and interfaces, unions of literals, and constants
//! that share the beginning of their names.

use std::collections::BTreeMap;

use crate::facts::ValueSet;
use crate::value_rows::Reading;
use crate::words::is_constant_name;
use slope_syntax::view::View;

/// Minimum number of rows of a declaration that is compared.
const MIN_ROWS: usize = 8;

/// The same where each row has a text: fewer show a table.
const MIN_ROWS_OF_TEXTS: usize = 6;

/// Maximum number of constants in one row.
const MAX_VALUES: usize = 3;

/// Maximum bytes of a parsed row.
const MAX_ROW: usize = 160;

/// A row: its name, and the rest of its text.
struct Row {
    name: String,
    rest: String,
}

/// Kind of declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// Names, few of them with a value.
    Names,
    /// Names with a type or a value.
    Fields,
}

/// Reads the declared tables of a file.
pub(crate) fn note(view: &View<'_>, sets: &mut Vec<ValueSet>) {
    // Most kinds declare nothing; names are compared once for each.
    let mut known: Vec<Option<Declares>> = vec![None; view.tree.language().kind_count().into()];
    for (node, &kind) in (0..).zip(view.tree.kinds()) {
        let Some(declares) = known.get_mut(usize::from(kind)) else {
            continue;
        };
        let declares =
            *declares.get_or_insert_with(|| Declares::of(view.tree.language().kind_name(kind)));
        let above = || view.tree.kind_name(view.parent(node));
        let read = match declares {
            Declares::Nothing => None,
            Declares::Constants => {
                of_constants(view, node, sets);
                None
            }
            Declares::Members => Some((members(view, node), Sort::Names)),
            Declares::Fields => Some((fields(view, node), Sort::Fields)),
            Declares::Parameters => above()
                .starts_with("record")
                .then(|| (parameters(view, node), Sort::Fields)),
            Declares::Words => Some((words(view, node), Sort::Names)),
            Declares::Literals => {
                (above() != "union_type").then(|| (literals(view, node), Sort::Names))
            }
            Declares::Arguments => view
                .text(view.parent(node))
                .starts_with("dict(")
                .then(|| (members(view, node), Sort::Fields)),
            Declares::Entries => Some((entries(view, node), Sort::Fields)),
        };
        sets.extend(read.and_then(|(rows, sort)| set_of(view, (node, node), &rows, sort)));
    }
}

/// What the children of a node declare.
#[derive(Clone, Copy)]
enum Declares {
    Nothing,
    Members,
    Fields,
    Parameters,
    Words,
    Literals,
    Arguments,
    Entries,
    Constants,
}

impl Declares {
    /// That of a kind of node.
    fn of(kind: &str) -> Self {
        match kind {
            "enum_variant_list" | "enumerator_list" | "enum_member_declaration_list" => {
                Self::Members
            }
            "field_declaration_list" | "interface_body" | "object_type" => Self::Fields,
            "parameter_list" | "formal_parameters" => Self::Parameters,
            "string_array" | "symbol_array" => Self::Words,
            "union_type" => Self::Literals,
            "argument_list" => Self::Arguments,
            "static_initializer" => Self::Entries,
            "module" | "program" | "source_file" | "translation_unit" | "block" | "class_body"
            | "declaration_list" | "body_statement" | "const_declaration" | "var_declaration"
            | "var_spec_list" => Self::Constants,
            _ => Self::Nothing,
        }
    }
}

fn set_of(view: &View<'_>, nodes: (u32, u32), rows: &[Row], sort: Sort) -> Option<ValueSet> {
    let (first, last) = (view.tree.node(nodes.0), view.tree.node(nodes.1));
    let head = view
        .text(view.parent(nodes.0))
        .lines()
        .next()
        .unwrap_or_default();
    // Constructor calls contain fields.
    let is_text = |row: &Row| row.rest.starts_with(['"', '\'', '`']);
    let least = if rows.iter().all(is_text) {
        MIN_ROWS_OF_TEXTS
    } else {
        MIN_ROWS
    };
    if rows.len() < least || head.contains("Builder") {
        return None;
    }
    let prefix = common_prefix(rows);
    let has_values = rows.iter().filter(|row| !row.rest.is_empty()).count() * 2 > rows.len();
    let is_list = sort == Sort::Names && !has_values;
    let mut reading = Reading::default();
    for row in rows {
        let name = &row.name[prefix..];
        if is_list {
            reading.take_name(name);
        } else {
            reading.take_declared(name, &values(&row.rest));
        }
    }
    let place = view.place_between(first.start_byte, last.end_byte);
    Some(ValueSet::declared(&reading, is_list, place)).filter(|set| set.len() >= least)
}

/// The constants of a value such as `400, "Bad Request"`; any other text is one value.
fn values(rest: &str) -> Vec<&str> {
    let inner = rest
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let inner = inner.unwrap_or(rest);
    let values: Vec<&str> = inner.split(", ").take(MAX_VALUES + 1).collect();
    if inner.contains(['(', '{', '[']) || values.len() > MAX_VALUES {
        vec![rest]
    } else {
        values
    }
}

/// Length in bytes of the common prefix of all names, up to the end of a word.
fn common_prefix(rows: &[Row]) -> usize {
    let Some(first) = rows.first().map(|row| row.name.as_str()) else {
        return 0;
    };
    let shared = |name: &str| {
        let same = first.bytes().zip(name.bytes()).take_while(|(a, b)| a == b);
        same.count()
    };
    let mut end = rows.iter().map(|row| shared(&row.name)).min().unwrap_or(0);
    let is_capital = |name: &str| {
        let mut letters = name.chars();
        letters.next().is_some_and(char::is_uppercase)
            && !letters.next().is_some_and(char::is_uppercase)
    };
    let begins_word = |at: usize| {
        at == 0 || first[..at].ends_with('_') || rows.iter().all(|row| is_capital(&row.name[at..]))
    };
    while end > 0 && !(first.is_char_boundary(end) && begins_word(end)) {
        end -= 1;
    }
    end
}

/// The text of a node on one line, without its terminator.
fn shown(view: &View<'_>, node: u32) -> Option<String> {
    let text = view.text(node);
    // Most blocks have rows that are whole classes; the rest of those need not be read.
    let core = text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
    let mut length = 0;
    for word in core.split_whitespace() {
        length += word.len() + 1;
        if length > MAX_ROW + 1 {
            return None;
        }
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let text = text.trim_end_matches([',', ';']);
    (text.len() <= MAX_ROW).then(|| text.to_owned())
}

/// The members of an enumeration, or the named arguments of a call.
fn members(view: &View<'_>, node: u32) -> Vec<Row> {
    let rows = view.parts(node).filter_map(|part| {
        let text = shown(view, part)?;
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        (!name.is_empty()).then(|| Row {
            name: name.to_owned(),
            rest: rest.trim_start_matches([' ', '=']).to_owned(),
        })
    });
    rows.collect()
}

/// The fields of a structure. Which of its words is the name depends on the language.
fn fields(view: &View<'_>, node: u32) -> Vec<Row> {
    let rows = view.parts(node).filter_map(|part| {
        let kind = view.tree.kind_name(part);
        let is_field = kind.contains("field") || kind.contains("property");
        let text = shown(view, part).filter(|_| is_field)?;
        let text = text
            .trim_start_matches("pub ")
            .trim_start_matches("readonly ");
        Some(Row {
            name: text.to_owned(),
            rest: String::new(),
        })
    });
    rows.collect()
}

/// The parameters of a record, which are its fields.
fn parameters(view: &View<'_>, node: u32) -> Vec<Row> {
    let rows = view.parts(node).filter_map(|part| {
        Some(Row {
            name: shown(view, part)?,
            rest: String::new(),
        })
    });
    rows.collect()
}

/// The words of `%w[a b]`.
fn words(view: &View<'_>, node: u32) -> Vec<Row> {
    let rows = view.parts(node).map(|part| Row {
        name: view.text(part).to_owned(),
        rest: String::new(),
    });
    rows.collect()
}

/// The texts and numbers that a union of types is made of.
fn literals(view: &View<'_>, node: u32) -> Vec<Row> {
    let below = (node..view.end(node)).filter(|&n| view.tree.kind_name(n) == "literal_type");
    let rows = below.map(|part| Row {
        name: view.text(part).trim_matches(['"', '\'', '`']).to_owned(),
        rest: String::new(),
    });
    rows.collect()
}

/// The entries that a static block of Java adds to a map.
fn entries(view: &View<'_>, node: u32) -> Vec<Row> {
    let block = view.parts(node).last();
    let statements = block.into_iter().flat_map(|block| view.parts(block));
    let rows = statements.filter_map(|statement| {
        let text = shown(view, statement)?;
        let (_, arguments) = text.trim_end_matches(')').split_once('(')?;
        let (name, rest) = arguments.split_once(", ").unwrap_or((arguments, ""));
        name.starts_with('"').then(|| Row {
            name: name.trim_matches('"').to_owned(),
            rest: rest.to_owned(),
        })
    });
    rows.collect()
}

/// Reads consecutive constants whose names share a prefix.
fn of_constants(view: &View<'_>, node: u32, sets: &mut Vec<ValueSet>) {
    if view.function(node).is_some() {
        return;
    }
    for rows in constants_by_prefix(view, node).into_values() {
        let (Some(&(first, _)), Some(&(last, _))) = (rows.first(), rows.last()) else {
            continue;
        };
        let rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
        sets.extend(set_of(view, (first, last), &rows, Sort::Names));
    }
}

/// Whether a block is that of a class of Python that enumerates.
fn is_enum(view: &View<'_>, block: u32) -> bool {
    let class = view.parent(block);
    let head = view.text(class).lines().next().unwrap_or_default();
    view.tree.kind_name(class).starts_with("class") && head.contains("Enum")
}

/// The constants of a block with their nodes, by the first word of their names where that groups them.
fn constants_by_prefix(view: &View<'_>, node: u32) -> BTreeMap<String, Vec<(u32, Row)>> {
    let is_enum = is_enum(view, node);
    let is_group = is_enum || GROUPS.contains(&view.tree.kind_name(node));
    let parts = view.parts(node);
    let rows: Vec<(u32, Row)> = parts
        .filter_map(|part| Some((part, constant(view, part, is_enum)?)))
        .collect();
    let mut words: BTreeMap<String, usize> = BTreeMap::new();
    for (_, row) in rows.iter().filter(|_| is_group && !is_enum) {
        *words.entry(first_word(&row.name).to_owned()).or_default() += 1;
    }
    let mut by_prefix: BTreeMap<String, Vec<(u32, Row)>> = BTreeMap::new();
    for (part, row) in rows {
        let word = first_word(&row.name);
        // Constants of C# need no prefix: the class around them serves as one.
        let prefix = if words
            .get(word)
            .is_some_and(|&rows| rows >= MIN_ROWS_OF_TEXTS)
        {
            Some(word)
        } else if is_group || !is_constant_name(&row.name) {
            Some("")
        } else {
            row.name.split_once('_').map(|(prefix, _)| prefix)
        };
        if let Some(prefix) = prefix.map(str::to_owned) {
            by_prefix.entry(prefix).or_default().push((part, row));
        }
    }
    by_prefix
}

/// Declarations of Go that are a group.
const GROUPS: &[&str] = &["const_declaration", "var_declaration", "var_spec_list"];

/// The first word of a name: `Method` of `MethodGet`, `hdr` of `hdrAccept`.
fn first_word(name: &str) -> &str {
    let mut ends = name.char_indices().skip(1);
    let end = ends.find(|(_, letter)| letter.is_uppercase() || *letter == '_');
    end.map_or(name, |(end, _)| &name[..end])
}

/// The only argument of a call, if it is a text: `http.CanonicalHeaderKey("Accept")`.
fn given_text(value: &str) -> Option<&str> {
    let (callee, text) = value.strip_suffix(')')?.split_once('(')?;
    let is_path = callee
        .chars()
        .all(|c| c.is_alphanumeric() || c == '.' || c == '_');
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    (is_path && !inner.contains('"')).then_some(text)
}

/// Reads a constant: `const A_X = 1`, `A_X = 1`, `#define A_X 1`.
fn constant(view: &View<'_>, node: u32, is_enum: bool) -> Option<Row> {
    let text = shown(view, node)?;
    if let Some(defined) = text.strip_prefix("#define ") {
        let (name, rest) = defined.split_once(' ')?;
        return is_constant_name(name).then(|| Row {
            name: name.to_owned(),
            rest: rest.to_owned(),
        });
    }
    let kind = view.tree.kind_name(node);
    let is_go = matches!(kind, "const_spec" | "var_spec");
    let (left, rest) = match text.split_once('=') {
        Some((left, rest)) if !rest.starts_with('=') => (left.trim(), rest.trim()),
        None if kind == "const_spec" => (text.as_str(), ""),
        _ => return None,
    };
    let rest = given_text(rest).unwrap_or(rest);
    let is_const = left.contains("const ") && view.conventions.naming.has_const_members;
    let left = left.split(':').next().unwrap_or(left).trim();
    let mut words = left.split(' ');
    let name = if is_go {
        words.next()
    } else {
        words.next_back()
    }?;
    let is_value = !rest.contains(['(', '{']);
    let is_member = is_go || is_enum || is_const || is_constant_name(name);
    (is_member && is_value).then(|| Row {
        name: name.to_owned(),
        // A counter such as `iota` is independent of the name.
        rest: if rest.contains("iota") {
            String::new()
        } else {
            rest.to_owned()
        },
    })
}
