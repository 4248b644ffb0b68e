import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { isProblem, type Problem, type Row } from "../../../infra/import/formats/form.ts";
import { openInput } from "../../../infra/import/formats/input.ts";
import { textOf } from "../../../infra/import/problems.ts";
import { sources } from "../../../infra/import/sources/index.ts";
import { copy, fiderSites, portalOf, writeDump } from "../../support/world/dumps.ts";

// What the readers make of files as other programs write them.

const scratch = mkdtempSync(join(tmpdir(), "sources-"));
afterAll(() => rmSync(scratch, { recursive: true }));

type Files = Record<string, string | Buffer>;

let folders = 0;

function folderOf(files: Files): string {
  const folder = join(scratch, `dump ${folders++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Reads files with the reader of a source. Returns the rows of a kind by their fields, and all problems in words. */
function read(source: string, files: Files, site?: string) {
  return readPath(source, folderOf(files), site);
}

/** The same for a file or a folder that is there. */
async function readPath(source: string, path: string, site?: string) {
  const rows: Row[] = [];
  const problems: Problem[] = [];
  const input = { ...(await openInput(path, (problem) => problems.push(problem))), site };
  for await (const given of (sources[source] as (typeof sources)[string])(input)) {
    if (isProblem(given)) problems.push(given);
    else rows.push(given);
  }
  return {
    rows,
    problems: problems.map(textOf),
    all: (kind: Row["kind"]) => rows.filter((row) => row.kind === kind).map(({ fields }) => fields),
  };
}

/** UTF-16 with its mark, as Excel and PowerShell write it. */
function inUtf16(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, "utf16le");
}

describe("A sheet", () => {
  const posts = "Title;Content;Created\r\nÄnderung;für 5 €;31.01.2024 12:34\r\n";

  it.each([
    ["UTF-8", Buffer.from(posts)],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${posts}`)],
    ["UTF-16", inUtf16(posts)],
    ["UTF-16 of the other order", inUtf16(posts).swap16()],
    ["tabs in UTF-16", inUtf16(posts.replaceAll(";", "\t"))],
    ["gzip", gzipSync(posts)],
    ["a first line that names its separator", Buffer.from(`sep=;\r\n${posts}`)],
    ["empty columns and rows", Buffer.from(posts.replaceAll("\r\n", ";;;\r\n;;;;;\r\n"))],
  ])("is read in %s", async (_, bytes) => {
    const found = await read("csv", { "posts.csv": bytes });
    expect(found.problems).toEqual([]);
    expect(found.all("post")).toMatchObject([{ title: "Änderung", body: "für 5 €", at: "31.01.2024 12:34" }]);
  });

  it("is read in Windows-1252, and that is said", async () => {
    const bytes = Buffer.from(posts.replace("€", "\x80"), "latin1");
    const found = await read("csv", { "posts.csv": bytes });
    expect(found.all("post")).toMatchObject([{ title: "Änderung", body: "für 5 €" }]);
    expect(found.problems).toEqual([
      "posts.csv: file is not in UTF-8, and is read as Windows-1252: look whether the letters with accents are right",
    ]);
  });

  it("is counted as a program for sheets shows its rows", async () => {
    const text = 'title,tags\n"two\nlines",\n\n,\nlast,a tag\n';
    const found = await read("csv", { "posts.csv": text });
    expect(found.problems).toEqual([]);
    expect(found.rows.filter(({ kind }) => kind === "tag")).toMatchObject([{ place: { row: 5 } }]);
  });

  it.each([
    ["a; b , a|c;;", ["a", "b", "a", "c"]],
    ['["a, b", "c"]', ["a, b", "c"]],
    ["[a", ["[a"]],
    ["", []],
  ])("has the tags of the cell %j", async (cell, tags) => {
    const text = `title,tags\nA,"${cell.replaceAll('"', '""')}"\n`;
    const found = await read("csv", { "posts.csv": text });
    expect(found.all("post")).toMatchObject([{ tags }]);
    expect(found.all("tag").map(({ name }) => name)).toEqual([...new Set(tags)]);
  });

  it("is read with the usual other names of columns, and each other column is named", async () => {
    const text = 'Name,Description,Email,Votes,Priority\nDark mode,Please,Ada@example.com,"1,234",high\nMore,,,5,\n';
    const found = await read("csv", { "ideas.csv": text });
    expect(found.all("post")).toMatchObject([
      { title: "Dark mode", body: "Please", author: "mailto:ada@example.com" },
      {},
    ]);
    expect(found.problems).toEqual([
      "ideas.csv, row 1: columns “Priority” left out",
      "ideas.csv, row 1: Votes counts 1239 votes: only those of votes.csv come in, which say whose they are",
    ]);
  });

  it("has addresses under each way to write an email address", async () => {
    for (const heading of ["E-Mail", "e mail", "Author E-Mail", "Email address", "E-mail Address"]) {
      const found = await read("csv", { "posts.csv": `Title,${heading}\nDark mode,ada@example.com\n` });
      expect({ heading, posts: found.all("post") }).toMatchObject({ posts: [{ author: "mailto:ada@example.com" }] });
      expect(found.problems).toEqual([]);
    }
  });

  it("names cells without a heading, and a second column of a name", async () => {
    const found = await read("csv", {
      "posts.csv": "Title,Content,title,\nA,b,Other\nC,d,,,\nOne, two,three,four,five\n",
    });
    expect(found.all("post").map(({ title, body }) => [title, body])).toEqual([
      ["A", "b"],
      ["C", "d"],
      ["One", " two"],
    ]);
    expect(found.problems).toEqual([
      "posts.csv, row 1: columns “a second title” left out",
      "posts.csv, row 4: columns “four, five” has no heading: left out, look whether the cells before it are right",
    ]);
  });

  it("keeps all posts of a title", async () => {
    const found = await read("csv", {
      "posts.csv": "title,content\nA,one\nA,two\nA (2),three\n",
      "votes.csv": "post,email\nA,a@b.c\n",
    });
    expect(found.all("post")).toMatchObject([
      { ref: "A", body: "one" },
      { ref: "A (2)", body: "two" },
      { ref: "A (2) (2)", body: "three" },
    ]);
    expect(found.all("vote")).toMatchObject([{ post: "A" }]);
    expect(found.problems).toEqual([
      "posts.csv, row 3: title is that of row 2, which gets all comments and votes of posts with this title",
      "posts.csv, row 4: title is that of row 3, which gets all comments and votes of posts with this title",
    ]);
  });

  it.each([
    ["csv", "posts.csv", "source_id,title\n1,A\n", "post_source_id,body,author_email,created_at\n"],
    ["uservoice", "ideas.csv", "Idea Id,Idea Title\n1,A\n", "suggestionId,text,userEmail,createdAt\n"],
  ])("names each comment of %s by its cells, so that it is known in a later export", async (...given) => {
    const [source, sheet, posts, headings] = given;
    const refsOf = async (...rows: string[]) => {
      const found = await read(source, { [sheet]: posts, "comments.csv": `${headings}${rows.join("\n")}\n` });
      return found.all("comment").map(({ ref }) => ref);
    };
    const comments = ["1,Yes,a@b.c,2024-01-31", "1,Yes,a@b.c,2024-01-31", "1,Yes,b@b.c,2024-01-31", "1,,,"];
    const before = await refsOf(...comments);
    expect(new Set(before).size).toBe(4);
    const after = await refsOf("1,New,a@b.c,2024-01-31", ...comments.toReversed());
    expect(after.slice(1).toSorted()).toEqual(before.toSorted());
  });

  it("is refused without a column that it needs", async () => {
    await expect(read("csv", { "posts.csv": "Titel;Text\nA;b\n" })).rejects.toThrow(
      "posts.csv has no column title (or name, subject, headline, summary): its columns are Titel, Text",
    );
    await expect(read("csv", { "posts.csv": "title\nA\n", "votes.csv": "title,who\nA,b\n" })).rejects.toThrow(
      "votes.csv has no column post_source_id (or post_id, post, post_title): its columns are title, who",
    );
    await expect(read("logchimp", { "posts.csv": "title\nA\n" })).rejects.toThrow("posts.csv has no column postid");
    await expect(read("quackback", { "posts.csv": "title\nA\n" })).rejects.toThrow("posts.csv has no column id");
  });
});

