//! Facts about the language for signals, besides its syntax.

use super::locals::LOCALS;
use crate::conventions::{Comments, Conventions, Flow, Handlers, Naming, PLAIN, last_name};
use crate::languages::java::privacy::is_private_method;
use crate::languages::java::prose::PROSE;

pub(super) static CONVENTIONS: Conventions = Conventions {
    called_unseen: &[
        "Main",
        "main",
        // Printed by a record's `ToString`.
        "PrintMembers",
        // Called by the compiler at the end of `using`, or by base classes there.
        "Dispose",
        "DisposeAsync",
        "DisposeAsyncCore",
        // Classes of start and middleware of ASP.NET.
        "Configure",
        "ConfigureContainer",
        "ConfigureServices",
        "Invoke",
        "InvokeAsync",
        // Called by serializers and operators.
        "GetObjectData",
        "MoveNext",
        "MoveNextAsync",
        "TryFormat",
        // Called by the compiler for patterns, collections, `await`, `foreach`, ranges and `fixed`.
        "Add",
        "Deconstruct",
        "GetAsyncEnumerator",
        "GetAwaiter",
        "GetEnumerator",
        "GetPinnableReference",
        "GetResult",
        "OnCompleted",
        "Slice",
        // Results of compiled query expressions.
        "Cast",
        "GroupBy",
        "GroupJoin",
        "Join",
        "OrderBy",
        "OrderByDescending",
        "Select",
        "SelectMany",
        "ThenBy",
        "ThenByDescending",
        "Where",
    ],
    // Pages and applications of ASP.NET.
    beginnings: &["Application_", "Page_", "Session_"],
    // Methods that designers, serializers and weavers of notifications look up for a property.
    of_property: &[
        ("On", "Changed"),
        ("On", "Changing"),
        ("Reset", ""),
        ("ShouldSerialize", ""),
    ],
    called_by: &[("UnityEngine", UNITY)],
    is_of_file: is_private_method,
    has_whole_types: |view| !view.tree.text().contains("partial "),
    naming: Naming {
        types_precede_names: true,
        methods_can_hide: true,
        has_const_members: true,
        ..Naming::PLAIN
    },
    locals: Some(&LOCALS),
    comments: Comments {
        prose: Some(&PROSE),
        head_blocks: true,
        ..Comments::PLAIN
    },
    handlers: Handlers {
        is_broad,
        // A filter may bind another name: `catch (A e) when (e.Inner is B b)`.
        caught: |head| last_name(head.split_once(')').map_or(head, |(named, _)| named)),
        ..Handlers::PLAIN
    },
    flow: Flow {
        has_conditional_code: true,
        ..Flow::PLAIN
    },
    ..PLAIN
};

/// Messages that the engine Unity sends to scripts.
const UNITY: &[&str] = &[
    "Awake",
    "FixedUpdate",
    "LateUpdate",
    "OnApplicationFocus",
    "OnApplicationPause",
    "OnApplicationQuit",
    "OnBecameInvisible",
    "OnBecameVisible",
    "OnCollisionEnter",
    "OnCollisionEnter2D",
    "OnCollisionExit",
    "OnCollisionExit2D",
    "OnCollisionStay",
    "OnCollisionStay2D",
    "OnDestroy",
    "OnDisable",
    "OnDrawGizmos",
    "OnDrawGizmosSelected",
    "OnEnable",
    "OnGUI",
    "OnMouseDown",
    "OnMouseDrag",
    "OnMouseEnter",
    "OnMouseExit",
    "OnMouseOver",
    "OnMouseUp",
    "OnParticleCollision",
    "OnTriggerEnter",
    "OnTriggerEnter2D",
    "OnTriggerExit",
    "OnTriggerExit2D",
    "OnTriggerStay",
    "OnTriggerStay2D",
    "OnValidate",
    "Reset",
    "Start",
    "Update",
];

/// `catch`, `catch (Exception)` and `catch (Exception e)`, without a filter.
fn is_broad(head: &str) -> bool {
    let declared = head.trim_start_matches("catch").trim();
    let inner = declared.trim_start_matches('(').trim_end_matches(')');
    let kind = inner.split_whitespace().next().unwrap_or_default();
    declared.is_empty()
        || !head
            .split_whitespace()
            .any(|w| w == "when" || w.starts_with("when("))
            && matches!(kind, "Exception" | "System.Exception")
}
