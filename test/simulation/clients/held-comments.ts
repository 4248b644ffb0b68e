import type * as resource from "../../../lib/http/resources.ts";
import type { Post } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { HELD_WORD } from "./moderation.ts";
import { livePost } from "./posts.ts";
import type { Answer, Family, Turn } from "./turn.ts";

// Comments with a word of the list wait for the team. Two decide the same one in parallel: one decision counts, and the
// comment is there only if that one approved it.

// A write without an answer is over by then.
const LATEST_MS = 13_000;

type Waiting = { post: Post; id: string };

/** Sends a comment that waits; undefined if it got no answer, was refused, or does not wait. */
async function send(turn: Turn): Promise<Waiting | undefined> {
  const post = livePost(turn);
  const session = turn.session(({ role }) => role.between(turn.now, turn.now).every((each) => each === "member"));
  if (!post || !session) return undefined;
  const body = `Comment ${HELD_WORD} ${turn.id}`;
  post.unanswered.set(body, { name: turn.id, author: session.account, isInternal: false });
  const request = { params: { postId: post.postId }, body: { body } };
  const answer = await turn.call(session, "comments-create", request, { mayBeFull: true });
  turn.expectStatus(answer, 201, "POST_NOT_FOUND", "POST_LOCKED");
  if (answer.status !== 201) return undefined;
  const { activity, held } = answer.body as { activity: resource.Activity; held?: true };
  // A member who was made a moderator meanwhile holds nothing.
  return held && { post, id: activity.comment.id };
}

/** The result for the comment, or that another decision was faster. */
function outcomeOf({ status, code, body }: Answer): string | undefined {
  if (code === "ALREADY_DECIDED") return "already_decided";
  return status === 200 ? (body.results as { outcome: string }[])[0]?.outcome : undefined;
}

async function decide(turn: Turn, { id }: Waiting): Promise<string | undefined> {
  const session = turn.sessionAs("owner", "moderator");
  if (!session) return undefined;
  const decision = turn.random.oneOf(["approve", "decline"]);
  const answer = await turn.call(session, "moderation-decide", { body: { decision, ids: [id] } });
  turn.expectStatus(answer, 200, "ALREADY_DECIDED");
  return outcomeOf(answer);
}

/** Whether the team sees a comment; undefined if the answer does not say so. */
async function isThere(turn: Turn, { post, id }: Waiting): Promise<boolean | undefined> {
  const session = turn.sessionAs("owner", "moderator");
  if (!session) return undefined;
  const answer = await turn.call(session, "comments-by-id", { params: { postId: post.postId, commentId: id } });
  turn.expectStatus(answer, 200, "COMMENT_NOT_FOUND", "POST_NOT_FOUND");
  if (answer.status === 200) return true;
  return answer.code ? false : undefined;
}

async function round(turn: Turn): Promise<void> {
  const waiting = await send(turn);
  if (!waiting) return;
  expectThat(!(await isThere(turn, waiting)), "a comment is there that waits for the team", waiting.id);
  await turn.world.sleep(turn.random.between(0, 5000));
  const decided = await Promise.all([decide(turn, waiting), decide(turn, waiting)]);
  await turn.world.sleep(LATEST_MS);
  const made = decided.filter((outcome) => outcome !== undefined && outcome !== "already_decided");
  expectThat(made.length <= 1, "a comment was decided twice", decided);
  // A decision without an answer may have been the one that counted.
  if (decided.includes(undefined)) return;
  const there = await isThere(turn, waiting);
  if (there === undefined) return;
  turn.world.milestones.count("decisions checked");
  // Others may delete what was approved.
  expectThat(made[0] === "approved" || !there, "a comment is there that was not approved", decided);
}

export const heldComments: Family = { round: { weight: 0.4, act: round } };