describe("A sheet with a row of more than a million bytes", () => {
  it.each([
    ["a cell that is too long", `"${"x".repeat(1_000_001)}"`],
    ["a quote that is not closed", `"${"A,b\n".repeat(250_001)}`],
  ])("is refused by row and column: %s", async (_, cell) => {
    const sheet = `title,Content\nA,b\n\nB,${cell}`;
    await expect(read("csv", { "posts.csv": sheet })).rejects.toThrow(
      "posts.csv, row 4 has more than 1,000,000 bytes: shorten its cell Content, or close the quote with which that begins",
    );
  });

  it("is refused by the number of the column if that has no heading", async () => {
    await expect(read("csv", { "posts.csv": `title\nA,${"x".repeat(1_000_001)}\n` })).rejects.toThrow(
      "posts.csv, row 2 has more than 1,000,000 bytes: shorten its cell 2, or close the quote with which that begins",
    );
  });
});

describe("A sheet whose first row is short", () => {
  it("is read with the columns of its headings", async () => {
    const found = await read("csv", {
      "posts.csv": "source_id,title\n1\n2,A\n",
      "comments.csv": "post,author_email,body\n1\n2,ada@b.c,Yes\n",
    });
    expect(found.all("post")).toMatchObject([{ ref: "1" }, { ref: "2", title: "A" }]);
    expect(found.all("comment")).toMatchObject([{ post: "1" }, { post: "2", body: "Yes" }]);
    expect(found.problems).toEqual([]);
  });

  it("is read from UserVoice and LogChimp too", async () => {
    const uservoice = await read("uservoice", {
      "comments.csv": "suggestionId,text\n7\n7,Yes\n",
      "ideas.csv": "Idea Id,Idea Title\n6\n7,A\n",
    });
    expect(uservoice.all("post")).toMatchObject([{ ref: "6" }, { ref: "7", title: "A" }]);
    expect(uservoice.all("comment")).toMatchObject([{ post: "7" }, { post: "7", body: "Yes" }]);
    expect(uservoice.problems).toEqual([]);
    const logchimp = await read("logchimp", { "posts.csv": "title,postId\nA\nB,p2\n" });
    expect(logchimp.all("post")).toMatchObject([{ title: "A" }, { ref: "p2", title: "B" }]);
    expect(logchimp.problems).toEqual([]);
  });
});

