import { createHash } from "node:crypto";
import type { Comment, Post } from "./checked.ts";
import type { Kind, Place, Report } from "./formats/form.ts";
import { shownRef } from "./formats/person-refs.ts";
import type { Staging } from "./staging.ts";

// Links between rows are looked at when all rows are there: an author, a voter, a post, a parent may come later in
// the source, or never.

/** Who stands for authors that the source does not name, or has deleted. No ref of a source begins with a blank. */
export const NOBODY = " nobody";

/**
 * An address at which no mail arrives (RFC 2606), of a person without one: their posts need an author, and nobody can
 * claim the account.
 */
export function unreachable(importId: string, ref: string): string {
  return `${createHash("sha256").update(ref).digest("hex").slice(0, 16)}@${importId}.invalid`;
}

/** Reports rows that lead nowhere and leaves them out, follows merges, and makes people of accounts. */
export function resolve(staging: Staging, importId: string, report: Report): void {
  const withoutPost = { field: "post", where: "post NOT IN (SELECT ref FROM posts)", what: "names no post" };
  const withoutAddress = {
    field: "voter",
    where: "voter NOT IN (SELECT ref FROM accounts WHERE email IS NOT NULL)",
    what: "is of nobody with an address",
  };
  leaveOut(staging, report, { kind: "vote", ...withoutPost });
  leaveOut(staging, report, { kind: "vote", ...withoutAddress });
  leaveOut(staging, report, { kind: "comment", ...withoutPost });
  for (const link of LINKS) reportUnknown(staging, report, link);
  reportUnknownTags(staging, report);
  leaveOutUnknownParents(staging, report);
  leaveOutTakenSlugs(staging, report);
  followMerges(staging, report);
  makePeople(staging, importId, report);
}

type Found = { file: number; row: number; named: string };

/** Reports what is wrong with a field of a stored row. */
function reportField(
  staging: Staging,
  report: Report,
  at: { file: number | null; row: number | null },
  { kind, field, value, what }: { kind: Kind; field: string; value?: string; what: string },
): void {
  const place = staging.placeOf(at);
  report({ place, field: staging.nameOf(field, kind, place), value, what });
}

/** Rows that lead nowhere: by which field, found by which condition, and why, in words. */
type Unusable = { kind: "vote" | "comment"; field: string; where: string; what: string };

function leaveOut(staging: Staging, report: Report, { kind, field, where, what }: Unusable): void {
  const table = `${kind}s`;
  const shown = field === "voter" ? shownRef : (ref: string) => ref;
  for (const each of staging.each<Found>(`SELECT file, row, ${field} AS named FROM ${table} WHERE ${where}`))
    reportField(staging, report, each, { kind, field, value: shown(each.named), what: `${what}: the row is left out` });
  staging.run(`DELETE FROM ${table} WHERE ${where}`);
}

/** What a post names besides people, and what it has here if the source has no such row. */
const LINKS = [
  { kind: "board", instead: "the post goes to the oldest board" },
  { kind: "roadmap", instead: "the post is on no roadmap" },
  { kind: "status", instead: "the post is open" },
];

function reportUnknown(staging: Staging, report: Report, { kind, instead }: (typeof LINKS)[number]): void {
  const named = `value ->> '${kind}'`;
  const known = "SELECT ref FROM catalogue WHERE kind = ?";
  const sql = `SELECT file, row, ${named} AS named FROM posts WHERE ${named} <> '' AND ${named} NOT IN (${known})`;
  for (const each of staging.each<Found>(sql, kind))
    reportField(staging, report, each, {
      kind: "post",
      field: kind,
      value: each.named,
      what: `is not in the source: ${instead}`,
    });
}

function reportUnknownTags(staging: Staging, report: Report): void {
  const known = "SELECT ref FROM catalogue WHERE kind = 'tag'";
  const tags = "posts, json_each(posts.value, '$.tags') AS tag";
  const sql = `SELECT file, row, tag.value AS named FROM ${tags} WHERE tag.value NOT IN (${known})`;
  for (const each of staging.each<Found>(sql))
    reportField(staging, report, each, {
      kind: "post",
      field: "tags",
      value: each.named,
      what: "is not in the source: left out",
    });
}

function leaveOutUnknownParents(staging: Staging, report: Report): void {
  const parent = "value ->> 'parent'";
  const unknown = `${parent} <> '' AND ${parent} NOT IN (SELECT ref FROM comments)`;
  for (const each of staging.each<Found>(`SELECT file, row, ${parent} AS named FROM comments WHERE ${unknown}`)) {
    const what = "is not in the source: the comment answers the post";
    reportField(staging, report, each, { kind: "comment", field: "parent", value: each.named, what });
  }
  staging.run(`UPDATE comments SET value = json_remove(value, '$.parent') WHERE ${unknown}`);
}

