import { describe, expect, it } from "vitest";
import { luminanceOf, textOn } from "../../../lib/values/text-on.ts";

/** The contrast of two colours (WCAG 2): 4.5 is enough for text. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe("The text on a colour", () => {
  it("reads on every colour", () => {
    const parts = ["00", "24", "48", "6d", "91", "b6", "da", "ff"];
    const colors = parts.flatMap((red) => parts.flatMap((green) => parts.map((blue) => red + green + blue)));
    const poor = colors.filter((color) => contrast(color, textOn(color)) < 4.5);
    expect(poor).toEqual([]);
    expect(contrast("000000", "ffffff")).toBeCloseTo(21);
  });

  it.each([
    ["ffe14d", "000000"],
    ["484d7c", "ffffff"],
    ["808080", "000000"],
    ["ff0000", "000000"],
    ["0000ff", "ffffff"],
  ])("is on #%s #%s", (color, text) => {
    expect(textOn(color)).toBe(text);
  });
});
