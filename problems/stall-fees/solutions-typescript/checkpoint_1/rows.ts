import { readFileSync } from "fs";

/** A row of the file. `isObject` says whether it is a JSON object; `isJson` whether it is JSON other than null. */
export interface Row {
  isJson: boolean;
  isObject: boolean;
  trader: any;
  place: any;
  date: any;
  kind: any;
  day: any;
  metres: number;
  hasPower: boolean;
  goods: any[];
}

export function fail(code: number, message: string): never {
  console.error(message);
  return process.exit(code);
}

/** The value, or null if it is missing or an empty text. */
function orNull(value: any): any {
  return value === undefined || value === "" ? null : value;
}

function parsed(line: string): any {
  try {
    return JSON.parse(line);
  } catch (error) {
    return null;
  }
}

function metresOf(value: any): number {
  return typeof value === "number" && value > 0 ? Math.ceil(value) : 1;
}

function rowOf(line: string): Row {
  const value = parsed(line);
  const from = value ?? {};
  return {
    isJson: value !== null,
    isObject: value !== null && typeof value === "object" && !Array.isArray(value),
    trader: orNull(from.trader),
    place: from.place ?? null,
    date: from.date ?? null,
    kind: from.kind,
    day: from.day,
    metres: metresOf(from.metres),
    hasPower: from.power === true,
    goods: Array.from<any>(from.goods ?? []).filter((one) => one !== null && one !== ""),
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return fail(1, "cannot read " + path);
  }
}

export function readRows(path: string | undefined): Row[] {
  if (path === undefined || path === "") {
    return fail(2, "no file given");
  }
  const lines = textOf(path).split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map(rowOf);
}
