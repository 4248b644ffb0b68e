import { Preferences } from "../../../lib/accounts/preferences.ts";
import { isStaff } from "../../../lib/accounts/roles.ts";
import type * as resource from "../../../lib/http/resources.ts";
import type { Effect } from "../../simulator/history/register.ts";
import { type Account, type Post, UNCHOSEN, type Unchosen } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { isLeaving } from "./newcomers.ts";
import { livePost } from "./posts.ts";
import { type Answer, becomes, change, type Family, MAYBE, pages, type Turn } from "./turn.ts";
import { checkWhereItContinues, endsOf, expectFound } from "./views.ts";

// Who gets which mails: the mails that an account chose, the posts that it follows, the links that end mails.

const KINDS = Object.keys(Preferences.shape) as (keyof Preferences)[];

function preferences(choose: () => boolean): Preferences {
  return Object.fromEntries(KINDS.map((kind) => [kind, choose()])) as Preferences;
}

async function choose(turn: Turn): Promise<void> {
  const session = turn.session();
  if (!session) return;
  const body = preferences(() => turn.random.chance(0.5));
  const changes = [change(session.account.mail, becomes<Preferences | Unchosen>(body, "chosen"))];
  const answer = await turn.write(changes, { 200: "chosen" }, () =>
    turn.call(session, "users-update-notifications", { body }),
  );
  turn.expectStatus(answer, 200);
}

/** The account gets the mails that it chose last. */
async function read(turn: Turn): Promise<void> {
  const session = turn.session();
  if (!session) return;
  const answer = await turn.call(session, "users-notifications", {});
  if (!turn.expectStatus(answer, 200)) return;
  const shown = answer.body.mail as Preferences;
  const { account } = session;
  const fits = (state: Preferences | Unchosen): boolean =>
    state === UNCHOSEN || KINDS.every((kind) => state[kind] === shown[kind]);
  const states = account.mail.between(answer.from, answer.to);
  expectThat(states.some(fits), `users-notifications shows ${account.name} what it did not choose`, [shown, states]);
}

async function follow(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.session();
  if (!post || !session) return;
  const isFollowing = turn.random.chance(0.5);
  const request = { params: { postId: post.postId }, body: { isFollowing } };
  const changes = [change(post.followOf(session.account), becomes<boolean | Unchosen>(isFollowing, "chosen"))];
  const answer = await turn.write(changes, { 200: "chosen", POST_NOT_FOUND: MAYBE }, () =>
    turn.call(session, "posts-follow", request),
  );
  turn.expectStatus(answer, 200, "POST_NOT_FOUND");
  expectFound(turn.site, post, answer);
}

/** Whether an account without a choice may follow a post, and may not: its author and its voters do. */
function byDefault(post: Post, account: Account, from: number, to: number): readonly boolean[] {
  return post.author === account ? [true] : post.voteOf(account).between(from, to);
}

async function readFollowing(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.session();
  if (!post || !session) return;
  const answer = await turn.call(session, "posts-subscription", { params: { postId: post.postId } });
  turn.expectStatus(answer, 200, "POST_NOT_FOUND");
  expectFound(turn.site, post, answer);
  if (answer.status !== 200) return;
  const { isFollowing } = answer.body.subscription as { isFollowing: boolean };
  checkWhereItContinues(turn.site, post, answer, (end) => checkFollowing(end, session.account, isFollowing, answer));
}

/** The list of the posts that an account follows: the newest first, each once. */
async function readFollowed(turn: Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.session();
  if (!post || !session) return;
  const from = turn.now;
  const seen: string[] = [];
  for await (const answer of pages((more) => turn.call(session, "users-follows", { query: { first: "5", ...more } }))) {
    if (!turn.expectStatus(answer, 200)) return;
    for (const { postId } of answer.body.results as resource.Post[]) {
      expectThat(postId < (seen.at(-1) ?? "~"), `users-follows shows ${postId} in the wrong place`, seen);
      seen.push(postId);
    }
  }
  // A merged post is not in the list, but the one in which it continues.
  if (post.isJoined) return;
  checkFollowing(post, session.account, seen.includes(post.postId), { from, to: turn.now });
}

