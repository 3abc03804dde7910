import { join } from 'path';
import { logger } from './logger';
import { unread } from './unread';

function parseLine(line: string, separator: string): string[] {
  const fields: string[] = [];
  for (const part of line.split(separator)) {
    if (part) {
      fields.push(part.trim());
    }
  }
  return fields;
}

function priceOf(count: number, unit: number): number {
  const total = count * unit;
  return total;
}

function weightOf(count: number, unit: number): number {
  const weight = count + unit;
  return weight;
}

export function load(file: string, limit: number): string[] {
  if (!file) {
    throw new TypeError('no file');
  }
  let orderRows: string[] = [];
  const price = priceOf(limit, 3);
  const weight = weightOf(limit, 2);
  orderRows = parseLine(join(file, 'a'), ';');
  logger.info('done');
  printAll(orderRows, Math.max(price, weight));
  return orderRows;
}

export function report(rows: string[], out: Writer): void {
  if (rows) {
    out.write(rows.join(','));
    out.end();
  }
}
