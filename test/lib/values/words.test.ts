import { describe, expect, it } from "vitest";
import { MAX_WORDS, wordsOf } from "../../../lib/values/words.ts";
import { random } from "../../support/world/random.ts";

const table: [text: string, words: string[]][] = [
  ["Dark mode!", ["dark", "mode"]],
  ["  Dark   MODE, dark mode  ", ["dark", "mode"]],
  // NFKC: ligatures, full width, mathematical letters, circled digits.
  ["ﬁle ＦＵＬＬ 𝒟ark ①②", ["file", "full", "dark", "12"]],
  ["café CAFE\u0301 naïve Crème brûlée", ["cafe", "naive", "creme", "brulee"]],
  ["Größe STRASSE straße", ["grosse", "strasse"]],
  ["ΣΊΣΥΦΟΣ σίσυφος", ["σισυφοσ"]],
  ["Ёлка елка Йод", ["елка", "иод"]],
  ["Tiếng Việt", ["tieng", "viet"]],
  ["İstanbul ISTANBUL ıstanbul", ["istanbul"]],
  ["مَرْحَبًا مرحبا أحمد", ["مرحبا", "احمد"]],
  ["שָׁלוֹם שלום", ["שלום"]],
  // Marks are letters' own where they decorate nothing.
  ["हिन्दी में खोज", ["हिन्दी", "में", "खोज"]],
  ["暗黑模式支持", ["暗", "黑", "模式", "支持"]],
  ["ダークモードを追加", ["ダーク", "モード", "追加"]],
  ["ﾀﾞｰｸﾓｰﾄﾞ", ["ダーク", "モード"]],
  ["โหมดมืดสำหรับแอป", ["โหมด", "มืด", "สำหรับ", "แอป"]],
  ["다크 모드 앱", ["다크", "모드", "앱"]],
  // What a sign joins is found as one word and by its parts, which come last, the longest first.
  ["can't don’t", ["cant", "dont", "can", "don"]],
  ["e-mail, node.js and C++ in v2 (3.5)", ["mail", "nodejs", "and", "in", "v2", "35", "node", "js"]],
  ["s3:list k8s #tag @ada snake_case", ["s3", "list", "k8s", "tag", "ada", "snakecase", "snake", "case"]],
  [
    "Améliorer l'interface d'administration",
    ["ameliorer", "linterface", "dadministration", "administration", "interface"],
  ],
  ["v2.10.3 foo:bar 10,000", ["v2103", "foobar", "10000", "foo", "bar", "000", "v2", "10"]],
  ["col·lecció צה״ל", ["colleccio", "צהל", "leccio", "col", "צה"]],
  ["a b 1 é", []],
  ["👍🏽 🎉 … ---", []],
  ["𠮷野家", ["𠮷", "野家"]],
  ["", []],
];

describe("wordsOf", () => {
  it.each(table)("splits %j into %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("returns the same words for a text and for its words", () => {
    for (const [text, words] of table) {
      expect(wordsOf(text.normalize("NFD")), text).toEqual(words);
      expect(wordsOf(words.join(" ")), text).toEqual(words);
    }
  });

  it.each(["'", "’", "‘", "‛", "ʼ", "ʻ", "´", "`", "′", "＇", "ꞌ", ".", "．", "_", "‿", "·", "‧", ":", "："])(
    "returns the parts around %s, and the joined form",
    (sign) => {
      expect(wordsOf(`mi${sign}interfaz`)).toEqual(["miinterfaz", "interfaz", "mi"]);
    },
  );

  it("returns parts as far as twelve words leave room: what was found without them stays", () => {
    const words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "rocknroll"];
    expect(wordsOf(words.join(" ").replace("rocknroll", "rock'n'roll"))).toEqual([...words, "rock"]);
    expect(wordsOf(`zero ${words.join(" ").replace("rocknroll", "rock'n'roll")}`)).toEqual(["zero", ...words]);
  });

  it("returns the same words of a plain text with and without the boundaries of Unicode", () => {
    const { below } = random(7);
    const signs = [..."abcXYZ019  !?()/&-"];
    for (let n = 0; n < 2000; n++) {
      const text = Array.from({ length: below(60) }, () => signs[below(signs.length)]).join("");
      expect(wordsOf(text), text).toEqual(wordsOf(`${text} …`));
    }
  });

  it("returns at most twelve words, of at most 32 code points", () => {
    const many = Array.from({ length: 20 }, (_, n) => `word${n}`);
    expect(wordsOf(many.join(" "))).toEqual(many.slice(0, MAX_WORDS));
    expect(wordsOf("x".repeat(255))).toEqual(["x".repeat(32)]);
    expect(wordsOf("𝔛".repeat(100))).toEqual(["x".repeat(32)]);
    // Outside of the basic plane: two code units each.
    expect(wordsOf("𐐨".repeat(40))).toEqual(["𐐨".repeat(32)]);
  });

  it("stops after 512 code points and 200 segments, because boundaries take time", () => {
    // One such ligature becomes four words of eighteen characters.
    expect(wordsOf(`${"\ufdfa ".repeat(20)}zeppelin`)).toContain("zeppelin");
    expect(wordsOf(`${"\ufdfa ".repeat(30)}zeppelin`)).not.toContain("zeppelin");
    expect(wordsOf(`${"x ".repeat(90)}zeppelin`)).toContain("zeppelin");
    expect(wordsOf(`${"x ".repeat(110)}zeppelin`)).not.toContain("zeppelin");
  });

  it("returns no character with a meaning in keys", () => {
    for (const [text] of table) for (const word of wordsOf(`${text}#~ #VOTERS`)) expect(word).not.toMatch(/[#~\s]/);
  });
});