describe("A file", () => {
  it.each([
    [
      "a dump in PostgreSQL's own format",
      "PGDMP\x01\x0e",
      /^dump is a dump in PostgreSQL's own format. Make a plain one of it: pg_restore/,
    ],
    [
      "such a dump as a TAR archive",
      "toc.dat\0\0",
      /^dump is a dump in PostgreSQL's own format. Make a plain one of it: pg_restore/,
    ],
    ["a workbook", "PK\x03\x04", /^dump is a ZIP archive, or a workbook/],
    ["a workbook of an earlier program", Buffer.from("d0cf11e0a1b1", "hex"), /^dump is a workbook/],
    ["compressed by xz", Buffer.from("fd377a585a00", "hex"), /^dump is compressed: unpack it/],
    ["a web page", "\n<!DOCTYPE html><title>Sign in</title>", /^dump is a web page: download the export while you/],
    ["a TAR archive", `${"\0".repeat(257)}ustar`, /^dump is a TAR archive: unpack it/],
  ])("is refused with advice if it is %s", async (_, bytes, advice) => {
    await expect(read("logchimp", { dump: bytes })).rejects.toThrow(advice);
  });

  it("that is not in UTF-8 is one problem, though a dump is read twice", async () => {
    const dump = "COPY public.posts (id, title, tenant_id) FROM stdin;\n1\tÄ\t1\n\\.\n";
    const found = await read("fider", { "fider.sql": Buffer.from(dump, "latin1") });
    expect(found.all("post")).toMatchObject([{ title: "Ä" }]);
    expect(found.problems).toEqual([expect.stringContaining("is not in UTF-8, and is read as Windows-1252")]);
  });

  it.each([
    ["posts.csv", "give the folder"],
    ["wishes.csv", "give the folder, with the posts as posts.csv"],
  ])("that lies beside %s is named if that alone is given", async (name, advice) => {
    const folder = folderOf({ [name]: "title\nA\n", "votes.csv": "", "comments.tsv": "", "notes.csv": "" });
    const found = await readPath("csv", join(folder, name));
    expect(found.all("post")).toMatchObject([{ title: "A" }]);
    expect(found.problems).toEqual([
      `comments.tsv: file lies beside ${name}, and is not read: ${advice}`,
      `votes.csv: file lies beside ${name}, and is not read: ${advice}`,
    ]);
  });

  it("is read from a folder that may not be listed", () => {
    const folder = folderOf({ "posts.csv": "title\nA\n" });
    const module = JSON.stringify(join(import.meta.dirname, "../../../infra/import/formats/input.ts"));
    // Root may list every folder.
    const script = `const { openInput } = await import(${module});
      if (process.getuid() === 0) process.setuid(65534);
      console.log((await openInput(${JSON.stringify(join(folder, "posts.csv"))}, () => {})).names);`;
    chmodSync(scratch, 0o711);
    chmodSync(folder, 0o311);
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    chmodSync(folder, 0o700);
    expect(out).toBe("[ 'posts.csv' ]\n");
  });

  it("is passed over if macOS has put it there", async () => {
    const files = { "posts.csv": "title\nA\n", "._posts.csv": "\0", "__MACOSX/posts.csv": "\0", ".DS_Store": "\0" };
    expect((await read("csv", files)).problems).toEqual([]);
  });

  it("is refused if the archive is broken", async () => {
    const path = join(folderOf({ "backup.zip": "PK\x03\x04" }), "backup.zip");
    await expect(openInput(path, () => {})).rejects.toThrow(/backup\.zip is no whole ZIP archive: /);
  });

  it("is refused if a file in its archive is damaged, or a compressed one is not whole", async () => {
    const dump = writeDump(scratch, "quackback", portalOf({ posts: 3, votes: 3 }));
    const archive = readFileSync(dump);
    const at = archive.indexOf("posts.csv") + 80;
    archive[at] = (archive[at] ?? 0) ^ 1;
    const input = await openInput(join(folderOf({ "dump.zip": archive }), "dump.zip"), () => {});
    await expect(input.open("posts.csv").then(text)).rejects.toThrow(/^posts\.csv is damaged/);
    const cut = gzipSync("title\nA\n".repeat(1000)).subarray(0, 30);
    await expect(read("csv", { "posts.csv": cut })).rejects.toThrow(/^posts\.csv cannot be read to its end: /);
  });
});

