import { count, native as code, optionalText, wrong, type Code } from "./code.js";
import type { Request } from "./documents/grade-request.js";
import { native, type Call } from "./native.js";

/** Options of all functions. */
export interface Options {
  /** Text of a `slope.toml`, which replaces the one of the code. */
  policy?: string;
}

/** Options of `judge` and `judgeChange`. */
export interface JudgeOptions extends Options {
  /** Maximum number of issues, 0 for all. 20 by default. */
  top?: number;
  /** A language model to ask, too. Its server sees the code. */
  model?: Model;
}

/** A language model that judges. */
export interface Model {
  name: string;
  /** Base address of an OpenAI- or Anthropic-compatible server. */
  upstream: string;
  /** The server's API: that of Anthropic (`messages`, the default) or of OpenAI (`chat`). */
  dialect?: "messages" | "chat";
  /** Environment variable with the server's key. */
  keyEnv?: string;
  /** Judgements of the same code. A score is their median. 3 by default. */
  repeats?: number;
  /** File with the criteria; slope's own without one. */
  rubric?: string;
  /** Most that a judgement may cost, in US dollars. */
  maxUsd?: number;
  /** Folder of earlier answers, so that unchanged files are not paid for twice. Nothing is kept without one. */
  cache?: string;
}

/** Options of `grade`. */
export interface GradeOptions {
  /** Text of a reward pack. */
  pack?: string;
  /** Whether rewards are set by `task.group`: while few attempts at a task pass, only correctness counts. */
  groups?: boolean;
}

/** Options of `explain`. */
export interface ExplainOptions {
  /** Only the rule for this language. */
  language?: string;
}

const TOP = 20;

function policyOf(options: Options): string | undefined {
  return optionalText(options.policy, "policy");
}

/** The model as JSON with the names of the native part. */
function modelOf({ model }: JudgeOptions): string | undefined {
  if (model === undefined) {
    return undefined;
  }
  const { keyEnv, maxUsd, ...others } = model;
  return JSON.stringify({ ...others, key_env: keyEnv, max_usd: maxUsd });
}

export function measure(of: Code, options: Options): Call {
  return native().measure(code(of, "code"), policyOf(options));
}

export function diff(before: Code, after: Code, options: Options): Call {
  return native().diff(code(before, "before"), code(after, "after"), policyOf(options));
}

export function check(before: Code, after: Code, options: Options): Call {
  return native().check(code(before, "before"), code(after, "after"), policyOf(options));
}

export function judge(of: Code, options: JudgeOptions): Call {
  return native().judge(code(of, "code"), count(options.top ?? TOP, "top"), policyOf(options), modelOf(options));
}

export function judgeChange(before: Code, after: Code, options: JudgeOptions): Call {
  const top = count(options.top ?? TOP, "top");
  return native().judgeChange(code(before, "before"), code(after, "after"), top, policyOf(options), modelOf(options));
}

export function grade(base: Code, requests: readonly Request[], options: GradeOptions): Call {
  const texts = requests.map((request) => JSON.stringify(request));
  return native().grade(code(base, "base"), texts, optionalText(options.pack, "pack"), options.groups === true);
}

export function explain(id: string, options: ExplainOptions): Call {
  if (typeof id !== "string") {
    throw wrong("id", `id is ${typeof id}, not a string`);
  }
  return native().explain(id, optionalText(options.language, "language"));
}

/** Grades of lines; one grade if there was one request. */
export function grades(lines: string, isList: boolean): unknown {
  const grades = lines === "" ? [] : lines.split("\n").map((line) => JSON.parse(line));
  return isList ? grades : grades[0];
}
