import { describe, expect, it } from "vitest";
import { newId } from "../../../lib/values/ids.ts";
import { postIdOf, slugIdOf, slugOf } from "../../../lib/values/slugs.ts";
import { worldTitles } from "../../support/world/texts.ts";

const postId = "01890a5d-ac96-774b-bcce-b302099a8057";
const slugId = slugIdOf(postId);

describe("A slug", () => {
  it.each([
    ["Dark mode, please!", "dark-mode-please"],
    ["  --  Hello, World  --  ", "hello-world"],
    ["a_b c/d%e+f", "a-b-c-d-e-f"],
    ["Grüße aus Köln", "grüße-aus-köln"],
    ["ＦＵＬＬ　ＷＩＤＴＨ ①②", "full-width-12"],
    ["ﬁne ⅓ Ⅷ x²", "fine-1-3-viii-x2"],
    ["नमस्ते दुनिया", "नमस्ते-दुनिया"],
    ["e\u0301te\u0301", "été"],
    ["日本語 の 題", "日本語-の-題"],
    ["١٢٣", "١٢٣"],
    ["tab\tand\r\nlines", "tab-and-lines"],
    ["😀 smile 😀", "smile"],
    ["❤️ love", "love"],
    ["✈️🏳️‍🌈 ❤️ go ❤️", "go"],
    ["1️⃣ first", "1-first"],
    ["\u0301 mark \u0301", "mark"],
    ["辻\u{e0100}さん", "辻さん"],
    ["x".repeat(255), "x".repeat(80)],
    [`!${"x".repeat(100)}`, "x".repeat(80)],
    [`${"x".repeat(79)} y`, "x".repeat(79)],
    [`${"x".repeat(78)} y`, `${"x".repeat(78)}-y`],
    [`${"x".repeat(79)}𝒜b`, `${"x".repeat(79)}a`],
    [`${"x".repeat(79)}𠮷b`, "x".repeat(79)],
    [`${"x".repeat(78)}𠮷b`, `${"x".repeat(78)}𠮷`],
  ])("turns the title %j into the readable part %j", (title, readable) => {
    expect(slugOf(title, postId)).toBe(`${readable}-${slugId}`);
  });

  it.each(["😀", "---", "!?", " \t "])("contains the slugId alone if nothing readable is left of %j", (title) => {
    expect(slugOf(title, postId)).toBe(slugId);
  });

  it.each(worldTitles)("is readable for $title, and comes back out of an address", ({ title, slug }) => {
    expect(slugOf(title, postId)).toBe(`${slug.normalize("NFC")}-${slugId}`);
    const { pathname } = new URL(`/posts/${slugOf(title, postId)}`, "https://example.com");
    expect(decodeURIComponent(pathname)).toBe(`/posts/${slugOf(title, postId)}`);
  });

  it("closes with the post id in 25 characters", () => {
    for (let round = 0; round < 200; round++) {
      const id = newId();
      expect(slugIdOf(id)).toMatch(/^[0-9a-z]{25}$/);
      expect(postIdOf(slugOf("Some title", id))).toBe(id);
    }
    expect(postIdOf(slugIdOf("00000000-0000-0000-0000-000000000000"))).toBe("00000000-0000-0000-0000-000000000000");
    expect(postIdOf(slugIdOf("ffffffff-ffff-ffff-ffff-ffffffffffff"))).toBe("ffffffff-ffff-ffff-ffff-ffffffffffff");
  });

  it.each([
    "",
    "dark-mode",
    "z".repeat(25),
    `x-${"f".repeat(24)}`,
    `x-${"A".repeat(25)}`,
    // One more than the greatest id.
    `x-${(2n ** 128n).toString(36)}`,
    `${slugId} `,
    `${slugId.slice(1)}\n`,
  ])("leads to no post without a post id: %j", (slug) => {
    expect(postIdOf(slug)).toBeUndefined();
  });
});
