// The functions in process return what the command prints.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as codeslope from "codeslope";
import * as promises from "codeslope/promises";
import { APP, folder, printed, SLOPPY, TIDY } from "./samples.mjs";

const { SlopeError } = codeslope;
const BEFORE = { "app.py": TIDY };
const AFTER = { "app.py": SLOPPY };
const OFF = '[check]\ncomplexity-growth = "off"\nnew-complexity = "off"\nnew-clone = "off"\n';

test("documents equal those of commands", () => {
  const [old, next] = [folder(BEFORE), folder(AFTER)];
  assert.deepEqual(codeslope.measure(next), printed("measure", next));
  assert.deepEqual(codeslope.diff(old, next), printed("diff", old, next));
  assert.deepEqual(codeslope.check(old, next), printed("check", old, next));
  assert.deepEqual(codeslope.judge(next, { top: 3 }), printed("judge", "--static", next, "--top", "3"));
  assert.deepEqual(codeslope.explain("new-clone"), printed("explain", "new-clone"));
  const ledger = codeslope.diff(BEFORE, AFTER);
  assert.deepEqual({ ...ledger, base: old, head: next }, codeslope.diff(old, next));
});

test("texts are strings, bytes or maps", () => {
  const expected = codeslope.measure(AFTER);
  assert.equal(expected.totals.callables, 2);
  assert.deepEqual(codeslope.measure({ "app.py": Buffer.from(SLOPPY) }), expected);
  assert.deepEqual(codeslope.measure(new Map([["app.py", new TextEncoder().encode(SLOPPY)]])), expected);
});

test("sloppy code has lower scores", () => {
  const found = codeslope.judgeChange(BEFORE, AFTER, { top: 2 });
  for (const name of ["verbosity", "erosion", "extensibility"]) {
    assert.ok(found.before[name] > found.scores[name], name);
  }
  assert.equal(found.issues.length, 2);
  assert.deepEqual(found.scores, codeslope.judge(AFTER).scores);
  assert.deepEqual(codeslope.judgeChange(BEFORE, BEFORE).issues, []);
});

test("a policy decides what passes", () => {
  assert.equal(codeslope.check(BEFORE, AFTER).passes, false);
  assert.equal(codeslope.check(BEFORE, AFTER, { policy: OFF }).passes, true);
  assert.equal(codeslope.check(BEFORE, { ...AFTER, "slope.toml": OFF }).passes, true);
});

test("grades have the order of requests", () => {
  const request = (id, text) => ({
    id,
    change: { kind: "files", data: { "app.py": text } },
    tests: { passed: 1, failed: 0 },
  });
  const [tidy, bad, sloppy] = codeslope.grade(BEFORE, [
    request("tidy", TIDY.replaceAll("weight", "grams")),
    { id: "bad" },
    request("sloppy", SLOPPY),
  ]);
  assert.ok(tidy.reward > sloppy.reward);
  assert.match(bad.error.message, /request 2/);
  assert.deepEqual(codeslope.grade(BEFORE, request("sloppy", SLOPPY)), sloppy);
  assert.deepEqual(codeslope.grade(BEFORE, []), []);
});

test("promises have equal results", async () => {
  assert.deepEqual(await promises.measure(AFTER), codeslope.measure(AFTER));
  assert.deepEqual(await promises.diff(BEFORE, AFTER), codeslope.diff(BEFORE, AFTER));
  assert.deepEqual(await promises.check(BEFORE, AFTER, { policy: OFF }), codeslope.check(BEFORE, AFTER, { policy: OFF }));
  assert.deepEqual(await promises.judge(AFTER, { top: 1 }), codeslope.judge(AFTER, { top: 1 }));
  assert.deepEqual(await promises.judgeChange(BEFORE, AFTER), codeslope.judgeChange(BEFORE, AFTER));
  assert.deepEqual(await promises.explain("erosion"), codeslope.explain("erosion"));
  const request = { id: "a", change: { kind: "files", data: AFTER } };
  assert.deepEqual(await promises.grade(BEFORE, request), codeslope.grade(BEFORE, request));
  await assert.rejects(promises.measure("nowhere"), { name: "SlopeError", code: "unreadable", field: "code" });
});

test("promises leave the event loop free", async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}.py`, SLOPPY]));
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const started = Date.now();
  const found = await Promise.all([promises.measure(files), promises.measure(files)]);
  clearInterval(timer);
  assert.equal(found[0].totals.files, 300);
  const milliseconds = Date.now() - started;
  assert.ok(ticks > 10 && ticks > milliseconds / 20, `${ticks} ticks in ${milliseconds} ms`);
});

test("errors have code, field and help", () => {
  const cases = [
    [() => codeslope.measure("nowhere"), "unreadable", "code", /nowhere does not exist/],
    [() => codeslope.check(BEFORE, "nowhere"), "unreadable", "after", /nowhere/],
    [() => codeslope.measure({ "../a.py": TIDY }), "invalid-argument", "code", /plain path/],
    [() => codeslope.measure({ "a.py": 3 }), "invalid-argument", "code", /"a\.py" is number/],
    [() => codeslope.measure(7), "invalid-argument", "code", /not texts by path/],
    [() => codeslope.measure(null), "invalid-argument", "code", /not texts by path/],
    [() => codeslope.measure({ "a.txt": "hello" }), "no-code", "code", /nothing was measured/],
    [() => codeslope.check(BEFORE, AFTER, { policy: "cutof = 3\n" }), "invalid-policy", "policy", /slope\.toml:1: .*cutof/],
    [() => codeslope.measure(AFTER, { policy: 3 }), "invalid-argument", "policy", /not a string/],
    [() => codeslope.judge(AFTER, { top: -1 }), "invalid-argument", "top", /whole number/],
    [() => codeslope.explain("no-such-rule"), "invalid-argument", "id", /no-such-rule/],
    [() => codeslope.grade({ "a.txt": "hello" }, []), "no-code", "base", /no code/],
    [() => codeslope.grade(BEFORE, [], { pack: "=" }), "invalid-policy", "pack", /line 1/],
  ];
  for (const [call, code, field, message] of cases) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof SlopeError && error instanceof Error, error);
      assert.deepEqual([error.name, error.code, error.field], ["SlopeError", code, field], error.message);
      assert.match(error.message, message);
      assert.ok(error.help.length > 0);
      return true;
    });
  }
});

test("both kinds of modules are one", () => {
  const required = createRequire(import.meta.url);
  for (const [module, name] of [[codeslope, "codeslope"], [promises, "codeslope/promises"]]) {
    const names = (of) => Object.keys(of).filter((key) => !["__esModule", "default", "module.exports"].includes(key)).sort();
    assert.deepEqual(names(module), names(required(name)));
    for (const key of names(module)) {
      assert.equal(module[key], required(name)[key], key);
    }
  }
  const functions = (of) => Object.keys(of).filter((key) => /^[a-z]/.test(key) && typeof of[key] === "function").sort();
  assert.deepEqual(functions(codeslope), functions(promises));
});

test("packages run nothing at installation", () => {
  const manifests = ["codeslope", `@codeslope/${process.platform}-${process.arch}-gnu`].map((name) =>
    JSON.parse(readFileSync(join(APP, "node_modules", name, "package.json"), "utf8")),
  );
  for (const manifest of manifests) {
    assert.equal(manifest.scripts, undefined);
    assert.equal(manifest.dependencies, undefined);
  }
  const [main, platform] = manifests;
  assert.equal(main.optionalDependencies[platform.name], platform.version);
});
