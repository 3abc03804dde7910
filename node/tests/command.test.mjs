// `npx codeslope` is the `slope` command.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { APP, folder, slope, SLOPPY, TIDY } from "./samples.mjs";

test("exit codes and streams are those of slope", () => {
  const [old, next] = [folder({ "app.py": TIDY }), folder({ "app.py": SLOPPY })];
  assert.equal(slope(["check", old, old]).status, 0);
  const failed = slope(["check", old, next]);
  assert.equal(failed.status, 1);
  assert.match(failed.stdout, /app\.py/);
  const wrong = slope(["measure", "nowhere"]);
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^error: nowhere does not exist/);
  const graded = slope(["grade", "--base", old], { input: '{"id": "a"}\n' });
  assert.equal(JSON.parse(graded.stdout).id, "a");
});

test("signals end the command", { timeout: 60_000 }, async () => {
  const command = join(APP, "node_modules/.bin/codeslope");
  const child = spawn(command, ["mcp"], { cwd: folder({ "app.py": TIDY }), stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve({ code, signal })));
  const answered = new Promise((resolve) => child.stdout.once("data", resolve));
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  assert.match(String(await answered), /"id":1/);
  child.kill("SIGTERM");
  const { code, signal } = await ended;
  assert.ok(code === 130 || signal === "SIGTERM", `${code} ${signal}`);
});

test("other platforms get a remedy", () => {
  const top = folder({});
  mkdirSync(join(top, "node_modules"));
  cpSync(join(APP, "node_modules/codeslope"), join(top, "node_modules/codeslope"), { recursive: true });
  const command = spawnSync(process.execPath, [join(top, "node_modules/codeslope/bin/slope.js")], { encoding: "utf8" });
  assert.equal(command.status, 3);
  assert.match(command.stderr, /^error: the package @codeslope\/\S+ is not installed\nhelp: .*codeslope\/http/);
  const script = `require("codeslope/http"); try { require("codeslope").measure({}) } catch (e) { console.log(e.code) }`;
  const run = spawnSync(process.execPath, ["-e", script], { cwd: top, encoding: "utf8" });
  assert.equal(run.stdout.trim(), "unsupported-platform", run.stderr);
});
