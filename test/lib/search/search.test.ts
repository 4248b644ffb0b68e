import { beforeAll, describe, expect, it, vi } from "vitest";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import type { Filter } from "../../../lib/lists/filter.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { lookUp } from "../../../lib/search/look-up.ts";
import * as search from "../../../lib/search/search.ts";
import { wordsOf } from "../../../lib/values/words.ts";
import { freshTable } from "../../support/setup.ts";
import { addPosts, addWords } from "../../support/world/bulk.ts";
import { aMember, aPost, aStranger, aVote, type Person, postOf } from "../../support/world/fixtures.ts";
import { random } from "../../support/world/random.ts";
import { worldTitles } from "../../support/world/texts.ts";
import { strangers, wishes } from "../../support/world/titles.ts";

let author: Person;

async function aTableWith(titles: string[]): Promise<posts.PostRecord[]> {
  await freshTable();
  author = await aMember();
  const all = titles.map((title, n) => postOf(author, { title, at: Date.UTC(2025, 0, 1) + n * 60_000 }));
  await addPosts(all);
  await addWords(all);
  return all;
}

async function similar(text: string, filter: Filter = {}): Promise<string[]> {
  return (await search.similar(await lookUp(text), filter)).map(({ post }) => post.title);
}

async function matching(text: string, filter: Filter = {}, count = 10): Promise<string[]> {
  const { posts } = await search.matching(text, await search.begin(text), filter, { count });
  return posts.map(({ post }) => post.title);
}

describe("similar", () => {
  beforeAll(async () => {
    await aTableWith(wishes.map(([title]) => title));
  });

  it.each(wishes.flatMap(([title, typed]) => typed.map((text) => ({ title, text }))))(
    "finds for $text: $title",
    async ({ title, text }) => {
      const found = await similar(text);
      expect(found).toContain(title);
      expect(found.length).toBeLessThanOrEqual(5);
    },
  );

  it.each(strangers)("finds nothing for %s", async (text) => {
    expect(await similar(text)).toEqual([]);
  });
});

describe("matching, among titles of the world,", () => {
  beforeAll(async () => {
    await aTableWith(worldTitles.map(({ title }) => title));
  });

  it.each(worldTitles.flatMap(({ title, typed }) => typed.map((text) => ({ title, text }))))(
    "finds for $text: $title",
    async ({ title, text }) => {
      expect(await matching(text)).toContain(title);
    },
  );

  it("finds by the last word alone what all words together find", async () => {
    for (const text of worldTitles.flatMap(({ typed }) => typed)) {
      const { posts: found } = await search.matching(text, await lookUp(text, { unfinished: true }), {}, { count: 10 });
      expect(await matching(text), text).toEqual(found.map(({ post }) => post.title));
    }
  });
});