/** Several posts may have one slug, where an address also has a number: it leads to the first of them. */
function leaveOutTakenSlugs(staging: Staging, report: Report): void {
  const taken = staging.all<Found & { n: number }>(
    `SELECT n, file, row, named FROM (
       SELECT n, file, row, slug AS named, row_number() OVER (PARTITION BY slug ORDER BY n) AS place
         FROM (SELECT n, file, row, value ->> 'slug' AS slug FROM posts) WHERE slug <> ''
     ) WHERE place > 1`,
  );
  for (const { n, named, ...at } of taken) {
    staging.run("UPDATE posts SET value = json_remove(value, '$.slug') WHERE n = ?", n);
    const what = "is the slug of an earlier post: it leads there";
    reportField(staging, report, at, { kind: "post", field: "slug", value: named, what });
  }
}

/** Gives each post the post that its votes and comments belong to: itself, or what it was merged into in the end. */
function followMerges(staging: Staging, report: Report): void {
  type Merged = { ref: string; into: string; file: number; row: number };
  const sql = "SELECT ref, value ->> 'mergedInto' AS \"into\", file, row FROM posts WHERE value ->> 'mergedInto' <> ''";
  const merged = new Map(staging.all<Merged>(sql).map((each) => [each.ref, each]));
  const exists = (ref: string) => staging.all("SELECT 1 FROM posts WHERE ref = ?", ref).length > 0;
  for (const post of merged.values()) {
    let target = post.into;
    const seen = new Set([post.ref]);
    for (let next = merged.get(target); next && !seen.has(target); next = merged.get(target)) {
      seen.add(target);
      target = next.into;
    }
    if (!seen.has(target) && exists(target)) {
      staging.run("UPDATE posts SET target = ? WHERE ref = ?", target, post.ref);
    } else {
      const what = "is no post to merge into: it stays a post of its own";
      reportField(staging, report, post, { kind: "post", field: "mergedInto", value: post.into, what });
    }
  }
}

/** Makes one person of all accounts with an address, and one of each author without an address. */
function makePeople(staging: Staging, importId: string, report: Report): void {
  const authors = "SELECT author FROM posts WHERE author <> '' UNION SELECT author FROM comments WHERE author <> ''";
  type Unnamed = { ref: string; file: number | null; row: number | null };
  const unnamed = staging.all<Unnamed>(
    `SELECT ref, file, row FROM accounts WHERE email IS NULL AND ref IN (${authors}) UNION
     SELECT author AS ref, NULL AS file, NULL AS row FROM (${authors}) WHERE author NOT IN (SELECT ref FROM accounts)`,
  );
  for (const { ref, ...at } of unnamed) {
    addUnreachable(staging, importId, ref);
    const field = at.row === null ? "author" : "email";
    const what = "has no address: nobody can claim the account";
    reportField(staging, report, at, { kind: "account", field, value: shownRef(ref), what });
  }
  reportSilent(staging, report, authors);
  for (const table of ["posts", "comments"]) staging.run(`UPDATE ${table} SET author = ? WHERE author IS NULL`, NOBODY);
  const isNeeded = staging.all(
    "SELECT 1 FROM posts WHERE author = ? UNION SELECT 1 FROM comments WHERE author = ?",
    NOBODY,
    NOBODY,
  );
  if (isNeeded.length > 0) addUnreachable(staging, importId, NOBODY);
  reportDoubles(staging, report);
  staging.run(
    `INSERT INTO people SELECT email, name, at, blocked, NULL FROM accounts WHERE email IS NOT NULL ORDER BY at, ref
       ON CONFLICT (email) DO UPDATE SET name = coalesce(name, excluded.name), blocked = max(blocked, excluded.blocked),
       at = min(coalesce(at, excluded.at), coalesce(excluded.at, at))`,
  );
}

/** Reports people without an address who wrote nothing: nothing of them is left. */
function reportSilent(staging: Staging, report: Report, authors: string): void {
  const silent = `SELECT ref AS named, file, row FROM accounts WHERE email IS NULL AND ref NOT IN (${authors})`;
  for (const each of staging.each<Found>(`${silent} ORDER BY file, row`)) {
    const what = "has no address and wrote nothing: the person is left out";
    reportField(staging, report, each, { kind: "account", field: "email", value: shownRef(each.named), what });
  }
}

/** Reports accounts whose address an earlier account has: an address has one account. */
function reportDoubles(staging: Staging, report: Report): void {
  const doubles = staging.each<Found>(
    `SELECT file, row, email AS named FROM (
       SELECT *, row_number() OVER (PARTITION BY email ORDER BY at, ref) AS n FROM accounts WHERE email IS NOT NULL
     ) WHERE n > 1`,
  );
  for (const each of doubles) {
    const what = "is of another account, too: they become one";
    reportField(staging, report, each, { kind: "account", field: "email", value: each.named, what });
  }
}

