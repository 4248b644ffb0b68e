import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { commentsIn } from "./support/docs/commands.ts";

// Documents and comments point at files and headings of this repository: each of them exists.

const root = join(import.meta.dirname, "..");
function textOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

const IGNORED = /^((?:lib\/client\/)?node_modules|dist|cdk\.out|coverage|\.data|\.git)(\/|$)|^lib\/client\/schema/;
function filesOf(folder = "."): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = normalize(join(folder, entry.name));
    if (IGNORED.test(path)) return [];
    return entry.isDirectory() ? filesOf(path) : [path];
  });
}

const files = filesOf();
const documents = files.filter((file) => file.endsWith(".md"));
const sources = files.filter((file) => /\.(tsx?|mjs|yml)$/.test(file));

function proseOf(text: string): string {
  return text.replace(/^( *)```[\s\S]*?^\1```/gm, "");
}

/** The anchors that GitHub gives the headings of a document. */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of proseOf(textOf(file)).matchAll(/^#+ (.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{M}\p{N}_ -]/gu, "").replaceAll(" ", "-");
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n++) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

/** What is wrong with a pointer to a file and perhaps a heading of it; undefined when it leads somewhere. */
function problemOf(path: string, anchor: string | undefined): string | undefined {
  if (!existsSync(join(root, path))) return `no such file: ${path}`;
  if (anchor && !anchorsOf(path).has(anchor)) return `no such heading: ${path}#${anchor}`;
  return undefined;
}

function commentsOf(text: string): string {
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)(?:\/\/|# ).*$/gm)].map(([comment]) => comment).join("\n");
}

// Files that a command writes, and files of others.
const WRITTEN =
  /^(\.data\/|dist\/|cdk\.out\/|node_modules\/)|^(event|out|outputs|demo|mail|sam-settings|portal|server)\.jsonl?$|^(receiver|product)\.mjs$|^lib\/client\/schema\.ts$/;
const PATH = /(?<![\w./@<>*{}-])(?:[\w.@-]+\/)*[\w.-]+\.(?:tsx?|md|json|mjs|jsonl|yml)(?![\w/<>*{}-])/g;

/** The missing files that a text names. A source may be named by the end of its path, a document may not. */
function missingFrom(text: string): string[] {
  return [...text.matchAll(PATH)]
    .map(([path]) => path)
    .filter((path) => !WRITTEN.test(path))
    .filter((path) => !files.some((file) => file === path || (!path.endsWith(".md") && file.endsWith(`/${path}`))));
}

describe("documents", () => {
  it.each(documents)("%s: every link leads to a file and a heading that exist", (file) => {
    const links = [...proseOf(textOf(file)).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const problems = links.map(([, path, anchor]) => problemOf(path ? join(dirname(file), path) : file, anchor));
    expect(problems.filter(Boolean)).toEqual([]);
  });

  it.each(documents)("%s: every file that it names exists", (file) => {
    const prose = proseOf(textOf(file)).replace(/\[[^\]]*\]\([^)]*\)/g, "");
    expect(missingFrom(prose)).toEqual([]);
  });

  it.each(documents)("%s: its commands have no comments, which zsh would carry out", (file) => {
    expect(commentsIn(file)).toEqual([]);
  });

  it.each(documents)("%s: every npm script that it names exists", (file) => {
    const named = [...textOf(file).matchAll(/npm run ([\w:-]+)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => !(script in packageJson.scripts))).toEqual([]);
  });
});

