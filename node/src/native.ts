import { ofNative } from "./errors.js";
import { library } from "./platform.js";

/** A call with its arguments, to be made once. */
export interface Call {
  now(): string;
  later(): Promise<string>;
}

type Given = string | Record<string, Uint8Array>;

interface Calls {
  measure(code: Given, policy?: string): Call;
  diff(before: Given, after: Given, policy?: string): Call;
  check(before: Given, after: Given, policy?: string): Call;
  judge(code: Given, top: number, policy?: string, model?: string): Call;
  judgeChange(before: Given, after: Given, top: number, policy?: string, model?: string): Call;
  grade(base: Given, requests: string[], pack: string | undefined, inGroups: boolean): Call;
  explain(id: string, language?: string): Call;
}

let calls: Calls | undefined;

/** The native part. It is loaded by the first call, so that errors of loading are errors of that call. */
export function native(): Calls {
  calls ??= (require(library()) as { Call: Calls }).Call;
  return calls;
}

/** The document of a call, made in this thread. */
export function now(call: Call): string {
  try {
    return call.now();
  } catch (error) {
    throw ofNative(error);
  }
}

/** The document of a call, made in another thread. */
export async function later(call: Call): Promise<string> {
  try {
    return await call.later();
  } catch (error) {
    throw ofNative(error);
  }
}
