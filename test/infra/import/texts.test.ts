import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { check } from "../../../infra/import/check.ts";
import type { Post } from "../../../infra/import/checked.ts";
import { readTime } from "../../../infra/import/dates.ts";
import { sheetRows } from "../../../infra/import/formats/csv.ts";
import type { Problem } from "../../../infra/import/formats/form.ts";
import { objectsIn } from "../../../infra/import/formats/json-array.ts";
import { LONGEST_LINE, linesOf } from "../../../infra/import/formats/lines.ts";
import { withValue } from "../../../infra/import/problems.ts";
import { Progress, progressLine } from "../../../infra/import/progress.ts";
import { logchimp } from "../../../infra/import/sources/logchimp.ts";
import { cut, markdownOf, split } from "../../../infra/import/texts.ts";
import { cellOf } from "../../../lib/moving/cells.ts";

/** A stream of a text, in pieces of some bytes: so characters and lines are cut. */
function inPieces(text: string, size = 3): Readable {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );
  return Readable.from(pieces);
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

describe("A time", () => {
  it.each([
    ["2024-01-31T12:34:56.789Z", "2024-01-31T12:34:56.789Z"],
    ["2024-01-31 12:34:56.789123+00", "2024-01-31T12:34:56.789Z"],
    ["2024-01-31 12:34:56 UTC", "2024-01-31T12:34:56.000Z"],
    ["2024-01-31T12:34:56+05:30", "2024-01-31T07:04:56.000Z"],
    ["2024-01-31 12:34:56-08", "2024-01-31T20:34:56.000Z"],
    ["2024-01-31", "2024-01-31T00:00:00.000Z"],
    ["2024/1/31 7:05", "2024-01-31T07:05:00.000Z"],
    ["31.01.2024 12:34", "2024-01-31T12:34:00.000Z"],
    ["31/01/2024", "2024-01-31T00:00:00.000Z"],
    ["1/31/2024 12:05:01 AM", "2024-01-31T00:05:01.000Z"],
    ["1/31/2024, 1:05 p.m.", "2024-01-31T13:05:00.000Z"],
    ["03/03/2024", "2024-03-03T00:00:00.000Z"],
    ["Jan 31, 2024", "2024-01-31T00:00:00.000Z"],
    ["Wed, 31 Jan 2024 12:34:56 +0100", "2024-01-31T11:34:56.000Z"],
    ["Wed Jan 31 2024 12:34:56 GMT+0000 (Coordinated Universal Time)", "2024-01-31T12:34:56.000Z"],
    ["1706700000", "2024-01-31T11:20:00.000Z"],
    ["1706700000123", "2024-01-31T11:20:00.123Z"],
  ])("is read from %s", (text, time) => {
    expect(new Date(readTime(text) ?? 0).toISOString()).toBe(time);
  });

  it.each([
    "",
    "yesterday",
    "2023-02-31",
    "2009-12-31",
    "9999-01-01",
    "2024-13-01",
    "2024-01-01T25:00:00Z",
    "2024-01-01 10:61",
    "13:00 PM",
    "01/02/2024",
    "31/31/2024",
    "31 Foo 2024",
    "45322",
    "1706700000000000",
  ])("is none in %j", (text) => expect(readTime(text)).toBeUndefined());
});

describe("A text", () => {
  it("becomes Markdown if a rich editor wrote it, and has no script", () => {
    expect(markdownOf("<p>One <em>two</em></p><ul><li>three</li></ul>")).toBe("One _two_\n\n-   three");
    expect(
      markdownOf('<div><a href="javascript:x()">a</a><img src="data:x" onerror="y()"><script>z()</script></div>'),
    ).toBe("a");
    expect(markdownOf("a <b> tag in a sentence")).toBe("a <b> tag in a sentence");
    expect(markdownOf(`${"<div>".repeat(30_000)}deep`)).toMatch(/deep$/);
  });

  it("is cut between words and whole characters", () => {
    expect(cut("one two three", { units: 9, bytes: 99 })).toEqual(["one two", "three"]);
    expect(cut("one two", { units: 7, bytes: 7 })).toEqual(["one two", ""]);
    expect(cut("👩‍👩‍👧👩‍👩‍👧", { units: 1, bytes: 99 })[0]).toBe("");
    expect(cut("ab👩‍👩‍👧", { units: 5, bytes: 99 })).toEqual(["ab", "👩‍👩‍👧"]);
    const pieces = split("日本語".repeat(100), { units: 99, bytes: 50 }, { units: 99, bytes: 70 });
    expect(pieces.join("")).toBe("日本語".repeat(100));
    expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(70);
  });
});

