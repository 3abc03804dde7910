//! Facts about the language for signals, besides its syntax.

use super::handlers::raises_on_purpose;
use super::prose::PROSE;
use super::values::VALUES;
use crate::conventions::{
    Comments, Comparison, Conventions, Dialect, FactRules, Habits, Handlers, Imports, Naming,
    PLAIN, Semicolons, TestForm, Tests, TextNames, Wrappers, last_name,
};

pub(super) static CONVENTIONS: Conventions = Conventions {
    // Hooks that Jupyter and IPython look up by name.
    beginnings: &["_ipython_", "_jupyter_", "_load_jupyter_", "_repr_"],
    habits: Some(&HABITS),
    values: Some(&VALUES),
    text_names: TextNames::Words,
    has_known_parameters: true,
    has_implicit_interfaces: false,
    imports: Imports {
        hand_on_unmarked: true,
        run_modules: true,
        ..Imports::PLAIN
    },
    rules: FactRules::Python,
    naming: Naming {
        names_hide: true,
        imports_resolve: true,
        later_replaces: true,
        ..Naming::PLAIN
    },
    comments: Comments {
        prose: Some(&PROSE),
        semicolons: Semicolons::None,
        are_mere: true,
        definitions: &["def ", "class "],
        ..Comments::PLAIN
    },
    handlers: Handlers {
        caught: |head| last_name(head.split_once(" as ")?.1),
        logs_on_purpose: raises_on_purpose,
        has_safe_assignments: true,
        ..Handlers::PLAIN
    },
    tests: Tests {
        form: TestForm::Function(|view, function, name| {
            name.starts_with("test") && !view.decorated(function)
        }),
        have_private_hooks: false,
        ..Tests::PLAIN
    },
    wrappers: Wrappers {
        pass_rest: true,
        hold_methods: true,
        comparison: Comparison::ByDeeds,
        return_by_keyword: true,
        ..Wrappers::PLAIN
    },
    ..PLAIN
};

static HABITS: Habits = Habits {
    joins_words: true,
    prescribed: &[
        "setUp",
        "tearDown",
        "asyncSetUp",
        "asyncTearDown",
        "assert",
        "do",
        "visit",
    ],
    plain_errors: &["Exception", "BaseException"],
    builtin_errors: ERRORS,
    passes_error: None,
    aborts: None,
    levels: &[
        "debug",
        "info",
        "warning",
        "warn",
        "error",
        "exception",
        "critical",
    ],
    prints: &["print"],
    is_public: |view, function, name| {
        view.scope(function) == 0 && !view.text(name).starts_with('_')
    },
    has_optional_types: true,
    dialect: Dialect::Annotated,
    shared_logger: Some("logging."),
    compiler_checks_names: false,
    patterns_borrow_names: false,
};

/// Classes of the language that are written like those of a program.
const ERRORS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Exception",
    "ExceptionGroup",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UserWarning",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
];