function addUnreachable(staging: Staging, importId: string, ref: string): void {
  staging.run(
    `INSERT INTO accounts VALUES (?, ?, 'Deleted user', NULL, 0, NULL, NULL) ON CONFLICT (ref) DO UPDATE SET
       email = excluded.email, name = coalesce(name, excluded.name)`,
    ref,
    unreachable(importId, ref),
  );
}

type ResolvedVote = { email: string; at: number | null };
export type ResolvedComment = Omit<Comment, "parent"> & { parent: string | undefined; email: string };

/** A post with all that belongs to it, of posts that were merged into it too. */
export type Bundle = {
  post: Post & { email: string; place: Place };
  merged: (Post & { email: string })[];
  votes: ResolvedVote[];
  comments: ResolvedComment[];
};

const PAGE = 200;

/** The posts of the source, in its order, each with its votes and comments. A person's second vote is reported. */
export function* bundles(staging: Staging, report: Report): Generator<Bundle, void, undefined> {
  type PostRow = { n: number; ref: string; value: string; email: string; file: number; row: number };
  const posts = `SELECT n, posts.ref, value, email, posts.file, posts.row FROM posts JOIN accounts ON accounts.ref = author WHERE`;
  for (let after = 0; ; ) {
    const page = staging.all<PostRow>(`${posts} target = posts.ref AND n > ? ORDER BY n LIMIT ${PAGE}`, after);
    for (const { ref, value, email, ...at } of page) {
      const merged = staging.all<PostRow>(`${posts} target = ? AND posts.ref <> target ORDER BY n`, ref);
      yield {
        post: { ...(JSON.parse(value) as Post), email, place: staging.placeOf(at) },
        merged: merged.map((each) => ({ ...(JSON.parse(each.value) as Post), email: each.email })),
        votes: votesOf(staging, ref, report),
        comments: commentsOf(staging, ref, report),
      };
    }
    after = page.at(-1)?.n ?? after;
    if (page.length < PAGE) return;
  }
}

function votesOf(staging: Staging, target: string, report: Report): ResolvedVote[] {
  type VoteRow = ResolvedVote & { file: number; row: number };
  const rows = staging.all<VoteRow>(
    `SELECT email, votes.at, votes.file, votes.row FROM posts JOIN votes ON votes.post = posts.ref
       JOIN accounts ON accounts.ref = voter WHERE target = ? ORDER BY votes.at, email`,
    target,
  );
  const first = new Map<string, ResolvedVote>();
  for (const { email, at, ...place } of rows) {
    if (!first.has(email)) first.set(email, { email, at });
    else
      reportField(staging, report, place, {
        kind: "vote",
        field: "voter",
        what: "is the second vote of a person for a post: left out",
      });
  }
  return [...first.values()];
}

/** The comments on a post, the oldest first. A parent that is not among them, or leads back, is reported. */
function commentsOf(staging: Staging, target: string, report: Report): ResolvedComment[] {
  type CommentRow = { value: string; email: string; file: number; row: number };
  const rows = staging.all<CommentRow>(
    `SELECT comments.value, email, comments.file, comments.row FROM posts JOIN comments ON comments.post = posts.ref
       JOIN accounts ON accounts.ref = comments.author WHERE target = ? ORDER BY comments.at, comments.n`,
    target,
  );
  const comments = rows.map(({ value, ...rest }) => ({ ...rest, comment: JSON.parse(value) as Comment }));
  const parents = parentsIn(comments.map(({ comment }) => comment));
  return comments.map(({ comment, email, ...at }) => {
    const parent = parents.get(comment.ref);
    if (parent !== comment.parent) {
      const what = "is no earlier comment on the post: the comment answers the post";
      reportField(staging, report, at, { kind: "comment", field: "parent", value: comment.parent ?? "", what });
    }
    return { ...comment, parent, email };
  });
}

/** The parents by the refs of the answers, without those that are not there, and without circles. */
function parentsIn(comments: Comment[]): Map<string, string> {
  const refs = new Set(comments.map(({ ref }) => ref));
  const linked = comments.filter(({ parent }) => parent !== undefined && refs.has(parent));
  const parents = new Map(linked.map(({ ref, parent = "" }) => [ref, parent]));
  const settled = new Set<string>();
  for (const start of refs) {
    const path = new Set<string>();
    for (let at: string | undefined = start; at !== undefined && !settled.has(at); at = parents.get(at)) {
      path.add(at);
      if (path.has(parents.get(at) ?? "")) parents.delete(at);
    }
    for (const ref of path) settled.add(ref);
  }
  return parents;
}
