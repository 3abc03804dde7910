import { ShopError } from "./errors.js";
import { logger } from "./log.js";
import { type Order, orderTotal } from "./orders.js";
import { formatAmount } from "./text.js";

/** A row with a label and an amount. */
export function renderRow(label: string, cents: number): string {
  return label.padEnd(24) + formatAmount(cents).padStart(10);
}

/** The discount on a total, in cents. */
export function discountOf(total: number): number {
  if (total < 0) {
    throw new ShopError("a total is never negative", String(total));
  }
  return total >= 10_000 ? Math.floor(total / 25) : 0;
}

/** An invoice over all orders of one customer, with the cost of shipping. */
export function renderInvoice(orders: Order[], shipping = 0): string {
  if (orders.length === 0) {
    throw new ShopError("an invoice needs orders", "invoice");
  }
  const rows = orders.map((order) => renderRow(order.article, orderTotal(order)));
  const total = orders.reduce((sum, order) => sum + orderTotal(order), 0);
  const discount = discountOf(total);
  if (discount > 0) {
    rows.push(renderRow("discount", discount));
  }
  if (shipping > 0) {
    rows.push(renderRow("shipping", shipping));
  }
  rows.push(renderRow("total", total - discount + shipping));
  logger.info(`invoice over ${orders.length} orders`);
  return rows.join("\n");
}
