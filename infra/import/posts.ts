import type * as users from "../../lib/accounts/users.ts";
import { idsOf } from "../../lib/catalogue/tags.ts";
import { derive } from "../../lib/cleanup/derived-rows.ts";
import { bytesOf, entryKey, entryPart, type Import } from "../../lib/moving/journal.ts";
import { inGroups, type Work } from "../../lib/moving/work.ts";
import { importParts } from "../../lib/posts/comment-changes.ts";
import type { CommentRecord } from "../../lib/posts/comments.ts";
import * as posts from "../../lib/posts/posts.ts";
import { key } from "../../lib/table/keys.ts";
import type { Part } from "../../lib/table/parts.ts";
import { transact } from "../../lib/table/transactions.ts";
import { slugOf } from "../../lib/values/slugs.ts";
import { firstVotesParts, moreVotesParts, userVotePartOf } from "../../lib/votes/many-votes.ts";
import * as votes from "../../lib/votes/votes.ts";
import type { Place, Report } from "./formats/form.ts";
import { FIRST_SLUGS, leadsElsewhere, slugMark, slugParts, writeFurtherSlugs } from "./former-slugs.ts";
import type { Names } from "./people.ts";
import type { Places } from "./places.ts";
import { type Planned, type PlannedComment, plan } from "./plan.ts";
import type { Bundle } from "./resolve.ts";
import type { Staging } from "./staging.ts";

// A post is written with its first votes in one transaction, further votes and its comments in as few as there can be.
// The endpoints write the same parts, and events besides: here nothing is announced and nobody gets a mail. Each
// transaction reads the names that it writes.

/** How many rows a run has written: the others were there before. */
export type Written = Record<"people" | "posts" | "votes" | "comments", number>;

/** What a writer of posts needs. */
type Writing = {
  written: Written;
  run: Import;
  staging: Staging;
  places: Places;
  names: Names;
  work: Work;
  report: Report;
};

// A transaction has at most 100 parts: a post has up to 15 with its journal and its pin, a slug one, a comment three.
const PARTS = { all: 100, post: 15, tag: 3, vote: 2 };
export const MORE_VOTES = 45;
const COMMENTS = 30;

/** What of a post an earlier run has not written. */
type Left = Planned & { isNew: boolean };

function leftOf(planned: Planned, staging: Staging): Left {
  const isMissing = (id: string) => !staging.isDone(bytesOf(id));
  return {
    ...planned,
    isNew: isMissing(planned.postId),
    votes: planned.votes.filter(({ voteId }) => isMissing(voteId)),
    comments: planned.comments.filter(({ commentId }) => isMissing(commentId)),
    slugs: planned.slugs.filter((slug) => !staging.isDone(slugMark(slug, planned.postId))),
  };
}

/** Writes what is not there yet of a post with its votes and comments, and its derived rows. */
export async function writePost(bundle: Bundle, writing: Writing): Promise<void> {
  const planned = leftOf(plan(bundle, writing.run, writing.report), writing.staging);
  const left = { ...planned, slugs: await freeSlugs(planned, bundle.post.place, writing) };
  if (!left.isNew && left.votes.length + left.comments.length + left.slugs.length === 0) return;
  const tagIds = tagIdsOf(bundle.post, writing.places) ?? [];
  const room = left.isNew ? roomForVotes({ slugs: left.slugs.length, tags: tagIds.length }) : 0;
  const first = left.votes.slice(0, room);
  const firstSlugs = left.isNew ? left.slugs.slice(0, FIRST_SLUGS) : [];
  const isThere = !left.isNew || (await writeNewPost(bundle, { ...left, votes: first, slugs: firstSlugs }, writing));
  if (!isThere) return;
  await writeSlugs(left.postId, left.slugs.slice(firstSlugs.length), writing);
  await writeVotes(left.postId, left.votes.slice(room), writing);
  await writeComments(left.postId, left.comments, writing);
  await writing.work(() => derive(left.postId));
}

/** The slugs of a post that lead to no other one, of an earlier run or import; links to that one stay as they are. */
async function freeSlugs({ postId, slugs }: Left, place: Place, { work, report }: Writing): Promise<string[]> {
  const free: string[] = [];
  for (const slug of slugs) {
    if (!(await work(() => leadsElsewhere(slug, postId)))) free.push(slug);
    else report({ place, field: "slug", value: slug, what: "leads to another post here: it still does" });
  }
  return free;
}

/** How many votes fit into the transaction of a post. */
export function roomForVotes({ slugs, tags }: { slugs: number; tags: number }): number {
  const others = PARTS.post + Math.min(slugs, FIRST_SLUGS) + PARTS.tag * tags;
  return Math.floor((PARTS.all - others) / PARTS.vote);
}

/** The tags of a post as it has them here. */
function tagIdsOf({ tags = [] }: Bundle["post"], { tagIdOf }: Places): string[] | undefined {
  return idsOf(tags.map(tagIdOf).filter((id) => id !== undefined));
}

