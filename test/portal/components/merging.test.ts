import { type ComponentChild, h } from "preact";
import { LocationProvider } from "preact-iso/router";
import { renderToString } from "preact-render-to-string";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { mergeConflicts } from "../../../lib/posts/merging.ts";
import { apiAt, type Post, type Schemas } from "../../../portal/api.ts";
import { begin, type Known } from "../../../portal/data.ts";
import { Question } from "../../../portal/pages/manage/merge.tsx";
import { MergedPosts } from "../../../portal/pages/manage/merged-posts.tsx";
import { conflictText } from "../../../portal/pages/manage/merges.ts";
import { teamTexts } from "../../../portal/pages/manage/team-text.ts";
import { MergedLine } from "../../../portal/parts/merged-line.tsx";
import { NEUTRAL } from "../../../portal/site.ts";
import { type Language, language, languages, loadTexts, texts } from "../../../portal/text.ts";
import { en } from "../../../portal/texts/en.ts";

// What a page says of merged posts, before anything is pressed.

const post = (title: string, votesCount: number, commentsCount = 0) =>
  ({ postId: title, title, slug: title, voters: { votesCount }, commentsCount }) as Post;
const duplicate = post("Night mode", 2, 1);
const target = post("Dark mode", 7);

/** The words of a part of a page, with what was read for it. */
function wordsOf(part: ComponentChild, known: Known): string {
  begin(apiAt("http://localhost"), known);
  const html = renderToString(h(LocationProvider, { url: "/posts/x" } as object, part));
  return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

const codes = Object.keys(languages) as Language[];

beforeAll(async () => {
  for (const code of codes) await loadTexts(code);
  texts.value = en;
  vi.stubGlobal("location", new URL("http://localhost/posts/x"));
  return () => vi.unstubAllGlobals();
});

afterEach(() => {
  language.value = "en";
});

describe("A conflict of merges", () => {
  it("has a sentence of its own for each kind, in each language", async () => {
    for (const code of codes) {
      const known = await teamTexts[code]();
      language.value = code;
      const said = mergeConflicts.map(conflictText);
      expect(new Set(said).size, code).toBe(mergeConflicts.length);
      expect(said, code).not.toContain(known.MERGE_CONFLICT);
      expect(conflictText("another_kind"), code).toBe(known.MERGE_CONFLICT);
    }
  });
});

describe("The question before a merge", () => {
  const asked = (sendsMail = true) =>
    wordsOf(h(Question, { post: duplicate, slug: target.slug, close: () => {}, done: () => {} }), {
      '["post","Dark mode"]': { data: target },
      '["site"]': { data: { ...NEUTRAL, sendsMail } },
    });

  it("says which post stays, what moves there, and that it can be taken back", () => {
    const words = asked();
    expect(words).toContain("Merge “Night mode” into “Dark mode”?");
    expect(words).toContain("“Dark mode” stays as it is");
    expect(words).toContain("Its 2 votes move there. Whoever voted on both counts once.");
    expect(words).toContain("Its 1 comment moves there.");
    expect(words).toContain("You can take it back on the page of “Dark mode”");
  });

  it("offers a mail only where the site sends some", () => {
    expect(asked()).toContain("Tell the voters and followers of “Night mode” by email");
    expect(asked(false)).not.toContain("by email");
  });
});

describe("The list of merged posts", () => {
  const merged = {
    postId: "1",
    title: "Night mode",
    slug: "night-mode",
    votes: "moved",
    mergedAt: new Date().toISOString(),
    mergedBy: { userId: "0000", name: "Olive", username: "olive", avatar: "" },
  } satisfies Schemas["Merged"];
  const listed = (list: { merged: Schemas["Merged"][]; isMoving: boolean }) =>
    wordsOf(h(MergedPosts, { post: target }), { '["merged posts","Dark mode"]': { data: list } });

  it("says who merged a post, and lets it be taken out", () => {
    const words = listed({ merged: [merged], isMoving: false });
    expect(words).toMatch(/Night mode just now Olive Take out of this post/);
    expect(words).not.toContain("on their way");
  });

  it("lets nothing be taken out while votes are on their way", () => {
    const words = listed({ merged: [{ ...merged, votes: "moving" }], isMoving: true });
    expect(words).toContain("Votes and comments are being moved.");
    expect(words).not.toContain("Take out");
  });

  it("is not there where nothing was merged", () => {
    expect(listed({ merged: [], isMoving: false }).trim()).toBe("");
  });
});

describe("A reader who comes by the address of a merged post", () => {
  const line = (into: string) =>
    wordsOf(h(MergedLine, { named: "night-mode", into, words: "wasMerged" }), {
      '["merged post","night-mode"]': { data: { title: "Night mode", into: target.postId } },
    }).trim();

  it("reads so on the page of the other post, and on no third one", () => {
    expect(line(target.postId)).toBe("“Night mode” was merged into this post.");
    expect(line("another")).toBe("");
  });
});
