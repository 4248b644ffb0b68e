import type * as resource from "../../../lib/http/resources.ts";
import { aTag, type PostFields, type Tag, type TagFields } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { livePost } from "./posts.ts";
import * as turns from "./turn.ts";
import { checkTag, tagVisibility } from "./views.ts";

const MOST_TAGS = 8;

// Names that several clients want.
const CONTESTED = 6;

function isLive({ life }: Tag, now: number): boolean {
  return life.between(now, now).includes("live");
}

function liveTag(turn: turns.Turn): Tag | undefined {
  const isDead = turn.random.chance(0.03);
  return turn.pick(turn.site.tags.values(), (tag) => isDead || isLive(tag, turn.now));
}

async function create(turn: turns.Turn): Promise<void> {
  const session = turn.sessionAs("owner", "moderator");
  const live = [...turn.site.tags.values()].filter((tag) => isLive(tag, turn.now));
  if (!session || live.length >= MOST_TAGS) return;
  const { site } = turn;
  const draft = { name: `Tag ${turn.id}`, color: turn.random.bytes(3).toString("hex") };
  site.unansweredTags.add(draft.name);
  const answer = await turn.persist(session, "tags-create", { body: { tag: draft } });
  turn.expectStatus(answer, 201);
  if (answer.status === 0) return;
  site.unansweredTags.delete(draft.name);
  if (answer.status !== 201) return;
  const { id, name, color } = answer.body.tag as resource.Tag;
  const tag = site.tags.get(id) ?? aTag(draft.name, { id, seenAt: answer.to, fields: { name, color } });
  site.tags.set(id, tag);
  tag.acknowledge(answer.to);
}

/** A contested name in some case: the same name for another one. */
function aName(turn: turns.Turn): string {
  const name = `name ${turn.random.below(CONTESTED)}`;
  return turn.random.chance(0.5) ? name : name.toUpperCase();
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

async function update(turn: turns.Turn): Promise<void> {
  const tag = liveTag(turn);
  const session = turn.sessionAs("owner", "moderator");
  if (!tag || !session) return;
  const patch: Partial<TagFields> = turn.random.chance(0.6)
    ? { name: aName(turn) }
    : { color: turn.random.bytes(3).toString("hex") };
  const answer = await turn.write(
    [turns.change(tag.fields, turns.patched(patch))],
    { 200: "changed", TAG_NOT_FOUND: turns.MAYBE },
    () => turn.call(session, "tags-update", { params: { tagId: tag.id }, body: { tag: patch } }),
  );
  turn.expectStatus(answer, 200, "TAG_NOT_FOUND", "TAG_EXISTS");
  turns.expectLife(tag, "TAG_NOT_FOUND", answer);
  if (answer.code !== "TAG_EXISTS") return;
  const { name = "" } = patch;
  const mayHaveIt = (each: Tag): boolean =>
    each !== tag &&
    each.life.between(answer.from, answer.to).includes("live") &&
    each.fields.between(answer.from, answer.to).some((fields) => isSame(fields.name, name));
  const isTaken = [...turn.site.tags.values()].some(mayHaveIt);
  expectThat(isTaken, "tags-update says that a name is taken, and it is free", name);
}

async function destroy(turn: turns.Turn): Promise<void> {
  const tag = liveTag(turn);
  const session = turn.sessionAs("owner", "moderator");
  if (!tag || !session) return;
  const answer = await turn.write(
    [turns.change(tag.life, turns.deleted)],
    { 204: "deleted", TAG_NOT_FOUND: "was gone" },
    () => turn.call(session, "tags-delete", { params: { tagId: tag.id } }),
  );
  turn.expectStatus(answer, 204, "TAG_NOT_FOUND");
}

/** Lists the tags: every lasting one and no deleted one, and no name twice. */
async function list(turn: turns.Turn): Promise<void> {
  const answer = await turn.call(turn.random.chance(0.5) ? turn.caller() : undefined, "tags-list", {});
  if (!turn.expectStatus(answer, 200)) return;
  const views = answer.body.tags as resource.Tag[];
  for (const view of views) checkTag(turn.site, view, answer);
  const ids = views.map(({ id }) => id);
  for (const tag of turn.site.tags.values()) {
    expectThat(ids.includes(tag.id) || tagVisibility(tag, answer).unseen, `tags-list lacks ${tag.name}`);
  }
  const names = new Set(views.map(({ name }) => name.toLowerCase()));
  expectThat(names.size === views.length, "tags-list shows a name twice", views);
}

/** Gives a post some tags, or takes them all from it. */
async function setTags(turn: turns.Turn): Promise<void> {
  const post = livePost(turn);
  const session = turn.sessionAs("owner", "moderator");
  if (!post || !session) return;
  const drawn = Array.from({ length: turn.random.below(4) }, () => liveTag(turn)).filter((tag) => tag !== undefined);
  const tags = [...new Set(drawn)];
  const ids = tags.map(({ id }) => id).sort();
  const answer = await turn.write(
    [turns.change(post.fields, turns.patched<PostFields>({ tags: ids }))],
    { 200: "changed", POST_NOT_FOUND: turns.MAYBE },
    () => turn.call(session, "posts-set-tags", { params: { postId: post.postId }, body: { tags: ids } }),
  );
  turn.expectStatus(answer, 200, "POST_NOT_FOUND", "TAG_NOT_FOUND");
  if (answer.code === "TAG_NOT_FOUND") {
    const mayBeGone = tags.some((tag) => tagVisibility(tag, answer).unseen);
    expectThat(mayBeGone, "posts-set-tags does not find tags that are there", ids);
    return;
  }
  turns.expectLife(post, "POST_NOT_FOUND", answer);
}

export const tags: turns.Family = {
  createTag: { weight: 1, act: create },
  updateTag: { weight: 1, act: update },
  destroyTag: { weight: 0.5, act: destroy },
  listTags: { weight: 1, act: list },
  setTags: { weight: 4, act: setTags },
};
