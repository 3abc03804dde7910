//! Files that import one another in a circle can only be read together, so circles stay small.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, File, ItemMod, ItemUse, UseTree, Visibility};

/// Maximum number of files in a circle.
const MAX_CIRCLE: usize = 8;

/// Crates with a larger circle, and why.
const EXCEPTIONS: &[(&str, &str)] = &[(
    "slope-syntax",
    "languages use the types of the table that lists them",
)];

/// A module path within its crate; empty for the root.
type Module = Vec<String>;

/// A path in code, and whether it is a public import.
struct Reference {
    path: Vec<String>,
    is_export: bool,
}

#[derive(Default)]
struct References {
    found: Vec<Reference>,
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Ident>()
                .is_ok_and(|name| name == "test")
    })
}

impl References {
    fn add_tree(&mut self, prefix: &[String], tree: &UseTree, is_export: bool) {
        let with = |name: String| [prefix, &[name]].concat();
        match tree {
            UseTree::Path(path) => {
                self.add_tree(&with(path.ident.to_string()), &path.tree, is_export);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_tree(prefix, tree, is_export);
                }
            }
            UseTree::Name(name) => self.add(with(name.ident.to_string()), is_export),
            UseTree::Rename(name) => self.add(with(name.ident.to_string()), is_export),
            UseTree::Glob(_) => self.add(prefix.to_vec(), is_export),
        }
    }

    fn add(&mut self, path: Vec<String>, is_export: bool) {
        self.found.push(Reference { path, is_export });
    }
}

impl<'ast> Visit<'ast> for References {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_test(&item.attrs) {
            let is_export = !matches!(item.vis, Visibility::Inherited);
            self.add_tree(&[], &item.tree, is_export);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        self.add(segments.map(|part| part.ident.to_string()).collect(), false);
        visit::visit_path(self, path);
    }

    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}
}

/// The modules of a crate, and what each refers to.
struct Modules {
    references: BTreeMap<Module, Vec<Reference>>,
}

impl Modules {
    fn of_crate(source: &Path) -> Self {
        let mut references = BTreeMap::new();
        for file in rust_files(source) {
            let text = fs::read_to_string(&file).unwrap();
            let parsed: File = syn::parse_file(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let mut found = References::default();
            found.visit_file(&parsed);
            references.insert(module_of(source, &file), found.found);
        }
        Self { references }
    }

    /// The module that a path in `from` leads to, through public imports.
    fn target(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let full = self.absolute(from, path)?;
        let lengths = (0..=full.len()).rev();
        let mut modules = lengths.map(|n| full[..n].to_vec());
        let module = modules.find(|module| self.references.contains_key(module))?;
        let Some(item) = full.get(module.len()) else {
            return Some(module);
        };
        let mut exports = self.references[&module].iter().filter(|r| r.is_export);
        let export = exports.find(|export| export.path.last() == Some(item));
        let next = export.filter(|_| depth < 8);
        next.and_then(|export| self.target(&module, &export.path, depth + 1))
            .or(Some(module))
    }

    /// A path from the root of the crate; `None` if it leads to another crate.
    fn absolute(&self, from: &Module, path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([from.as_slice(), rest].concat()),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                let base = from.get(..from.len().checked_sub(up)?)?;
                Some([base, &path[up..]].concat())
            }
            _ => {
                let child = [from.as_slice(), &path[..1]].concat();
                let is_child = self.references.contains_key(&child);
                is_child.then(|| [from.as_slice(), path].concat())
            }
        }
    }

    /// Imports between different files. A public import alone is not one: it only passes a name on.
    fn imports(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let of = |(module, references): (&'_ Module, &Vec<Reference>)| {
            let own = references.iter().filter(|reference| !reference.is_export);
            let targets = own.filter_map(|r| self.target(module, &r.path, 0));
            targets.filter(|target| target != module).collect()
        };
        let all = self.references.iter();
        all.map(|entry| (entry.0, of(entry))).collect()
    }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|suffix| suffix == "rs") {
            found.push(path);
        }
    }
    found
}

fn module_of(source: &Path, file: &Path) -> Module {
    let path = file.strip_prefix(source).unwrap().with_extension("");
    let parts = path.iter().map(|part| part.to_str().unwrap().to_owned());
    let mut parts: Module = parts.collect();
    if matches!(
        parts.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        parts.pop();
    }
    parts
}

/// All modules that a module imports, also indirectly.
fn reach<'m>(
    imports: &'m BTreeMap<&Module, BTreeSet<Module>>,
    start: &Module,
) -> BTreeSet<&'m Module> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&Module> = imports[start].iter().collect();
    while let Some(module) = open.pop() {
        if reached.insert(module) {
            open.extend(&imports[module]);
        }
    }
    reached
}

/// The largest circle of imports.
fn largest_circle(source: &Path) -> Vec<String> {
    let modules = Modules::of_crate(source);
    let imports = modules.imports();
    let reached: BTreeMap<&Module, _> = imports
        .keys()
        .map(|module| (*module, reach(&imports, module)))
        .collect();
    let circle = |module: &Module| -> Vec<String> {
        let around = reached[module].iter();
        let around = around.filter(|other| reached[**other].contains(module));
        around.map(|other| other.join("::")).collect()
    };
    let circles = imports.keys().map(|module| circle(module));
    circles.max_by_key(Vec::len).unwrap_or_default()
}

#[test]
fn circles_of_imports_stay_small() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut faults = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let circle = largest_circle(&folder.join("src"));
        let is_excused = EXCEPTIONS.iter().any(|(excused, _)| *excused == name);
        if circle.len() > MAX_CIRCLE && !is_excused {
            faults.push(format!(
                "{name}: {} files import one another: {}",
                circle.len(),
                circle.join(", ")
            ));
        }
        if circle.len() <= MAX_CIRCLE && is_excused {
            faults.push(format!("{name}: remove its exception"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