// The forms that our drawings use; a text has no `;` and no `#`, which Mermaid reads as its own.
const NODE = String.raw`\w+(?:\[\([^\])"]+\)\]|\[[^\]("]+\])?`;
const forms: Record<string, RegExp> = {
  "flowchart LR": new RegExp(`^ {2}${NODE} (?:-->|-- [\\w ]+ -->|-\\. [\\w ]+ \\.->) ${NODE}$`),
  sequenceDiagram: /^ *(?:participant \w+ as [^;#]+|\w+-?->>\w+: [^;#]+|(?:par|and|alt|else|loop)(?: [^;#]+)?|end)$/,
};

describe("drawings", () => {
  const drawings = documents.flatMap((file) =>
    [...textOf(file).matchAll(/```mermaid\n([\s\S]*?)\n```/g)].map(([, drawing = ""]) => ({ file, drawing })),
  );

  it.each(drawings)("$file: every line is valid for Mermaid", ({ drawing }) => {
    const [kind = "", ...lines] = drawing.split("\n");
    expect(Object.keys(forms)).toContain(kind);
    expect(lines.filter((line) => !forms[kind]?.test(line))).toEqual([]);
  });
});

describe("sources", () => {
  const problemsIn = (problemsOf: (text: string) => (string | undefined)[]) =>
    sources.flatMap((file) => problemsOf(textOf(file)).flatMap((problem) => (problem ? [`${file}: ${problem}`] : [])));

  it("name documents and headings that exist", () => {
    const named = /(?<![\w/-])((?:docs\/)?[\w-]+\.md)(?:#([\w-]+))?/g;
    const problems = (text: string) =>
      [...text.matchAll(named)].map(([, path = "", anchor]) => problemOf(path, anchor));
    expect(problemsIn(problems)).toEqual([]);
  });

  it("name files that exist in their comments", () => {
    expect(problemsIn((text) => missingFrom(commentsOf(text)))).toEqual([]);
  });
});

// Words and forms that a reader has to translate, each with a plain one.
const plainWords: [RegExp, string][] = [
  [/\bwhoever\b/i, "a noun: the caller, each reader"],
  [/\bsome(?:body|one)\b/i, "a noun: a user, another account"],
  [/\b(?:so many|how manieth)\b/i, "a number of, as many as"],
  [/\blikest\b/i, "the most similar"],
  [/\bth(?:at|ose) of\b/i, "the noun again"],
  [
    /\bwhat (?:waits|votes|asks|comes|loses|goes|begins|needs)\b|(?:^|[.,;:(] )who (?:waits|votes|asks|comes|loses)\b/i,
    "a noun: waiting work, the voter",
  ],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b)[a-z]/i, "is not a"],
  [/\btakes? no\b/i, "does not take, rejects"],
  [/\bas read\b/i, "unchanged since it was read"],
  [/\bwhat became\b/i, "the result"],
  [/\bhears? (?:of|nothing)\b/i, "gets, is told"],
  [/\bat once\b/i, "in parallel, or immediately"],
  [/\b(?:goes|go|going|went) on\b/i, "continues"],
  [/\b(?:the twelve|beyond the contract)\b/i, "endpoints of the contract, other endpoints"],
  [/\b(?:hot|heat|surge|rush|epoch)\b/i, "trend, load"],
  [/, too(?=[.,;:)]|$)/i, "also, before the verb"],
  [/\b(?:rows?|counts?|keys?|items?|cursors?|fields?) (?:tells?|says?|knows?)\b/i, "has, shows, holds"],
];

function wordyParts(texts: string[]): string[] {
  return texts.flatMap((text) =>
    plainWords.flatMap(([word, plain]) => {
      const found = word.exec(text)?.[0];
      return found ? [`"${found}", plainly ${plain}: ${text.trim().slice(0, 100)}`] : [];
    }),
  );
}

/** The titles of `describe` and `it`, also after `.each(...)`. */
function titlesOf(text: string): string[] {
  const TITLE = /(?:\b(?:it|describe)(?:\.\w+)*|\))\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1,/g;
  return [...text.matchAll(TITLE)].map(([, , title = ""]) => title);
}

const ownSources = sources.filter((file) => /^(functions|lib|infra|portal|test)\/.*\.(tsx?|mjs)$/.test(file));

describe("language", () => {
  it.each(documents)("%s uses plain words", (file) => {
    expect(wordyParts(proseOf(textOf(file)).split(/\n\n|\n(?=[|\d-])/))).toEqual([]);
  });

  it("keeps to plain words in comments and titles", () => {
    const problems = ownSources
      .filter((file) => file !== "test/docs.test.ts")
      .flatMap((file) => {
        const text = textOf(file);
        const comments = commentsOf(text).replace(/\s*\n\s*(?:\*|\/\/) ?/g, " ");
        const texts = [...comments.split(/(?<=[.;:]) /), ...(file.endsWith(".test.ts") ? titlesOf(text) : [])];
        return wordyParts(texts).map((problem) => `${file}: ${problem}`);
      });
    expect(problems).toEqual([]);
  });
});

describe("lines", () => {
  const tooLong = (file: string, text: string, isMeant: (line: string) => boolean) =>
    text
      .split("\n")
      .filter((line) => line.length > 120 && isMeant(line))
      .map((line) => `${file}:${textOf(file).split("\n").indexOf(line) + 1}: ${line}`);

  it("stay within 120 characters in prose and comments", () => {
    const isComment = (line: string) => /^\s*(?:\/\/|\/\*|\* )/.test(line);
    expect([
      ...documents.flatMap((file) => tooLong(file, proseOf(textOf(file)), (line) => !line.startsWith("|"))),
      ...ownSources.flatMap((file) => tooLong(file, textOf(file), isComment)),
    ]).toEqual([]);
  });
});
