import { expect, it } from "vitest";
import { foldCase } from "../../../lib/values/text.ts";

it("foldCase folds ASCII alone as it does beside other letters", () => {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join("");
  expect(`${foldCase(ascii)}ä`).toBe(foldCase(`${ascii}Ä`));
});
