import type * as resource from "../../../lib/http/resources.ts";
import { key } from "../../../lib/table/keys.ts";
import type { Post } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { livePost } from "./posts.ts";
import { type Answer, type Family, pages, type Turn } from "./turn.ts";
import { castOn, popularPost, takeBackOn } from "./votes.ts";

// The team merges any posts, and takes them out again, while everybody does everything else with them. What becomes of
// votes and comments is checked at rest, by world/ledger.ts.

/** A merge, as its answer tells of it. */
type Told = { merged?: { postId: string } };

function anyPost(turn: Turn): Post | undefined {
  return turn.random.chance(0.5) ? popularPost(turn) : livePost(turn);
}

/** A post that is merged now, or now and then any. */
function mergedPost(turn: Turn): Post | undefined {
  const { site, now } = turn;
  const isMerged = ({ isJoined, postId }: Post): boolean =>
    isJoined && site.stored.has(key.merged(postId), now, now).maybe;
  return turn.random.chance(0.05) ? livePost(turn) : turn.pick(site.posts.values(), isMerged);
}

async function merge(turn: Turn): Promise<void> {
  const post = anyPost(turn);
  const into = anyPost(turn);
  const session = turn.random.chance(0.97) ? turn.sessionAs("owner", "moderator") : turn.caller();
  if (!post || !into || !session) return;
  const { stored } = turn.site;
  post.join(stored);
  into.join(stored);
  const body = { into: into.postId, ...(turn.random.chance(0.3) && { notify: false }) };
  const answer = await turn.call(session, "posts-merge", { params: { postId: post.postId }, body });
  turn.expectStatus(answer, 200, "POST_NOT_FOUND", "MERGE_CONFLICT");
  const { from, to, code } = answer;
  const intos = stored.between(key.merged(post.postId), from, to).map((item) => item?.into);
  if (answer.status === 200) {
    expectThat(intos.includes(into.postId), `posts-merge has not merged ${post.name}`, intos);
    expectThat((answer.body.merged as Told["merged"])?.postId === post.postId, "posts-merge answers another post");
    turn.world.milestones.count("merges");
  } else if (code === "POST_NOT_FOUND") {
    const isThere = [post, into].every(({ life }) => !life.between(from, to).includes("gone"));
    expectThat(!isThere, `posts-merge does not find ${post.name} or ${into.name}`);
  } else if (code === "MERGE_CONFLICT") {
    const wereMerged = [...intos, ...stored.between(key.merged(into.postId), from, to)].some((item) => item);
    const mayMove = [post, into].some(({ postId }) => stored.mayMove(postId, from, to));
    const mayBeTooLong = stored.mergedInto(post.postId, from, to).maybe.size > 0;
    const isRight = post === into || wereMerged || mayMove || mayBeTooLong;
    expectThat(isRight, `posts-merge refuses to merge ${post.name} into ${into.name}`, answer.body);
  }
}

async function unmerge(turn: Turn): Promise<void> {
  const post = mergedPost(turn);
  const session = turn.random.chance(0.97) ? turn.sessionAs("owner", "moderator") : turn.caller();
  if (!post || !session) return;
  const { stored } = turn.site;
  post.join(stored);
  const answer = await turn.call(session, "posts-unmerge", { params: { postId: post.postId } });
  turn.expectStatus(answer, 200, "POST_NOT_FOUND", "MERGE_CONFLICT");
  const { from, to, code } = answer;
  const merged = stored.between(key.merged(post.postId), from, to);
  if (answer.status === 200) {
    expectThat(post.life.between(from, to).includes("live"), `posts-unmerge leaves ${post.name} merged`);
    turn.world.milestones.count("merges undone");
  } else if (code === "POST_NOT_FOUND") {
    const { mayBeNone } = stored.endsOf(post.postId, from, to);
    // Merged again before the answer, or deleted.
    const isThere = !mayBeNone && !post.life.between(from, to).includes("gone");
    expectThat(!isThere, `posts-unmerge does not find ${post.name}`);
  } else if (code === "MERGE_CONFLICT") {
    const intos = merged.flatMap((item) => (item ? [String(item.into)] : []));
    const areMerged = intos.some((into) => stored.has(key.merged(into), from, to).maybe);
    const mayMove = [post.postId, ...intos].some((postId) => stored.mayMove(postId, from, to));
    expectThat(areMerged || mayMove, `posts-unmerge refuses to take ${post.name} out`, answer.body);
  }
}

/** People vote, and take votes back, on posts whose votes move just now. */
async function meanwhile(turn: Turn): Promise<void> {
  const { stored, posts } = turn.site;
  const moving = [...posts.values()].filter(
    ({ isJoined, postId }) => isJoined && stored.mayMove(postId, turn.now, turn.now),
  );
  for (let number = 0; number < 4; number++) {
    const post = turn.pick(moving);
    await (turn.random.chance(0.4) ? castOn(turn, post) : takeBackOn(turn, post));
  }
}

/** Reads what was merged into a post: each once, none left out, and whether votes still move. */
async function browse(turn: Turn): Promise<void> {
  const post = turn.pick(turn.site.posts.values(), ({ isJoined }) => isJoined);
  const session = turn.sessionAs("owner", "moderator");
  if (!post || !session) return;
  const from = turn.now;
  const seen: string[] = [];
  const { stored } = turn.site;
  const send = (more: object) =>
    turn.call(session, "posts-merged", { params: { postId: post.postId }, query: { first: "2", ...more } });
  for await (const answer of pages(send)) {
    turn.expectStatus(answer, 200, "POST_NOT_FOUND");
    if (answer.code === "POST_NOT_FOUND") expectFoundHere(post, answer);
    if (answer.status !== 200) return;
    const { votes, merged } = answer.body as unknown as { votes: string; merged: resource.Merged[] };
    const isMoving = stored.mayMove(post.postId, answer.from, answer.to);
    expectThat(votes === "moved" || isMoving, `posts-merged says that votes of ${post.name} move`);
    seen.push(...merged.map(({ postId }) => postId));
  }
  const { maybe, always } = stored.mergedInto(post.postId, from, turn.now);
  expectThat(new Set(seen).size === seen.length, "posts-merged shows a post twice", seen);
  expectThat(
    seen.every((postId) => maybe.has(postId)),
    `posts-merged shows what was not merged into ${post.name}`,
    seen,
  );
  expectThat(
    [...always].every((postId) => seen.includes(postId)),
    `posts-merged lacks posts of ${post.name}`,
    [seen, [...always]],
  );
}

function expectFoundHere({ life, name }: Post, { from, to }: Answer): void {
  expectThat(life.between(from, to).includes("gone"), `posts-merged does not find ${name}, which is there`);
}

export const merges: Family = {
  merge: { weight: 1, act: merge },
  unmerge: { weight: 1.2, act: unmerge },
  meanwhile: { weight: 1.5, act: meanwhile },
  browse: { weight: 0.4, act: browse },
};