describe("A dump of LogChimp", () => {
  const columns = '"userId", name, email, "isBlocked", "createdAt"';
  const users = [
    {
      ref: "u1",
      name: "O'Neil, (Ada)",
      email: "ada@example.com",
      blocked: expect.stringMatching(/^f/),
      at: "2024-01-31",
    },
    { ref: "u2", name: "Two\nlines;", email: undefined, blocked: expect.stringMatching(/^t/), at: undefined },
  ];
  const first = "('u1', 'O''Neil, (Ada)', 'ada@example.com', false, '2024-01-31')";
  const second = "('u2', 'Two\nlines;', NULL, true, NULL)";
  const created = `CREATE TABLE public.users (\n    ${columns.replaceAll(", ", " text,\n    ")} text\n);\n`;

  it.each([
    [
      "COPY",
      `COPY public.users (${columns}) FROM stdin;\nu1\tO'Neil, (Ada)\tada@example.com\tf\t2024-01-31\nu2\tTwo\\nlines;\t\\N\tt\t\\N\n\\.\n`,
    ],
    ["--inserts", `${created}INSERT INTO public.users VALUES ${first};\nINSERT INTO public.users VALUES ${second};\n`],
    [
      "--column-inserts",
      `INSERT INTO public.users (${columns}) VALUES ${first};\nINSERT INTO public.users (${columns}) VALUES ${second};\n`,
    ],
    ["--rows-per-insert", `INSERT INTO public.users (${columns}) VALUES\n\t${first},\n\t${second};\n`],
    ["rows in one line", `INSERT INTO users (${columns}) VALUES ${first}, ${second};\n`],
    ["rows of several lines", `INSERT INTO users (${columns}) VALUES (\n${first.slice(1)},\n${second};\n`],
    [
      "a schema with a name in quotes",
      `COPY "Feedback portal".users (${columns}) FROM stdin;\nu1\tO'Neil, (Ada)\tada@example.com\tf\t2024-01-31\nu2\tTwo\\nlines;\t\\N\tt\t\\N\n\\.\n`,
    ],
    [
      "statements with types, escapes and conflicts",
      [first.replace("'2024-01-31'", "'2024-01-31'::timestamp(3) with time zone"), second.replace("'Two\n", "E'Two\\n")]
        .map(
          (row) =>
            `INSERT INTO public.users (${columns}) OVERRIDING SYSTEM VALUE VALUES ${row} ON CONFLICT DO NOTHING;`,
        )
        .join("\n"),
    ],
  ])("is read from %s", async (_, dump) => {
    for (const text of [dump, inUtf16(dump.replaceAll("\n", "\r\n").replace("Two\r\n", "Two\n"))]) {
      const found = await read("logchimp", { "logchimp.sql": text });
      expect(found.all("account")).toEqual(users);
      expect(found.problems).toEqual([]);
    }
  });

  it("is read from a sheet of each table", async () => {
    const found = await read("logchimp", {
      "users.csv": 'userId,name,email,isBlocked,createdAt\nu1,"O\'Neil, (Ada)",ada@example.com,f,2024-01-31\n',
      "posts_comments.csv":
        "id,activity_id,body,is_internal,is_spam\nc1,a1,Yes,t,f\nc2,a1,Spam,f,t\nc3,a1,Spam,f,TRUE\nc4,a1,Spam,f,maybe\n",
      "public.posts_activity.csv": "id,post_id,author_id\na1,p1,u1\n",
      "resetPassword.csv": "email,token\na@b.c,secret\n",
      "sheet1.csv": "email\na@b.c\n",
    });
    expect(found.all("account")).toEqual(users.slice(0, 1));
    expect(found.all("comment")).toMatchObject([{ ref: "c1", post: "p1", author: "u1", internal: "t" }]);
    expect(found.problems).toEqual([
      "posts_comments.csv, row 3: is_spam is set: the comment is left out",
      "posts_comments.csv, row 4: is_spam is set: the comment is left out",
      "posts_comments.csv, row 5: is_spam is set: the comment is left out",
      "resetPassword.csv, row 2: resetPassword is not read: tokens do not come in",
      "sheet1.csv: file is not read: no table has its name",
    ]);
  });

  it("is read from a sheet with all its rows, also those without the cell that shows what the sheet is", async () => {
    const found = await read("logchimp", {
      "posts_comments.csv": "id,activity_id,body\nc1,,Yes\n",
      "roadmaps.csv": "id,name,url\nr1,Now,\n",
    });
    expect(found.all("comment")).toMatchObject([{ ref: "c1", body: "Yes" }]);
    expect(found.all("roadmap")).toMatchObject([{ ref: "r1", name: "Now" }]);
    expect(found.problems).toEqual([]);
  });

  it("is read from a dump of all databases, among tables of other programs", async () => {
    const found = await read("logchimp", {
      "all.sql": [
        "\\restrict aBc1",
        "\\connect shop",
        "COPY public.users (id, email) FROM stdin;\n7\tshop@example.com\n\\.",
        '\\connect -reuse-previous=on "logchimp"',
        `COPY public.users (${columns}) FROM stdin;\nu1\tO'Neil, (Ada)\tada@example.com\tf\t2024-01-31\n\\.\n`,
      ].join("\n"),
    });
    expect(found.all("account")).toEqual(users.slice(0, 1));
    expect(found.problems).toEqual([]);
  });

  it("is refused if it has two portals", async () => {
    const copies = ["public", "staging"].map((schema) => `COPY ${schema}.users (${columns}) FROM stdin;\nu1\n\\.\n`);
    await expect(read("logchimp", { "a.sql": copies.join("") })).rejects.toThrow(
      "a.sql has the table users in public and in staging: dump only one (pg_dump --schema)",
    );
  });

  it("names rows that cannot be read, and a table that is not whole", async () => {
    const insert = `INSERT INTO users (${columns}) VALUES`;
    const found = await read("logchimp", {
      "a.sql": `${insert} ${first};\n${insert} (now(), 'x');\nCOPY users (${columns}) FROM stdin;\nu3\tEve\n`,
    });
    expect(found.all("account")).toMatchObject([{ ref: "u1" }, { ref: "u3", name: "Eve" }]);
    expect(found.problems).toEqual([
      "a.sql, row 2: users has a row that cannot be read: left out to the end of the statement",
      "a.sql, row 4: users is not whole: the file ends within it, so dump it once more",
    ]);
  });

  it("is refused if its statements do not name the columns", async () => {
    await expect(read("logchimp", { "a.sql": "INSERT INTO users VALUES ('u1');\n" })).rejects.toThrow(
      "a.sql, row 1: the columns are not named: dump with --column-inserts",
    );
  });
});

