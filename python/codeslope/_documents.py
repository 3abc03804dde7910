"""Documents of `measure`, `diff` and `check`. `docs/schemas` describes each field, and a test compares both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Definitions(TypedDict):
    """Definitions behind the numbers. Numbers with the same `hash` are comparable."""

    version: str
    hash: str
    grammars: dict[str, str]
    rules: dict[str, str]


class Totals(TypedDict):
    """Totals of a snapshot. If a value is `null`, `missing` has the reason."""

    files: int
    unmeasured_files: int
    lines: int
    sloc: int
    callables: int
    high_complexity_callables: int
    max_complexity: int | None
    mass: float | None
    high_complexity_mass: float | None
    erosion: float | None
    cognitive_mass: float | None
    high_cognitive_mass: float | None
    high_cognitive_callables: int | None
    cognitive_erosion: float | None
    max_nesting: int | None
    files_with_syntax_errors: int
    near_clone_lines: int | None
    maintainability: float | None
    flagged_lines: int | None
    clone_lines: int | None
    verbose_lines: int | None
    verbosity: float | None
    missing: dict[str, str]


class PublishedTotals(TypedDict):
    """Totals of Python code by the definitions of the paper's table of human repositories."""

    definitions: str
    totals: Totals
    clone_ratio: float | None
    violation_ratio: float | None
    standings: list[Standing]


class Standing(TypedDict):
    """Rank of a value among the repositories of a panel."""

    metric: str
    panel: str
    value: float
    percentile: float
    median: float
    count: int


class LanguageHeadline(TypedDict):
    """Headline numbers of one language, for production code without tests."""

    languages: list[str]
    definitions: str
    totals: Totals
    incomparable: str | None
    standings: list[Standing]


class FileMeasurement(TypedDict):
    """Measurement of one file."""

    path: str
    language: str
    part: Literal["product", "tests"]
    lines: int
    sloc: int
    flagged_lines: int
    clone_lines: int
    verbose_lines: int
    near_clone_lines: int | None
    syntax_errors: SyntaxErrors | None
    maintainability: float | None
    cognitive_outside: int | None
    inline_tests: NotRequired[InlineTests | None]
    cells: NotRequired[list[NotebookCell]]
    callables: list[Callable]


class SyntaxErrors(TypedDict):
    """Syntax errors of a file."""

    count: int
    first_line: int
    lines: int


class InlineTests(TypedDict):
    """Tests in a file of production code."""

    ranges: list[LineRange]
    lines: int
    sloc: int
    flagged_lines: int
    clone_lines: int
    verbose_lines: int
    near_clone_lines: int | None
    maintainability_without: float | None


class LineRange(TypedDict):
    """A range of lines."""

    start_line: int
    end_line: int


class NotebookCell(TypedDict):
    """A code cell of a notebook."""

    number: int
    start_line: int
    end_line: int
    in_file: NotRequired[LineRange | None]


class Callable(TypedDict):
    """One callable: a function or method."""

    name: str
    kind: Literal["function", "method", "lambda"]
    span: Span
    complexity: int
    cognitive: int
    parameters: int
    sloc: int
    mass: float
    nesting: int
    lower_bound: bool
    tables: TableRows


