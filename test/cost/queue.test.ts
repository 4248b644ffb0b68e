import { beforeEach, describe, expect, it } from "vitest";
import type { PostRecord } from "../../lib/posts/posts.ts";
import { endpointNamed, invoke } from "../support/http/invoke.ts";
import { freshTable } from "../support/setup.ts";
import { costOf, measured } from "../support/store/calls.ts";
import { aWorld, type World } from "../support/world/examples.ts";
import { aComment, aMember, aPost, type Person, strangersVote } from "../support/world/fixtures.ts";
import { aCommentReport, aHeldComment, aReport } from "../support/world/held.ts";
import { mergeInto } from "../support/world/merges.ts";
import { LONGEST_TEXT, worstOf } from "../support/world/worst-calls.ts";

// What a page of the queue costs of the longest posts, comments and reports, each on another post.

const A_PAGE = 20;
const REPORTS_TOLD = 5;
const LONGEST_COMMENT = LONGEST_TEXT.slice(0, 5000);

const text = (length: number) => "\u754c".repeat(length);

let world: World;

beforeEach(async () => {
  await freshTable();
  world = await aWorld();
});

function aLongPost(): Promise<PostRecord> {
  const response = { text: text(5000), at: Date.now() };
  return aPost(world.author, { title: text(255), contentMarkdown: LONGEST_TEXT, response });
}

async function reportFully(report: (by: Person, reason: string) => Promise<string>): Promise<void> {
  for (let n = 0; n < REPORTS_TOLD; n++) await report(await aMember(text(60)), text(300));
}

async function aReportedPost(): Promise<PostRecord> {
  const post = await aLongPost();
  await strangersVote(post.postId, 7);
  await reportFully((by, reason) => aReport(post, by, reason));
  return post;
}

async function aReportedComment(): Promise<PostRecord> {
  const post = await aLongPost();
  const { postId } = post;
  const { commentId } = await aComment(postId, world.author, { body: LONGEST_COMMENT });
  await reportFully((by, reason) => aCommentReport({ postId, commentId }, by, reason));
  return post;
}

async function aPostWithHeldComment(): Promise<PostRecord> {
  const post = await aLongPost();
  await aHeldComment(post.postId, await aMember(), { body: LONGEST_COMMENT });
  return post;
}

async function merged(making: Promise<PostRecord>): Promise<PostRecord> {
  const post = await making;
  await mergeInto(post, (await aLongPost()).postId);
  return post;
}

/** The read units of a page of twenty things, each of which is there. */
async function unitsOfPage(make: () => Promise<PostRecord>): Promise<number> {
  for (let n = 0; n < A_PAGE; n++) await make();
  const { body, calls } = await measured(() => invoke("moderation-list", { token: world.moderator.token }));
  expect(body.results.filter(({ post }: { post: object | null }) => post)).toHaveLength(A_PAGE);
  return costOf(calls).readUnits;
}

/** The units that are counted for a page before it is read. */
function expectedOfPage(): number {
  const request = { query: { first: A_PAGE, after: undefined } } as never;
  return endpointNamed("moderation-list").definition.expectedReads?.(request) ?? 0;
}

const THINGS: [what: string, make: () => Promise<PostRecord>][] = [
  ["reported posts", aReportedPost],
  ["reported comments", aReportedComment],
  ["comments that are held", aPostWithHeldComment],
];

describe("A page of the queue", () => {
  it.each(THINGS)("costs no more than is counted before it is read: of %s", async (_, make) => {
    expect(await unitsOfPage(make)).toBeLessThanOrEqual(expectedOfPage());
  });

  it.each(THINGS)("costs no more than the worst call where each post is merged: of %s", async (_, make) => {
    expect(await unitsOfPage(() => merged(make()))).toBeLessThanOrEqual(worstOf("moderation-list").reads);
  });
});