describe("An export of Quackback", () => {
  it.each(["feature-requests", "Feature Requests"])("puts posts on their board, which they call %s", async (board) => {
    const found = await read("quackback", {
      "boards.csv": "id,slug,name\nb1,feature-requests,Feature Requests\n",
      "posts.csv": `id,title,board\np1,Dark mode,${board}\n`,
    });
    expect(found.all("board")).toMatchObject([{ ref: "feature-requests", url: "feature-requests" }]);
    expect(found.all("post")).toMatchObject([{ board: "feature-requests" }]);
    expect(found.problems).toEqual(["boards.csv, row 1: columns “id” left out"]);
  });

  it("does not take a status for started that has not come to its end", async () => {
    const text = "name,category\nUnder Review,active\nShipped,complete\nDuplicate,closed\n";
    const found = await read("quackback", { "posts.csv": "id,title\n", "statuses.csv": text });
    expect(found.all("status").map(({ category }) => category)).toEqual([undefined, "completed", "declined"]);
  });
});

describe("A backup of Fider", () => {
  it("comes in without what is not public, and without what only Fider shows", async () => {
    const found = await read("fider", {
      "backup/posts.json": JSON.stringify([
        { id: 1, title: 404, description: "Ask @[Jane Doe]\n\n![](fider-image:attachments/a.png)", is_approved: true },
        { id: 2, title: "Spam", description: "", is_approved: false },
        { id: 3, title: "Gone", status: 6 },
        { id: 4, title: "Spam", is_approved: 0 },
      ]),
      "backup/comments.json": JSON.stringify([
        { id: 1, post_id: 1, content: "Spam", is_approved: false },
        { id: 2, post_id: 1, content: "@[Ada] yes", deleted_at: null },
      ]),
      "backup/tags.json": JSON.stringify([
        { id: 7, name: "Mobile", slug: "mobile", color: "0A5FA8", is_public: true },
        { id: 8, name: "Big customer", slug: "big-customer", color: "FF0000", is_public: false },
      ]),
      "backup/post_tags.json": JSON.stringify([
        { post_id: 1, tag_id: 7 },
        { post_id: 1, tag_id: 8 },
      ]),
      "backup/post_subscribers.json": '[{"user_id":1,"post_id":1}]',
    });
    expect(found.all("post")).toMatchObject([{ ref: 1, title: 404, body: "Ask @Jane Doe\n\n", tags: [7] }]);
    expect(found.all("tag")).toEqual([{ ref: 7, name: "Mobile", color: "0A5FA8" }]);
    expect(found.all("comment")).toMatchObject([{ ref: 2, body: "@Ada yes" }]);
    expect(found.problems).toEqual([
      "backup/tags.json, row 2: name “Big customer” is a tag that is not public: left out",
      "backup/posts.json, row 2: is_approved is false: the post is left out",
      "backup/posts.json, row 3: status is deleted: the post is left out",
      "backup/posts.json, row 4: is_approved is false: the post is left out",
      "backup/comments.json, row 1: is_approved is false: the comment is left out",
      "backup/post_subscribers.json, row 1: post_subscribers is not read: people follow posts here themselves",
    ]);
  });
});

