// The client against `slope serve` of the installed package.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as codeslope from "codeslope";
import { Client, ProblemError } from "codeslope/http";
import { APP, DETAILS, folder, sentRun, slope, SLOPPY, step, TIDY } from "./samples.mjs";

const [BEFORE, AFTER] = [{ "app.py": TIDY }, { "app.py": SLOPPY }];
const data = folder({});
let server;
let url;

let allProjects;

/** The secret of a new token. */
function token(scope, project = ["--project", "shop"]) {
  const made = slope(["serve", "token", "add", "--data", data, ...project, "--scope", scope]);
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
  allProjects = token("admin", ["--all-projects"]);
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

const PLACE = { problem: "shop", trial: 1, checkpoint: "checkpoint_1" };

test("runs are sent and read", async () => {
  const client = new Client(url, { token: token("admin") });
  const run = sentRun("m", codeslope.measure(BEFORE).totals);
  assert.deepEqual(await client.putRun("shop", "r", run), { is_new: true, request: null, checkpoints: [] });
  assert.equal((await client.putRun("shop", "r", run)).is_new, false);
  const steps = Array.from({ length: 5 }, (_, at) => step(`message ${at}`));
  await client.putRunSteps("shop", "r", { place: PLACE, first: 0, steps });
  await client.putRunDetails("shop", "r", { place: PLACE, digest: "d1", steps: 5, details: DETAILS });
  assert.deepEqual((await client.putRun("shop", "r", run)).checkpoints, [{ place: PLACE, digest: "d1" }]);
  assert.deepEqual((await client.runs("shop")).map((one) => one.phase), ["running"]);
  assert.equal((await client.run("shop", "r")).sent.report.config.model, "m");
  assert.deepEqual((await client.runDetails("shop", "r", PLACE)).spec, DETAILS.spec);
  const read = [];
  for await (const one of client.runSteps("shop", "r", PLACE, { limit: 2 })) read.push(one);
  assert.deepEqual(read.map((one) => [one.place, one.step.message.text]), steps.map((one, at) => [at, one.message.text]));
  assert.equal((await client.askRun("shop", "r", "pause")).request, "pause");
  assert.equal((await client.putRun("shop", "r", run)).request, "pause");
  await client.removeRun("shop", "r");
  assert.deepEqual(await client.runs("shop"), []);
});

test("changes are sent and read", async () => {
  const client = new Client(url, { token: token("admin") });
  const judgement = codeslope.check(BEFORE, AFTER);
  const change = { schema: "slope.sent-change/1", title: "A copy", judgement };
  assert.deepEqual(await client.putChange("shop", "pr-1", change), { is_new: true });
  assert.deepEqual(await client.putChange("shop", "pr-1", change), { is_new: false });
  await client.putChange("shop", "pr-2", change);
  assert.deepEqual((await client.changes("shop")).map((one) => one.key).sort(), ["pr-1", "pr-2"]);
  assert.equal((await client.changes("shop", { limit: 1 })).length, 1);
  const found = await client.change("shop", "pr-1");
  assert.deepEqual([found.passes, found.summary.title], [judgement.passes, "A copy"]);
  assert.deepEqual(found.sent.judgement, judgement);
  await client.removeChange("shop", "pr-1");
  await assert.rejects(client.change("shop", "pr-1"), { name: "ProblemError", status: 404 });
});

/** Days on which nearly all tasks pass at first, and few later. */
function watchDay(day) {
  const tasks = Array.from({ length: 20 }, (_, task) => ({
    task: `python/p/step_${task}`,
    trial: 1,
    outcome: (task + day) % (day < 13 ? 7 : 2) === 0 ? "failed" : "passed",
    passed_share: 0.5,
  }));
  const arm = { role: "target", agent: "codex", agent_version: "1", model: "m", settings: "s", tasks };
  const date = `2026-11-${String(day).padStart(2, "0")}`;
  return { schema: "slope.watch-day/1", date, suite: "s", replicates: 1, arms: { main: arm } };
}

test("watches are sent and read", async () => {
  const client = new Client(url, { token: token("admin") });
  const settings = {
    schema: "slope.sent-watch/1",
    baseline_days: 5,
    baseline_replicates: 1,
    alarm_replicates: 4,
    false_alarms_per_year: 0.1,
    tasks: 20,
    arms: { main: { role: "target", agent: "codex", model: "m" } },
  };
  assert.equal((await client.putWatch("shop", "nightly", settings)).is_new, true);
  const days = Array.from({ length: 20 }, (_, at) => watchDay(at + 1));
  const added = await client.addWatchDays("shop", "nightly", days);
  assert.deepEqual(added.map((one) => one.outcome), Array(20).fill("stored"));
  const changed = await client.addWatchDays("shop", "nightly", [{ ...days[0], replicates: 9 }]);
  assert.equal(changed[0].outcome, "conflict");
  const read = [];
  for await (const day of client.watchDays("shop", "nightly", { limit: 7 })) read.push(day);
  assert.deepEqual(read, days);
  assert.deepEqual(await client.watchDay("shop", "nightly", days[3].date), days[3]);
  assert.deepEqual((await client.watch("shop", "nightly")).sent, settings);
  const [listed] = await client.watches("shop");
  assert.deepEqual([listed.watch, listed.state], ["nightly", "confirmed"]);
  const alarm = listed.open[0].id;
  await client.acknowledgeAlarm("shop", "nightly", alarm, { who: "Ann", why: "known" });
  const find = (all) => all.find((one) => one.id === alarm);
  assert.equal(find(await client.alarms("shop")).acknowledged.why, "known");
  await client.takeBackAcknowledgement("shop", "nightly", alarm);
  assert.equal(find((await client.watchStatus("shop", "nightly")).alarms).acknowledged, null);
  await client.removeWatch("shop", "nightly");
  assert.deepEqual(await client.watches("shop"), []);
});

test("events follow pushes", async () => {
  const client = new Client(url, { token: token("admin") });
  const measured = codeslope.measure(BEFORE);
  const series = { series: "live" };
  let number = 0;
  const timer = setInterval(() => client.push("shop", [{ ...point(number++, measured), ...series }]), 50);
  try {
    const seen = [];
    for await (const event of client.events("shop")) {
      seen.push(event);
      if (seen.length === 2) break;
    }
    assert.deepEqual(seen.map((one) => [one.kind, one.project, one.series]), Array(2).fill(["point", "shop", "live"]));
    assert.match(seen[0].key, /^iteration-\d+$/);
  } finally {
    clearInterval(timer);
  }
});

test("projects, points and tokens are kept", async () => {
  const client = new Client(url, { token: allProjects });
  assert.equal((await client.health()).status, "ok");
  assert.equal((await client.addProject("other", { title: "A <title>" })).title, "A <title>");
  await client.push("other", [point(1, codeslope.measure(BEFORE)), point(2, codeslope.measure(BEFORE))]);
  await client.removePoint("other", "main", "iteration-1");
  await assert.rejects(client.point("other", "main", "iteration-1"), { status: 404 });
  assert.equal((await client.point("other", "main", "iteration-2")).iteration, 2);
  assert.deepEqual((await client.summaries("other", "main")).map((one) => one.key), ["iteration-2"]);
  assert.deepEqual((await client.series("other")).map((one) => [one.name, one.points]), [["main", 1]]);
  const made = await client.addToken("other", "read", { label: "a reader" });
  const reader = new Client(url, { token: made.secret });
  assert.deepEqual((await reader.projects()).map((one) => one.name), ["other"]);
  await client.revokeToken("other", made.id);
  assert.equal((await client.tokens("other"))[0].label, "a reader");
  await assert.rejects(reader.projects(), { status: 401 });
  await client.removeProject("other");
  await assert.rejects(client.project("other"), { status: 404 });
  for (const name of ["", ".", ".."]) {
    assert.throws(() => client.project(name), { name: "SlopeError" });
  }
});

test("every operation has a method", async () => {
  const answer = await fetch(`${url}/openapi.json`, { headers: { Authorization: `Bearer ${allProjects}` } });
  const paths = Object.values((await answer.json()).paths);
  const operations = paths.flatMap((path) => Object.values(path).map((one) => one.operationId));
  assert.ok(operations.length > 30, operations.join(" "));
  const missing = operations.filter((name) => typeof Client.prototype[methodOf(name)] !== "function");
  assert.deepEqual(missing, [], "operations without a method of `Client`");
});

/** The method for an operation of the API: its name without `list` and `get`. */
function methodOf(operation) {
  const name = operation.replace(/^(list|get)(?=[A-Z])/, "");
  return operation === "addPoints" ? "push" : name[0].toLowerCase() + name.slice(1);
}

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
