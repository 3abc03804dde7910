import { join } from 'path';
import { logger } from './logger';

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
