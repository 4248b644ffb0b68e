import { describe, expect, it } from "vitest";
import { errorCatalogue } from "../../lib/runtime/errors.ts";
import { de } from "../../portal/texts/de.ts";
import { en } from "../../portal/texts/en.ts";

describe("The file of a language", () => {
  it("lists the keys of the others, in the same order", () => {
    expect(Object.keys(de)).toEqual(Object.keys(en));
  });

  it("explains every code of the service", () => {
    for (const texts of [en, de])
      expect(Object.keys(errorCatalogue).filter((code) => !Object.hasOwn(texts, code))).toEqual([]);
  });

  it("shows the same values as the others", () => {
    const values = (text: string) => text.split("|").map((form) => (form.match(/\{\w+\}/g) ?? []).sort());
    for (const [key, text] of Object.entries(en)) expect(values(de[key as keyof typeof de]), key).toEqual(values(text));
  });
});
