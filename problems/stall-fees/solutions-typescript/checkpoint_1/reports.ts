import { Row, fail } from "./rows";

/** Cents for a metre of each kind that has a price of its own. */
const PRICES = new Map([["food", 450], ["craft", 300], ["plants", 250], ["charity", 0]]);
const OTHER_PRICE = 500;
const POWER = 600;

function feeOf(row: Row): number {
  const fee = row.metres * (PRICES.get(row.kind) ?? OTHER_PRICE) + (row.hasPower ? POWER : 0);
  const isDear = row.kind !== "charity" && (row.day === "sat" || row.day === "sun");
  return isDear ? fee + Math.floor(fee / 4) : fee;
}

function isTraded(row: Row): boolean {
  return row.isObject && row.trader !== null;
}

export function fees(rows: Row[]): string[] {
  const traders = groups(rows.filter(isTraded), (row) => row.trader);
  const names = [...traders.keys()].sort();
  const lines = names.map((name) => bill(name, traders.get(name) as Row[]));
  const unusable = rows.filter((row) => !isTraded(row)).length;
  if (unusable > 0) {
    lines.push("unusable rows: " + unusable);
  }
  return names.length === 0 ? [...lines, "no traders"] : lines;
}

function bill(name: any, rows: Row[]): string {
  const sum = rows.reduce((cents, row) => cents + feeOf(row), 0);
  const cents = rows.length > 3 ? sum - Math.floor(sum / 10) : sum;
  const goods = [...new Set(rows.flatMap((row) => row.goods))].sort();
  const money = Math.floor(cents / 100) + "." + String(cents % 100).padStart(2, "0");
  const days = rows.length + (rows.length === 1 ? " day" : " days");
  return `${name}: ${days}, ${money}` + (goods.length > 0 ? ` (${goods.join(", ")})` : "");
}

function groups<K>(rows: Row[], keyOf: (row: Row) => K): Map<K, Row[]> {
  const found = new Map<K, Row[]>();
  for (const row of rows) {
    const group = found.get(keyOf(row));
    if (group === undefined) {
      found.set(keyOf(row), [row]);
    } else {
      group.push(row);
    }
  }
  return found;
}

export function clashes(rows: Row[]): string[] {
  const placed = rows.filter((row) => row.isJson && row.place !== null && row.date !== null);
  const same = groups(placed, (row) => JSON.stringify([row.place, row.date]));
  const lines: string[] = [];
  for (const row of placed) {
    const group = same.get(JSON.stringify([row.place, row.date])) as Row[];
    group.shift();
    for (const other of group.filter((one) => nameOf(one) !== nameOf(row))) {
      lines.push(`place ${row.place} on ${row.date}: ${nameOf(row)} and ${nameOf(other)}`);
    }
  }
  return lines.length === 0 ? ["no clash"] : lines;
}

function nameOf(row: Row): any {
  return row.trader ?? "unknown";
}

export function free(rows: Row[], date: string | undefined, count: string | undefined): string[] {
  if (date === undefined || count === undefined) {
    return fail(2, "free needs a date and a number of places");
  }
  const places = parseInt(count, 10);
  if (!(places >= 1)) {
    return fail(2, "not a number of places: " + count);
  }
  const taken = new Set(rows.filter((row) => row.date === date).map((row) => row.place));
  const all = Array.from({ length: places }, (_, at) => at + 1);
  const left = all.filter((place) => !taken.has(place));
  return [left.length === 0 ? "full" : left.join(" ")];
}

export function kinds(rows: Row[]): string[] {
  const stalls = rows.filter((row) => row.isObject);
  const title = (row: Row) => (PRICES.has(row.kind) ? row.kind : "other");
  const counts = groups(stalls, title);
  const share = (count: number) => `${count} of ${stalls.length}, ${Math.round((count * 100) / stalls.length)} %`;
  const titles = [...PRICES.keys(), "other"].filter((name) => counts.has(name));
  const lines = titles.map((name) => `${name}: ${share((counts.get(name) as Row[]).length)}`);
  return lines.length === 0 ? ["no stalls"] : lines;
}
