// The example that opens the README, and the one with a model, run from the installed package.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { APP, folder, SLOPPY, TIDY } from "./samples.mjs";

const README = readFileSync(join(APP, "node_modules/codeslope/README.md"), "utf8");
const [EXAMPLE, OF_MODEL] = README.split("```js\n").slice(1).map((text) => text.split("```")[0]);

/** Runs an example in a folder with two versions of a file. */
function run(example) {
  const top = folder({ "old.py": TIDY, "new.py": SLOPPY, "same.py": TIDY, "example.mjs": example });
  symlinkSync(join(APP, "node_modules"), join(top, "node_modules"));
  const child = spawn(process.execPath, ["example.mjs"], { cwd: top, env: { ...process.env, KEY: "sk-of-the-test" }, timeout: 60_000 });
  return new Promise((resolve) => {
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data) => (stdout += data));
    child.stderr.on("data", (data) => (stderr += data));
    child.on("close", (status) => resolve({ stdout, stderr, status }));
  });
}

test("the example warns of worse code", async () => {
  assert.ok(EXAMPLE.split("\n").filter((line) => line.trim() !== "").length <= 12, EXAMPLE);
  const { stdout, stderr, status } = await run(EXAMPLE);
  assert.equal(status, 0, stderr);
  for (const name of ["verbosity", "erosion", "extensibility"]) {
    assert.match(stdout, new RegExp(`^${name}: 10 -> [0-9.]+$`, "m"));
    assert.match(stderr, new RegExp(`^warning: ${name} got worse$`, "m"));
  }
  assert.match(stdout, /^app\.py:1: /m);
});

test("the example asks a model", async () => {
  const keys = new Set();
  // A model that finds long code bad.
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { messages } = JSON.parse(Buffer.concat(parts).toString());
    keys.add(request.headers["x-api-key"]);
    const isLong = messages[0].content.split("\n").length > 15;
    const score = isLong ? 3 : 9;
    const issue = { criterion: "long-function", file: "F1", start_line: 1, end_line: 2, message: "It is long." };
    const answer = { scores: { verbosity: score, erosion: score, extensibility: score }, issues: isLong ? [issue] : [] };
    const content = [{ type: "text", text: JSON.stringify(answer) }];
    const usage = { input_tokens: 10, output_tokens: 5 };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ type: "message", role: "assistant", model: "served", stop_reason: "end_turn", content, usage }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  const ask = OF_MODEL.replace("https://api.example.com", address);
  const example = EXAMPLE.replace(/^const found = .*\n/m, () => ask);
  const { stdout, stderr, status } = await run(example);
  server.close();
  assert.equal(status, 0, stderr);
  for (const name of ["verbosity", "erosion", "extensibility"]) {
    assert.match(stdout, new RegExp(`^${name}: 9 -> 3$`, "m"));
    assert.match(stderr, new RegExp(`^warning: ${name} got worse$`, "m"));
  }
  assert.match(stdout, /^app\.py:1: It is long\.$/m);
  assert.deepEqual([...keys], ["sk-of-the-test"]);
});
