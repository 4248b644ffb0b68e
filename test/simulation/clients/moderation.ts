import type * as resource from "../../../lib/http/resources.ts";
import type { Comment, Post } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { discussedPost, liveComment } from "./comments.ts";
import { livePost } from "./posts.ts";
import type { Answer, Family, Turn } from "./turn.ts";

// Posts with a word of the list wait for the team. Two moderators decide the same post in parallel: one decision
// counts, and the post is there or not as that one says. People report posts and comments, each once.

/** The word of the list, with which no other post is written. */
export const HELD_WORD = "heldword";

// A write without an answer is over by then.
const LATEST_MS = 13_000;

type Decision = "approve" | "decline";

/** What an answer says of a post: decided by this call, by another one, or nothing. */
function outcomeOf({ status, code, body }: Answer): string | undefined {
  if (code === "ALREADY_DECIDED") return "already_decided";
  if (status !== 200) return undefined;
  return (body.results as { outcome: string }[])[0]?.outcome;
}

/** Sends a post that waits. Returns its id; undefined if it got no answer, or was refused. */
async function send(turn: Turn): Promise<string | undefined> {
  const session = turn.session(({ role }) => role.between(turn.now, turn.now).every((each) => each === "member"));
  if (!session) return undefined;
  const title = `Held ${HELD_WORD} ${turn.id}`;
  const known = { name: title, author: session.account, title, content: null, boardId: undefined };
  turn.site.unansweredPosts.set(title, known);
  const answer = await turn.call(session, "posts-create", { body: { title } });
  turn.expectStatus(answer, 201, "TOO_MANY_REQUESTS");
  if (answer.status !== 201) return undefined;
  const { post, held } = answer.body as { post: resource.CreatedPost; held?: true };
  // A member who was made a moderator meanwhile holds nothing.
  if (!held) return undefined;
  const own = await turn.call(session, "users-held", {});
  turn.expectStatus(own, 200);
  return post.postId;
}

async function decide(turn: Turn, id: string): Promise<{ decision: Decision; outcome: string | undefined }> {
  const decision: Decision = turn.random.oneOf(["approve", "decline"]);
  const session = turn.sessionAs("owner", "moderator");
  if (!session) return { decision, outcome: undefined };
  const answer = await turn.call(session, "moderation-decide", { body: { decision, ids: [id] } });
  turn.expectStatus(answer, 200, "ALREADY_DECIDED");
  return { decision, outcome: outcomeOf(answer) };
}

/** Whether a post is there. */
async function isThere(turn: Turn, postId: string): Promise<boolean | undefined> {
  const session = turn.sessionAs("owner", "moderator");
  if (!session) return undefined;
  const answer = await turn.call(session, "posts-by-id", { params: { postId } });
  turn.expectStatus(answer, 200, "POST_NOT_FOUND");
  if (answer.status === 200) return true;
  return answer.code === "POST_NOT_FOUND" ? false : undefined;
}

async function round(turn: Turn): Promise<void> {
  const id = await send(turn);
  if (!id) return;
  await turn.world.sleep(turn.random.between(0, 5000));
  const session = turn.sessionAs("owner", "moderator");
  if (session) turn.expectStatus(await turn.call(session, "moderation-list", { query: { first: "5" } }), 200);
  const decided = await Promise.all([decide(turn, id), decide(turn, id)]);
  await turn.world.sleep(LATEST_MS);
  const made = decided.filter(({ outcome }) => outcome !== undefined && outcome !== "already_decided");
  expectThat(made.length <= 1, "a post was decided twice", decided);
  const [only] = made;
  if (!only) return;
  const there = await isThere(turn, id);
  if (there === undefined) return;
  turn.world.milestones.count("decisions checked");
  // Others may delete what was approved.
  expectThat(only.outcome === "approved" || !there, "a post is there that was not approved", decided);
}

async function reportOnce(turn: Turn, post: Post, comment: Comment | undefined): Promise<string | undefined> {
  const session = turn.session();
  if (!session) return undefined;
  const { account } = session;
  const params = comment ? { postId: post.postId, commentId: comment.id } : { postId: post.postId };
  const request = { params, body: { reason: `By ${account.name}` } };
  const send = () => turn.call(session, comment ? "comments-report" : "posts-report", request);
  const answer = await send();
  turn.expectStatus(answer, 204, "POST_NOT_FOUND", "COMMENT_NOT_FOUND", "ALREADY_REPORTED", "CANNOT_REPORT_OWN");
  // A merged post is another one for a while.
  if (post.isJoined) return undefined;
  const isOwn = (comment ?? post).author === account;
  expectThat(answer.code !== "CANNOT_REPORT_OWN" || isOwn, "a report of what another person wrote is refused", answer);
  expectThat(answer.status !== 204 || !isOwn, "a person reports what they wrote", answer);
  if (answer.status !== 204) return undefined;
  const again = await send();
  expectThat(again.status !== 204 || post.isJoined, "a person reported a thing twice", again);
  turn.world.milestones.count("reports checked");
  return params.commentId ?? post.postId;
}

/** Reports a comment, or a post; the team keeps it. */
async function report(turn: Turn): Promise<void> {
  const discussed = turn.random.chance(0.5) ? discussedPost(turn) : undefined;
  const post = discussed ?? livePost(turn);
  if (!post) return;
  const id = await reportOnce(turn, post, liveComment(turn, discussed));
  const session = id === undefined ? undefined : turn.sessionAs("owner", "moderator");
  if (!session) return;
  const answer = await turn.call(session, "moderation-decide", { body: { decision: "approve", ids: [id] } });
  turn.expectStatus(answer, 200, "ALREADY_DECIDED");
}

export const moderation: Family = { round: { weight: 0.4, act: round }, report: { weight: 0.4, act: report } };
