import { beforeAll, describe, expect, it } from "vitest";
import * as demo from "../../../infra/local/demo/demo-set.ts";
import { lookUp } from "../../../lib/search/look-up.ts";
import * as search from "../../../lib/search/search.ts";
import { measured, recordCalls } from "../../support/store/calls.ts";
import { addPosts, addWords } from "../../support/world/bulk.ts";
import { aMember, postOf } from "../../support/world/fixtures.ts";

// Words that say nothing, such as "to", make no hit of a title beside others that say something.

/** A wish in each language of the portal; another one that shares only fillers with it; one that shares a word. */
const wishes = [
  {
    title: "Please add a way to sort my recipes",
    stranger: "please add a way to teleport my cat",
    kin: "sort to mars",
  },
  {
    title: "Ich möchte Rezepte mit der Tastatur sortieren können",
    stranger: "Ich möchte mit der Rakete fliegen können",
    kin: "ich möchte mit der Tastatur fliegen",
  },
  {
    title: "Quisiera poder ordenar las recetas por fecha",
    stranger: "quisiera poder viajar por las estrellas",
    kin: "quisiera poder viajar por las recetas",
  },
  {
    title: "Je voudrais pouvoir trier les recettes d’une page",
    stranger: "je voudrais pouvoir monter dans les airs d'une fusée",
    kin: "je voudrais monter dans les recettes",
  },
  {
    title: "Gostaria de poder ordenar as receitas por data",
    stranger: "gostaria de poder viajar com as estrelas",
    kin: "gostaria de viajar com as receitas",
  },
  {
    title: "レシピを並べ替えできるようにしてほしいです",
    stranger: "火星へ旅行できるようにしてほしいです",
    kin: "レシピへ旅行できるようにしてほしいです",
  },
];

beforeAll(async () => {
  const author = await aMember();
  const titles = [...demo.posts, ...wishes].map(({ title }) => title);
  const posts = titles.map((title, n) => postOf(author, { title, at: Date.UTC(2025, 0, 1) + n * 60_000 }));
  await addPosts(posts);
  await addWords(posts);
});

async function found(text: string): Promise<string[]> {
  const { posts } = await search.matching(text, await search.begin(text), {}, { count: 10 });
  return posts.map(({ post }) => post.title);
}

async function similar(text: string): Promise<string[]> {
  return (await search.similar(await lookUp(text), {})).map(({ post }) => post.title);
}

describe("a search", () => {
  it.each([
    "teleport to mars",
    "a way to work on a plane",
    "mars for",
    "mars wit",
    ...wishes.map(({ stranger }) => stranger),
  ])("finds nothing for %s, of which the titles have only fillers", async (text) => {
    expect(await found(text)).toEqual([]);
  });

  it.each(wishes)("finds $title by a word that says something, among fillers: $kin", async ({ kin, title }) => {
    expect(await found(kin)).toContain(title);
  });

  it("finds titles by the words that say something alone", async () => {
    expect((await found("how to print a note")).sort()).toEqual([
      "GET /notes skips notes while others write",
      "Handwriting with the pencil in a note",
      "Read and edit notes offline",
      "Templates for recurring notes",
      "Undo after deleting a note",
    ]);
    expect(await found("an app for Linux")).toContain("A .deb or Flatpak for Linux");
  });

  it("finds fillers where nothing else is typed, and where a title has all words", async () => {
    expect((await found("to")).length).toBeGreaterThan(5);
    expect(await found("how to")).toEqual(["Read this first: how we choose what to build"]);
    expect(await found("with our")).not.toEqual([]);
    expect(await found("mention a with @team")).toEqual(["Mention a whole team with @team"]);
  });

  it("looks up no filler beside other words", async () => {
    const { calls } = await measured(() => recordCalls(() => lookUp("print a table with our")));
    expect(calls.map(({ operation }) => operation)).toEqual(["Query", "Query"]);
  });

  it("reads a filler as the start of a longer word while it is typed", async () => {
    const titles = ["Whole app usable from the keyboard", "Mention a whole team with @team"];
    expect((await found("mars who")).sort()).toEqual(titles.toSorted());
  });
});

describe("similar posts", () => {
  it.each(["to", "How to", "teleport to mars", ...wishes.map(({ stranger }) => stranger)])(
    "are none for %s",
    async (text) => {
      expect(await similar(text)).toEqual([]);
    },
  );

  it.each([
    // Four others have "app", one has "desktop".
    { title: "Tabs in the desktop app", others: [] },
    { title: "React to a comment with an emoji 👍", others: [] },
    { title: "Export as plain Markdown files, with folders", others: [] },
    { title: "Dark mode for charts and exported files", others: ["Dark mode that follows the system"] },
    { title: "Import tasks from a CSV file", others: ["Export all tasks as CSV"] },
  ])("share more than one word of many with $title", async ({ title, others }) => {
    expect(await similar(title)).toEqual([title, ...others]);
  });

  it("share one word that is as much as the rest", async () => {
    expect(await similar("A dark theme")).toContain("Dark mode that follows the system");
    expect(await similar("Please let me work offline")).toEqual(["Read and edit notes offline"]);
    expect(await similar("An app for Linux")).toEqual(["A .deb or Flatpak for Linux"]);
  });
});
