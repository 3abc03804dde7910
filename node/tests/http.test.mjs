// The client against a server that speaks the API. Its documents are those in process.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import * as codeslope from "codeslope";
import { Client, ProblemError, SlopeError } from "codeslope/http";
import { serve } from "./server.mjs";
import { APP, SLOPPY, TIDY } from "./samples.mjs";

const BEFORE = { "app.py": TIDY };
const AFTER = { "app.py": SLOPPY };
let server;
let client;

before(async () => {
  server = await serve("a-token");
  client = new Client(`${server.url}/`, { token: "a-token" });
});
beforeEach(() => server.reset());
after(() => server.close());

test("documents equal those in process", async () => {
  assert.deepEqual(await client.measure(AFTER), codeslope.measure(AFTER));
  assert.deepEqual(await client.diff(BEFORE, AFTER), codeslope.diff(BEFORE, AFTER));
  assert.deepEqual(await client.check(BEFORE, AFTER), codeslope.check(BEFORE, AFTER));
  assert.deepEqual(await client.judge(AFTER), codeslope.judge(AFTER));
  assert.deepEqual(await client.judgeChange(BEFORE, AFTER), codeslope.judgeChange(BEFORE, AFTER));
  const request = { id: "a", change: { kind: "files", data: AFTER } };
  assert.deepEqual(await client.grade(BEFORE, request), codeslope.grade(BEFORE, request));
  assert.deepEqual(await client.explain("erosion"), codeslope.explain("erosion"));
  const policy = '[check]\ngrowth = 1\n';
  assert.deepEqual(await client.check(BEFORE, AFTER, { policy }), codeslope.check(BEFORE, AFTER, { policy }));
  const bytes = new Map([["app.py", new TextEncoder().encode(SLOPPY)]]);
  assert.deepEqual(await client.measure(bytes), codeslope.measure(AFTER));
});

test("points come from all pages", async () => {
  const times = [];
  for await (const point of client.points("a shop", "main/x", { limit: 2 })) {
    times.push(point.time);
  }
  assert.deepEqual(times, ["t0", "t1", "t2", "t3", "t4"]);
  assert.deepEqual(server.addresses, [
    "/api/v1/projects/a%20shop/series/main%2Fx/points?limit=2",
    "/api/v1/projects/a%20shop/series/main%2Fx/points?limit=2&cursor=2",
    "/api/v1/projects/a%20shop/series/main%2Fx/points?limit=2&cursor=4",
  ]);
});

test("pages are read when they are needed", async () => {
  for await (const point of client.points("shop", "main", { limit: 2 })) {
    assert.equal(point.time, "t0");
    break;
  }
  assert.equal(server.addresses.length, 1);
  assert.deepEqual((await client.projects()).map((project) => project.name), ["shop", "tool"]);
});

test("pushed points have a key", async () => {
  const points = [{ series: "main", time: "t5" }];
  assert.deepEqual(await client.push("shop", points), [{ series: "main", key: "k", outcome: "stored" }]);
  assert.deepEqual(server.pushed, [points]);
  const [key] = server.keys;
  assert.match(key, /^[0-9a-f]{32}$/);
  await client.push("shop", points);
  assert.notEqual(server.keys[1], key, "each call is a new request");
});

test("problems have their details", async () => {
  const nobody = new Client(server.url);
  await assert.rejects(nobody.measure(AFTER), (error) => {
    assert.ok(error instanceof ProblemError && error instanceof Error);
    const { name, type, title, status, detail, help, message } = error;
    assert.deepEqual([name, status, title], ["ProblemError", 401, "Unauthorized"]);
    assert.deepEqual([type, detail, help], ["/problems/token", "the token is missing", "send one"]);
    assert.equal(message, detail);
    return true;
  });
  server.answer(502, "text/html", "<h1>Bad gateway</h1>");
  await assert.rejects(client.judge(AFTER), { name: "ProblemError", status: 502, type: "about:blank", detail: "<h1>Bad gateway</h1>" });
  server.answer(500, "application/json", "[]");
  await assert.rejects(client.judge(AFTER), { status: 500, title: "HTTP 500 Internal Server Error", detail: undefined });
});

test("busy servers are asked again", async () => {
  server.busy(2);
  assert.equal((await client.judge(AFTER)).judge, "static");
  assert.equal(server.addresses.length, 3);
  assert.equal(new Set(server.keys).size, 1, "tries of one call have one key");
  server.busy(5);
  await assert.rejects(client.judge(AFTER), { name: "ProblemError", status: 429, help: "wait" });
});

test("signals end requests and waits", async () => {
  server.busy(5, 20);
  const ends = new AbortController();
  setTimeout(() => ends.abort(new Error("enough")), 50);
  const started = Date.now();
  await assert.rejects(client.judge(AFTER, { signal: ends.signal }), /enough/);
  assert.ok(Date.now() - started < 5_000);
});

test("wrong files are not sent", async () => {
  for (const files of [7, null, { "a.py": 7 }, { "a.bin": new Uint8Array([255]) }]) {
    assert.throws(() => client.measure(files), (error) => error instanceof SlopeError && error.field === "files");
  }
  assert.deepEqual(server.addresses, []);
});

test("browsers find no part of Node", () => {
  const modules = join(APP, "node_modules/codeslope/esm");
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    const text = readFileSync(join(modules, name), "utf8");
    assert.doesNotMatch(text, /\brequire\(|node:|\bprocess\.|\bBuffer\b/, name);
    for (const [, other] of text.matchAll(/from "\.\/(.*?)"/g)) visit(other);
  };
  visit("http.js");
  assert.ok(seen.size >= 3 && readdirSync(modules).length > seen.size, [...seen].join(" "));
});