describe("A dump with secrets of people", () => {
  const posts = '[{"id":1,"title":"Dark mode"}]';
  const ada = { id: 7, name: "Ada", email: "ada@example.com", api_key: "secret", api_key_date: "2024-01-31" };
  const columns = '"userId", name, email, password';

  it.each([
    [
      "Fider",
      "fider",
      {
        "posts.json": posts,
        "users.json": JSON.stringify([{ ...ada, id: 6, api_key: null }, ada, { ...ada, id: 8 }]),
        "user_providers.json": '[{"user_id":7,"provider":"github","provider_uid":"secret"}]',
        "oauth_providers.json": '[{"client_secret":"secret"}]',
        "email_verifications.json": '[{"key":"secret"}]',
        "webhooks.json": '[{"http_headers":{"authorization":"secret"}}]',
      },
      [
        "users.json, row 2: api_key is not read, here and in further rows: keys do not come in, people make new ones",
        "oauth_providers.json, row 1: oauth_providers is not read: has secrets: enter the providers here anew",
        "email_verifications.json, row 1: email_verifications is not read: has keys of mails: people ask for new ones",
        "user_providers.json, row 1: user_providers is not read: identities do not come in: people sign in with their address",
        "webhooks.json, row 1: webhooks is not read: may have secrets: enter the webhooks here anew",
      ],
    ],
    [
      "LogChimp",
      "logchimp",
      {
        "logchimp.sql": copy(
          "users",
          columns,
          ["u1", "u2"].map((id) => [id, "Ada", `${id}@example.com`, "secret"]),
        ),
      },
      [
        "logchimp.sql, row 2: password is not read, here and in further rows: passwords do not come in, people sign in by a mail",
      ],
    ],
    [
      "UserVoice",
      "uservoice",
      { "ideas.csv": "Idea Id,Idea Title,User Email Address,Api Token\n1,Dark mode,ada@example.com,secret\n" },
      ["ideas.csv, row 1: columns “Api Token” left out"],
    ],
  ])("comes in without them, and names each place of them once: %s", async (_, source, files, problems) => {
    const found = await read(source, files as Files);
    expect(found.problems).toEqual(problems);
    expect(found.rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(found.rows)).not.toContain("secret");
  });
});

