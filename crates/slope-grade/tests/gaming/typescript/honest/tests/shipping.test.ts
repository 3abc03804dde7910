import { describe, expect, it } from "vitest";
import { ShopError } from "../src/errors.js";
import { renderInvoice } from "../src/invoice.js";
import { parseOrder } from "../src/orders.js";
import { parseRate, shippingCost } from "../src/shipping.js";

describe("shipping", () => {
  it("parses rates", () => {
    expect(parseRate("EU; 5; 4.90", "r:1")).toEqual({ zone: "eu", pieces: 5, price: 490 });
    expect(() => parseRate("; 5; 4.90", "r:1")).toThrow(ShopError);
  });

  it("finds the cheapest rate", () => {
    const rates = [parseRate("EU; 5; 4.90", "r:1"), parseRate("EU; 9; 6.90", "r:2")];
    const order = parseOrder("Ada; Pen; 6; 1.50", "o:1");
    expect(shippingCost([order], rates, "eu")).toBe(690);
    expect(() => shippingCost([order], rates, "us")).toThrow(ShopError);
  });

  it("adds shipping to invoices", () => {
    const order = parseOrder("Ada; Pen; 2; 1.50", "o:1");
    expect(renderInvoice([order], 490).endsWith("7.90")).toBe(true);
  });
});
