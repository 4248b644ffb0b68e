import { describe, expect, it } from "vitest";
import { Mail } from "../../../lib/accounts/outbox.ts";
import type { Site } from "../../../lib/accounts/site.ts";
import type { UserRecord } from "../../../lib/accounts/users.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import type { Letter } from "../../../lib/mail/layout.ts";
import { letterOf } from "../../../lib/mail/letters.ts";
import { letterOfDigest, type Shown } from "../../../lib/notices/digest-letter.ts";
import { letterOfPosts, type NewPosts } from "../../../lib/notices/new-posts.ts";
import {
  letterOfChanges,
  letterOfComment,
  letterOfMerge,
  type NewsOfChanges,
  type NewsOfComment,
  type NewsOfMerge,
} from "../../../lib/notices/news.ts";
import { LANGUAGES, type Language } from "../../../lib/values/languages.ts";

const TITLE = "☂ 1";
const RTL = "مظلة";

const site = { title: "☂" } as Site;
const post = (title: string) => ({ postId: title, title, slug: "1", author: { userId: "author" } });
const comment = { commentId: "c", body: "☂ 3", author: { userId: "b", name: "☂ 4" } };
const about = { site, isOnHiddenBoard: false, eventId: "e", by: "b" };
const tokenOf = (scope: string) => scope;

function reader(language: Language): UserRecord {
  return { ...newAccount("a@b.example", "A", "member"), userId: "reader", isVerified: true, language };
}

type Write = (language: Language, title?: string) => Letter;

function ofChanges(changes: { status: boolean; response: boolean }): Write {
  return (language, title = TITLE) => {
    const news = { ...about, post: post(title), kind: "changes", status: "☂ 5", response: "☂ 6", now: {} };
    return letterOfChanges(reader(language), news as unknown as NewsOfChanges, changes, tokenOf);
  };
}

function ofComment(more: object): Write {
  return (language, title = TITLE) => {
    const news = { ...about, post: post(title), kind: "comment", comment, ...more };
    return letterOfComment(reader(language), news as unknown as NewsOfComment, tokenOf);
  };
}

function ofPosts(count: number): Write {
  return (language, title = TITLE) => {
    const posts = Array.from({ length: count }, () => post(title)) as unknown as NewPosts["posts"];
    return letterOfPosts(reader(language), posts, { site } as NewPosts, tokenOf);
  };
}

/** The news of posts, by kind. */
const news: Record<string, Write> = {
  status: ofChanges({ status: true, response: true }),
  response: ofChanges({ status: false, response: true }),
  comment: ofComment({}),
  reply: ofComment({ parentAuthor: "reader" }),
  "more comments": ofComment({ only: "reader" }),
  merge: (language, title = TITLE) => {
    const news = { ...about, post: post(title), duplicate: post(title), kind: "merge" };
    return letterOfMerge(reader(language), news as unknown as NewsOfMerge, tokenOf);
  },
  "a new post": ofPosts(1),
  "new posts": ofPosts(30),
};

const WAITING = ["digestPost", "digestComment", "digestReportedPost", "digestReportedComment"] as const;

/** A digest of as many things, which lists one of each kind. */
function ofQueue(count: number, isMore = false): Write {
  const shown: Shown[] = WAITING.slice(0, count).map((label) => ({ label, text: TITLE }));
  return (language) => letterOfDigest(reader(language), { shown, count, isMore }, site, tokenOf);
}

/** Mails from the outbox, by kind; the first without the values that its text may lack. */
function ofOutbox(template: Mail["template"], of: Site, isOfTeam = false): Write {
  const mail = { sk: "a", to: "a@b.example", template };
  const orderedAt = Date.UTC(2026, 10, 26);
  return (language) => letterOf(mail, of, { orderedAt, language, isOfTeam }, { token: "0", code: "0" });
}

const letters: Record<string, Write> = {
  ...Object.fromEntries(Mail.shape.template.options.map((template) => [template, ofOutbox(template, site)])),
  "invitation without passwords": ofOutbox("invitation", { ...site, password: false }),
  "invitation of a moderator": ofOutbox("invitation", site, true),
  "invitation of a moderator without passwords": ofOutbox("invitation", { ...site, password: false }, true),
  ...news,
  "one thing in the queue": ofQueue(1),
  "things in the queue": ofQueue(30),
  "many things in the queue": ofQueue(50, true),
};

/** The lines that say something: no addresses, quotes or codes, and not the signature. */
function wordsOf({ subject, text }: Letter): string[] {
  const [body = ""] = text.split("\n-- \n");
  return [subject, ...body.split("\n")].filter((line) => /\p{L}/u.test(line) && !/^(https?:|> )/.test(line));
}

const others = LANGUAGES.filter((language) => language !== "en");

describe.each(Object.entries(letters))("The mail of the kind %s", (_, write) => {
  it.each(others)("has no line of the English one in the language %s", (language) => {
    const words = wordsOf(write(language));
    expect(words).toHaveLength(wordsOf(write("en")).length);
    expect(words.filter((line) => wordsOf(write("en")).includes(line))).toEqual([]);
  });

  it("has no Latin word but names of things in Japanese", () => {
    const latin = wordsOf(write("ja")).flatMap((line) => line.match(/[A-Za-z]{2,}/g) ?? []);
    expect(latin.filter((word) => !["API", "UTC", "Webhook", "http", "localhost"].includes(word))).toEqual([]);
  });

  it.each(LANGUAGES)("names its language and leaves no place for a value, in the language %s", (language) => {
    const { subject, text, html } = write(language);
    expect(html).toContain(`<html lang="${language}">`);
    expect(`${subject}${text}`).not.toMatch(/[{}]|undefined/);
    expect(html.slice(html.indexOf("</style>"))).not.toMatch(/[{}]|undefined/);
  });
});

describe("A mail", () => {
  it.each([
    ["en", "November 26, 2026"],
    ["de", "26. November 2026"],
    ["es", "26 de noviembre de 2026"],
    ["fr", "26 novembre 2026"],
    ["pt", "26 de novembro de 2026"],
    ["ja", "2026年11月26日"],
  ] as const)("writes its day as the language %s does", (language, day) => {
    const { text } = (letters["site-got"] as Write)(language);
    expect(text).toContain(day);
  });
});

describe.each(Object.entries(news))("The news of the kind %s", (kind, write) => {
  it.each(LANGUAGES)("keeps a subject of a line for the longest title, in the language %s", (language) => {
    const { subject } = write(language, "☂".repeat(200));
    expect(subject.length).toBeLessThanOrEqual(120);
    expect(subject).toContain("…");
  });

  it.each(LANGUAGES)("shows a title from the right in its own direction, in the language %s", (language) => {
    const { html } = write(language, RTL);
    const around = html.slice(html.indexOf("<body>")).match(/<(p|li)[^>]*>[^\n]*مظلة/g) ?? [];
    expect(around.length, kind).toBeGreaterThan(0);
    expect(around.filter((tag) => !tag.includes('dir="auto"'))).toEqual([]);
  });
});
