/** The functions of `codeslope` as promises. The work is done in other threads, so the event loop goes on. */
import * as calls from "./calls.js";
import type { ExplainOptions, GradeOptions, JudgeOptions, Options } from "./calls.js";
import type { Code } from "./code.js";
import type { Assessment, Explanation, Grade, Judgement, Ledger, Measurement, Request } from "./documents.js";
import { later } from "./native.js";

/** As `measure` of `codeslope`. */
export async function measure(code: Code, options: Options = {}): Promise<Measurement> {
  return JSON.parse(await later(calls.measure(code, options)));
}

/** As `diff` of `codeslope`. */
export async function diff(before: Code, after: Code, options: Options = {}): Promise<Ledger> {
  return JSON.parse(await later(calls.diff(before, after, options)));
}

/** As `check` of `codeslope`. */
export async function check(before: Code, after: Code, options: Options = {}): Promise<Judgement> {
  return JSON.parse(await later(calls.check(before, after, options)));
}

/** As `judge` of `codeslope`. */
export async function judge(code: Code, options: JudgeOptions = {}): Promise<Assessment> {
  return JSON.parse(await later(calls.judge(code, options)));
}

/** As `judgeChange` of `codeslope`. */
export async function judgeChange(before: Code, after: Code, options: JudgeOptions = {}): Promise<Assessment> {
  return JSON.parse(await later(calls.judgeChange(before, after, options)));
}

/** As `grade` of `codeslope`. */
export async function grade(base: Code, request: Request, options?: GradeOptions): Promise<Grade>;
export async function grade(base: Code, requests: readonly Request[], options?: GradeOptions): Promise<Grade[]>;
export async function grade(
  base: Code,
  request: Request | readonly Request[],
  options: GradeOptions = {},
): Promise<unknown> {
  const requests = Array.isArray(request) ? request : [request];
  return calls.grades(await later(calls.grade(base, requests, options)), Array.isArray(request));
}

/** As `explain` of `codeslope`. */
export async function explain(id: string, options: ExplainOptions = {}): Promise<Explanation[]> {
  return JSON.parse(await later(calls.explain(id, options)));
}
