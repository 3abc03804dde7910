import { SlopeError } from "./errors.js";

/** Texts by path, relative to their top, with `/` between folders. A `slope.toml` among them is their configuration. */
export type Files = { readonly [path: string]: string | Uint8Array } | ReadonlyMap<string, string | Uint8Array>;

/** A folder or a file, or texts by path. */
export type Code = string | Files;

/** Texts by path as pairs. */
export function pairs(files: Files, field: string): [string, string | Uint8Array][] {
  if (typeof files !== "object" || files === null || Array.isArray(files)) {
    throw wrong(field, `${field} is not texts by path`);
  }
  const pairs: [string, unknown][] = files instanceof Map ? [...files] : Object.entries(files);
  for (const [path, text] of pairs) {
    if (typeof path !== "string" || !(typeof text === "string" || text instanceof Uint8Array)) {
      throw wrong(field, `the text of ${JSON.stringify(String(path))} is ${kind(text)}, not a string or a Uint8Array`);
    }
  }
  return pairs as [string, string | Uint8Array][];
}

/** Code as the native part takes it. */
export function native(code: Code, field: string): string | Record<string, Uint8Array> {
  if (typeof code === "string") {
    return code;
  }
  const encoder = new TextEncoder();
  const bytes = (text: string | Uint8Array) => (typeof text === "string" ? encoder.encode(text) : text);
  return Object.fromEntries(pairs(code, field).map(([path, text]) => [path, bytes(text)]));
}

/** A text that may be missing. */
export function optionalText(text: unknown, field: string): string | undefined {
  if (text === undefined || typeof text === "string") {
    return text;
  }
  throw wrong(field, `${field} is ${kind(text)}, not a string`);
}

/** A whole number from 0. */
export function count(value: unknown, field: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 32) {
    return value;
  }
  throw wrong(field, `${field} is ${String(value)}, not a whole number from 0`);
}

export function wrong(field: string, message: string): SlopeError {
  return new SlopeError("invalid-argument", field, message, "give a folder, a file or texts by path, and options as an object");
}

function kind(value: unknown): string {
  return value === null ? "null" : typeof value;
}
