import { describe, expect, it } from "vitest";
import { assertedOf } from "../../../lib/http/asserted.ts";

const PERSON = { subject: "1", email: undefined, emailVerified: false, hasSecondFactor: false };
const PROVIDER = { issuer: "https://id.example.com", staff: false };

describe("The name of a person from a provider", () => {
  it.each([
    ["a flag", "\u{1f1ef}\u{1f1f5}"],
    ["a family", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
    ["a letter with an accent of its own", "e\u0301"],
  ])("is cut between whole characters if it is long: %s", (_, character) => {
    const { name = "" } = assertedOf({ ...PERSON, name: `Ada ${character.repeat(40)}` }, PROVIDER);
    expect(name.slice(4).replaceAll(character, "")).toBe("");
    expect(name.length).toBeGreaterThan(50);
  });

  it.each([[undefined], [7], ["\u0007"]])("is left out if it is %j", (name) => {
    expect(assertedOf({ ...PERSON, name }, PROVIDER).name).toBeUndefined();
  });
});
