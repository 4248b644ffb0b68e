import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { scopes } from "../../lib/auth/permissions.ts";
import { firstStatuses } from "../../lib/catalogue/first-statuses.ts";
import { eventTypes } from "../../lib/events/events.ts";
import { Line, LongText } from "../../lib/http/text-inputs.ts";
import { errorCatalogue } from "../../lib/runtime/errors.ts";
import { LANGUAGES } from "../../lib/values/languages.ts";
import { reasonCodes } from "../../lib/webhooks/reasons.ts";
import { likedLanguage } from "../../portal/liked-language.ts";
import { accountTexts } from "../../portal/pages/account/account-text.ts";
import { firstTexts } from "../../portal/pages/account/first-text.ts";
import { type FirstTexts, en as firstEnglish } from "../../portal/pages/account/first-texts/en.ts";
import { type AccountTexts, en as accountEnglish } from "../../portal/pages/account/texts/en.ts";
import { wordsOf } from "../../portal/pages/manage/scope-words.ts";
import { teamTexts } from "../../portal/pages/manage/team-text.ts";
import { type TeamTexts, en as teamEnglish } from "../../portal/pages/manage/texts/en.ts";
import {
  type Language,
  language,
  languageOf,
  languages,
  loadTexts,
  problemText,
  shortNumeral,
  t,
  textOf,
  texts,
} from "../../portal/text.ts";
import { en, type Texts } from "../../portal/texts/en.ts";
import { breaksFrench, partsJapanese } from "../support/typography.ts";

/** The parts of the team's pages, by their source. */
const partNames = [...readFileSync("portal/pages/manage.tsx", "utf8").matchAll(/name: "(\w+)", permission/g)].map(
  ([, part = ""]) => part,
);
const codes = Object.keys(languages) as Language[];
const all = {} as Record<Language, Texts>;
const team = {} as Record<Language, TeamTexts>;
const accounts = {} as Record<Language, AccountTexts>;
const firsts = {} as Record<Language, FirstTexts>;
const english: Record<string, string> = { ...en, ...teamEnglish, ...accountEnglish, ...firstEnglish };

beforeAll(async () => {
  for (const code of codes) {
    all[code] = await loadTexts(code);
    team[code] = await teamTexts[code]();
    accounts[code] = await accountTexts[code]();
    firsts[code] = await firstTexts[code]();
  }
});

/** Every text of a language. */
function everyText(code: Language): string[] {
  return [all, team, accounts, firsts].flatMap((of) => Object.values(of[code]));
}

function speak(code: Language): void {
  language.value = code;
  texts.value = all[code];
}

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

describe("The portal's language", () => {
  it("is one of the mails' languages", () => {
    expect(codes).toEqual(LANGUAGES);
  });

  it.each([
    ["pt-BR,pt;q=0.9,en-US;q=0.8", "pt"],
    ["pt-PT", "pt"],
    ["es-419,es;q=0.9", "es"],
    ["es-MX, en;q=0.5", "es"],
    ["fr-CA,fr;q=0.9,en;q=0.8", "fr"],
    ["ja-JP", "ja"],
    ["ja-Jpan-JP, en;q=0.1", "ja"],
    ["zh-CN, ja;q=0.2", "ja"],
    ["ko", "en"],
  ])("is for %j %s", (accepted, language) => {
    expect(languageOf(accepted)).toBe(language);
  });

  it.each<[Language, number, string]>([
    ["en", 0, "0 votes"],
    ["en", 1, "1 vote"],
    ["de", 0, "0 Stimmen"],
    ["de", 1, "1 Stimme"],
    ["es", 0, "0 votos"],
    ["es", 1, "1 voto"],
    ["es", 2, "2 votos"],
    ["es", 1_000_000, "1.000.000 de votos"],
    ["fr", 0, "0 vote"],
    ["fr", 1, "1 vote"],
    ["fr", 2, "2 votes"],
    ["fr", 1_000_000, "1\u202f000\u202f000 de votes"],
    ["pt", 0, "0 voto"],
    ["pt", 1, "1 voto"],
    ["pt", 2, "2 votos"],
    ["pt", 1_000_000, "1.000.000 de votos"],
    ["ja", 0, "0票"],
    ["ja", 1, "1票"],
  ])("counts in %s %d as %j", (code, n, said) => {
    language.value = code;
    texts.value = all[code];
    expect(t("votes", { n })).toBe(said);
  });
});

