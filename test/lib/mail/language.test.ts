import { afterEach, expect, it } from "vitest";
import { languageOf } from "../../../lib/mail/language.ts";
import { newContainer } from "../../support/setup.ts";

afterEach(() => newContainer({ MAIL_LANGUAGE: "" }));

it.each([
  ["de", "de"],
  ["DE-at,en;q=0.8", "de"],
  ["en;q=0.1,de;q=0.9", "de"],
  ["en;q=0.5, de;q=0.5", "en"],
  ["fi, de-CH;q=0.3", "de"],
  ["den", "en"],
  ["deu, den;q=0.9", "en"],
  ["en;q=0, *", "de"],
  ["en;q=0.2, *;q=0.9", "de"],
  ["de;q=0", "en"],
  ["de;q=0, *", "en"],
  ["*;q=0", "en"],
  ["de ; q=0.4, en ; q=0.3", "de"],
  ["constructor, de", "de"],
  [",;;q=,", "en"],
  ["", "en"],
  ["*", "en"],
  ["pt-BR,pt;q=0.9,en-US;q=0.8", "pt"],
  ["es-419", "es"],
  ["fr-CA,fr;q=0.9", "fr"],
  ["ja-JP", "ja"],
  ["zh-CN, ja;q=0.2", "ja"],
])("reads the header Accept-Language %j as %s", (accepted, language) => {
  expect(languageOf(accepted)).toBe(language);
});

it("takes any language for the one of the site", () => {
  newContainer({ MAIL_LANGUAGE: "fr" });
  for (const accepted of ["*", "nl, *;q=0.5", "*;q=0.1", "de;q=0, *"]) expect(languageOf(accepted)).toBe("fr");
  expect(languageOf("nl, ja;q=0.6, *;q=0.5")).toBe("ja");
});
