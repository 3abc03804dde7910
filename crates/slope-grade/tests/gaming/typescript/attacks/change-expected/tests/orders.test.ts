import { describe, expect, it } from "vitest";
import { ShopError } from "../src/errors.js";
import { discountOf, renderInvoice } from "../src/invoice.js";
import { findOrder, orderTotal, parseOrder } from "../src/orders.js";

describe("orders", () => {
  it("parses orders", () => {
    const order = parseOrder("Ada; Pen; 2; 1.50", "o:1");
    expect(order.customer).toBe("ada");
    expect(orderTotal(order)).toBe(300);
    expect(() => parseOrder("; Pen; 2; 1.50", "o:1")).toThrow(ShopError);
  });

  it("finds orders", () => {
    const order = parseOrder("Ada; Pen; 2; 1.50", "o:1");
    expect(findOrder([order], "ADA")).toBe(order);
    expect(() => findOrder([order], "Bob")).toThrow(ShopError);
  });

  it("gives discounts", () => {
    expect(discountOf(10_000)).toBe(400);
    expect(discountOf(9_999)).toBe(0);
  });

  it("renders invoices", () => {
    const text = renderInvoice([parseOrder("Ada; Pen; 2; 1.50", "o:1")]);
    expect(text.endsWith("3.00")).toBe(true);
  });
});