describe("A dump of Fider's database", () => {
  it("is read with the names that tables and columns had in 2018", async () => {
    const found = await read("fider", {
      "fider.sql": [
        copy("idea_supporters", "user_id, idea_id, created_on", [["7", "1", "2018-03-01 12:00:00+00"]]),
        copy("idea_tags", "tag_id, idea_id", [["3", "1"]]),
        copy("ideas", "id, title, tenant_id, user_id, created_on, status, original_id", [
          ["1", "Dark mode", "1", "7", "2018-02-01 12:00:00+00", "4", undefined],
        ]),
        copy("comments", "id, content, idea_id, user_id", [["1", "Two\nlines", "1", "7"]]),
        copy("tags", "id, tenant_id, name, is_public", [
          ["3", "1", "ui", true],
          ["4", "1", "secret", false],
        ]),
        copy("users", "id, name, email, tenant_id, status", [["7", "Ada", "ada@example.com", "1", "1"]]),
      ].join("\n"),
    });
    expect(found.all("post")).toMatchObject([
      { ref: "1", title: "Dark mode", author: "7", status: "planned", at: "2018-02-01 12:00:00+00", tags: ["3"] },
    ]);
    expect(found.all("vote")).toEqual([{ post: "1", voter: "7", at: "2018-03-01 12:00:00+00" }]);
    expect(found.all("comment")).toMatchObject([{ body: "Two\nlines", post: "1", author: "7" }]);
    expect(found.all("tag")).toMatchObject([{ name: "ui" }]);
  });

  it("is read for one site of several, which has to be named", async () => {
    const found = await read("fider", { "fider.sql": fiderSites }, "beta");
    expect(found.all("post")).toMatchObject([{ ref: "2", title: "Of beta" }]);
    for (const site of [undefined, "gamma"])
      await expect(read("fider", { "fider.sql": fiderSites }, site)).rejects.toThrow(
        "The dump has these sites: acme, beta. Give the subdomain of one of them: --site <subdomain>",
      );
  });

  it("is refused if it is something else", async () => {
    for (const files of [{ "posts.csv": "number,title\n1,A\n" }, { "a.sql": copy("users", "id, email", [["1", "x"]]) }])
      await expect(read("fider", files)).rejects.toThrow(/^There are no posts: give the backup\.zip of Fider's/);
  });
});

describe("The statuses of Fider", () => {
  const posts = ["planned", "in-review", "duplicate", "twice", "deleted"].map((status_slug, n) => ({
    ...{ id: n, title: `Wish ${n}`, status_slug, original_id: 0 },
  }));

  it("are words since 2026, some of them of the site itself", async () => {
    const statuses = [
      { slug: "planned", label: "Next up", kind: "active" },
      { slug: "in-review", label: "In review", kind: "closed-declined" },
      { slug: "twice", label: "Seen twice", kind: "duplicate" },
    ];
    const files = { "posts.json": JSON.stringify(posts), "statuses.json": JSON.stringify(statuses) };
    const found = await read("fider", files);
    expect(found.all("status").filter(({ ref }) => ref === "planned" || ref === "in-review")).toEqual([
      { ref: "planned", name: "Next up", category: "planned" },
      { ref: "in-review", name: "In review", category: "declined" },
    ]);
    expect(found.all("post").map(({ status, mergedInto }) => status ?? mergedInto)).toEqual([
      "planned",
      "in-review",
      0,
      0,
    ]);
  });

  it("are named after these words if the backup does not list them", async () => {
    const found = await read("fider", { "posts.json": JSON.stringify(posts.slice(0, 3)) });
    expect(found.all("status").map(({ name }) => name)).toEqual([
      "Open",
      "Started",
      "Completed",
      "Declined",
      "Planned",
      "In review",
    ]);
    expect(found.all("post")).toMatchObject([{ status: "planned" }, { status: "in-review" }, { mergedInto: 0 }]);
  });
});

describe("An export of UserVoice", () => {
  it("has addresses under either heading, notes of the team, and other sheets, which are named", async () => {
    const found = await read("uservoice", {
      "ideas.csv":
        "suggestion.id,suggestion.title,suggestion.creator.email_address,user.email_address\n7,A,ada@b.c,bob@b.c\n",
      "notes.csv": "Idea ID,Text,User Email\n7,Secret,ada@b.c\n",
      "comments.csv": "suggestionId,text\n7,Yes\n",
      "nps-ratings.csv": "rating,user.email\n9,x@b.c\n",
    });
    expect(found.all("post")).toMatchObject([{ ref: "7", slug: "7", author: "mailto:ada@b.c" }]);
    expect(found.all("vote")).toMatchObject([{ post: "7", voter: "mailto:bob@b.c" }]);
    expect(found.all("comment")).toMatchObject([
      { post: "7", body: "Yes", internal: false },
      { post: "7", body: "Secret", internal: true },
    ]);
    expect(found.problems).toEqual(["nps-ratings.csv: file is not read: it has no column idea_title"]);
  });

  it("names the idea into which another one was merged", async () => {
    const found = await read("uservoice", {
      "ideas.csv": "suggestion.id,suggestion.title,suggestion.parent.id,user.email\n7,A,,bob@b.c\n8,B,7,bob@b.c\n",
    });
    expect(found.all("post")).toMatchObject([{ ref: "7" }, { ref: "8", mergedInto: "7" }]);
    expect(found.all("post")[0]?.mergedInto).toBeUndefined();
    expect(found.problems).toEqual([]);
  });
});

describe("An export of UserVoice before 2016", () => {
  it("has the creators of ideas as users, and only counts votes", async () => {
    const found = await read("uservoice", {
      "suggestions.csv":
        "Id,Title,Description,Votes,User Name,User Email,Response Status,Response Text,Response Created At,Forum Name,Category,Created At\n" +
        "7,Dark mode,At <b>night</b>,5,Ada,ada@b.c,started,We are on it,2012-06-07 10:21,Ideas,,2012-06-06 14:25\n" +
        "8,More,,2,Bob,,,,,Ideas,,2012-06-08 14:25\n",
      "comments.csv": "Id,Text,User Name,User Email,Suggestion ID,Created At\n90,Yes,Bob,bob@b.c,7,2013-02-08 22:50\n",
    });
    expect(found.all("post")).toMatchObject([
      { ref: "7", title: "Dark mode", body: "<div>At <b>night</b></div>", author: "mailto:ada@b.c", board: "Ideas" },
      { ref: "8", author: "name:Bob" },
    ]);
    expect(found.all("post")[0]).toMatchObject({
      ...{ status: "started", response: "We are on it", responseAt: "2012-06-07 10:21", at: "2012-06-06 14:25" },
    });
    expect(found.all("vote")).toEqual([]);
    expect(found.all("comment")).toMatchObject([{ post: "7", body: "Yes", author: "mailto:bob@b.c" }]);
    expect(found.problems).toEqual([
      "comments.csv, suggestions.csv: votes count 7, and the export does not say whose they are: left out",
    ]);
  });
});

describe("An idea of UserVoice", () => {
  it("has the characters that its export writes by their names or numbers", async () => {
    const text =
      "Idea Id,Idea Title,Idea Description\n1,Q&amp;A &#8211; don&#39;t,a &lt; b &amp;amp; &#x1F980; &#xD800; &bogus;\n";
    const found = await read("uservoice", { "ideas.csv": text });
    expect(found.all("post")).toMatchObject([{ title: "Q&A – don't", body: "a < b &amp; \u{1F980} &#xD800; &bogus;" }]);
  });

  it("has its text as HTML, and is left out if it is not public", async () => {
    const text =
      "Idea Id,Idea Title,Idea Description,Moderation State,Category Name\n1,A,one<br>two,approved,UI\n2,B,,spam,\n3,C,a < b,strange,\n";
    const found = await read("uservoice", { "ideas.csv": text });
    expect(found.all("post")).toMatchObject([{ body: "<div>one<br>two</div>" }, { ref: "3", body: "a < b" }]);
    expect(found.problems).toEqual([
      "ideas.csv, row 2: Category Name “UI” has no place here, where there are no categories: left out",
      "ideas.csv, row 3: Moderation State “spam” is not public: the idea is left out",
      "ideas.csv, row 4: Moderation State “strange” is not known: the idea comes in all the same, look at it",
    ]);
  });
});

describe("Pages of Canny", () => {
  const post = { id: "p1", title: "A", tags: [{ name: "ui" }], category: { name: "Web" } };

  it.each([
    ["pages of its API", { "posts-1.json": JSON.stringify({ hasMore: false, posts: [post] }) }],
    ["bare lists", { "posts.json": JSON.stringify([post]) }],
  ])("are read from %s, with their tags, and name other pages", async (_, files) => {
    const found = await read("canny", { ...files, "entries.json": '{"entries":[{"id":"e1"}]}' });
    expect(found.all("post")).toMatchObject([{ ref: "p1", title: "A", tags: ["Web", "ui"] }]);
    expect(found.all("tag").map(({ name }) => name)).toEqual(["Web", "ui"]);
    expect(found.problems).toEqual(["entries.json: file is not read"]);
  });

  const person = { id: "u1", email: "ada@example.com", name: "Ada" };
  const board = { id: "b1", name: "Ideas" };
  const posts = [{ id: "p1", title: "A", details: "", board, tags: ["ui"], author: person }];
  const votes = [{ id: "v1", post: { id: "p1" }, voter: person }];
  const comments = [{ id: "c1", post: { id: "p1" }, value: "Yes", author: null }];
  const lines = (...pages: object[]) => pages.map((page) => JSON.stringify(page)).join("\n");

  it.each([
    ["one file of all lists", { "canny.json": lines({ posts, votes, comments }) }],
    ["a file of pages", { "all.json": JSON.stringify([{ posts, hasMore: true }, { votes }, { items: comments }]) }],
    ["a page in each line", { "pages.jsonl": lines({ posts }, { items: votes, cursor: "x" }, { items: comments }) }],
    ["bare lists in one file", { "export.json": JSON.stringify([...posts, ...votes, ...comments]) }],
  ])("are read from %s", async (_, files) => {
    const found = await read("canny", files);
    expect(found.all("board")).toEqual([{ ref: "b1", name: "Ideas", display: true }]);
    expect(found.all("post")).toMatchObject([
      { ref: "p1", board: "b1", author: "mailto:ada@example.com", tags: ["ui"] },
    ]);
    expect(found.all("vote")).toMatchObject([{ post: "p1", voter: "mailto:ada@example.com" }]);
    expect(found.all("comment")).toMatchObject([{ ref: "c1", post: "p1", body: "Yes" }]);
    expect(found.problems).toEqual([]);
  });

  it("name the pictures of posts, merged posts and comments, and make no status of none", async () => {
    const imageURLs = ["https://canny.io/a.png"];
    const merged = { post: { id: "p2", title: "B", imageURLs } };
    const found = await read("canny", {
      "posts-1.json": JSON.stringify({ posts: [{ ...posts[0], status: null, imageURLs, mergeHistory: [merged] }] }),
      "comments-1.json": JSON.stringify({ comments: [{ ...comments[0], imageURLs: [...imageURLs, "b"] }] }),
    });
    expect(found.all("status")).toEqual([]);
    expect(found.problems).toEqual([
      "comments-1.json, row 1: imageURLs has 2 pictures, which stay at Canny: left out",
      "posts-1.json, row 1: imageURLs has 1 pictures, which stay at Canny: left out",
      "posts-1.json, row 1: imageURLs has 1 pictures, which stay at Canny: left out",
    ]);
  });

  it("keep private what they call so, whatever word says it", async () => {
    const comment = { id: "c1", value: "x", post: { id: "p1" } };
    const internal = async (more: object) => {
      const found = await read("canny", { "comments.json": JSON.stringify({ comments: [{ ...comment, ...more }] }) });
      return found.all("comment")[0]?.internal;
    };
    for (const word of [true, "true", 1, "staff"]) expect(await internal({ private: word })).toBe(true);
    for (const word of [false, "false", 0, null, "", undefined]) expect(await internal({ internal: word })).toBe(false);
    const board = { id: "b1", name: "Ideas", isPrivate: "true" };
    const found = await read("canny", { "boards.json": JSON.stringify({ boards: [board] }) });
    expect(found.all("board")).toMatchObject([{ display: false }]);
  });

  it("give a row to everything in a list of posts, also to what has no fields", async () => {
    const list = [null, posts[0], 5];
    for (const page of [{ posts: list }, list]) {
      const found = await read("canny", { "posts-1.json": JSON.stringify(page) });
      expect(found.rows.filter(({ kind }) => kind === "post").map(({ place }) => place.row)).toEqual([1, 2, 3]);
    }
  });

  it("are not a sheet", async () => {
    await expect(read("canny", { "export.csv": "Title\nA\n" })).rejects.toThrow(/^A sheet of Canny does not say who/);
  });
});

describe("A file of JSON lines", () => {
  it("names each field that is not read, and lines that are something else", async () => {
    const line = '{"kind":"vote","post":"p1","voter":"u1","weight":3}';
    const found = await read("jsonl", { "portal.jsonl": inUtf16(`${line}\r\n${line}\r\n{"kind":"label"}\r\n[]\r\n`) });
    expect(found.all("vote")).toHaveLength(2);
    expect(found.problems).toEqual([
      "portal.jsonl, row 1: key “weight” is no field of a vote, here and in further lines: not read",
      "portal.jsonl, row 3: line is no JSON object with a kind: left out",
      "portal.jsonl, row 4: line is no JSON object with a kind: left out",
    ]);
  });
});
