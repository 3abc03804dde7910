//! Describes operations for the API's description: what many of them share.

use std::sync::Arc;

use aide::OperationInput;
use aide::axum::ApiRouter;
use aide::generate::GenContext;
use aide::openapi::{
    HeaderStyle, Operation, Parameter, ParameterData, ParameterSchemaOrContent, ReferenceOr,
    SchemaObject,
};
use aide::transform::TransformOperation;
use axum::http::StatusCode;
use schemars::{JsonSchema, json_schema};
use serde::Serialize;
use slope_database::Scope;

use crate::app::App;
use crate::extract::Json;
use crate::problem::Problem;

/// Name of the kind of tokens in the description.
pub(super) const TOKEN: &str = "token";
/// The extension of an operation that names the scope that it needs.
const SCOPE: &str = "x-slope-scope";

/// Texts for people: without control characters.
pub(super) const TEXT: &str = r"^[^\x00-\x1f\x7f-\x9f]*$";

/// Routes, and their description.
pub(super) type Routes = ApiRouter<Arc<App>>;

/// An answer with a document.
pub(crate) type Answer<T> = Result<Json<T>, Problem>;
/// An answer without a body.
pub(crate) type Done = Result<StatusCode, Problem>;

/// One page of a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Page<T> {
    /// The items, in order.
    pub(crate) items: Vec<T>,
    /// The cursor of the next page; `null` on the last one.
    pub(crate) next: Option<String>,
}

impl<T> Page<T> {
    /// The first items of a list, which has one more than the page if it is not the last.
    pub(crate) fn first(mut items: Vec<T>, limit: u32, cursor: fn(&T) -> &str) -> Self {
        let is_last = items.len() <= limit as usize;
        items.truncate(limit as usize);
        let next = items.last().filter(|_| !is_last);
        Self {
            next: next.map(|last| cursor(last).to_owned()),
            items,
        }
    }

    /// A list that has one page.
    pub(crate) fn whole(items: Vec<T>) -> Self {
        Self { items, next: None }
    }
}

/// Describes an operation: its id, what it does, the scope that it needs, and the statuses of its problems.
pub(crate) fn operation<'t>(
    operation: TransformOperation<'t>,
    (id, summary): (&str, &str),
    scope: Option<Scope>,
    problems: &[u16],
) -> TransformOperation<'t> {
    let mut operation = operation.id(id).summary(summary);
    if let Some(scope) = scope {
        operation = operation.security_requirement(TOKEN);
        let extensions = &mut operation.inner_mut().extensions;
        extensions.insert(SCOPE.to_owned(), scope.name().into());
    }
    let always = [429, 500, 503];
    let by_token = [401, 403];
    let guarded = scope.iter().flat_map(|_| by_token);
    for status in problems.iter().copied().chain(guarded).chain(always) {
        operation = problem(operation, status);
    }
    operation
}

/// Adds the header of a request that may be sent again, and its problem.
pub(crate) fn repeatable(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation.input::<MayRepeat>().response::<409, Problem>()
}

/// The header of a request that may be sent again.
struct MayRepeat;

impl OperationInput for MayRepeat {
    fn operation_input(_: &mut GenContext, operation: &mut Operation) {
        let schema = json_schema!({
            "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"
        });
        let data = ParameterData {
            name: "Idempotency-Key".to_owned(),
            description: Some(
                "A text of your own. The same request with the same key has the first answer for a day."
                    .to_owned(),
            ),
            required: false,
            deprecated: None,
            format: ParameterSchemaOrContent::Schema(SchemaObject {
                json_schema: schema,
                example: None,
                external_docs: None,
            }),
            example: None,
            examples: Default::default(),
            explode: None,
            extensions: Default::default(),
        };
        let parameter = Parameter::Header {
            parameter_data: data,
            style: HeaderStyle::Simple,
        };
        operation.parameters.push(ReferenceOr::Item(parameter));
    }
}

/// Adds the answer to a client that has it already.
pub(crate) fn cached(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation.response_with::<304, (), _>(|it| {
        it.description("The client has this answer: `If-None-Match` names its `ETag`.")
    })
}

/// Describes a request that reads something of a project.
pub(crate) fn reading<'t>(
    it: TransformOperation<'t>,
    what: (&str, &str),
) -> TransformOperation<'t> {
    cached(operation(it, what, Some(Scope::Read), &[400, 404]))
}

/// Describes a request that sends something of a project.
pub(crate) fn sending<'t>(
    it: TransformOperation<'t>,
    what: (&str, &str),
) -> TransformOperation<'t> {
    repeatable(operation(it, what, Some(Scope::Push), &BODY)).response::<404, Problem>()
}

/// Describes a request that removes something.
pub(crate) fn removal<'t>(
    it: TransformOperation<'t>,
    what: (&str, &str),
) -> TransformOperation<'t> {
    let it = operation(it, what, Some(Scope::Admin), &[400, 404, 507]);
    repeatable(gone(it))
}

/// Adds the status of what was removed.
pub(crate) fn gone(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation.response_with::<204, (), _>(|it| it.description("It is removed."))
}

/// Adds a status whose body is a problem.
fn problem(operation: TransformOperation<'_>, status: u16) -> TransformOperation<'_> {
    match status {
        400 => operation.response::<400, Problem>(),
        401 => operation.response::<401, Problem>(),
        403 => operation.response::<403, Problem>(),
        404 => operation.response::<404, Problem>(),
        408 => operation.response::<408, Problem>(),
        409 => operation.response::<409, Problem>(),
        413 => operation.response::<413, Problem>(),
        415 => operation.response::<415, Problem>(),
        422 => operation.response::<422, Problem>(),
        429 => operation.response::<429, Problem>(),
        503 => operation.response::<503, Problem>(),
        507 => operation.response::<507, Problem>(),
        _ => operation.response::<500, Problem>(),
    }
}

/// Statuses of problems with a body.
pub(crate) const BODY: [u16; 6] = [400, 408, 413, 415, 422, 507];
