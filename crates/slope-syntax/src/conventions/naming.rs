//! Names: where they are bound, and what they show.

/// Facts about a language's names.
#[derive(Clone, Copy)]
pub struct Naming {
    /// Whether a function's return type is before its name, and may be a name as well.
    pub types_precede_names: bool,
    /// Whether a lambda that a declaration gives a name is a definition as a function is.
    pub lambdas_define: bool,
    /// Whether an assignment declares.
    pub assignments_declare: bool,
    /// Whether declarations list what they bind: `a, b := f()`.
    pub lists_declare: bool,
    /// Whether pointers and arrays are written around a name where it is declared.
    pub declarators_nest: bool,
    /// Whether parameters share a type that is written once.
    pub parameters_share_types: bool,
    /// Whether a capital exports a name.
    pub capitals_export: bool,
    /// Whether the node of a call begins with its receiver.
    pub calls_hold_receivers: bool,
    /// Whether only a name shows that something is private.
    pub names_hide: bool,
    /// Whether names of other modules have to be imported one by one, so that imports say what a name is.
    pub imports_resolve: bool,
    /// Whether a folder is a package, by whose name others call its functions.
    pub folders_are_packages: bool,
    /// Whether functions of one name have nothing to do with each other, as no interface is implicit.
    pub namesakes_are_apart: bool,
    /// Whether what others may use is marked by `export`.
    pub exports_are_marked: bool,
    /// Whether base classes and derived ones cannot name private methods.
    pub methods_can_hide: bool,
    /// Whether `const` in a class declares a member without a type of its own.
    pub has_const_members: bool,
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
    };
}