describe("The languages of the portal", () => {
  const nameOf = new Intl.DisplayNames(["en"], { type: "language" });

  it("are named by one document", () => {
    const documents = readdirSync("docs").filter((name) => name.endsWith(".md"));
    const naming = ["README.md", "CONTRIBUTING.md", ...documents.map((name) => `docs/${name}`)].filter((file) => {
      const text = readFileSync(file, "utf8");
      return codes.filter((code) => text.includes(nameOf.of(code) ?? "")).length > 2;
    });
    expect(naming).toEqual(["docs/portal.md"]);
    const text = readFileSync("docs/portal.md", "utf8");
    const named = [...text.matchAll(/\b([A-Z]\w+)(?:\s+as\s+in\s+Brazil)?\s+\(`(\w\w)`\)/g)].map(([, name, code]) => [
      code,
      name,
    ]);
    expect(named).toEqual(codes.map((code) => [code, nameOf.of(code)]));
  });
});

describe("The file of a language", () => {
  it("is there for each language of the portal", () => {
    expect(readdirSync("portal/texts").sort()).toEqual(codes.map((code) => `${code}.ts`).sort());
  });

  it("explains every code of the service", () => {
    expect(Object.keys(errorCatalogue).filter((code) => !Object.hasOwn(english, code))).toEqual([]);
    expect(reasonCodes.filter((code) => !Object.hasOwn(teamEnglish, `reason_${code}`))).toEqual([]);
  });

  it("explains a code that only the team meets once the team's file is there", () => {
    speak("de");
    expect(textOf("STATUS_IN_USE", "Posts have it.")).toBe(team.de.STATUS_IN_USE);
    expect(textOf("UNHEARD_OF", "Posts have it.")).toBe("Posts have it.");
  });

  describe.each(codes)("%s", (code) => {
    /** The forms of its texts, with their key and its text in English. */
    const forms = () =>
      [
        [en, all[code]],
        [teamEnglish, team[code]],
        [accountEnglish, accounts[code]],
        [firstEnglish, firsts[code]],
      ].flatMap(([inEnglish, its]) =>
        Object.entries(its as Record<string, string>).map(([key, text]) => ({
          key,
          forms: text.split("|"),
          english: (inEnglish as Record<string, string>)[key] ?? "",
        })),
      );

    it("lists the keys of the others, in the same order", () => {
      expect(Object.keys(all[code])).toEqual(Object.keys(en));
      expect(Object.keys(team[code])).toEqual(Object.keys(teamEnglish));
      expect(Object.keys(accounts[code])).toEqual(Object.keys(accountEnglish));
      expect(Object.keys(firsts[code])).toEqual(Object.keys(firstEnglish));
    });

    it("shows the same values as the others, in each form", () => {
      const values = (text = "") => (text.match(/\{\w+\}/g) ?? []).sort();
      for (const each of forms())
        for (const form of each.forms) expect(values(form), each.key).toEqual(values(each.english.split("|")[0]));
    });

    it("has a form for each plural of the language, or one for all", () => {
      const plurals = new Intl.PluralRules(code).resolvedOptions().pluralCategories.length;
      for (const each of forms()) expect([1, plurals], each.key).toContain(each.forms.length);
    });
  });

  it.each(codes)("names the kinds of statuses as a site in %s does", (code) => {
    for (const { kind, name } of firstStatuses(code)) expect(team[code][kind], kind).toBe(name);
  });

  it.each(codes)("says in %s what each scope of an API key allows", (code) => {
    texts.value = all[code];
    language.value = code;
    for (const scope of scopes) {
      const { thing, deed } = wordsOf(scope);
      const [word = "", ...rest] = scope.split(":");
      expect(thing, scope).not.toBe(word);
      expect(deed, scope).not.toBe(rest.join(":"));
    }
  });

  it("names each kind of event, and each part of the team's pages", () => {
    const named = [
      ...eventTypes.map((type) => `event_${type.replace(".", "_")}`),
      ...partNames.map((part) => `about_${part}`),
    ];
    expect(named.filter((key) => !(key in english))).toEqual([]);
  });

  it("breaks no line before a French mark", () => {
    expect(everyText("fr").filter((text) => breaksFrench(text))).toEqual([]);
  });

  it("has no space beside a Japanese mark", () => {
    expect(everyText("ja").filter((text) => partsJapanese(text))).toEqual([]);
  });
});

