// The example that opens the README, run from the installed package.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { APP, folder, SLOPPY, TIDY } from "./samples.mjs";

test("the example warns of worse code", () => {
  const readme = readFileSync(join(APP, "node_modules/codeslope/README.md"), "utf8");
  const example = readme.split("```js\n")[1].split("```")[0];
  assert.ok(example.split("\n").filter((line) => line.trim() !== "").length <= 12, example);
  const top = folder({ "old.py": TIDY, "new.py": SLOPPY, "same.py": TIDY, "example.mjs": example });
  symlinkSync(join(APP, "node_modules"), join(top, "node_modules"));
  const run = () => spawnSync(process.execPath, ["example.mjs"], { cwd: top, encoding: "utf8", timeout: 60_000 });
  const { stdout, stderr, status } = run();
  assert.equal(status, 0, stderr);
  for (const name of ["verbosity", "erosion", "extensibility"]) {
    assert.match(stdout, new RegExp(`^${name}: 10 -> [0-9.]+$`, "m"));
    assert.match(stderr, new RegExp(`^warning: ${name} got worse$`, "m"));
  }
  assert.match(stdout, /^app\.py:1: /m);
});