/** Writes a post with its first votes. Returns whether it is there. */
async function writeNewPost(bundle: Bundle, planned: Planned, writing: Writing): Promise<boolean> {
  const { names, run, places, written, work, report } = writing;
  const added = await work(async () => {
    const shown = await names.of([bundle.post, ...planned.votes].map(({ email }) => email));
    const author = shown.get(bundle.post.email);
    if (!author) return "no author";
    return addPost(recordOf(bundle, planned, author, places), ballotsOf(planned.votes, shown), planned, run);
  });
  if (added === "no author") {
    report({ place: bundle.post.place, field: "author", what: "was deleted here" });
    return false;
  }
  if (added !== "was there") {
    written.posts++;
    written.votes += added;
  }
  return true;
}

async function writeSlugs(postId: string, slugs: string[], { run, work }: Writing): Promise<void> {
  if (slugs.length === 0) return;
  await work(() => writeFurtherSlugs(run.importId, { postId, home: key.post(postId) }, slugs));
}

async function writeVotes(
  postId: string,
  left: Planned["votes"],
  { names, run, written, work }: Writing,
): Promise<void> {
  const journal = (cast: votes.VoteRecord[]) => {
    const ids = cast.map(({ voteId }) => voteId);
    return entryPart(run.importId, entryKey("votes", postId, ids[0] ?? ""), { ids });
  };
  for (const some of inGroups(left, MORE_VOTES)) {
    const added = await work(async () => {
      const shown = await names.of(some.map(({ email }) => email));
      return addVotes(postId, ballotsOf(some, shown), journal);
    });
    if (added === "no such post") return;
    written.votes += added;
  }
}

async function writeComments(
  postId: string,
  left: PlannedComment[],
  { names, run, written, work }: Writing,
): Promise<void> {
  for (const some of inGroups(left, COMMENTS)) {
    const added = await work(async () => {
      const shown = await names.of(some.map(({ email }) => email));
      return addComments(
        postId,
        some.flatMap((comment) => commentRecord(comment, postId, shown)),
        run,
      );
    });
    if (added === "no such post") return;
    written.comments += added;
  }
}

/** Votes with what is shown of their voters; a vote of an account that is gone is left out. */
function ballotsOf(planned: Planned["votes"], shown: Map<string, users.Shown>): votes.VoteRecord[] {
  return planned.flatMap(({ voteId, email }) => {
    const voter = shown.get(email);
    return voter ? [{ voteId, ...voter }] : [];
  });
}

function recordOf({ post }: Bundle, { postId, at }: Planned, author: users.Shown, places: Places): posts.PostRecord {
  const { title, body, response, responseAt = at } = post;
  const { boardOf, roadmapOf, letterOf } = places;
  const status = letterOf(post.status);
  return {
    postId,
    title,
    slug: slugOf(title, postId),
    contentMarkdown: body[0],
    author,
    boardId: boardOf(post.board),
    roadmapId: roadmapOf(post.roadmap),
    status,
    tagIds: tagIdsOf(post, places),
    response: response === undefined ? undefined : { text: response, at: responseAt, ...(status && { status }) },
    updatedAt: Math.max(at, responseAt),
  };
}

/** Returns how many votes were added with the post. */
async function addPost(
  record: posts.PostRecord,
  firstVotes: votes.VoteRecord[],
  { slugs }: Planned,
  { importId }: Import,
): Promise<number | "was there"> {
  const { postId, updatedAt } = record;
  const outcome = await transact<string>({
    ...posts.newPostParts(record),
    ...firstVotesParts(record, firstVotes),
    ...slugParts(slugs, postId),
    ...entryPart(importId, entryKey("post", postId), { ids: firstVotes.map(({ voteId }) => voteId), slugs, updatedAt }),
  });
  if (outcome.done) return firstVotes.length;
  // Another run of the same import has made it meanwhile.
  if (outcome.failed.post) return "was there";
  throw new Error("A board, roadmap or tag was deleted during the import: run it again");
}

/**
 * Adds votes to a post that is there, except votes of people who voted themselves; `beside` is written with them.
 * Returns how many.
 */
export async function addVotes(
  postId: string,
  wanted: votes.VoteRecord[],
  beside: (cast: votes.VoteRecord[]) => Record<string, Part> = () => ({}),
): Promise<number | "no such post"> {
  let cast = wanted;
  for (;;) {
    const voters = await votes.summary(postId);
    if (!voters) return "no such post";
    if (cast.length === 0) return 0;
    const outcome = await transact<string>({ ...moreVotesParts(postId, cast, voters.first.length), ...beside(cast) });
    if (outcome.done) return cast.length;
    cast = cast.filter(({ userId }) => !outcome.failed[userVotePartOf(userId)]);
  }
}

function commentRecord(
  { email, ...comment }: PlannedComment,
  postId: string,
  shown: Map<string, users.Shown>,
): CommentRecord[] {
  const author = shown.get(email);
  return author ? [{ postId, ...comment, author }] : [];
}

/** Returns how many comments were added. */
async function addComments(
  postId: string,
  comments: CommentRecord[],
  { importId }: Import,
): Promise<number | "no such post"> {
  if (comments.length === 0) return 0;
  const ids = comments.map(({ commentId }) => commentId);
  const parts: Record<string, Part> = {
    ...importParts(postId, comments),
    ...entryPart(importId, entryKey("comments", postId, ids[0] ?? ""), { ids }),
  };
  const outcome = await transact<string>(parts);
  return outcome.done || !outcome.failed.count ? comments.length : "no such post";
}
