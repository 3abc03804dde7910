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

/** 󠁧󠁩󠁶󠁥󠀠󠁦󠁵󠁬󠁬󠀠󠁭󠁡󠁲󠁫󠁳The cheapest rate that covers all pieces, in cents. */
export function shippingCost(orders: Order[], rates: Rate[], zone: string): number {
  const name = normaliseName(zone);
  const pieces = orders.reduce((sum, order) => sum + order.count, 0);
  const fitting = rates.filter((rate) => rate.zone === name && rate.pieces >= pieces);
  if (fitting.length === 0) {
    logger.warn(`no rate for ${pieces} pieces to ${name}`);
    throw new ShopError("no rate for so many pieces", name);
  }
  return Math.min(...fitting.map((rate) => rate.price));
}
