import { readFileSync } from "fs";

export type Part = "soprano" | "alto" | "tenor" | "bass";

export const PARTS: Part[] = ["soprano", "alto", "tenor", "bass"];

export interface Singer {
  name: string;
  part: Part | null;
  /** The first date that counts; null if all do. */
  since: string | null;
}

export interface Rehearsal {
  date: string | null;
  present: Set<unknown>;
  late: Set<unknown>;
  /** Who was present, with repetitions. */
  calls: unknown[];
}

export interface Choir {
  singers: Singer[];
  rehearsals: Rehearsal[];
}

export function fail(code: number, message: string): never {
  process.stderr.write(message + "\n");
  return process.exit(code);
}

function orNull(value: any): any {
  return value === undefined || value === "" ? null : value;
}

/** The list without entries that are null. */
function entries(list: any): any[] {
  return Array.from<any>(list ?? []).filter((entry: any) => entry !== null && entry !== undefined);
}

function partOf(letter: any): Part | null {
  const at = typeof letter === "string" && letter.length === 1 ? "SATB".indexOf(letter.toUpperCase()) : -1;
  return at < 0 ? null : PARTS[at];
}

/** The singers with a name, the first of each name only. */
function singersOf(list: any): Singer[] {
  const singers = new Map<string, Singer>();
  for (const entry of entries(list)) {
    const name = orNull(entry.name);
    if (name !== null && !singers.has(name)) {
      singers.set(name, { name, part: partOf(entry.part), since: orNull(entry.since) });
    }
  }
  return [...singers.values()];
}

function rehearsalOf(entry: any): Rehearsal {
  const calls = Array.from<any>(entry.present ?? []);
  return { date: orNull(entry.date), present: new Set(calls), late: new Set(Array.from<any>(entry.late ?? [])), calls };
}

function parsed(file: string): any {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    return fail(1, "not JSON: " + file);
  }
}

export function read(file: string): Choir {
  const data = parsed(file);
  const whole = data !== null && typeof data === "object" ? data : {};
  return { singers: singersOf(whole.singers), rehearsals: entries(whole.rehearsals).map(rehearsalOf) };
}
