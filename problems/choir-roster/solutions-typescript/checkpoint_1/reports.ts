import { Choir, PARTS, Part, Rehearsal, Singer, fail } from "./choir";

function belongs(singer: Singer, date: string): boolean {
  return singer.since === null || !(date < singer.since);
}

function dated(choir: Choir): Rehearsal[] {
  return choir.rehearsals.filter((rehearsal) => rehearsal.date !== null);
}

export function attendance(choir: Choir): string[] {
  const rehearsals = dated(choir);
  const lines = choir.singers.map((singer) => attendanceOf(singer, rehearsals));
  return lines.length === 0 ? ["nobody"] : lines;
}

function attendanceOf(singer: Singer, rehearsals: Rehearsal[]): string {
  const all = rehearsals.filter((rehearsal) => belongs(singer, rehearsal.date as string));
  const there = all.filter((rehearsal) => rehearsal.present.has(singer.name)).length;
  const late = all.filter((rehearsal) => rehearsal.late.has(singer.name)).length;
  const percent = all.length > 0 ? Math.floor((there * 100) / all.length) : 0;
  const count = `${there} of ${all.length}, late ${late}, ${percent} %`;
  return `${singer.name} (${singer.part ?? "no part"}): ${count}${markOf(all.length, percent, late)}`;
}

function markOf(all: number, percent: number, late: number): string {
  if (all === 0) {
    return "";
  }
  if (percent < 50) {
    return " !";
  }
  return percent === 100 && late === 0 ? " *" : "";
}

export function parts(choir: Choir): string[] {
  const partOf = new Map<unknown, Part | null>(choir.singers.map((singer) => [singer.name, singer.part]));
  const kinds: (Part | null)[] = [...PARTS, null];
  const counts = kinds.map((part) => [part ?? "no part", choir.singers.filter((one) => one.part === part).length]);
  const lines = counts.filter(([, count]) => count > 0).map(([part, count]) => `${part} ${count}`);
  for (const rehearsal of dated(choir)) {
    const sung = new Set(rehearsal.calls.map((name) => partOf.get(name)));
    const lacks = PARTS.filter((part) => !sung.has(part));
    if (lacks.length > 0) {
      lines.push(`${rehearsal.date} lacks ${lacks.join(", ")}`);
    }
  }
  return lines;
}

export function missing(choir: Choir, date: string): string[] {
  const meetings = choir.rehearsals.filter((rehearsal) => (rehearsal.date ?? "") === date);
  const last = meetings.pop();
  if (last === undefined) {
    return fail(1, "no rehearsal on " + date);
  }
  const absent = choir.singers.filter((singer) => belongs(singer, date) && !last.present.has(singer.name));
  return absent.length === 0 ? ["all there"] : absent.map((singer) => singer.name);
}

export function pairs(choir: Choir): string[] {
  const together = new Map<string, [string, string, number]>();
  for (const rehearsal of choir.rehearsals) {
    const names = namesOf(rehearsal);
    names.forEach((first, at) => names.slice(at + 1).forEach((second) => count(together, first, second)));
  }
  const all = [...together.values()].sort((a, b) => b[2] - a[2] || compare(a[0], b[0]) || compare(a[1], b[1]));
  if (all.length === 0) {
    return ["no pair"];
  }
  const [first, second, times] = all[0];
  return [`${first} and ${second}: ${times} ${times === 1 ? "time" : "times"}`];
}

function namesOf(rehearsal: Rehearsal): string[] {
  const named = [...rehearsal.present].filter((name) => name !== null && name !== undefined && name !== "");
  return (named as string[]).sort();
}

function count(together: Map<string, [string, string, number]>, first: string, second: string): void {
  const key = JSON.stringify([first, second]);
  const pair = together.get(key) ?? [first, second, 0];
  pair[2] += 1;
  together.set(key, pair);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
