import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

// docs/guarantees.md#promises: regular expressions are linear. Each one of lib/ and functions/ is found in the sources
// and run over texts that make a backtracking engine go back and forth, and must not take much longer than one that
// just finds every character.

const root = join(import.meta.dirname, "../..");

const LITERAL = /(?<=[=(,:?|&!]\s*|\{ )\/(?![*/ ])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g;

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

const found = ["lib", "functions", "portal"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules/"))
    .flatMap((file) =>
      [...withoutComments(readFileSync(join(root, folder, file), "utf8")).matchAll(LITERAL)].map(
        ([, source = "", flags = ""]) => ({ file: join(folder, file), expression: new RegExp(source, flags) }),
      ),
    ),
);

// Longer than all that is looked at: what is quadratic shows.
const LENGTH = 4000;

const characters = [..."aA0-. \t/=$%#+,_\u00e9\u0301😀"];
const pumped = [...characters, "a-", "-a", "a.", "a.a-", "0a", "- ", "xn--", "a=,", "/a", "$a"];
const heads = ["", "bearer ", "xn--a.", "$argon2id$v=19$m=1$", "BOARD#", "a"];
const tails = ["", "!", "\u0000", "\n", " x", "@"];

const attacks = pumped.flatMap((pump) =>
  heads.flatMap((head) => tails.map((tail) => head + pump.repeat(Math.floor(LENGTH / pump.length)) + tail)),
);

function timeOf(work: () => void): bigint {
  const before = process.hrtime.bigint();
  work();
  return process.hrtime.bigint() - before;
}

// A linear one takes up to five times as long as this one, which finds every character; a quadratic one 700 times.
const PLAIN = /[^\s]/g;
const LIMIT = 60n;

/** The text on which it takes far longer than the plain one; undefined if there is none. */
function slowOn(expression: RegExp): string | undefined {
  const times = Array.from({ length: 20 }, () => timeOf(() => attacks[0]?.replace(PLAIN, "")));
  const most = LIMIT * times.reduce((least, time) => (time < least ? time : least));
  const isSlow = (text: string) => timeOf(() => text.replace(expression, "")) > most;
  // Again and again where it was slow: the machine may have been busy.
  const slow = attacks.find((text) => Array.from({ length: 30 }).every(() => isSlow(text)));
  return slow && `${JSON.stringify(slow.slice(0, 30))} ... ${JSON.stringify(slow.slice(-3))}`;
}

describe("The search for slow regular expressions", () => {
  it("finds the expressions of lib/ and functions/", () => {
    const sources = found.map(({ expression }) => expression.source);
    expect(sources.length).toBeGreaterThan(20);
    for (const known of ["^bearer[ \\t]+([^ \\t]+)$", "^\\d+$", "[^\\p{L}\\p{M}\\p{Nd}]+", "\\p{M}"]) {
      expect(sources).toContain(known);
    }
  });

  it.each(found)("measures linear time: $expression in $file", ({ expression }) => {
    expect(slowOn(expression)).toBeUndefined();
  });

  it("would notice quadratic time", () => {
    expect(slowOn(/a+$/)).toMatch(/^"aaa/);
    expect(slowOn(/^(a|-)+a+b/)).toBeDefined();
  });
});
