import { NOBODY } from "../../../lib/accounts/users.ts";
import type { Request } from "../../support/http/invoke.ts";
import { type Account, anAccount, type Post } from "../history/site.ts";
import { LETTER_MS, letterTo } from "./accounts.ts";
import { HELD_WORD } from "./moderation.ts";
import { aName, anAddress, aWord } from "./newcomers.ts";
import type { Answer, Turn } from "./turn.ts";

// What a person does who is about to leave. Every deed leaves a text of theirs, or their id, somewhere in the table.

export type Leaver = { userId: string; token: string; email: string; name: string; author: Account };

/** The author of what a leaver writes; after the erasure it is by nobody. */
export function leavingAuthor(turn: Turn, { userId, name }: { userId: string; name: string }): Account {
  const account = anAccount(`leaving ${turn.id}`, {
    userId,
    email: "",
    role: "member",
    passwords: [],
    shownName: name,
  });
  account.isLeaving = true;
  account.names.add(NOBODY.name);
  return account;
}

/** Posts that take part in merges: there the store tells which votes and comments there are. */
function joinedPosts({ site }: Turn): Post[] {
  return [...site.posts.values()].filter(({ isJoined }) => isJoined).slice(-6);
}

function aCall(turn: Turn, { token }: Leaver, endpoint: string, request: Request): Promise<Answer> {
  return turn.call(undefined, endpoint, { token, ...request });
}

/** Half of the requests can be repeated: their answers are kept. */
function perhapsRepeatable(turn: Turn): Request {
  if (turn.random.chance(0.5)) return {};
  return { headers: { "idempotency-key": `key-of-${turn.id}.${aWord(turn)}` } };
}

async function vote(turn: Turn, leaver: Leaver): Promise<void> {
  const { userId } = leaver;
  for (const { postId } of joinedPosts(turn)) {
    if (turn.random.chance(0.4)) continue;
    const send = () => aCall(turn, leaver, "votes-add", { body: { postId } });
    const answer = await turn.world.ledger.during({ userId, postId, verb: "vote" }, () => turn.now, send);
    turn.expectStatus(answer, 201, "VOTE_EXISTS", "POST_NOT_FOUND");
  }
}

async function comment(turn: Turn, leaver: Leaver): Promise<void> {
  const post = turn.pick(joinedPosts(turn));
  if (!post) return;
  const params = { postId: post.postId };
  const body = `Comment ${turn.id} ${aWord(turn)} on ${post.name}`;
  post.unanswered.set(body, { name: body, author: leaver.author, isInternal: false });
  const request = { params, body: { body }, ...perhapsRepeatable(turn) };
  const answer = await aCall(turn, leaver, "comments-create", request);
  turn.expectStatus(answer, 201, "POST_NOT_FOUND", "POST_LOCKED");
  const choice = { params, body: { isFollowing: turn.random.chance(0.5) } };
  turn.expectStatus(await aCall(turn, leaver, "posts-follow", choice), 200, "POST_NOT_FOUND");
}

async function report(turn: Turn, leaver: Leaver): Promise<void> {
  const post = turn.pick(joinedPosts(turn));
  if (!post) return;
  const request = { params: { postId: post.postId }, body: { reason: `Says ${leaver.name}` } };
  const answer = await aCall(turn, leaver, "posts-report", request);
  turn.expectStatus(answer, 204, "POST_NOT_FOUND", "ALREADY_REPORTED", "CANNOT_REPORT_OWN");
}

/** A post that others vote for and merge, or one that waits for the team. */
async function post(turn: Turn, leaver: Leaver): Promise<void> {
  const isHeld = turn.random.chance(0.3);
  const title = `${isHeld ? HELD_WORD : "Wish"} ${turn.id} ${aWord(turn)}`;
  const known = { name: title, author: leaver.author, title, content: null, boardId: undefined };
  turn.site.unansweredPosts.set(title, known);
  const request = { body: { title }, ...perhapsRepeatable(turn) };
  turn.expectStatus(await aCall(turn, leaver, "posts-create", request), 201);
}

async function rename(turn: Turn, leaver: Leaver): Promise<void> {
  leaver.name = aName(turn);
  leaver.author.names.add(leaver.name);
  turn.world.lives.know(leaver.userId, leaver.name);
  turn.expectStatus(await aCall(turn, leaver, "users-update-profile", { body: { name: leaver.name } }), 200);
}

async function askForMails(turn: Turn, leaver: Leaver): Promise<void> {
  const { email } = leaver;
  const to = anAddress(turn);
  turn.world.lives.know(leaver.userId, to);
  turn.expectStatus(await aCall(turn, leaver, "users-change-email", { body: { email: to } }), 202, "SIGN_IN_AGAIN");
  turn.expectStatus(await turn.call(undefined, "auth-magic", { body: { email } }), 200);
  turn.expectStatus(await turn.call(undefined, "auth-password-reset", { body: { email } }), 200);
}

/** Who has confirmed the address gets mails about posts. */
async function confirm(turn: Turn, leaver: Leaver): Promise<void> {
  const since = turn.now;
  if (!turn.expectStatus(await aCall(turn, leaver, "auth-email-verify", {}), 200)) return;
  await turn.world.sleep(LETTER_MS);
  const letter = letterTo(turn, leaver.email, "verify", since);
  if (!letter) return;
  const validated = await aCall(turn, leaver, "auth-email-validate", { body: { token: letter.token } });
  if (!turn.expectStatus(validated, 200, "INVALID_TOKEN")) return;
  const body = { status: true, comments: true, replies: true, ownPosts: true };
  turn.expectStatus(await aCall(turn, leaver, "users-update-notifications", { body }), 200);
}

const deeds = [vote, vote, vote, comment, comment, post, post, rename, rename, report, askForMails, confirm];

/** Some deeds, one after the other. */
export async function live(turn: Turn, leaver: Leaver, most: number): Promise<void> {
  for (let left = 1 + turn.random.below(most); left > 0; left--) await turn.random.oneOf(deeds)(turn, leaver);
}
