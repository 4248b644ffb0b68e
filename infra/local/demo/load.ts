import { createHash } from "node:crypto";
import { newAccount, openAccount } from "../../../lib/auth/accounts.ts";
import * as passwords from "../../../lib/auth/passwords.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import * as boards from "../../../lib/data/boards.ts";
import * as catalogue from "../../../lib/data/catalogue.ts";
import { StoreUnavailable } from "../../../lib/data/client.ts";
import * as posts from "../../../lib/data/posts.ts";
import * as roadmaps from "../../../lib/data/roadmaps.ts";
import * as site from "../../../lib/data/site.ts";
import * as sweeps from "../../../lib/data/sweeps.ts";
import * as users from "../../../lib/data/users.ts";
import * as votes from "../../../lib/data/votes.ts";
import * as voting from "../../../lib/data/voting.ts";
import { settings } from "../../../lib/runtime/settings.ts";
import { idAt, namedIdAt, timeOf } from "../../../lib/values/ids.ts";
import { slugOf } from "../../../lib/values/slugs.ts";
import * as demo from "./demo-set.ts";

// The demo set goes in through lib/data, like everything else. Each step finds out what is there, so that a load that was broken
// off is completed by the next one; what people did to the demo in the meantime stays.

const DAY_MS = 86_400_000;

/** Loads the demo set, unless it is there. */
export const loadDemo = async (): Promise<void> => {
  // The account that is made last: once it is there, nothing is missing.
  if (await users.idOf(demo.suspended.email)) return;
  const passwordHash = await passwords.hash(demo.password);
  const start = await startOfDemo();
  const anAccount = (person: demo.DemoPerson) => account(person, start, passwordHash);
  // The account that is made first: its id keeps the day on which the demo starts.
  await anAccount(demo.member);
  await setUp(start, passwordHash);
  const placed = await placesOf(start);
  const people = new Map<string, users.Person>();
  await forEach(Object.entries({ member: demo.member, moderator: demo.moderator, ...demo.writers }), async (entry) => {
    people.set(entry[0], await anAccount(entry[1]));
  });
  const voters: users.Person[] = [];
  await forEach([...demo.voters.entries()], async ([index, person]) => {
    voters[index] = await anAccount(person);
  });
  const deleted = new Set(await sweeps.waiting());
  await forEach(demo.posts, async (each) => {
    const post = postOf(each, start, placed, people);
    // Deleted by somebody, its votes not swept yet: it must not come back under the sweeper's hands.
    if (deleted.has(post.postId)) return;
    await ensurePost(post);
    await castVotes(post.postId, votersOf(each, voters, people), start);
  });
  await anAccount(demo.suspended);
};

/** Works on items, 16 at a time. When it rejects, nothing goes on in the background. */
const forEach = async <T>(items: T[], work: (item: T) => Promise<void>): Promise<void> => {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await patiently(() => work(item));
  };
  const ends = await Promise.allSettled(Array.from({ length: 16 }, worker));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
};

/** Repeats work for which the store was too slow: a busy machine is no reason to give up. */
const patiently = async (work: () => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || attempt === 5) throw error;
    }
  }
};

/** The moment at which the demo starts, in milliseconds since 1970: some weeks ago, and the same one in each load. */
const startOfDemo = async (): Promise<number> => {
  const userId = await users.idOf(demo.member.email);
  return userId ? timeOf(userId) : Date.now() - demo.lastDay * DAY_MS;
};

const momentOf = (start: number, day: number): number => Math.min(Math.round(start + day * DAY_MS), Date.now());

/** The account of a person; made unless it is there. */
const account = async (
  { email, name, role, day }: demo.DemoPerson,
  start: number,
  passwordHash: string,
): Promise<users.UserRecord> => {
  const { user, outcome } = await openAccount(
    () => ({ ...newAccount(email, name, role, momentOf(start, day)), isVerified: true }),
    (draft) => users.register(draft, passwordHash, { welcome: false }),
  );
  return outcome === "email taken" ? accountOf(email) : user;
};

const accountOf = async (email: string): Promise<users.UserRecord> => {
  const user = await users.find((await users.idOf(email)) ?? "");
  if (!user) throw new Error(`The demo's account ${email} is gone: load the demo into a new data folder`);
  return user;
};

/** Sets the site up, unless it has an owner: then that one stays. */
const setUp = async (start: number, passwordHash: string): Promise<void> => {
  const { email, name, role } = demo.owner;
  const { outcome } = await openAccount(
    () => ({ ...newAccount(email, name, role, start), isVerified: true }),
    (owner) => site.setUp("Tidemark feedback", owner, passwordHash, site.firstBoard(idAt(start)), { welcome: false }),
  );
  if (outcome === "email taken")
    throw new Error(`${email} has an account that owns nothing: the demo cannot be loaded`);
};

/** The ids of the demo's boards and roadmaps, by their urls. */
type Places = { boardIds: Map<string, string>; roadmapIds: Map<string, string> };

/** Makes the boards and roadmaps that are missing. */
const placesOf = async (start: number): Promise<Places> => {
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
  return { boardIds, roadmapIds };
};

