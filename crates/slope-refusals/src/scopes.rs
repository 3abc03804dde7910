//! Rules of Python on scopes: `return` in functions, `break` in loops, `await` in async functions.

use std::cell::RefCell;
use std::collections::HashMap;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Comprehension, ExceptHandler, Expr, Parameters, PythonVersion, Stmt, StmtClassDef, StmtFor,
    StmtFunctionDef, StmtWhile,
    statement_visitor::{self, StatementVisitor},
};
use ruff_python_parser::semantic_errors::{
    LazyImportContext, SemanticSyntaxChecker, SemanticSyntaxContext, SemanticSyntaxError,
    SemanticSyntaxErrorKind,
};
use ruff_text_size::{Ranged, TextRange, TextSize};

/// Places of a module that parse and break a rule.
pub(crate) struct Broken {
    /// Rules of scopes and loops.
    pub(crate) errors: Vec<SemanticSyntaxError>,
    /// Each `except:` that others follow.
    pub(crate) early_excepts: Vec<TextSize>,
}

pub(crate) fn broken(text: &str, body: &[Stmt], in_notebook: bool) -> Broken {
    let mut walk = Walk {
        text,
        in_notebook,
        checker: SemanticSyntaxChecker::new(),
        found: RefCell::default(),
        early_excepts: Vec::new(),
        scopes: vec![Scope::new(Kind::Module, globals(body))],
        in_try: false,
        words: RefCell::new((usize::MAX, HashMap::new())),
    };
    walk.visit_body(body);
    Broken {
        errors: walk.found.into_inner(),
        early_excepts: walk.early_excepts,
    }
}

enum Kind<'a> {
    Module,
    Class,
    Function(&'a StmtFunctionDef),
    Lambda(Option<&'a Parameters>),
    Comprehension { is_async: bool, is_lazy: bool },
}

struct Scope<'a> {
    kind: Kind<'a>,
    /// Names that are declared global in it, with the place.
    globals: HashMap<&'a str, TextRange>,
    /// Loops around the current place.
    loops: u32,
}

impl<'a> Scope<'a> {
    fn new(kind: Kind<'a>, globals: HashMap<&'a str, TextRange>) -> Self {
        Self {
            kind,
            globals,
            loops: 0,
        }
    }

    fn is_comprehension(&self) -> bool {
        matches!(self.kind, Kind::Comprehension { .. })
    }
}

/// The names that the statements of a scope declare global.
fn globals(body: &[Stmt]) -> HashMap<&str, TextRange> {
    struct Globals<'a>(HashMap<&'a str, TextRange>);
    impl<'a> StatementVisitor<'a> for Globals<'a> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            match stmt {
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
                Stmt::Global(global) => {
                    for name in &global.names {
                        self.0.entry(name.as_str()).or_insert(global.range());
                    }
                }
                _ => statement_visitor::walk_stmt(self, stmt),
            }
        }
    }
    let mut found = Globals(HashMap::new());
    found.visit_body(body);
    found.0
}

/// The first and the last place of each word.
type Words<'a> = HashMap<&'a str, (usize, usize)>;

struct Walk<'a> {
    text: &'a str,
    in_notebook: bool,
    checker: SemanticSyntaxChecker,
    found: RefCell<Vec<SemanticSyntaxError>>,
    early_excepts: Vec<TextSize>,
    scopes: Vec<Scope<'a>>,
    in_try: bool,
    /// Start of the outermost function around the last `nonlocal`, and its words.
    words: RefCell<(usize, Words<'a>)>,
}

impl<'a> Walk<'a> {
    fn check(&mut self, look: impl FnOnce(&mut SemanticSyntaxChecker, &Self)) {
        let mut checker = std::mem::take(&mut self.checker);
        look(&mut checker, self);
        self.checker = checker;
    }

    fn within(&mut self, scope: Scope<'a>, walk: impl FnOnce(&mut Self)) {
        self.scopes.push(scope);
        walk(self);
        self.scopes.pop();
    }

