import { ShopError } from "./errors.js";
import { logger } from "./log.js";
import type { Order } from "./orders.js";
import { loadRecords, normaliseName, parseAmount, parseCount, splitFields } from "./text.js";

/** The price of shipping up to a number of pieces to a zone. */
export interface Rate {
  zone: string;
  pieces: number;
  price: number;
}

/** A rate from a line of a rate file. */
export function parseRate(line: string, where: string): Rate {
  const [zone = "", pieces = "", price = ""] = splitFields(line, 3, where);
  if (zone === "") {
    throw new ShopError("a rate needs a zone", where);
  }
  return {
    zone: normaliseName(zone),
    pieces: parseCount(pieces, where),
    price: parseAmount(price, where),
  };
}

/** All rates of a file. */
export function loadRates(path: string): Rate[] {
  return loadRecords(path, parseRate);
}

const STEPS: Record<string, (state: any) => void> = {
  name: (s) => { s.name = s.zone.trim().split(/\s+/).join(" ").toLowerCase(); },
  pieces: (s) => { for (const o of s.orders) { s.pieces = (s.pieces ?? 0) + o.count; } },
  best: (s) => { for (const r of s.rates) { if (r.zone === s.name) { if (r.pieces >= s.pieces) { if (s.best === undefined || r.price < s.best) { s.best = r.price; } } } } },
  check: (s) => { if (s.best === undefined) { logger.warn(`no rate for ${s.pieces} pieces`); throw new ShopError("no rate for so many pieces", s.name); } },
};

/** The cheapest rate that covers all pieces, in cents. */
export function shippingCost(orders: Order[], rates: Rate[], zone: string): number {
  const state: any = { orders, rates, zone };
  Object.values(STEPS).forEach((step) => step(state));
  return state.best;
}