/** The id of a post: the same one in each load. */
const postIdOf = ({ key, day }: demo.DemoPost, start: number): string => namedIdAt(momentOf(start, day), key);

const postOf = (
  each: demo.DemoPost,
  start: number,
  { boardIds, roadmapIds }: Places,
  people: Map<string, users.Person>,
): posts.PostRecord => {
  const { userId, name, username } = people.get(each.author) as users.Person;
  const postId = postIdOf(each, start);
  return {
    postId,
    title: each.title,
    slug: slugOf(each.title, postId),
    contentMarkdown: each.content,
    author: { userId, name, username },
    boardId: boardIds.get(each.board),
    roadmapId: each.roadmap && roadmapIds.get(each.roadmap),
    updatedAt: timeOf(postId),
  };
};

const ensurePost = async (post: posts.PostRecord): Promise<void> => {
  if (await posts.find(post.postId)) return;
  const outcome = await posts.add(post);
  if (outcome !== "added") throw new Error(`The demo's post ${post.title} cannot be made: ${outcome}`);
};

/** The people who vote for a post, in the order of their votes: another part of the voters for each post. */
const votersOf = (post: demo.DemoPost, voters: users.Person[], people: Map<string, users.Person>): users.Person[] => {
  const member = post.memberVotes ? people.get("member") : undefined;
  const rank = new Map(
    demo.voters.map(({ email }, index) => [
      voters[index] as users.Person,
      createHash("sha256").update(`${post.key} ${email}`).digest("hex"),
    ]),
  );
  const ordered = voters.toSorted((a, b) => ((rank.get(a) ?? "") < (rank.get(b) ?? "") ? -1 : 1));
  return [...ordered.slice(0, post.votes - (member ? 1 : 0)), ...(member ? [member] : [])];
};

/** Casts the votes of a post between its making and the end of the demo, at first more of them than later. */
const castVotes = async (postId: string, voters: users.Person[], start: number): Promise<void> => {
  const from = timeOf(postId);
  const span = momentOf(start, demo.lastDay) - from;
  let asRead: votes.Voters | undefined;
  for (const [index, voter] of voters.entries()) {
    // A plan goes by whether there is room in the seats, which changes once.
    if (index === 0 || index === votes.SEATS) asRead = await votes.summary(postId);
    const at = from + Math.floor(span * ((index + 1) / (voters.length + 1)) ** 1.6);
    const outcome = await voting.add(postId, voter, asRead, at);
    if (outcome === "no such post") throw new Error(`The demo's post ${postId} is gone`);
  }
};

/** What tests and tours need to know of the demo. */
export type DemoFile = {
  baseUrl: string;
  ownerToken: string;
  moderatorToken: string;
  memberToken: string;
  /** Of the suspended account. */
  restrictedToken: string;
  /** Well signed, past its time. */
  expiredToken: string;
  accounts: { email: string; password: string; role: string; userId: string }[];
  boards: { boardId: string; name: string; url: string }[];
  roadmaps: { id: string; name: string; url: string; display: boolean; index: number }[];
  posts: { postId: string; slug: string; boardId: string | null; roadmapId: string | null }[];
};

/** What tests and tours need to know, with new tokens. */
export const demoFile = async (baseUrl: string): Promise<DemoFile> => {
  const start = await startOfDemo();
  const [{ boards, roadmaps }, found] = await Promise.all([
    catalogue.read(),
    Promise.all(demo.posts.map((each) => posts.find(postIdOf(each, start)))),
  ]);
  return {
    baseUrl,
    ...(await tokensOfDemo()),
    boards: boards.map(({ boardId, name, url }) => ({ boardId, name, url })),
    roadmaps: roadmaps.map(({ roadmapId, name, url, display, index }) => ({
      id: roadmapId,
      name,
      url,
      display,
      index,
    })),
    posts: found
      .filter((post) => post !== undefined)
      .map(({ postId, slug, boardId = null, roadmapId = null }) => ({ postId, slug, boardId, roadmapId })),
  };
};

type DemoTokens = Pick<
  DemoFile,
  "ownerToken" | "moderatorToken" | "memberToken" | "restrictedToken" | "expiredToken" | "accounts"
>;

const tokensOfDemo = async (): Promise<DemoTokens> => {
  const owner = (await users.find((await site.find())?.ownerId ?? "")) ?? (await accountOf(demo.owner.email));
  const [moderator, member, suspended] = await Promise.all(
    [demo.moderator, demo.member, demo.suspended].map(({ email }) => accountOf(email)),
  );
  const all = [owner, moderator, member, suspended].filter((user) => user !== undefined);
  const [ownerToken = "", moderatorToken = "", memberToken = "", restrictedToken = ""] = await Promise.all(
    all.map((user) => tokens.issue(user)),
  );
  const longAgo = Date.now() - (settings().tokenLifetimeSeconds + 3600) * 1000;
  const expiredToken = await tokens.issue(member as users.UserRecord, longAgo);
  // An owner who was there before the demo has a password of their own.
  const accounts = all
    .filter(({ email }) => demo.accounts.some((each) => each.email === email))
    .map(({ email, role, userId }) => ({ email, password: demo.password, role, userId }));
  return { ownerToken, moderatorToken, memberToken, restrictedToken, expiredToken, accounts };
};