type Between = Pick<Answer, "from" | "to">;

function checkFollowing(post: Post, account: Account, isFollowing: boolean, { from, to }: Between): void {
  // The votes and choices of a deleted post go one after the other.
  if (post.life.between(from, to).includes("gone")) return;
  const right = post
    .followOf(account)
    .between(from, to)
    .flatMap((choice) => (choice === UNCHOSEN ? byDefault(post, account, from, to) : [choice]));
  expectThat(right.includes(isFollowing), `whether ${account.name} follows ${post.name} is shown wrong`, right);
}

const NONE = preferences(() => false);

/** The choice may be made, or not: the post may be gone. */
const perhapsLeft: Effect<boolean | Unchosen> = (state) => [
  { state: false, outcome: "ended" },
  { state, outcome: "ended" },
];

/** Links of people who come and go end with their accounts, at a time that nobody else knows. */
function endsMails({ purpose, to }: Turn["world"]["letters"][number]): boolean {
  return purpose === "unsubscribe" && !isLeaving({ email: to });
}

/** A link that ends mails: of a letter, or a forged one, which is nobody's. */
function aLink(turn: Turn) {
  const letter = turn.random.chance(0.8) ? turn.world.letters.findLast(endsMails) : undefined;
  const token = letter?.token ?? `${turn.random.uuid()}.all.${"A".repeat(43)}`;
  const [, scope = ""] = token.split(".");
  return {
    token,
    account: letter && turn.site.accountOf(letter.to),
    scope: ["all", "new-posts", "digest"].includes(scope) ? scope : "post",
    isForAll: scope === "all",
    post: turn.site.posts.get(scope),
  };
}

/** Both kinds of links get the same answer. */
async function unsubscribe(turn: Turn): Promise<void> {
  const { token, account, isForAll, post } = aLink(turn);
  const changes = [
    ...(account && isForAll ? [change(account.mail, becomes<Preferences | Unchosen>(NONE, "ended"))] : []),
    ...(account && post ? [change(post.followOf(account), perhapsLeft)] : []),
  ];
  const answer = await turn.write(changes, { 200: "ended" }, () =>
    turn.call(undefined, "users-unsubscribe", { query: { token } }),
  );
  turn.expectStatus(answer, 200);
}

/** Looks at a link: it says what it ends, and whether that has ended. */
async function readLink(turn: Turn): Promise<void> {
  const { token, account, isForAll, post, scope: own } = aLink(turn);
  const answer = await turn.call(undefined, "users-unsubscription", { query: { token } });
  if (!turn.expectStatus(answer, 200)) return;
  const { from, to } = answer;
  const { scope, isEnded } = answer.body.unsubscribe as { scope: string | null; isEnded: boolean };
  if (!account) {
    expectThat(scope === null, "users-unsubscription takes a forged link for a real one", answer.body);
    return;
  }
  expectThat(scope === own, "users-unsubscription shows another scope", answer.body);
  if (!isForAll && !post) return;
  // Mails of the team, which are not known here, can keep a link from having ended.
  const mayGetMore = isForAll && account.role.between(from, to).some((role) => isStaff({ role }));
  const posts = post ? [post, ...endsOf(turn.site, post, answer)] : [];
  const right = post
    ? posts.flatMap((each) => each.followOf(account).between(from, to)).map((choice) => choice === false)
    : account.mail.between(from, to).map((state) => state !== UNCHOSEN && !Object.values(state).includes(true));
  const isGone = post?.life.between(from, to).includes("gone") ?? false;
  const isRight = right.includes(isEnded) || (isGone && isEnded) || (mayGetMore && !isEnded);
  expectThat(isRight, `the link of ${account.name} is wrong`, [right, isEnded]);
}

export const news: Family = {
  choose: { weight: 0.4, act: choose },
  read: { weight: 0.4, act: read },
  follow: { weight: 0.8, act: follow },
  readFollowing: { weight: 0.8, act: readFollowing },
  readFollowed: { weight: 0.6, act: readFollowed },
  unsubscribe: { weight: 0.3, act: unsubscribe },
  readLink: { weight: 0.3, act: readLink },
};