class Span(TypedDict):
    """A range of lines and columns, counted from 1. The last line is included, the last column is not."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int


class TableRows(TypedDict):
    """Decisions of a function that are rows of tables."""

    rows: int
    defaults: int
    cognitive: int


class Unmeasured(TypedDict):
    """A file that slope could not measure."""

    path: str
    reason: str


class Skipped(TypedDict):
    """A file or folder that slope skipped on purpose."""

    path: str
    reason: str


class CloneClass(TypedDict):
    """A set of places with the same code."""

    kind: Literal["exact", "renamed", "near_miss"]
    lines: int
    tokens: int
    members: list[CloneMember]
    fingerprint: str


class CloneMember(TypedDict):
    """One place of a clone class."""

    path: str
    span: Span
    similarity: float


class Finding(TypedDict):
    """A place in code that a rule, signal or metric reports."""

    rule: str
    category: str
    severity: Literal["hint", "warning", "error"]
    path: str
    span: Span
    message: str
    fingerprint: str


class Suppressed(TypedDict):
    """A finding that a comment in the code silences."""

    finding: Finding
    reason: str


class DeadCodeSince(TypedDict):
    """Dead code, compared with a base."""

    base: str
    commit: str | None
    counts: dict[str, int]
    findings: list[DeadCode]


class DeadCode(TypedDict):
    """A finding of dead code with its origin."""

    origin: Literal["born_dead", "orphaned", "inherited"]
    rule: str
    path: str
    span: Span
    message: str
    fingerprint: str


class Measurement(TypedDict):
    """Measurement of a snapshot."""

    schema: str
    definitions: Definitions
    totals: Totals
    parts: dict[str, Totals]
    languages: dict[str, Totals]
    published: PublishedTotals | None
    headlines: list[LanguageHeadline]
    files: list[FileMeasurement]
    unmeasured: list[Unmeasured]
    skipped: list[Skipped]
    other_languages: NotRequired[dict[str, int]]
    clones: list[CloneClass]
    findings: list[Finding]
    suppressed: list[Suppressed]
    dead_code: NotRequired[DeadCodeSince | None]


class Balance(TypedDict):
    """Totals before and after a change, and their difference."""

    before: NotRequired[Amounts | None]
    after: NotRequired[Amounts | None]
    change: Amounts
    layout: Amounts


class Amounts(TypedDict):
    """Amounts in a ledger: of one snapshot, or the difference of two."""

    mass: float
    clone_lines: int
    flagged_lines: int
    verbose_lines: int
    dead_code: int
    sloc: int


# `from` is a word of Python, so this is not a class.
LedgerEntry = TypedDict(
    "LedgerEntry",
    {
        "kind": 'Literal["added", "removed", "changed", "split", "merged", "outside", "affected", "layout"]',
        "part": 'Literal["product", "tests"]',
        "path": "str",
        "function": "str | None",
        "line": "int",
        "change": "Amounts",
        "from": "list[LedgerPlace]",
        "to": "list[LedgerPlace]",
        "elsewhere": "NotRequired[list[Elsewhere]]",
        "copied": "NotRequired[Copied | None]",
        "twin": "NotRequired[Copied | None]",
        "dead_code": "NotRequired[list[Finding]]",
    },
)


class LedgerPlace(TypedDict):
    """A function in one of the snapshots, or the code of a file outside of functions."""

    path: str
    function: str | None
    start_line: int
    end_line: int
    complexity: int | None
    amounts: Amounts


class Elsewhere(TypedDict):
    """Lines in unchanged code that an entry turned into clones, or that are no longer clones."""

    path: str
    function: str | None
    line: int
    clone_lines: int
    verbose_lines: int


class Copied(TypedDict):
    """Code that an entry copied, or equal code elsewhere in the change."""

    path: str
    function: str | None
    line: int
    end_line: int
    lines: int
    likeness: Literal["same", "literals", "form", "table"]
    is_whole: bool


class Ledger(TypedDict):
    """Ledger of a change: its effects, function by function."""

    schema: str
    definitions: Definitions
    base: str
    head: str
    balance: Balance
    parts: dict[str, Amounts]
    entries: list[LedgerEntry]
    layout: list[LedgerEntry]
    sloc_alone: int


class Side(TypedDict):
    """One side of a comparison."""

    name: str
    commit: str | None


class Violation(TypedDict):
    """Something that a change makes worse."""

    rule: Literal[
        "broken-syntax",
        "new-complexity",
        "complexity-growth",
        "new-clone",
        "reimplementation",
        "dead-code",
        "new-finding",
        "change-budget",
        "week-budget",
        "track-growth",
        "gate-setup",
        "ratchet",
    ]
    level: Literal["warning", "error"]
    part: Literal["product", "tests"]
    path: str
    function: str | None
    line: int
    end_line: int
    before: float | None
    after: float
    limit: float | None
    fingerprint: str
    message: str
    advice: str
    evidence: ViolationEvidence


class ViolationEvidence(TypedDict):
    """Evidence of a violation."""

    entry: NotRequired[LedgerEntry | None]
    findings: NotRequired[list[Finding]]
    places: NotRequired[list[GatePlace]]


class GatePlace(TypedDict):
    """A place in code."""

    path: str
    function: str | None
    line: int


class Waived(TypedDict):
    """A violation that does not count, and the reason."""

    violation: Violation
    reason: str
    until: str | None


class Judgement(TypedDict):
    """Judgement of the gate about a change."""

    schema: str
    definitions: Definitions
    base: Side
    head: Side
    chosen: str
    files: int
    passes: bool
    balance: Balance
    parts: dict[str, Amounts]
    week: NotRequired[Amounts | None]
    growth: NotRequired[Amounts | None]
    violations: list[Violation]
    waived: NotRequired[list[Waived]]
    notes: NotRequired[list[str]]
    unjudged: NotRequired[list[str]]
