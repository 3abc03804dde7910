//! Names: bindings, and hints in names.

/// Facts about a language's names.
#[derive(Clone, Copy)]
pub struct Naming {
    /// Whether the return type of a function comes before its name, and may be a name itself.
    pub types_precede_names: bool,
    /// Whether a lambda that a declaration names is a definition.
    pub lambdas_define: bool,
    /// Whether an assignment can declare a name.
    pub assignments_declare: bool,
    /// Whether declarations bind lists of names: `a, b := f()`.
    pub lists_declare: bool,
    /// Whether pointers and arrays are written around a declared name.
    pub declarators_nest: bool,
    /// Whether several parameters can share one type.
    pub parameters_share_types: bool,
    /// Whether a capital exports a name.
    pub capitals_export: bool,
    /// Whether the node of a call begins with its receiver.
    pub calls_hold_receivers: bool,
    /// Whether only a name shows that something is private.
    pub names_hide: bool,
    /// Whether names of other modules must be imported individually, so that imports tell what a name is.
    pub imports_resolve: bool,
    /// Whether a folder is a package whose name others use to call its functions.
    pub folders_are_packages: bool,
    /// Whether functions with the same name are unrelated, because no interface is implicit.
    pub namesakes_are_apart: bool,
    /// Whether exported names have the mark `export`.
    pub exports_are_marked: bool,
    /// Whether base classes and derived classes cannot call private methods.
    pub methods_can_hide: bool,
    /// Whether `const` in a class declares a member without a type.
    pub has_const_members: bool,
    /// Whether macros can have code in their bodies.
    pub macros_hold_code: bool,
    /// Whether a method is declared apart from its body.
    pub methods_are_declared: bool,
    /// Whether a file is a module that another file must declare.
    pub files_are_modules: bool,
    /// Whether a file is a class that others name.
    pub files_are_classes: bool,
    /// Whether a later definition of a name replaces an earlier one.
    pub later_replaces: bool,
}

impl Naming {
    pub(crate) const PLAIN: Self = Self {
        types_precede_names: false,
        lambdas_define: false,
        assignments_declare: false,
        lists_declare: false,
        declarators_nest: false,
        parameters_share_types: false,
        capitals_export: false,
        calls_hold_receivers: false,
        names_hide: false,
        imports_resolve: false,
        folders_are_packages: false,
        namesakes_are_apart: false,
        exports_are_marked: false,
        methods_can_hide: false,
        has_const_members: false,
        macros_hold_code: false,
        methods_are_declared: false,
        files_are_modules: false,
        files_are_classes: false,
        later_replaces: false,
    };
}