    /// The scope of the nearest statement, and the functions around it, from the inside out.
    fn statements(&self) -> impl Iterator<Item = &Scope<'a>> {
        self.scopes
            .iter()
            .rev()
            .filter(|scope| !scope.is_comprehension())
    }

    fn visit_loop(&mut self, body: &'a [Stmt], or_else: &'a [Stmt]) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.loops += 1;
        }
        self.visit_body(body);
        if let Some(scope) = self.scopes.last_mut() {
            scope.loops -= 1;
        }
        self.visit_body(or_else);
    }

    fn visit_function(&mut self, function: &'a StmtFunctionDef) {
        for decorator in &function.decorator_list {
            self.visit_decorator(decorator);
        }
        if let Some(parameters) = &function.type_params {
            self.visit_type_params(parameters);
        }
        self.visit_parameters(&function.parameters);
        if let Some(returns) = &function.returns {
            self.visit_annotation(returns);
        }
        let scope = Scope::new(Kind::Function(function), globals(&function.body));
        self.within(scope, |walk| walk.visit_body(&function.body));
    }

    fn visit_class(&mut self, class: &'a StmtClassDef) {
        for decorator in &class.decorator_list {
            self.visit_decorator(decorator);
        }
        if let Some(parameters) = &class.type_params {
            self.visit_type_params(parameters);
        }
        if let Some(arguments) = &class.arguments {
            self.visit_arguments(arguments);
        }
        let scope = Scope::new(Kind::Class, globals(&class.body));
        self.within(scope, |walk| walk.visit_body(&class.body));
    }

    /// Visits a comprehension: all but what its first clause runs over belongs to a scope of its own.
    fn visit_comprehension_of(
        &mut self,
        parts: &[&'a Expr],
        clauses: &'a [Comprehension],
        is_lazy: bool,
    ) {
        if let Some(first) = clauses.first() {
            self.visit_expr(&first.iter);
        }
        let is_async = clauses.iter().any(|clause| clause.is_async);
        let scope = Scope::new(Kind::Comprehension { is_async, is_lazy }, HashMap::new());
        self.within(scope, |walk| {
            for (index, clause) in clauses.iter().enumerate() {
                if index > 0 {
                    walk.visit_expr(&clause.iter);
                }
                walk.visit_expr(&clause.target);
                clause
                    .ifs
                    .iter()
                    .for_each(|condition| walk.visit_expr(condition));
            }
            parts.iter().for_each(|part| walk.visit_expr(part));
        });
    }
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        self.check(|checker, walk| checker.visit_stmt(stmt, walk));
        match stmt {
            Stmt::FunctionDef(function) => self.visit_function(function),
            Stmt::ClassDef(class) => self.visit_class(class),
            Stmt::For(StmtFor {
                target,
                iter,
                body,
                orelse,
                ..
            }) => {
                self.visit_expr(iter);
                self.visit_expr(target);
                self.visit_loop(body, orelse);
            }
            Stmt::While(StmtWhile {
                test, body, orelse, ..
            }) => {
                self.visit_expr(test);
                self.visit_loop(body, orelse);
            }
            Stmt::Try(tried) => {
                let before_last = tried
                    .handlers
                    .split_last()
                    .map_or(&[][..], |(_, before)| before);
                let handlers = before_last.iter();
                let handlers = handlers.map(|ExceptHandler::ExceptHandler(handler)| handler);
                let bare = handlers.filter(|handler| handler.type_.is_none());
                let bare = bare.map(Ranged::start);
                self.early_excepts.extend(bare);
                let was_in_try = std::mem::replace(&mut self.in_try, true);
                visitor::walk_stmt(self, stmt);
                self.in_try = was_in_try;
            }
            _ => visitor::walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.check(|checker, walk| checker.visit_expr(expr, walk));
        match expr {
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    self.visit_parameters(parameters);
                }
                let scope = Scope::new(Kind::Lambda(lambda.parameters.as_deref()), HashMap::new());
                self.within(scope, |walk| walk.visit_expr(&lambda.body));
            }
            Expr::ListComp(list) => {
                self.visit_comprehension_of(&[&list.elt], &list.generators, false)
            }
            Expr::SetComp(set) => self.visit_comprehension_of(&[&set.elt], &set.generators, false),
            Expr::Generator(lazy) => {
                self.visit_comprehension_of(&[&lazy.elt], &lazy.generators, true)
            }
            Expr::DictComp(dict) => {
                let parts: Vec<&Expr> = dict
                    .key
                    .iter()
                    .chain([&dict.value])
                    .map(|part| &**part)
                    .collect();
                self.visit_comprehension_of(&parts, &dict.generators, false);
            }
            _ => visitor::walk_expr(self, expr),
        }
    }
}

/// First and last place of each word of a text.
fn words(text: &str) -> HashMap<&str, (usize, usize)> {
    let mut words: HashMap<&str, (usize, usize)> = HashMap::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = 0;
    for word in text.split(|c: char| !is_part(c)) {
        let at = rest;
        rest += word.len()
            + text[at + word.len()..]
                .chars()
                .next()
                .map_or(0, char::len_utf8);
        words.entry(word).or_insert((at, at)).1 = at;
    }
    words
}

