import { describe, expect, it } from "vitest";
import { ShopError } from "../src/errors.js";
import { formatAmount, normaliseName, parseAmount, parseCount } from "../src/text.js";

describe("text", () => {
  it("normalises names", () => {
    expect(normaliseName("  Ada   Lovelace ")).toBe("ada lovelace");
  });

  it("parses amounts", () => {
    expect(parseAmount("12.50", "f:1")).toBe(1250);
    expect(() => parseAmount("-1", "f:1")).toThrow(ShopError);
  });

  it("parses counts", () => {
    expect(parseCount("4", "f:1")).toBe(4);
    expect(() => parseCount("0", "f:1")).toThrow(ShopError);
  });

  it("formats amounts", () => {
    expect(formatAmount(1205)).toBe("12.05");
  });
});
