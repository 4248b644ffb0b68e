import * as accountErasures from "../../../lib/accounts/erasures.ts";
import * as identities from "../../../lib/accounts/identities.ts";
import { register } from "../../../lib/accounts/new-users.ts";
import * as preferences from "../../../lib/accounts/preferences.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import * as passwords from "../../../lib/auth/passwords.ts";
import * as boardOrder from "../../../lib/catalogue/board-order.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../../lib/catalogue/statuses.ts";
import * as tags from "../../../lib/catalogue/tags.ts";
import * as erasures from "../../../lib/cleanup/erasures.ts";
import { changeComment } from "../../../lib/posts/comment-changes.ts";
import * as comments from "../../../lib/posts/comments.ts";
import { approve } from "../../../lib/posts/deciding.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as subscriptions from "../../../lib/posts/subscriptions.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId } from "../../../lib/values/ids.ts";
import { slugOf } from "../../../lib/values/slugs.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { aBoard, aComment, aMember, aPost, aRoadmap, aTag, aVote, type Person } from "./fixtures.ts";
import { aHeldComment, aHeldPost, setPolicy } from "./held.ts";
import { mergeInto, takeOut } from "./merges.ts";
import { worldNames, worldTitles } from "./texts.ts";
import { withTwoFactor } from "./two-factor.ts";

// A site that has something of everything that an export holds.

/** Texts that files and sheets are known to change. */
export const hardTexts = [
  "\ufeffA byte order mark\r\nand CR LF\r",
  "Separators\u2028of lines\u2029and of paragraphs",
  '"Quotes", commas; and\ttabs',
  '=HYPERLINK("https://evil.example")',
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1+1",
  "＝1＋1",
  "<p>Not <b>Markdown</b></p>",
  "👩‍👩‍👧 🇫🇷 \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} \ufffd",
  "   blanks around   ",
  "\\n \\u2028 %s {{y}}",
];

export const OWNER_PASSWORD = "a password of the owner";

export type WholeSite = { owner: Person; gone: users.UserRecord; popular: string; secret: string };

/** Fills an empty table. */
export async function aWholeSite(): Promise<WholeSite> {
  const owner = { ...newAccount("olive@example.com", "Olive", "owner"), token: "" };
  await site.setUp("Wünsche", owner, await passwords.hash(OWNER_PASSWORD), site.firstBoard(newId()));
  const found = (await site.find()) as site.Site;
  const look = { description: "What\nwe hear", logo: "https://example.com/a.png", accentColor: "00ff00" };
  const more = { icon: "https://example.com/i.png", googleAnalyticsId: "G-ABC123", requireTwoFactor: true };
  await site.change(found, {
    ...look,
    ...more,
    signupDomains: ["example.com"],
    blockedMailDomains: ["spam.example", "xn--bcher-kva.example"],
    voteOnBehalf: true,
    firstSteps: ["share"],
  });
  const people = await aTeam(owner);
  const places = await aCatalogue();
  const popular = await aPopularPost(owner, people);
  await postsWithTexts(people, places);
  await aTalk(owner, people, popular);
  await mergedPosts(owner, people, places);
  await waiting(people, places, popular);
  const gone = await anErasedAccount(popular, people);
  return { owner, gone, popular, secret: people.secret };
}

/** A policy, held posts and comments, and an account of which the team has approved a post. */
async function waiting({ ada, ben, mo }: People, { boardIds: [board = ""] }: Places, postId: string): Promise<void> {
  await setPolicy({ posts: "first", links: true, words: ["casino", "=1+1"], since: Date.now() });
  const approved = await aHeldPost(ben);
  await approve(approved, mo.userId);
  await aHeldPost(ben, { boardId: board, title: "A held title", contentMarkdown: hardTexts[0] as string });
  const { commentId } = await aComment(postId, ada);
  await aHeldComment(postId, ben, { body: hardTexts[3] as string, parentId: commentId, reasons: ["links", "words"] });
}

type People = { ada: Person; mo: Person; ben: Person; all: Person[]; secret: string };

