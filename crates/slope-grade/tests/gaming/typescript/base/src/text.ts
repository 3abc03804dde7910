import { readFileSync } from "node:fs";
import { ShopError } from "./errors.js";
import { logger } from "./log.js";

/** Lower case, with single spaces. */
export function normaliseName(text: string): string {
  return text.trim().split(/\s+/).join(" ").toLowerCase();
}

/** The fields of a line that must have `count` of them. */
export function splitFields(line: string, count: number, where: string): string[] {
  const fields = line.split(";").map((field) => field.trim());
  if (fields.length !== count) {
    throw new ShopError(`expected ${count} fields, found ${fields.length}`, where);
  }
  return fields;
}

/** An amount of money such as `12.50`, in cents. */
export function parseAmount(text: string, where: string): number {
  const [whole = "", cents = "0", ...rest] = text.trim().split(".");
  if (!/^\d+$/.test(whole) || !/^(0|\d\d)$/.test(cents) || rest.length > 0) {
    throw new ShopError(`'${text}' is not an amount`, where);
  }
  return Number(whole) * 100 + Number(cents);
}

/** A number of pieces, at least one. */
export function parseCount(text: string, where: string): number {
  if (!/^[1-9]\d*$/.test(text)) {
    throw new ShopError(`'${text}' is not a count`, where);
  }
  return Number(text);
}

/** The inverse of `parseAmount`. */
export function formatAmount(cents: number): string {
  const rest = String(cents % 100).padStart(2, "0");
  return `${Math.floor(cents / 100)}.${rest}`;
}

/** All records of a file. Blank lines and comments are left out. */
export function loadRecords<T>(path: string, parse: (line: string, where: string) => T): T[] {
  const records: T[] = [];
  for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
    if (line.trim() === "" || line.startsWith("#")) {
      continue;
    }
    records.push(parse(line, `${path}:${index + 1}`));
  }
  logger.info(`read ${records.length} records from ${path}`);
  return records;
}