describe("A stream", () => {
  it("is read by lines, whatever ends them and however it comes in", async () => {
    expect(await all(linesOf(inPieces("\ufeffÄ\r\n\n👩‍👩‍👧")))).toEqual([
      { row: 1, text: "Ä", isCut: false },
      { row: 2, text: "", isCut: false },
      { row: 3, text: "👩‍👩‍👧", isCut: false },
    ]);
    const [long, next] = await all(linesOf(inPieces(`${"x".repeat(LONGEST_LINE + 1)}\nnext`, 65_536)));
    expect(long?.isCut).toBe(true);
    expect(next).toEqual({ row: 2, text: "next", isCut: false });
  });

  it("is read by the objects of an array, with braces and quotes in texts", async () => {
    const rows = [{ a: 'a } and { and "' }, { b: { c: "\\" } }, { d: "日本" }];
    const found = await all(objectsIn("posts.json", inPieces(JSON.stringify(rows, null, 1))));
    expect(found.map(({ value }) => value)).toEqual(rows);
    expect(found.map(({ row }) => row)).toEqual([1, 2, 3]);
    await expect(all(objectsIn("posts.json", inPieces('[{"a": 1}, {"b":')))).rejects.toThrow(
      "posts.json ends within its object 2: export it once more",
    );
    await expect(all(objectsIn("posts.json", inPieces("[{1}]")))).rejects.toThrow(
      /^posts\.json is no JSON in its object 1: /,
    );
  });

  it("is read by the rows of a sheet", async () => {
    const sheet = '\ufeffSource ID,Author Name\r\n1,"a ""b"",\r\nc"\r\n\r\n2,d,extra\r\n';
    const rows = await all(sheetRows("posts.csv", inPieces(sheet)));
    expect(rows.map(({ cells }) => cells)).toEqual([
      { source_id: "1", author_name: 'a "b",\r\nc' },
      { source_id: "2", author_name: "d" },
    ]);
    await expect(all(sheetRows("posts.csv", inPieces('a\n"open')))).rejects.toThrow(
      /^posts\.csv is no sheet behind row 1: /,
    );
  });
});

describe("A row", () => {
  const place = { file: "posts.csv", row: 2 };
  function checked(kind: "account" | "post" | "comment", fields: Record<string, unknown>) {
    const problems: Problem[] = [];
    const row = check({ kind, place, fields }, (problem) => problems.push(problem));
    return { value: row?.value, problems: problems.map((problem) => `${problem.field} ${withValue(problem)}`) };
  }

  it("loses what no text may have", () => {
    const { value } = checked("post", { ref: 1, title: "a\u202eb\u0000c", body: "x\u0007y\ud800z" });
    expect(value).toMatchObject({ title: "a b c", body: ["xyz"] });
  });

  it("keeps the whole of a title that is too long, in its text and in comments", () => {
    const title = "word ".repeat(5000).trim();
    const { value, problems } = checked("post", { ref: 1, title, body: "The text" });
    const { body } = value as Post;
    expect(body.join(" ").split(/\s+/)).toEqual([...title.split(" "), "The", "text"]);
    expect(problems).toEqual([
      expect.stringMatching(/^title has 24999 characters: cut to 25\d, and the whole is in the text$/),
      "body is too long: its end follows in 2 comments",
    ]);
  });

  it("has only a former slug that an export can hold", () => {
    expect(checked("post", { ref: 1, title: "A", slug: "dark-mode-日本" }).value).toMatchObject({
      slug: "dark-mode-日本",
    });
    for (const slug of ["x".repeat(301), "a\u202eb", "a\tb"]) {
      const { value, problems } = checked("post", { ref: 1, title: "A", slug });
      expect(value).not.toHaveProperty("slug");
      expect(problems).toEqual([expect.stringMatching(/^slug “.*” can be no slug here: left out$/)]);
    }
  });

  it("is a note if it says that it is one, in any language of a sheet, and if nobody knows", () => {
    const internal = (cell: unknown) => checked("comment", { ref: 1, post: 2, body: "x", internal: cell });
    for (const cell of [true, "t", "TRUE", "1", "WAHR", "ja", "vrai", "Sí"])
      expect(internal(cell)).toMatchObject({ value: { internal: true }, problems: [] });
    for (const cell of [false, "f", "FALSE", "0", "FALSCH", "nein", "faux", "", undefined])
      expect(internal(cell)).toMatchObject({ value: { internal: false }, problems: [] });
    expect(internal("staff only")).toMatchObject({
      value: { internal: true },
      problems: ["internal “staff only” is neither yes nor no: taken as yes"],
    });
    expect(checked("account", { ref: "u", blocked: "maybe" })).toMatchObject({
      value: { blocked: false },
      problems: ["blocked “maybe” is neither yes nor no: taken as no"],
    });
  });

  it("is left out without what it needs", () => {
    expect(checked("post", { ref: 1, title: " \u200b " })).toEqual({
      value: undefined,
      problems: ["title is missing: the post is left out"],
    });
    expect(checked("comment", { ref: 1, post: 2, body: "" }).problems).toEqual([
      "body is empty: the comment is left out",
    ]);
    const { value, problems } = checked("account", { ref: "u", email: "no address" });
    expect(value).toEqual({ ref: "u", blocked: false });
    expect(problems).toEqual(["email “no address” is no address: left out"]);
  });
});

