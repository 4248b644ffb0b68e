import type * as users from "../../lib/accounts/users.ts";
import { derive } from "../../lib/cleanup/derived-rows.ts";
import { importParts } from "../../lib/posts/comment-changes.ts";
import type { CommentRecord } from "../../lib/posts/comments.ts";
import { oldSlugPart } from "../../lib/posts/old-slugs.ts";
import * as posts from "../../lib/posts/posts.ts";
import type { Part } from "../../lib/table/parts.ts";
import { transact } from "../../lib/table/transactions.ts";
import { namedIdAt } from "../../lib/values/ids.ts";
import { postIdOf, slugOf } from "../../lib/values/slugs.ts";
import { firstVotesParts, moreVotesParts, userVotePartOf } from "../../lib/votes/imported-votes.ts";
import * as votes from "../../lib/votes/votes.ts";
import { COMMENT } from "./check.ts";
import type { Places } from "./entries.ts";
import type { Problem } from "./form.ts";
import { bytesOf, entryKey, entryPart, type Import } from "./journal.ts";
import type { Names } from "./people.ts";
import type { Bundle, ResolvedComment } from "./resolve.ts";
import type { Staging } from "./staging.ts";
import { split } from "./texts.ts";
import type { Work } from "./work.ts";

// A post is written with its first votes in one transaction, further votes and its comments in as few as there can be.
// The endpoints write the same parts, and events besides: here nothing is announced and nobody gets a mail.

/** What a post becomes here: ids are made from the source's, so that each run makes the same ones. */
type Planned = {
  postId: string;
  at: number;
  votes: { voteId: string; email: string }[];
  comments: PlannedComment[];
  slugs: string[];
};

type PlannedComment = {
  commentId: string;
  email: string;
  body: string;
  isInternal: boolean;
  parentId: string | undefined;
};

/** Plans a post with all that belongs to it. A slug that cannot lead to it is reported. */
export function plan(bundle: Bundle, { importId, startedAt }: Import, report: (problem: Problem) => void): Planned {
  const { post, merged } = bundle;
  const at = post.at ?? startedAt;
  const postId = namedIdAt(at, `${importId} post ${post.ref}`);
  const slugs = [post, ...merged].flatMap(({ slug }) => (slug === undefined ? [] : [slug]));
  // A slug that ends in an id is looked up by that id, so it cannot lead here.
  for (const slug of slugs.filter((each) => postIdOf(each) !== undefined))
    report({
      place: { file: "", row: 0 },
      field: "slug",
      what: `“${slug}” looks like a slug of ours: it leads nowhere`,
    });
  return {
    postId,
    at,
    votes: bundle.votes.map(({ email, at: votedAt }) => ({
      voteId: namedIdAt(votedAt ?? at, `${importId} vote ${postId} ${email}`),
      email,
    })),
    comments: [...restOf(bundle, importId, at), ...mergedIn(bundle, importId, at), ...commentsOf(bundle, importId, at)],
    slugs: [...new Set(slugs)].filter((each) => postIdOf(each) === undefined).slice(0, MOST_SLUGS),
  };
}

/** The end of a text that is too long for its post. */
function restOf({ post }: Bundle, importId: string, at: number): PlannedComment[] {
  return post.body.slice(1).map((body, n) => ({
    commentId: namedIdAt(at + n, `${importId} rest ${post.ref} ${n}`),
    email: post.email,
    body,
    isInternal: false,
    parentId: undefined,
  }));
}

/** A post that was merged into another one stays as a comment there. */
function mergedIn({ merged }: Bundle, importId: string, at: number): PlannedComment[] {
  return merged.flatMap(({ ref, title, body, email, at: mergedAt = at }) =>
    split(`**${title}**\n\n${body.join("\n\n")}`.trim(), COMMENT, COMMENT).map((piece, n) => ({
      commentId: namedIdAt(mergedAt + n, `${importId} merged ${ref} ${n}`),
      email,
      body: piece,
      isInternal: false,
      parentId: undefined,
    })),
  );
}

function commentsOf({ comments }: Bundle, importId: string, at: number): PlannedComment[] {
  const idOf = ({ ref, at: writtenAt = at }: ResolvedComment, n = 0) =>
    namedIdAt(writtenAt + n, `${importId} comment ${ref} ${n}`);
  const byRef = new Map(comments.map((comment) => [comment.ref, comment]));
  return comments.flatMap((comment) => {
    const parent = byRef.get(comment.parent ?? "");
    // A public answer to a note must not name it.
    const answered = parent?.internal && !comment.internal ? undefined : parent;
    return comment.body.map((body, n) => ({
      commentId: idOf(comment, n),
      email: comment.email,
      body,
      isInternal: comment.internal,
      parentId: answered && idOf(answered),
    }));
  });
}

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
  report: (problem: Problem) => void;
};

