"""A scripted assistant: asks the model until it calls no tool, and runs what it calls."""

import json
import os
import subprocess
import sys
import urllib.request

model, prompt = sys.argv[1], open(sys.argv[2], encoding="utf-8").read()
system = "You extend programs. Work in the current folder."
if model == "terse":
    system += " Use at most 25 words between tool calls."
tool = {
    "name": "bash",
    "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
}
messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
while True:
    body = {
        "model": model,
        "messages": messages,
        "tools": [{"type": "function", "function": tool}],
        "reasoning_effort": "medium" if model == "medium" else "high",
    }
    request = urllib.request.Request(
        os.environ["MODEL_URL"] + "/v1/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": "Bearer " + os.environ["MODEL_TOKEN"]},
    )
    with urllib.request.urlopen(request) as answer:
        reply = json.load(answer)["choices"][0]["message"]
    messages.append(reply)
    calls = reply.get("tool_calls") or []
    if not calls:
        break
    for call in calls:
        command = json.loads(call["function"]["arguments"])["command"]
        done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True)
        text = (done.stdout + done.stderr)[-2000:]
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