async function aTeam(owner: Person): Promise<People> {
  const all: Person[] = [];
  for (const [name] of worldNames) all.push(await aMember(name));
  await register(newAccount("nemo@example.com", undefined, "member"), "no password");
  const [ada, mo, sue, ben] = all as [Person, Person, Person, Person];
  await users.changeRole({ ...mo, keyIds: [] }, "moderator");
  await users.changeRole({ ...sue, keyIds: [] }, "suspended");
  await transact({ user: setFields(key.user(ada.userId), { isVerified: true }) });
  await users.changeProfile(ada, { language: "ja" });
  await preferences.choose(ada.userId, { mail: { status: false, comments: true, replies: false, ownPosts: true } });
  await preferences.choose(mo.userId, { mail: preferences.NO_MAILS, newPosts: true, digest: true });
  await preferences.choose(owner.userId, { mail: preferences.NO_MAILS, ...preferences.NO_TEAM_MAILS });
  await identities.link({ issuer: "https://id.example.com", subject: "ada" }, ada);
  const { secret } = await withTwoFactor(ben);
  return { ada, mo: { ...mo, role: "moderator" }, ben, all, secret: secret.toString("base64url") };
}

type Places = { boardIds: string[]; roadmapIds: string[]; tagIds: string[] };

async function aCatalogue(): Promise<Places> {
  const list = await statuses.read();
  const more = [
    { name: "Vielleicht später", color: "123456", kind: "planned" as const },
    { name: "Old", color: "654321", kind: "open" as const },
    { name: "Put away", color: "654321", kind: "declined" as const, archived: true },
  ];
  await statuses.replace(list, [...list.statuses, ...more]);
  const ideas = await aBoard({ name: "Idées", description: "=1+1", display: false, viewVoters: false });
  await aBoard({ url: "search", name: "Of an earlier release" });
  const deleted = await aBoard();
  await boardOrder.put(await boards.allWithOrder(), deleted.boardId, ideas.boardId);
  const roadmapIds: string[] = [];
  for (const name of ["Now", "Next", "Later"]) roadmapIds.push((await aRoadmap({ name })).roadmapId);
  await roadmaps.move(await roadmaps.allWithOrder(), roadmapIds[2] as string, roadmapIds[0] as string);
  const boardIds = [ideas.boardId, deleted.boardId, (await boards.all())[0]?.boardId as string];
  const tagIds: string[] = [];
  for (const name of ["Mobil, am Abend", "API", "Of an earlier time"]) tagIds.push((await aTag({ name })).tagId);
  return { boardIds, roadmapIds, tagIds };
}

/** More votes than one transaction of an import has room for, one of them on behalf. */
async function aPopularPost(owner: Person, { ada, all }: People): Promise<string> {
  const { postId } = await aPost(ada, { title: "Dark mode", by: owner.userId });
  for (const person of all) await aVote(postId, person);
  for (let n = 0; n < 30; n++) await aVote(postId, await aMember());
  const voters = await votes.summary(postId);
  await voting.cast(postId, { ...(await aMember("Behalf")), by: owner.userId }, { voters });
  return postId;
}

async function postsWithTexts({ all, mo }: People, { boardIds, roadmapIds, tagIds }: Places): Promise<void> {
  const [ideas = "", deleted = ""] = boardIds;
  for (const [n, { title }] of worldTitles.entries()) {
    const author = all[n % all.length] as Person;
    const text = hardTexts[n % hardTexts.length] as string;
    const roadmapId = roadmapIds[n % 5];
    const post = await aPost(author, {
      title,
      contentMarkdown: text,
      boardId: boardIds[n % 3] as string,
      ...(roadmapId !== undefined && { roadmapId }),
      ...(n % 2 === 0 && { tagIds: tagIds.slice(n % 3) }),
    });
    if (n % 3 === 0) await aComment(post.postId, mo, { body: text });
    if (n % 4 === 0) await aVote(post.postId, mo);
  }
  const response = { text: "Soon", at: Date.now() };
  const blank = await aPost(mo, { title: "Blanks alone", contentMarkdown: "  ", boardId: ideas, response });
  await posts.change(blank, () => ({ isLocked: true, isPinned: true }));
  // The posts of a deleted board or tag stay.
  await tags.remove((await tags.find(tagIds[2] ?? "")) as tags.TagRecord);
  await boards.remove((await boards.find(deleted)) as boards.BoardRecord);
}