// A transaction has at most 100 parts: a post has 13, a slug one, a vote two, a comment three.
const FIRST_VOTES = 43;
const MOST_SLUGS = FIRST_VOTES;
const MORE_VOTES = 45;
const COMMENTS = 30;

/** Writes what is not there yet of a post with its votes and comments, and its derived rows. */
export async function writePost(bundle: Bundle, writing: Writing): Promise<void> {
  const { staging, names, run, work, report, written } = writing;
  const planned = plan(bundle, run, report);
  const isMissing = (id: string) => !staging.isDone(bytesOf(id));
  const left = {
    ...planned,
    votes: planned.votes.filter(({ voteId }) => isMissing(voteId)),
    comments: planned.comments.filter(({ commentId }) => isMissing(commentId)),
  };
  const isNew = isMissing(planned.postId);
  if (!isNew && left.votes.length === 0 && left.comments.length === 0) return;
  const emails = [bundle.post, ...left.votes, ...left.comments].map(({ email }) => email);
  const shown = await work(() => names.of(emails));
  const author = shown.get(bundle.post.email);
  if (isNew && !author) return report({ place: bundle.post.place, field: "author", what: "was deleted here" });
  const cast = left.votes.flatMap(({ voteId, email }) => {
    const voter = shown.get(email);
    return voter ? [{ voteId, ...voter }] : [];
  });
  const firstVotes = isNew ? cast.splice(0, FIRST_VOTES - planned.slugs.length) : [];
  if (isNew && author) {
    const record = recordOf(bundle, planned, author, writing.places);
    if ((await work(() => addPost(record, firstVotes, left, run))) === "added") {
      written.posts++;
      written.votes += firstVotes.length;
    }
  }
  while (cast.length > 0) {
    const some = cast.splice(0, MORE_VOTES);
    const added = await work(() => addVotes(planned.postId, some, run));
    if (added === "no such post") return;
    written.votes += added;
  }
  const comments = left.comments.flatMap((comment) => commentRecord(comment, planned.postId, shown));
  while (comments.length > 0) {
    const some = comments.splice(0, COMMENTS);
    if ((await work(() => addComments(planned.postId, some, run))) === "no such post") return;
    written.comments += some.length;
  }
  await work(() => derive(planned.postId));
}

function recordOf(
  { post }: Bundle,
  { postId, at }: Planned,
  author: users.Shown,
  { boardOf, roadmapOf, letterOf }: Places,
): posts.PostRecord {
  const { title, body, response, responseAt = at } = post;
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
    response: response === undefined ? undefined : { text: response, at: responseAt, ...(status && { status }) },
    updatedAt: Math.max(at, responseAt),
  };
}

async function addPost(
  record: posts.PostRecord,
  firstVotes: votes.VoteRecord[],
  { slugs }: Planned,
  { importId }: Import,
): Promise<"added" | "was there"> {
  const { postId, updatedAt } = record;
  const outcome = await transact<string>({
    ...posts.newPostParts(record),
    ...firstVotesParts(postId, firstVotes),
    ...Object.fromEntries(slugs.map((slug) => [`old slug ${slug}`, oldSlugPart(slug, postId)])),
    ...entryPart(importId, entryKey("post", postId), { ids: firstVotes.map(({ voteId }) => voteId), slugs, updatedAt }),
  });
  if (outcome.done) return "added";
  // Another run of the same import has made it meanwhile.
  if (outcome.failed.post) return "was there";
  throw new Error("A board or roadmap was deleted during the import: run it again");
}

/** Adds votes to a post that is there, except votes of people who voted themselves. Returns how many. */
async function addVotes(
  postId: string,
  wanted: votes.VoteRecord[],
  { importId }: Import,
): Promise<number | "no such post"> {
  let cast = wanted;
  for (;;) {
    const voters = await votes.summary(postId);
    if (!voters) return "no such post";
    const [first] = cast;
    if (!first) return 0;
    const outcome = await transact<string>({
      ...moreVotesParts(postId, cast, voters.first.length),
      ...entryPart(importId, entryKey("votes", postId, first.voteId), { ids: cast.map(({ voteId }) => voteId) }),
    });
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

async function addComments(
  postId: string,
  comments: CommentRecord[],
  { importId }: Import,
): Promise<"added" | "no such post"> {
  const ids = comments.map(({ commentId }) => commentId);
  const parts: Record<string, Part> = {
    ...importParts(postId, comments),
    ...entryPart(importId, entryKey("comments", postId, ids[0] ?? ""), { ids }),
  };
  const outcome = await transact<string>(parts);
  return outcome.done || !outcome.failed.count ? "added" : "no such post";
}
