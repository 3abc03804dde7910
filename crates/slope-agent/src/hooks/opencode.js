import { spawn } from "node:child_process"

const command = "COMMAND"
const tools = ["edit", "write", "multiedit", "patch", "apply_patch", "bash"]
const patience = { start: 60000, edit: 15000, stop: 60000 }

// Whatever goes wrong, the answer is empty and opencode goes on.
function ask(question) {
  return new Promise((resolve) => {
    let said = ""
    let child
    try {
      child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "ignore"] })
    } catch {
      resolve({})
      return
    }
    const timer = setTimeout(() => child.kill(), patience[question.event])
    const end = () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(said || "{}"))
      } catch {
        resolve({})
      }
    }
    child.on("error", end)
    child.on("close", end)
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => (said += part))
    child.stdin.end(JSON.stringify(question))
  })
}

export const SlopePlugin = async ({ client, directory }) => {
  // The model of each session.
  const models = new Map()
  // Sessions that were sent on and have not stopped since.
  const sentOn = new Set()
  return {
    "tool.execute.after": async (input, output) => {
      if (!tools.includes(input.tool)) return
      const { sessionID: session, tool, args } = input
      const answer = await ask({ event: "edit", session, cwd: directory, tool, args })
      if (answer.message) output.output = `${output.output ?? ""}\n\n${answer.message}`
    },
    event: async ({ event }) => {
      if (event.type === "session.created") {
        const session = event.properties?.info?.id
        if (session) await ask({ event: "start", session, cwd: directory })
      }
      if (event.type === "message.updated") {
        const { role, sessionID, modelID } = event.properties?.info ?? {}
        if (role === "assistant" && modelID) models.set(sessionID, modelID)
      }
      if (event.type !== "session.idle") return
      const session = event.properties.sessionID
      const active = sentOn.delete(session)
      const answer = await ask({ event: "stop", session, cwd: directory, active, model: models.get(session) })
      if (!answer.block) return
      sentOn.add(session)
      // Not awaited: the session goes on only after this event is done with.
      const parts = [{ type: "text", text: answer.block }]
      client.session.prompt({ path: { id: session }, body: { parts } }).catch(() => {})
    },
  }
}
