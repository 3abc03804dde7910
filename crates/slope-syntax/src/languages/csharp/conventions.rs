//! What slope knows of the language besides its syntax, for signals.

use crate::conventions::{Conventions, PLAIN};

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
    types_precede_names: true,
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
