import { ShopError } from "./errors.js";
import { logger } from "./log.js";
import { loadRecords, normaliseName, parseAmount, parseCount, splitFields } from "./text.js";

/** Some pieces of one article. */
export interface Order {
  customer: string;
  article: string;
  count: number;
  price: number;
}

/** An order from a line of an order file. */
export function parseOrder(line: string, where: string): Order {
  const [customer = "", article = "", count = "", price = ""] = splitFields(line, 4, where);
  if (customer === "") {
    throw new ShopError("an order needs a customer", where);
  }
  return {
    customer: normaliseName(customer),
    article: normaliseName(article),
    count: parseCount(count, where),
    price: parseAmount(price, where),
  };
}

/** All orders of a file. */
export function loadOrders(path: string): Order[] {
  return loadRecords(path, parseOrder);
}

/** What an order costs, in cents. */
export function orderTotal(order: Order): number {
  return order.count * order.price;
}

/** The first order of a customer. */
export function findOrder(orders: Order[], customer: string): Order {
  const name = normaliseName(customer);
  const found = orders.find((order) => order.customer === name);
  if (found === undefined) {
    logger.warn(`no order of ${name}`);
    throw new ShopError("no such order", name);
  }
  return found;
}
