import type { Role } from "../../../lib/accounts/roles.ts";
import type * as resource from "../../../lib/http/resources.ts";
import type { Effect } from "../../simulator/history/register.ts";
import type { Account, Comment, Post, Session } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { discussedPost, liveComment } from "./comments.ts";
import { livePost } from "./posts.ts";
import { type Answer, change, type Family, MAYBE, type Turn } from "./turn.ts";

// Posts with a word of the list wait for the team. Two moderators decide the same post in parallel, and now and then
// its author withdraws it: one of them counts, and the post is there or not as that one says. The owner suspends
// authors of such posts. People report posts and comments, each once.

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

function memberSession(turn: Turn): Session | undefined {
  return turn.session(({ role }) => role.between(turn.now, turn.now).every((each) => each === "member"));
}

/** Sends a post that waits. Returns its id; undefined if it got no answer, or was refused. */
async function send(turn: Turn, session: Session, which = ""): Promise<string | undefined> {
  const title = `Held ${HELD_WORD} ${turn.id}${which}`;
  const known = { name: title, author: session.account, title, content: null, boardId: undefined };
  turn.site.unansweredPosts.set(title, known);
  const answer = await turn.call(session, "posts-create", { body: { title } }, { mayBeFull: true });
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
  // Others may report it once it is approved: this decides only what was held.
  const body = { decision, ids: [id], entries: [id] };
  const answer = await turn.call(session, "moderation-decide", { body });
  turn.expectStatus(answer, 200, "ALREADY_DECIDED");
  return { decision, outcome: outcomeOf(answer) };
}

/** The author withdraws a held post. The outcome is undefined without an answer, and if the post waits no more. */
async function withdraw(turn: Turn, author: Session, heldId: string): Promise<{ outcome: string | undefined }> {
  const answer = await turn.call(author, "users-withdraw", { params: { heldId } });
  return { outcome: turn.expectStatus(answer, 204, "HELD_NOT_FOUND") ? "withdrawn" : undefined };
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
  const author = memberSession(turn);
  const id = author && (await send(turn, author));
  if (!id) return;
  await turn.world.sleep(turn.random.between(0, 5000));
  const session = turn.sessionAs("owner", "moderator");
  if (session) turn.expectStatus(await turn.call(session, "moderation-list", { query: { first: "5" } }), 200);
  const withdrawal = turn.random.chance(0.3) ? withdraw(turn, author, id) : undefined;
  const decided = await Promise.all([decide(turn, id), decide(turn, id), withdrawal]);
  await turn.world.sleep(LATEST_MS);
  const made = decided.flatMap((each) => (each?.outcome && each.outcome !== "already_decided" ? [each.outcome] : []));
  expectThat(made.length <= 1, "a post was decided twice", decided);
  const [only] = made;
  if (!only) return;
  const there = await isThere(turn, id);
  if (there === undefined) return;
  turn.world.milestones.count("decisions checked");
  // Others may delete what was approved.
  expectThat(only === "approved" || !there, "a post is there that was not approved", decided);
}

/** Declines a post that waits and suspends its author. The outcome is undefined if the answer does not tell. */
async function suspend(turn: Turn, owner: Session, { role, keyEra }: Account, id: string): Promise<string | undefined> {
  const current = role.between(turn.now, turn.now);
  // Who was suspended before keeps no keys, and who is of the team keeps them.
  const mayStay = current.some((each) => each !== "member") || !role.isQuiet(turn.now);
  const suspends: Effect<Role> = (before) => [
    before === "member"
      ? { state: "suspended", outcome: "suspended" }
      : { state: before, outcome: before === "suspended" ? "suspended" : "declined" },
  ];
  const endsKeys: Effect<number> = (era) => [
    { state: era + 1, outcome: "suspended" },
    ...(mayStay ? ["suspended", "declined"].map((outcome) => ({ state: era, outcome })) : []),
  ];
  const outcomes = (answer: Answer): string | undefined => {
    const outcome = outcomeOf(answer);
    // The post was decided by others, before this call has suspended its author or after.
    return outcome === "already_decided" ? MAYBE : outcome;
  };
  const answer = await turn.write([change(role, suspends), change(keyEra, endsKeys)], outcomes, () =>
    turn.call(
      owner,
      "moderation-decide",
      { body: { decision: "suspend", ids: [id] } },
      { mayForbid: ({ from, to }) => owner.mayLack("user:write", from, to) },
    ),
  );
  turn.expectStatus(answer, 200, "ALREADY_DECIDED");
  return outcomeOf(answer);
}

/** The owner suspends an author: nothing that they sent before waits any more, and what they send later is refused. */
async function suspension(turn: Turn): Promise<void> {
  const author = memberSession(turn);
  if (!author) return;
  const ids = [await send(turn, author, " 1"), await send(turn, author, " 2")].filter((id) => id !== undefined);
  const [id] = ids;
  const owner = turn.sessionAs("owner");
  if (!id || !owner) return;
  if ((await suspend(turn, owner, author.account, id)) !== "suspended") return;
  const held = await turn.call(author, "users-held", {});
  turn.expectStatus(held, 200);
  const waiting = held.status === 200 ? (held.body.results as { id: string }[]).map((each) => each.id) : [];
  expectThat(!ids.some((each) => waiting.includes(each)), "a text of a suspended author waits", { ids, waiting });
  // Unless another role was given meanwhile, it is a violation if this call succeeds.
  await send(turn, author, " 3");
  turn.world.milestones.count("suspensions checked");
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

export const moderation: Family = {
  round: { weight: 0.4, act: round },
  report: { weight: 0.4, act: report },
  suspension: { weight: 0.1, act: suspension },
};
