import { beforeAll, describe, expect, it } from "vitest";
import { Email } from "../../../lib/http/account-inputs.ts";
import { addressesIn, problemOfAddresses } from "../../../portal/pages/manage/invited-addresses.ts";
import { loadTexts, texts } from "../../../portal/text.ts";

beforeAll(async () => {
  texts.value = await loadTexts("en");
});

describe("The addresses in a text", () => {
  it("are found by what stands between them, also with the names that mail programs write, each once", () => {
    const pasted = 'Anna Alt <anna@example.com>, "Ben" <ben@example.com>;cleo@example.com\nanna@example.com';
    expect(addressesIn(pasted)).toEqual(["anna@example.com", "ben@example.com", "cleo@example.com"]);
    expect(addressesIn(" , ")).toEqual([]);
  });
});

describe("What is wrong with addresses", () => {
  it.each(["frank@example", "frank", "@example.com", "a b@example.com", "fr..ank@example.com", "f@.com", "a@b@c.de"])(
    "is said of %s, which the service refuses too",
    (address) => {
      expect(problemOfAddresses(`eva@example.com, ${address}`)).toMatch(/: This is not a valid email address\.$/);
      expect(Email.safeParse(address).success).toBe(false);
    },
  );

  it.each([
    "eva@example.com",
    "o'neil+x@eu.example.co",
    "eva@bücher.example",
    "eva@xn--80ak6aa92e.xn--p1ai",
    "eva@例え。テスト",
  ])("is nothing for %s, which the service takes", (address) => {
    expect(problemOfAddresses(address)).toBeUndefined();
    expect(Email.safeParse(address).success).toBe(true);
  });
});
