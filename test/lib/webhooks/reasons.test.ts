import { expect, it } from "vitest";
import { reasonCodeOf, reasonCodes, reasons } from "../../../lib/webhooks/reasons.ts";

it.each(reasonCodes)("finds the code %s by its words", (code) => {
  expect(reasonCodeOf(reasons[code])).toBe(code);
  expect(reasonCodeOf(`${reasons[code]}: EPIPE`)).toBe(code);
});

it("has no code for words that it does not know", () => {
  expect(reasonCodeOf("It rained")).toBeUndefined();
});
