//! MCP protocol, implemented with the official SDK.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;
use slope_model::error_text::ErrorText;

use crate::ToolService;

/// The instructions for a client.
const INSTRUCTIONS: &str = "slope measures how code degrades. Before you write a new function, call \
    find_similar to see whether a similar one exists. After a change, call check to see what it made \
    worse, and fix that. Old debt never counts against you.";

/// Reason that a server ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The threads cannot be started.
    #[error("cannot start the MCP server")]
    Start(#[source] std::io::Error),
    /// The client did not speak the protocol.
    #[error(
        "the client did not start with an MCP handshake: {0}\nhelp: start `slope mcp` from an MCP client"
    )]
    Client(String),
    /// The server broke down.
    #[error("the MCP server stopped: {0}")]
    Ended(String),
}

/// Serves on standard input and output until the client disconnects.
///
/// # Errors
/// If the client does not speak the protocol.
pub fn serve_stdio(workshop: ToolService) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Error::Start)?;
    let ended = runtime.block_on(async {
        let server = Server(Arc::new(workshop));
        let running = server
            .serve(rmcp::transport::stdio())
            .await
            .map_err(|error| Error::Client(error.to_string()))?;
        running
            .waiting()
            .await
            .map_err(|error| Error::Ended(error.to_string()))
    });
    // An open standard input would keep the process alive.
    runtime.shutdown_background();
    ended.map(drop)
}

struct Server(Arc<ToolService>);

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("slope", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools().into_iter().find(|tool| tool.name == name)
    }

    /// Messages that the SDK could not parse as a request of the protocol: if the method is one of
    /// slope's, its parameters are wrong.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let CustomRequest { method, params, .. } = request;
        let takes = match method.as_str() {
            "tools/call" => "`name`, a text, and `arguments`, an object",
            "tools/list" => "`cursor`, a text, or nothing",
            "initialize" => "`protocolVersion`, `capabilities` and `clientInfo`",
            "ping" => "nothing",
            _ => return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)),
        };
        let message = format!("the parameters of `{method}` are wrong: it takes {takes}");
        Err(ErrorData::invalid_params(message, params))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let workshop = Arc::clone(&self.0);
        let name = request.name.into_owned();
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let called = name.clone();
        // Measuring takes processor time, which must not hold up other messages.
        let answered = tokio::task::spawn_blocking(move || workshop.call(&called, &arguments))
            .await
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let result = match answered {
            None => {
                let message = format!("unknown tool `{name}`");
                return Err(ErrorData::invalid_params(message, None));
            }
            Some(Ok(answer)) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
                result.structured_content = Some(answer.structured);
                result
            }
            Some(Err(refusal)) => {
                let text = ErrorText::parse(&refusal.message).one_line();
                CallToolResult::error(vec![ContentBlock::text(text)])
            }
        };
        Ok(result.into())
    }
}

fn tools() -> Vec<Tool> {
    let tools = ToolService::tools().into_iter().map(|info| {
        let description = Some(Cow::Borrowed(info.description));
        let hints = ToolAnnotations::new()
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        Tool::new_with_raw(info.name, description, Arc::new(info.input))
            .with_title(info.title)
            .with_raw_output_schema(Arc::new(info.output))
            .with_annotations(hints)
    });
    tools.collect()
}
