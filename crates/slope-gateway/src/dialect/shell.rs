//! Finds the shell among the offered tools, and builds its calls.

use serde_json::{Map, Value, json};

use super::{Call, CallInput, Tool, ToolKind};

/// Names that shells have, best first; compared without regard to case.
const NAMES: [&str; 15] = [
    "bash",
    "shell",
    "exec_command",
    "shell_command",
    "local_shell",
    "execute_bash",
    "run_shell_command",
    "execute_command",
    "run_command",
    "run_terminal_cmd",
    "run_in_terminal",
    "terminal",
    "execute",
    "sh",
    "exec",
];

/// Names of the argument that takes the command, best first.
const ARGUMENTS: [&str; 5] = ["command", "cmd", "commands", "script", "input"];

/// A call of the offered shell; `None` if there is none.
pub(crate) fn call(tools: &[Tool], command: &str) -> Option<Call> {
    NAMES.iter().find_map(|name| {
        tools
            .iter()
            .filter(|tool| tool.name.eq_ignore_ascii_case(name))
            .find_map(|tool| {
                let input = input(tool, command)?;
                Some(Call {
                    tool: tool.name.clone(),
                    group: tool.group.clone(),
                    input,
                })
            })
    })
}

/// Whether a shell is on offer.
pub(crate) fn offered(tools: &[Tool]) -> bool {
    call(tools, "").is_some()
}

fn input(tool: &Tool, command: &str) -> Option<CallInput> {
    match &tool.kind {
        ToolKind::Function(schema) => arguments(schema, command).map(CallInput::Json),
        ToolKind::Custom => Some(CallInput::Text(command.to_owned())),
        ToolKind::JavaScript => Some(CallInput::Text(javascript(command))),
        ToolKind::LocalShell => Some(CallInput::LocalShell(command.to_owned())),
        ToolKind::Shell => Some(CallInput::Shell(command.to_owned())),
        ToolKind::Other => None,
    }
}

/// Arguments by the tool's schema: the command, other required fields, and timeouts.
fn arguments(schema: &Value, command: &str) -> Option<Value> {
    let properties = schema["properties"].as_object()?;
    let name = ARGUMENTS
        .into_iter()
        .find(|name| properties.contains_key(*name))?;
    let mut arguments = Map::new();
    let value = if kind(&properties[name]) == "array" {
        json!(["bash", "-lc", command])
    } else {
        json!(command)
    };
    arguments.insert(name.to_owned(), value);
    for required in super::list(schema, "required")
        .iter()
        .filter_map(Value::as_str)
    {
        if required != name {
            arguments.insert(required.to_owned(), filler(&properties[required]));
        }
    }
    // Codex returns from an unfinished command after this time; use its maximum.
    if properties.contains_key("yield_time_ms") {
        arguments.insert("yield_time_ms".to_owned(), json!(30_000));
    }
    Some(Value::Object(arguments))
}

/// A program that runs the command with Codex's own shell tool and shows its output.
fn javascript(command: &str) -> String {
    let arguments = json!({ "cmd": command, "yield_time_ms": 30_000 });
    format!(
        "// @exec: {{\"yield_time_ms\": 60000}}\nconst done = await tools.exec_command({arguments});\ntext(done.output ?? done);\n"
    )
}

/// The type that a schema names; Gemini's own schemas spell it in capitals.
fn kind(schema: &Value) -> String {
    super::text(schema, "type").to_ascii_lowercase()
}

/// A harmless value for an argument that a tool insists on.
fn filler(schema: &Value) -> Value {
    if let Some(default) = schema.get("default") {
        return default.clone();
    }
    if let Some(first) = super::list(schema, "enum").first() {
        return first.clone();
    }
    match kind(schema).as_str() {
        "boolean" => json!(false),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or_else(|| json!(60)),
        "array" => json!([]),
        "object" => json!({}),
        _ => json!("scripted step"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, properties: &Value, required: &Value) -> Tool {
        let schema = json!({ "type": "object", "properties": properties, "required": required });
        Tool::new(name, ToolKind::Function(schema))
    }

    fn json_of(call: Option<Call>) -> (String, Value) {
        let call = call.unwrap();
        let CallInput::Json(input) = call.input else {
            panic!("not JSON: {:?}", call.input)
        };
        (call.tool, input)
    }

    #[test]
    fn shell_call_matches_each_tool_schema() {
        let text = json!({ "type": "string" });
        let bash = function(
            "Bash",
            &json!({ "command": text, "description": text }),
            &json!(["command", "description"]),
        );
        assert_eq!(
            json_of(call(&[bash], "ls")),
            (
                "Bash".into(),
                json!({ "command": "ls", "description": "scripted step" })
            )
        );
        let list = function(
            "shell",
            &json!({ "command": { "type": "array" } }),
            &json!(["command"]),
        );
        assert_eq!(
            json_of(call(&[list], "ls")).1,
            json!({ "command": ["bash", "-lc", "ls"] })
        );
        let exec = function(
            "exec_command",
            &json!({ "cmd": text, "yield_time_ms": {} }),
            &json!(["cmd"]),
        );
        assert_eq!(
            json_of(call(&[exec], "ls")).1,
            json!({ "cmd": "ls", "yield_time_ms": 30_000 })
        );
        let custom = Tool::new("bash", ToolKind::Custom);
        assert_eq!(
            call(&[custom], "ls").unwrap().input,
            CallInput::Text("ls".into())
        );
    }

    #[test]
    fn non_shell_tools_are_ignored() {
        let read = function("Read", &json!({ "file_path": {} }), &json!([]));
        let hosted = Tool::new("bash", ToolKind::Other);
        let no_command = function("shell", &json!({ "session": {} }), &json!([]));
        assert!(!offered(&[read, hosted, no_command]));
    }

    #[test]
    fn shell_tool_is_preferred_by_name() {
        let text = json!({ "command": { "type": "string" } });
        let tools = [
            function("execute", &text, &json!([])),
            function("bash", &text, &json!([])),
        ];
        assert_eq!(call(&tools, "ls").unwrap().tool, "bash");
    }
}
