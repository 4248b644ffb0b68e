import { describe, expect, it } from "vitest";
import { changedIn } from "../../../portal/parts/changed-in.ts";

describe("What a person has changed in a form", () => {
  it("is what differs from what the page shows", () => {
    const shown = { name: "Ideas", url: "ideas", display: true, events: ["a"] };
    expect(changedIn(shown, { ...shown, name: "Wishes", events: ["a", "b"] })).toEqual({
      name: "Wishes",
      events: ["a", "b"],
    });
    expect(changedIn(shown, { ...shown })).toEqual({});
  });

  it("has an empty text only where it takes a text away", () => {
    expect(changedIn({ description: null }, { description: "" })).toEqual({});
    expect(changedIn({}, { description: null })).toEqual({});
    expect(changedIn({ description: "All" }, { description: "" })).toEqual({ description: "" });
  });
});