/** Changes of a post, and what people say of it. */
async function aTalk(owner: Person, { ada, mo, all }: People, postId: string): Promise<void> {
  const edit = async (title: string) =>
    posts.change((await posts.find(postId)) as posts.PostRecord, () => ({ title, slug: slugOf(title, postId) }));
  await edit("Dark mode at night");
  await edit("Dark mode");
  const list = await statuses.read();
  for (const name of ["Vielleicht später", "Old"]) {
    const status = list.statuses.find((each) => each.name === name) as statuses.StatusRecord;
    await posts.setStatus((await posts.find(postId)) as posts.PostRecord, status, {
      text: `Soon: ${name}`,
      by: mo.userId,
    });
  }
  const planned = list.statuses.find(({ statusId }) => statusId === "planned") as statuses.StatusRecord;
  await posts.setStatus((await posts.find(postId)) as posts.PostRecord, planned, { by: owner.userId });
  const old = list.statuses.find(({ name }) => name === "Old") as statuses.StatusRecord;
  await statuses.remove(await statuses.read(), old.statusId);

  const first = await aComment(postId, ada, { body: hardTexts[0] as string });
  await aComment(postId, mo, { body: "An answer", parentId: first.commentId });
  await aComment(postId, mo, { body: "A note", isInternal: true });
  const reread = () => comments.find(first);
  await changeComment(first, reread, { isInternal: true, by: mo.userId });
  for (const person of all.slice(0, 30)) await aComment(postId, person);
  await subscriptions.choose(ada.userId, postId, false);
  await subscriptions.choose(mo.userId, postId, true);
}

/** Two posts in a row that were merged, the first with all that a post can have, into one with votes of its own. */
async function mergedPosts(
  owner: Person,
  { ada, mo, ben }: People,
  { boardIds, roadmapIds, tagIds }: Places,
): Promise<void> {
  const place = { boardId: boardIds[0] as string, roadmapId: roadmapIds[1] as string, tagIds: tagIds.slice(0, 2) };
  const first = await aPost(ada, {
    ...place,
    title: "Schwarz",
    contentMarkdown: hardTexts[1] as string,
    by: owner.userId,
  });
  const second = await aPost(ben, { title: "Night mode" });
  const target = await aPost(mo, { title: "Dim the page" });
  const slug = slugOf("Black", first.postId);
  await posts.change(first, () => ({ title: "Black", slug }));
  const planned = (await statuses.read()).statuses.find(({ statusId }) => statusId === "planned");
  const renamed = (await posts.find(first.postId)) as posts.PostRecord;
  await posts.setStatus(renamed, planned as statuses.StatusRecord, { text: "Soon", by: mo.userId });
  for (const { postId } of [first, target]) await aVote(postId, ada);
  await voting.cast(first.postId, { ...mo, by: owner.userId }, { voters: await votes.summary(first.postId) });
  await aVote(second.postId, mo);
  for (const isInternal of [true, false]) await aComment(first.postId, mo, { isInternal });
  await subscriptions.choose(ben.userId, first.postId, true);
  for (const { postId } of [first, second]) await subscriptions.choose(mo.userId, postId, false);
  await posts.change((await posts.find(first.postId)) as posts.PostRecord, () => ({ isLocked: true }));
  await mergeInto((await posts.find(first.postId)) as posts.PostRecord, second.postId);
  // Its merge is undone, which leaves a vote to the second one.
  const former = await aPost(ben, { title: "Lamps off" });
  await aVote(former.postId, mo);
  await mergeInto(former, target.postId);
  await mergeInto(second, target.postId);
  await takeOut(former);
}

async function anErasedAccount(popular: string, { mo }: People): Promise<users.UserRecord> {
  const gone = await aMember("Gwendolyn Gone");
  const { postId } = await aPost(gone, { title: "Of somebody who left" });
  await aComment(postId, gone, { body: "Bye" });
  await aVote(postId, mo);
  await aVote(popular, gone);
  await aVote(postId, gone);
  await subscriptions.choose(gone.userId, popular, true);
  await accountErasures.erase(gone.userId, await users.findWithKeys(gone.userId), { by: gone.userId, votes: "keep" });
  await erasures.carryOut(gone.userId, Date.now() + SETTLE_MS + 1);
  return gone;
}
