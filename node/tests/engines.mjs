// What each engine can do: both kinds of modules, both kinds of calls, errors, and the client.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import * as codeslope from "codeslope";
import * as promises from "codeslope/promises";
import { Client } from "codeslope/http";
import { serve } from "./server.mjs";
import { SLOPPY, TIDY } from "./samples.mjs";

const [before, after] = [{ "app.py": TIDY }, { "app.py": SLOPPY }];
assert.equal(createRequire(import.meta.url)("codeslope").measure, codeslope.measure);
const found = codeslope.judgeChange(before, after);
assert.ok(found.scores.erosion < found.before.erosion);
assert.deepEqual(await promises.judgeChange(before, after), found);
assert.throws(() => codeslope.measure("nowhere"), codeslope.SlopeError);
await assert.rejects(promises.measure("nowhere"), codeslope.SlopeError);
const server = await serve("t");
assert.deepEqual(await new Client(server.url, { token: "t" }).judgeChange(before, after), found);
await assert.rejects(new Client(server.url).judge(after), { name: "ProblemError", status: 401 });
server.close();
console.log("ok");
