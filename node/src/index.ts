/**
 * Scores, measurements and gates for code, in this process. `codeslope/promises` has the same functions without blocking,
 * and `codeslope/http` those of a server.
 */
import * as calls from "./calls.js";
import type { ExplainOptions, GradeOptions, JudgeOptions, Options } from "./calls.js";
import type { Code } from "./code.js";
import type { Assessment, Explanation, Grade, Judgement, Ledger, Measurement, Request } from "./documents.js";
import { now } from "./native.js";

export type { ExplainOptions, GradeOptions, JudgeOptions, Model, Options } from "./calls.js";
export type { Code, Files } from "./code.js";
export type * from "./documents.js";
export { SlopeError, type ErrorCode } from "./errors.js";

/** The measurement of code: each function, each file, and totals. A value that slope cannot give is null, with a reason. */
export function measure(code: Code, options: Options = {}): Measurement {
  return JSON.parse(now(calls.measure(code, options)));
}

/** The ledger of a change: what it adds and removes, each at the function that caused it. */
export function diff(before: Code, after: Code, options: Options = {}): Ledger {
  return JSON.parse(now(calls.diff(before, after, options)));
}

/**
 * The judgement of the gate on a change, by a policy or the `slope.toml` of the code after it. `passes` is false if a
 * violation has the level `error`. Only what the change adds counts.
 */
export function check(before: Code, after: Code, options: Options = {}): Judgement {
  return JSON.parse(now(calls.check(before, after, options)));
}

/** Scores for verbosity, erosion and extensibility from 0 to 10, where 10 is best, and issues. */
export function judge(code: Code, options: JudgeOptions = {}): Assessment {
  return JSON.parse(now(calls.judge(code, options)));
}

/** The scores after a change, those before it in `before`, and the issues that the change adds. */
export function judgeChange(before: Code, after: Code, options: JudgeOptions = {}): Assessment {
  return JSON.parse(now(calls.judgeChange(before, after, options)));
}

/**
 * Rewards for edits of a base: a folder, a revision of a repository as `PATH@REVISION`, a tar archive, or texts by path.
 * A request that is not valid has a grade with `error`. To grade many edits, give a list: the base is read once.
 */
export function grade(base: Code, request: Request, options?: GradeOptions): Grade;
export function grade(base: Code, requests: readonly Request[], options?: GradeOptions): Grade[];
export function grade(base: Code, request: Request | readonly Request[], options: GradeOptions = {}): unknown {
  const requests = Array.isArray(request) ? request : [request];
  return calls.grades(now(calls.grade(base, requests, options)), Array.isArray(request));
}

/** What a rule, signal or metric means: one entry for each group of languages. */
export function explain(id: string, options: ExplainOptions = {}): Explanation[] {
  return JSON.parse(now(calls.explain(id, options)));
}
