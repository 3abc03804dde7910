import { readFileSync } from "node:fs";
import { ShopError } from "../errors.js";
import { logger } from "../log.js";
import type { Order } from "../orders.js";

/** The price of shipping up to a number of pieces to a zone. */
export interface Rate {
  zone: string;
  pieces: number;
  price: number;
}

/** All rates of a file. */
export function loadRates(path: string): Rate[] {
  const rates: Rate[] = [];
  for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
    if (line.trim() === "" || line.startsWith("#")) {
      continue;
    }
    rates.push(parseRate(line, `${path}:${index + 1}`));
  }
  logger.info(`read ${rates.length} records from ${path}`);
  return rates;
}

/** A rate from a line of a rate file. */
export function parseRate(line: string, where: string): Rate {
  const fields = line.split(";").map((field) => field.trim());
  if (fields.length === 3) {
    if (fields[0] !== "") {
      if (/^[1-9]\d*$/.test(fields[1] ?? "")) {
        const parts = (fields[2] ?? "").split(".");
        if (/^\d+$/.test(parts[0] ?? "")) {
          if (parts.length === 2) {
            if (/^\d\d$/.test(parts[1] ?? "")) {
              return { zone: (fields[0] ?? "").split(/\s+/).join(" ").toLowerCase(), pieces: Number(fields[1]), price: Number(parts[0]) * 100 + Number(parts[1]) };
            } else {
              throw new ShopError("not an amount", where);
            }
          } else {
            return { zone: (fields[0] ?? "").split(/\s+/).join(" ").toLowerCase(), pieces: Number(fields[1]), price: Number(parts[0]) * 100 };
          }
        } else {
          throw new ShopError("not an amount", where);
        }
      } else {
        throw new ShopError("not a count", where);
      }
    } else {
      throw new ShopError("a rate needs a zone", where);
    }
  } else {
    throw new ShopError(`expected 3 fields, found ${fields.length}`, where);
  }
}

/** The cheapest rate that covers all pieces, in cents. */
export function shippingCost(orders: Order[], rates: Rate[], zone: string): number {
  const name = zone.trim().split(/\s+/).join(" ").toLowerCase();
  let pieces = 0;
  for (const order of orders) {
    pieces += order.count;
  }
  let best: number | undefined;
  for (const rate of rates) {
    if (rate.zone === name) {
      if (rate.pieces >= pieces) {
        if (best === undefined) {
          best = rate.price;
        } else {
          if (rate.price < best) {
            best = rate.price;
          }
        }
      }
    }
  }
  if (best === undefined) {
    logger.warn(`no rate for ${pieces} pieces to ${name}`);
    throw new ShopError("no rate for so many pieces", name);
  }
  return best;
}
