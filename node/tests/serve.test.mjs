// The client against `slope serve` of the installed package.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as codeslope from "codeslope";
import { Client, ProblemError } from "codeslope/http";
import { APP, folder, slope, SLOPPY, TIDY } from "./samples.mjs";

const [BEFORE, AFTER] = [{ "app.py": TIDY }, { "app.py": SLOPPY }];
const data = folder({});
let server;
let url;

/** The secret of a new token. */
function token(scope) {
  const made = slope(["serve", "token", "add", "--data", data, "--project", "shop", "--scope", scope]);
  assert.equal(made.status, 0, made.stderr);
  return made.stdout.trim();
}

/** The address that a new server prints. */
function listening(child) {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stderr.on("data", (part) => {
      text += part;
      const found = /listening on (\S+)\n/.exec(text);
      if (found) resolve(found[1]);
    });
    child.on("exit", () => reject(new Error(text)));
  });
}

before(async () => {
  const added = slope(["serve", "project", "add", "shop", "--data", data]);
  assert.equal(added.status, 0, added.stderr);
  const args = ["serve", "--listen", "127.0.0.1:0", "--data", data, "--require-token"];
  const command = join(APP, "node_modules/.bin/codeslope");
  server = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  url = await listening(server);
});
after(() => server.kill("SIGTERM"));

function point(iteration, { definitions, totals }) {
  return {
    schema: "slope.point/1",
    series: "main",
    time: new Date(Date.UTC(2026, 0, 1, 0, iteration)).toISOString().replace(".000Z", "Z"),
    iteration,
    origin: "folder",
    tree: "0".repeat(64),
    engine: "0.1.0",
    definitions: definitions.hash,
    totals,
  };
}

test("documents of a server equal those in process", async () => {
  const client = new Client(url, { token: token("read") });
  const policy = '[check]\ngrowth = 1\n';
  assert.deepEqual(await client.measure(AFTER), codeslope.measure(AFTER));
  assert.deepEqual(await client.diff(BEFORE, AFTER), codeslope.diff(BEFORE, AFTER));
  assert.deepEqual(await client.check(BEFORE, AFTER, { policy }), codeslope.check(BEFORE, AFTER, { policy }));
  assert.deepEqual(await client.judge(AFTER), codeslope.judge(AFTER));
  assert.deepEqual(await client.judgeChange(BEFORE, AFTER), codeslope.judgeChange(BEFORE, AFTER));
  const request = { id: "a", change: { kind: "files", data: AFTER } };
  assert.deepEqual(await client.grade(BEFORE, request), codeslope.grade(BEFORE, request));
  assert.deepEqual(await client.explain("erosion"), codeslope.explain("erosion"));
});

test("points are pushed once and read in pages", async () => {
  const client = new Client(url, { token: token("push") });
  const measured = codeslope.measure(BEFORE);
  const { totals } = measured;
  const points = Array.from({ length: 501 }, (_, at) => point(at, measured));
  const added = await client.push("shop", points);
  assert.equal(added.length, points.length);
  assert.deepEqual(new Set(added.map((one) => one.outcome)), new Set(["stored"]));
  const read = [];
  for await (const one of client.points("shop", "main", { limit: 200 })) read.push(one);
  assert.deepEqual(read.map((one) => one.iteration), points.map((one) => one.iteration));
  const [same, conflict] = await client.push("shop", [points[0], { ...points[1], totals: { ...totals, sloc: 99 } }]);
  assert.deepEqual([same.outcome, conflict.outcome], ["same", "conflict"]);
  assert.deepEqual((await client.projects()).map((project) => project.name), ["shop"]);
});

test("problems of a server have help", async () => {
  const refused = (promise, status) =>
    assert.rejects(promise, (error) => {
      assert.ok(error instanceof ProblemError, error);
      assert.equal(error.status, status, error.message);
      assert.ok(error.title && error.detail && error.help, JSON.stringify(error));
      return true;
    });
  await refused(new Client(url).projects(), 401);
  const client = new Client(url, { token: token("read") });
  await refused(client.push("shop", [point(0, codeslope.measure(BEFORE))]), 403);
  await refused(client.measure({ "../a.py": "" }), 422);
  await refused(client.points("shop", "main", { limit: 100_000 }).next(), 400);
});
