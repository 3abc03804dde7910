// Code that tests share, and the installed command.
import { spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder with the installed packages. */
export const APP = dirname(dirname(fileURLToPath(import.meta.url)));

export const TIDY = "RATES = {'letter': 2, 'parcel': 5}\n\n\ndef price(kind, weight):\n    return RATES[kind] * weight\n";

const CHAIN = ["letter", "parcel", "crate", "tube", "bag", "pallet"]
  .map((kind, at) => `    ${at ? "elif" : "if"} kind == '${kind}':\n        if weight > ${at} and a:\n            return ${at}\n`)
  .join("");

/** Worse in all three scores: a long chain that is there twice, and many parameters. */
export const SLOPPY = ["price", "cost"]
  .map((name) => `def ${name}(kind, weight, a, b, c, d, e):\n${CHAIN}    return 0\n\n\n`)
  .join("");

/** A new folder with files. */
export function folder(files) {
  const top = mkdtempSync(join(tmpdir(), "codeslope-test-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  return top;
}

/** What the installed command does. */
export function slope(args, options = {}) {
  const command = join(APP, "node_modules/.bin/codeslope");
  return spawnSync(command, args, { encoding: "utf8", timeout: 60_000, ...options });
}

/** What it prints as JSON. */
export function printed(...args) {
  const { stdout, stderr } = slope([...args, "--format", "json"]);
  if (stdout === "") {
    throw new Error(stderr);
  }
  return JSON.parse(stdout);
}

/** A run that goes on, with one trial of one checkpoint. */
export function sentRun(model, totals) {
  const checkpoint = {
    checkpoint: "checkpoint_1",
    index: 1,
    state: "passed",
    reason: null,
    counts: { core: { passed: 4, total: 4 } },
    totals,
    usage: null,
    agent_s: 60,
    grade_s: 1,
    snapshot: "s",
  };
  const config = {
    schema: "slope.run/1",
    slope_version: "0.1.0",
    label: "a run",
    agent: "codex",
    agent_version: "1",
    model,
    prompt: "just-solve",
    prompt_hash: "h",
    problems: { shop: { path: "shop", hash: "h", checkpoint_names: ["checkpoint_1"] } },
    trials: 1,
    isolation: "local",
  };
  const trials = [{ problem: "shop", trial: 1, checkpoints: [checkpoint] }];
  const report = { schema: "slope.run-report/1", run: "dir", config, definitions: [], trials };
  return { schema: "slope.sent-run/1", phase: "running", started: "2026-11-30T08:00:00Z", report };
}

/** A step of an agent. */
export function step(text) {
  return { actor: "agent", message: { text, left_out: 0 }, calls: [], results: [], took_s: 1 };
}

/** Details of a checkpoint. */
export const DETAILS = {
  spec: { Ok: { text: "Add a cart.", left_out: 0 } },
  changes: { Err: "no snapshot" },
  tests: { Ok: { items: [], left_out: 0 } },
  findings: { Ok: { items: [], left_out: 0 } },
  steps: { Ok: { items: [], left_out: 5 } },
};