describe("What an import prints", () => {
  it("is never a formula in a sheet of problems", () => {
    expect(cellOf('=HYPERLINK("x")')).toBe(`"'=HYPERLINK(""x"")"`);
    expect(["+1", "-1", "@a", "\ta", "a"].map(cellOf)).toEqual(["'+1", "'-1", "'@a", "'\ta", "a"]);
  });

  it("is the same text again for an import", async () => {
    const texts = ["=1+1", "-2+3", "- a list", "@name", "＝1", "a", "'quoted'", "'s-Hertogenbosch"];
    const sheet = ["title", ...texts.map(cellOf)].join("\n");
    const rows = await all(sheetRows("posts.csv", Readable.from([Buffer.from(sheet)])));
    expect(rows.map(({ cells }) => cells.title)).toEqual(texts);
  });

  it("says how far it is, how fast, and how long it takes", () => {
    expect(progressLine("Import", 500, 2000, 50)).toBe("Import: 500 of 2000 rows (25 %), 50 a second, 30 s left");
    expect(progressLine("Import", 1, 20_000, 1)).toBe("Import: 1 of 20000 rows (0 %), 1 a second, 5 h 33 min left");
  });

  it("has the rate of the last minute: what an earlier run has written is passed over", () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    const printed = vi.spyOn(console, "log").mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const progress = new Progress("Import", 100_000);
    clock.mockReturnValue(2000);
    progress.add(60_000);
    for (let second = 4; second <= 80; second += 2) {
      clock.mockReturnValue(second * 1000);
      progress.add(200);
    }
    expect(printed.mock.lastCall).toEqual(["Import: 67800 of 100000 rows (67 %), 100 a second, 5 min left"]);
    // A piece of work that takes longer than the window.
    clock.mockReturnValue(200_000);
    progress.add(1200);
    progress.end();
    expect(printed.mock.lastCall).toEqual(["Import: 69000 of 100000 rows (69 %), 10 a second, 51 min left"]);
  });
});

describe("A status", () => {
  it("has a name of whole characters, which is cut with a word", () => {
    const problems: Problem[] = [];
    const name = `${"a".repeat(39)}👩‍👩‍👧‍👦`;
    const row = { kind: "status" as const, place: { file: "statuses.csv", row: 2 }, fields: { ref: "1", name } };
    expect(check(row, (problem) => problems.push(problem))?.value).toMatchObject({ name: "a".repeat(39) });
    expect(problems.map(({ field }) => field)).toEqual(["name"]);
  });
});

describe("A dump of LogChimp", () => {
  it("gives the roadmaps in their order, and a comment the post and author of its activity", async () => {
    const dump = [
      "COPY public.posts_comments (id, parent_id, activity_id, body, is_edited, is_spam, is_internal, created_at, updated_at) FROM stdin;",
      "c1\t\\N\ta1\tYes\tf\tf\tf\t2024-01-31 12:00:00+00\t2024-01-31 12:00:00+00",
      "\\.",
      "COPY public.roadmaps (id, name, url, index, color, display, created_at, updated_at) FROM stdin;",
      "r2\tLater\tlater\t10\tff0000\tt\t\\N\t\\N",
      "r1\tNow\tnow\t9\tff0000\tt\t\\N\t\\N",
      "\\.",
      "COPY public.posts_activity (id, type, posts_comments_id, post_id, author_id, created_at) FROM stdin;",
      "a1\tcomment\tc1\tp1\tu1\t2024-01-31 12:00:00+00",
      "\\.",
    ];
    const open = async () => inPieces(`${dump.join("\n")}\n`);
    const rows = await all(logchimp({ names: ["dump.sql"], open, close: () => {} }));
    expect(rows).toMatchObject([
      { kind: "roadmap", fields: { ref: "r1" } },
      { kind: "roadmap", fields: { ref: "r2" } },
      { kind: "comment", fields: { ref: "c1", post: "p1", author: "u1" } },
    ]);
  });
});
