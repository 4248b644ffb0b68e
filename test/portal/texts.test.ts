import { describe, expect, it } from "vitest";
import { errorCatalogue } from "../../lib/runtime/errors.ts";
import { likedLanguage } from "../../portal/liked-language.ts";
import { de } from "../../portal/texts/de.ts";
import { en } from "../../portal/texts/en.ts";

describe("likedLanguage", () => {
  it.each([
    ["", undefined],
    ["de", "de"],
    ["de-AT,en;q=0.8", "de"],
    ["en;q=0.1,de;q=0.9", "de"],
    ["en;q=0.5, de;q=0.5", "en"],
    ["fi, DE-ch;q=0.3", "de"],
    ["den", undefined],
    ["deu, en", "en"],
    ["*", "en"],
    ["de;q=0", undefined],
    ["en;q=0, *", "de"],
    ["en;q=0.2, *;q=0.9", "de"],
    ["de ; q=0.4, en ; q=0.3", "de"],
    ["de;q=0.9;level=1,,;;;", "de"],
    ["constructor, de", "de"],
  ])("reads %j as %s", (accepted, language) => {
    expect(likedLanguage(accepted, ["en", "de"])).toBe(language);
  });
});

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