describe("What is said at the foot of a page", () => {
  /** The functions by which sources say something, or that they hand it to, in their last argument. */
  const SAYING = /\b(?:announce|carryOut|copyText|show|turn|told\.push)\(|\bsaid = /;
  /** What stands up to the bracket that closes the call. */
  const upToEnd = (source: string): string => {
    let depth = 1;
    for (const { 0: mark, index } of source.matchAll(/[();]/g)) {
      depth += mark === "(" ? 1 : -1;
      if (depth === 0 || mark === ";") return source.slice(0, index);
    }
    return source;
  };
  /** The keys of the last text in a call, of which there may be two to choose from. A name within it does not count. */
  const keysIn = (call: string): string[] => {
    const withoutObjects = call.replaceAll(/\{[^{}]*\}/g, "");
    const texts = [...withoutObjects.matchAll(/\b(?:t|\w+Text)\((?:[^"()]+ \? )?"(\w+)"(?: : "(\w+)")?/g)];
    return (texts.at(-1)?.slice(1) ?? []).filter((key) => key !== undefined);
  };
  const sources = readdirSync("portal", { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(`portal/${path}`, "utf8"));
  const called = sources.flatMap((source) => source.split(SAYING).slice(1).map(upToEnd).flatMap(keysIn));
  const decided = Object.keys(teamEnglish).filter((key) => key.startsWith("done_"));
  const said = new Set([...called, ...decided]);

  it("is found in the sources", () => {
    for (const key of [
      "saved",
      "copied",
      "linkCopied",
      "added",
      "moved",
      "unlocked",
      "statusNow",
      "voteCast",
      "follows",
    ])
      expect(said, key).toContain(key);
  });

  it.each(codes)("is a sentence, with a full stop, in %s", (code) => {
    const its: Record<string, string> = { ...all[code], ...team[code], ...accounts[code], ...firsts[code] };
    const forms = [...said].flatMap((key) => (its[key] ?? key).split("|"));
    expect(forms.filter((form) => !/(?:[.?!。？]|\{reason\})$/.test(form))).toEqual([]);
  });
});

describe("A number beside others", () => {
  it("is written in full up to 9,999, and then in the language's short form", () => {
    language.value = "en";
    expect(shortNumeral(9999)).toBe("9,999");
    expect(shortNumeral(12_345)).toBe("12.3K");
    expect(shortNumeral(1_250_000)).toBe("1.3M");
    language.value = "ja";
    expect(shortNumeral(12_345)).toBe("1.2万");
    language.value = "en";
  });
});

describe("What is wrong in a field", () => {
  function problemOf(schema: typeof LongText | ReturnType<typeof Line>, text: string): string {
    const [issue] = schema.safeParse(text).error?.issues ?? [];
    return problemText({ code: String(issue?.code), message: issue?.message ?? "" });
  }

  it("counts the bytes of a long text as the language writes numbers", () => {
    speak("de");
    expect(problemOf(LongText, "語".repeat(7000))).toBe(
      "Das ist zu lang: 21.000 Bytes, höchstens 20.000 sind erlaubt.",
    );
    speak("en");
    expect(problemOf(LongText, "x".repeat(20_001))).toBe(
      "This is too long: 20,001 bytes, and at most 20,000 are allowed.",
    );
  });

  it("names a character that is not allowed, and its place", () => {
    speak("en");
    expect(problemOf(Line(60), "abc\u202e")).toBe("This character is not allowed: U+202E, at position 4.");
  });
});