describe("similar, among 1,000 generated titles,", () => {
  const WORDS = 3000;
  const { below } = random(42);
  // A word is as frequent as its place in the list, inverted: a few are in every third title, most in one or two.
  // Frequent ones are shorter.
  const ends: number[] = [];
  for (let place = 1; place <= WORDS; place++) ends.push((ends.at(-1) ?? 0) + 1 / place ** 0.9);
  const drawn = (): string => {
    const at = (below(2 ** 30) / 2 ** 30) * (ends.at(-1) ?? 0);
    const place = ends.findIndex((end) => end > at);
    return `w${place.toString(36)}${"xyzzy".slice(0, Math.floor(Math.log2(place + 2) / 2))}`;
  };
  const titles = Array.from({ length: 1000 }, () => Array.from({ length: 4 + below(6) }, drawn).join(" "));
  /** A title in other words: three of five words remain, two others come in, the order changes. */
  const reworded = (title: string): string =>
    [...wordsOf(title).filter(() => below(100) < 60), drawn(), drawn()]
      .map((word) => ({ word, at: below(1000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ word }) => word)
      .join(" ");

  it("finds at least 95 of 100 reworded titles among the five", async () => {
    const all = await aTableWith(titles);
    let hits = 0;
    for (let n = 0; n < 100; n++) {
      const { title } = all[below(all.length)] as posts.PostRecord;
      if ((await similar(reworded(title))).includes(title)) hits++;
    }
    expect(hits).toBeGreaterThanOrEqual(95);
  });
});

describe("matching", () => {
  const titles = [
    "Dark mode",
    "Dark mode for the calendar",
    "Modern dark theme",
    "A mode for darkrooms",
    "Calendar export",
    "Exports of the calendar to a spreadsheet",
    "Login by mail",
  ];
  let all: posts.PostRecord[];

  beforeAll(async () => {
    all = await aTableWith(titles);
  });

  it("finds titles that have all words, in any order, short titles first", async () => {
    expect(await matching("mode dark ")).toEqual(["Dark mode", "A mode for darkrooms", "Dark mode for the calendar"]);
  });

  it("reads the last word as the start of a longer one, from three characters on", async () => {
    expect(await matching("calendar expo")).toEqual(["Calendar export", "Exports of the calendar to a spreadsheet"]);
    expect(await matching("dark mod")).toEqual(["Dark mode", "Modern dark theme", "Dark mode for the calendar"]);
    expect(await matching("spre")).toEqual(["Exports of the calendar to a spreadsheet"]);
    expect(await matching("sp")).toEqual([]);
    expect(await matching("expo calendar")).toEqual([
      "Calendar export",
      "Dark mode for the calendar",
      "Exports of the calendar to a spreadsheet",
    ]);
  });

  it("finds titles with some of the words if none has all, the most similar first", async () => {
    expect((await matching("dark login")).slice(0, 2)).toEqual(["Login by mail", "Dark mode"]);
    expect(await matching("nothing")).toEqual([]);
    expect(await matching("!!")).toEqual([]);
  });

  it("puts the post with more votes first where titles are equally similar", async () => {
    const twin = await aPost(author, { title: "Dark mode" });
    await derive(twin.postId);
    await aVote(twin.postId, aStranger());
    const { posts: found } = await search.matching("dark mode", await search.begin("dark mode"), {}, { count: 10 });
    expect(found.slice(0, 2).map(({ post }) => post.postId)).toEqual([twin.postId, all[0]?.postId]);
    await aVote(all[0]?.postId as string, aStranger());
    await aVote(all[0]?.postId as string, aStranger());
    expect((await search.similar(await lookUp("dark mode"), {}))[0]?.post.postId).toBe(all[0]?.postId);
    await posts.destroy(twin);
  });

  it("leaves out titles that changed after their rows were written", async () => {
    const changed = await aPost(author, { title: "Zebra stripes" });
    const deleted = await aPost(author, { title: "Zebra crossing" });
    for (const { postId } of [changed, deleted]) await derive(postId);
    await posts.change(changed, () => ({ title: "Other stripes" }));
    await posts.destroy(deleted);
    expect(await matching("zebra")).toEqual([]);
    expect(await similar("zebra")).toEqual([]);
    for (const { postId } of [changed, deleted]) await derive(postId);
    expect(await matching("stripes")).toEqual(["Other stripes"]);
  });

  it("breaks each found title into words once, at most 512 code points", async () => {
    const titles = Array.from({ length: 12 }, () => `zeppelin ${"\ufdfa".repeat(246)}`);
    await aTableWith(titles);
    const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
    expect(await matching("zeppelin")).toHaveLength(10);
    const lengths = segment.mock.calls.map(([text]) => [...text].length);
    segment.mockRestore();
    expect(lengths).toEqual(Array(10).fill(512));
  });

  describe("of words that a sign joins", () => {
    const joined = [
      "Améliorer l'interface d'administration",
      "Migliorare l’accesso all'archivio",
      "Export report.pdf each week",
      "Support node.js",
      "Redirect login.php",
      "Raise max_upload_size",
      "Allow foo:bar in tags",
      "Crash in v2.10.3",
      "Books by O'Reilly",
      "More rock'n'roll",
      "Sincronitzar la col·lecció",
    ];
    // For each title what was found before its parts were, and by its parts.
    const typed = [
      [
        "l'interface",
        "linterface",
        "d’administration",
        "interface",
        "administration",
        "interface administration",
        "interf",
      ],
      ["l'accesso", "all’archivio", "accesso", "archivio", "archi"],
      ["report.pdf", "reportpdf", "pdf", "report pdf", "pdf report"],
      ["node.js", "nodejs", "js", "node js", "node"],
      ["login.php", "php", "login", "login php"],
      ["max_upload_size", "maxuploadsize", "upload", "size", "upload size", "max_upl"],
      ["foo:bar", "foobar", "bar", "foo", "foo bar"],
      ["v2.10.3", "v2103", "2.10", "v2.10", "v2"],
      ["O'Reilly", "o’reilly", "oreilly", "OʼReilly", "reilly", "reil"],
      ["rock'n'roll", "rocknroll", "roll", "rock", "rock roll", "rock'n'ro"],
      ["col·lecció", "colleccio", "lecció"],
    ];

    beforeAll(async () => {
      await aTableWith(joined);
    });

    it.each(joined.flatMap((title, at) => (typed[at] ?? []).map((text) => ({ title, text }))))(
      "finds for $text: $title",
      async ({ title, text }) => {
        expect(await matching(text)).toEqual([title]);
      },
    );

    it("finds the words that a query joins where a title does not, and the other way round", async () => {
      await aTableWith(["Une nouvelle interface", "Node js on Windows", "NodeJS on Linux"]);
      expect(await matching("l'interface")).toEqual(["Une nouvelle interface"]);
      expect(await matching("l'interf")).toEqual(["Une nouvelle interface"]);
      expect((await matching("node.js")).sort()).toEqual(["Node js on Windows", "NodeJS on Linux"]);
    });

    it("finds a similar title in other words", async () => {
      await aTableWith([...joined, ...strangers]);
      expect(await similar("Une nouvelle interface pour administration")).toEqual([joined[0]]);
      expect(await similar("L'accesso all'archivio è lento")).toEqual([joined[1]]);
    });
  });

  it("finds the newest titles of a word that more than 200 have, and others by their other words", async () => {
    await aTableWith(["Frequent needle", ...Array.from({ length: 250 }, (_, n) => `Frequent number ${n}`)]);
    const found = await matching("frequent", {}, 10);
    expect(found).toHaveLength(10);
    expect(found).not.toContain("Frequent needle");
    expect(await matching("frequent needle")).toEqual(["Frequent needle"]);
  });
});
