import { changedPolicy, NOTHING_HELD } from "../../../lib/accounts/moderation-policy.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as passwords from "../../../lib/auth/passwords.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import * as catalogue from "../../../lib/catalogue/catalogue.ts";
import * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import * as tags from "../../../lib/catalogue/tags.ts";
import { find as findHeld, hold } from "../../../lib/posts/held.ts";
import { forEach } from "../../../lib/runtime/for-each.ts";
import { StoreUnavailable } from "../../../lib/table/client.ts";
import * as due from "../../../lib/table/due.ts";
import { idAt, namedIdAt } from "../../../lib/values/ids.ts";
import * as webhooks from "../../../lib/webhooks/webhooks.ts";
import * as demo from "./demo-set.ts";
import { account, momentOf, setUp, siteOfDemo, startOfDemo } from "./people.ts";
import { type Demo, loadPost, mergePost, type Places, postIdOf, votersOf, votersOfMerged } from "./posts.ts";

// The demo set is written through lib, like all data. Each step looks for what exists, so the next load completes an
// interrupted one and keeps what people changed in the demo.

const AT_A_TIME = 16;

/** Writes what is missing of the demo set. It can be called again after it was interrupted. */
export async function loadDemo(): Promise<void> {
  // This account is created last, so nothing is missing if it exists.
  if (await users.idOf(demo.suspended.email)) return;
  const passwordHash = await passwords.hash(demo.password);
  const start = await startOfDemo();
  const anAccount = (person: demo.DemoPerson) => account(person, start, passwordHash);
  // This account is created first. Its id contains the time at which the demo starts.
  await anAccount(demo.member);
  await setUp(start, passwordHash);
  const of: Demo = { start, people: new Map(), placed: await placesOf(start) };
  await addWebhook(start);
  await each(Object.entries({ member: demo.member, moderator: demo.moderator, ...demo.writers }), async (entry) => {
    of.people.set(entry[0], await anAccount(entry[1]));
  });
  const voters: users.Person[] = [];
  await each([...demo.voters.entries()], async ([index, person]) => {
    voters[index] = await anAccount(person);
  });
  const deleted = new Set(await due.waitingIds("DELETED"));
  // A deleted post whose votes are not swept yet must not come back while they are.
  const isLeft = (demoPost: demo.DemoPost) => !deleted.has(postIdOf(demoPost, start));
  await each(demo.posts.filter(isLeft), (demoPost) => loadPost(demoPost, votersOf(demoPost, voters, of), of));
  const isToMerge = (demoPost: demo.DemoMergedPost) => isLeft(demoPost) && isLeft(demo.targetOf(demoPost));
  await each(demo.merged.filter(isToMerge), async (demoPost) => {
    await loadPost(demoPost, votersOfMerged(demoPost, voters), of);
    await mergePost(demoPost, of);
  });
  await addHeld(of);
  await anAccount(demo.suspended);
}

function each<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  return forEach(items, AT_A_TIME, (item) => patiently(() => work(item)));
}

/** Repeats work for which the store was too slow, as on a busy machine. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || attempt === 5) throw error;
    }
  }
}

/** Adds the webhook of a chat, unless there is a webhook. It is switched off, because nothing receives its messages. */
async function addWebhook(start: number): Promise<void> {
  if ((await webhooks.all()).length > 0) return;
  const { ownerId: userId = "" } = (await site.find()) ?? {};
  const about = { url: "https://chat.example/hooks/tidemark", description: "The team's chat" };
  const events = ["post.created" as const, "post.status_changed" as const];
  await webhooks.add({ webhookId: idAt(start), ...about, events, userId, isDisabled: true, failures: 0 });
}

/** Adds a post that waits for the team, and the rule by which it does, unless the owner has chosen rules. */
async function addHeld({ start, people }: Demo): Promise<void> {
  const { author, day, words, title, content } = demo.held;
  const found = await siteOfDemo();
  if (!found || found.moderation) return;
  const id = namedIdAt(momentOf(start, day), title);
  const { userId } = people.get(author) as users.Person;
  const post = { id, kind: "post" as const, userId, title, contentMarkdown: content };
  if (!(await findHeld(id))) await hold({ ...post, reasons: ["words"] });
  await site.change(found, { moderation: changedPolicy(NOTHING_HELD, { words }) });
}

async function placesOf(start: number): Promise<Places> {
  const found = await catalogue.read();
  const boardIds = new Map(found.boards.map(({ url, boardId }) => [url, boardId]));
  const roadmapIds = new Map(found.roadmaps.map(({ url, roadmapId }) => [url, roadmapId]));
  for (const { day, ...board } of demo.boards) {
    if (boardIds.has(board.url)) continue;
    const boardId = idAt(momentOf(start, day));
    await boards.add({ boardId, ...board, display: true, viewVoters: true, postCount: 0 });
    boardIds.set(board.url, boardId);
  }
  for (const { day, ...roadmap } of demo.roadmaps) {
    if (roadmapIds.has(roadmap.url)) continue;
    const roadmapId = idAt(momentOf(start, day));
    await roadmaps.add({ roadmapId, ...roadmap });
    roadmapIds.set(roadmap.url, roadmapId);
  }
  const tagIds = new Map(found.tags.map(({ name, tagId }) => [name, tagId]));
  for (const tag of demo.tags) {
    if (tagIds.has(tag.name)) continue;
    const tagId = namedIdAt(start, tag.name);
    await tags.add({ tagId, ...tag });
    tagIds.set(tag.name, tagId);
  }
  return { boardIds, roadmapIds, tagIds, statuses: found.statuses };
}