impl SemanticSyntaxContext for Walk<'_> {
    fn future_annotations_or_stub(&self) -> bool {
        false
    }

    fn lazy_import_context(&self) -> Option<LazyImportContext> {
        match self.scopes.last().map(|scope| &scope.kind) {
            Some(Kind::Function(_)) => Some(LazyImportContext::Function),
            Some(Kind::Class) => Some(LazyImportContext::Class),
            _ => self.in_try.then_some(LazyImportContext::TryExceptBlocks),
        }
    }

    fn python_version(&self) -> PythonVersion {
        PythonVersion::latest()
    }

    fn source(&self) -> &str {
        self.text
    }

    fn global(&self, name: &str) -> Option<TextRange> {
        self.statements().next()?.globals.get(name).copied()
    }

    /// Only a name that the functions around do not even mention surely has no binding there.
    /// `__class__` and its like are bound by Python itself.
    fn has_nonlocal_binding(&self, name: &str) -> bool {
        if name.starts_with("__") {
            return true;
        }
        let mut functions = self.scopes.iter().filter_map(|scope| match scope.kind {
            Kind::Function(function) => Some(function.range()),
            _ => None,
        });
        let (Some(outermost), Some(innermost)) = (functions.next(), functions.next_back()) else {
            return false;
        };
        let (start, end) = (outermost.start().to_usize(), outermost.end().to_usize());
        let mut known = self.words.borrow_mut();
        if known.0 != start {
            *known = (start, words(self.text.get(start..end).unwrap_or_default()));
        }
        let inner = innermost.start().to_usize()..innermost.end().to_usize();
        let places = known.1.get(name);
        places.is_some_and(|(first, last)| start + first < inner.start || start + last >= inner.end)
    }

    fn in_async_context(&self) -> bool {
        match self.statements().next().map(|scope| &scope.kind) {
            Some(Kind::Function(function)) => function.is_async,
            _ => false,
        }
    }

    fn in_await_allowed_context(&self) -> bool {
        let around = self.statements().next().map(|scope| &scope.kind);
        matches!(around, Some(Kind::Function(_) | Kind::Lambda(_)))
    }

    fn in_yield_allowed_context(&self) -> bool {
        let around = self.scopes.last().map(|scope| &scope.kind);
        matches!(around, Some(Kind::Function(_) | Kind::Lambda(_)))
    }

    fn in_sync_comprehension(&self) -> bool {
        let is_sync = |scope: &Scope<'_>| {
            matches!(
                scope.kind,
                Kind::Comprehension {
                    is_async: false,
                    is_lazy: false
                }
            )
        };
        self.scopes.iter().any(is_sync)
    }

    fn in_class_body_comprehension(&self) -> bool {
        let is_in_one = self.scopes.last().is_some_and(Scope::is_comprehension);
        is_in_one
            && matches!(
                self.statements().next().map(|scope| &scope.kind),
                Some(Kind::Class)
            )
    }

    fn in_module_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    fn in_function_scope(&self) -> bool {
        let around = self.scopes.last().map(|scope| &scope.kind);
        matches!(around, Some(Kind::Function(_) | Kind::Lambda(_)))
    }

    fn in_generator_context(&self) -> bool {
        let is_lazy =
            |scope: &Scope<'_>| matches!(scope.kind, Kind::Comprehension { is_lazy: true, .. });
        self.scopes.iter().any(is_lazy)
    }

    fn in_notebook(&self) -> bool {
        self.in_notebook
    }

    fn report_semantic_error(&self, error: SemanticSyntaxError) {
        // Each cell may begin with such an import.
        if self.in_notebook && matches!(error.kind, SemanticSyntaxErrorKind::LateFutureImport) {
            return;
        }
        self.found.borrow_mut().push(error);
    }

    fn in_loop_context(&self) -> bool {
        self.scopes.last().is_some_and(|scope| scope.loops > 0)
    }

    fn is_bound_parameter(&self, name: &str) -> bool {
        let parameters = match self.scopes.last().map(|scope| &scope.kind) {
            Some(Kind::Function(function)) => Some(&*function.parameters),
            Some(Kind::Lambda(parameters)) => *parameters,
            _ => None,
        };
        parameters.is_some_and(|all| all.iter().any(|parameter| parameter.name() == name))
    }
}
