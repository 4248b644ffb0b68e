import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { work as rewriteNames } from "../../../functions/background/rewrite-names.ts";
import { register } from "../../../lib/accounts/new-users.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import * as renames from "../../../lib/cleanup/renames.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { handOver, invoke, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { recordCalls, writesIn } from "../../support/store/calls.ts";
import { type Attempt, connectionReset, cutAt, type Fault, overtaken, withFaults } from "../../support/store/faults.ts";
import { addPosts } from "../../support/world/bulk.ts";
import { aMember, aPost, aStranger, aVote, postOf } from "../../support/world/fixtures.ts";

beforeEach(freshTable);

async function registered(account: users.UserRecord): Promise<users.UserRecord> {
  await register(account, "no password");
  return account;
}

async function theJob(): Promise<string> {
  return (await due.waitingIds("RENAMES"))[0] as string;
}

async function namesOf(userId: string, postIds: string[]): Promise<Set<string>> {
  const names = new Set<string>();
  for (const postId of postIds) {
    const [post, voters] = await Promise.all([posts.findWithVoters(postId), votes.votersOf(postId)]);
    const persons = [post?.post.author, ...(post?.voters.first ?? []), ...(voters?.votes ?? [])];
    for (const person of persons) if (person?.userId === userId) names.add(person.name);
  }
  return names;
}

/** A post with seven votes, the last of which is of the given person: nobody but the seventh waits for a seat. */
async function aPostWithAQueue(last: users.Person): Promise<{ postId: string; seated: users.Person[] }> {
  const { postId } = await aPost(await aMember());
  const seated = Array.from({ length: 6 }, aStranger);
  for (const voter of [...seated, last]) await aVote(postId, voter);
  return { postId, seated };
}

function isTransactionOn(pk: string) {
  return ({ operation, input }: Attempt) => operation === "TransactWriteItems" && JSON.stringify(input).includes(pk);
}

describe("PATCH /users/profile", () => {
  it("answers the account with its new name, and so do all later answers", async () => {
    const ada = await aMember("Ada");
    const body = success(await portal.rename("  Ada Lovelace ", ada), 200);
    expect(body.user).toMatchObject({ userId: ada.userId, name: "Ada Lovelace", username: ada.username });
    expect(success(await portal.profile(ada), 200)).toEqual(body);
    const { voters } = success(await portal.vote(await aPost(await aMember()), ada), 201);
    expect(voters.votes[0].name).toBe("Ada Lovelace");
  });

  it("lets an account without a name keep its language, its neutral name and the question", async () => {
    const made = newAccount("ada@example.com", undefined, "member", { language: "de" });
    const user = await users.changeProfile(await registered(made), { language: "fr" });
    expect(user).toMatchObject({ name: "Neues Mitglied", isUnnamed: true, language: "fr" });
    expect(await users.changeProfile(user as users.UserRecord, { name: "Ada" })).not.toHaveProperty("isUnnamed", true);
  });

  it("takes three names in an hour, and changes of the language alone whenever", async () => {
    newContainer({ RATE_LIMITS: "on" });
    onTestFinished(() => newContainer({ RATE_LIMITS: "" }));
    const { token } = await aMember("Ada");
    const change = async (body: object) => (await invoke("users-update-profile", { token, body })).status;
    for (const language of ["de", "fr", "ja", "pt"]) expect(await change({ language })).toBe(200);
    const statuses: number[] = [];
    for (const name of ["Ada L", "Ada Lo", "Ada Lov", "Ada Love"]) statuses.push(await change({ name }));
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await change({ language: "es" })).toBe(200);
  });

  it("changes the name on all posts and votes once the background work is done", async () => {
    const ada = await aMember("Ada");
    const grace = await aMember("Grace");
    const own = await aPost(ada);
    for (const post of [own, await aPost(grace)]) await aVote(post.postId, ada);
    await aVote(own.postId, grace);
    await portal.rename("Augusta", ada);
    await portal.finishRenames();
    const augusta = { name: "Augusta", username: ada.username };
    const shown = { author: augusta, voters: { votes: [augusta, { name: "Grace" }] } };
    expect(await portal.list()).toMatchObject([{ author: { name: "Grace" }, voters: { votes: [augusta] } }, shown]);
    expect(await portal.shownPost(own)).toMatchObject(shown);
    await expectSound();
  });

  it.each([undefined, null, "Ada", " Ada "])("writes nothing for %j", async (name) => {
    const reply = await portal.rename(name, await aMember("Ada"));
    expect(success(reply, 200).user.name).toBe("Ada");
    expect(writesIn(reply)).toEqual([]);
    expect(await due.waitingIds("RENAMES")).toEqual([]);
  });
});

describe("rewrite-names", () => {
  it("walks all posts and votes twice: immediately, and after the last request that could write the old name", async () => {
    const ada = await aMember("Ada");
    const { postId } = await aPost(ada);
    await portal.rename("Augusta", ada);
    const job = key.rename(await theJob());
    const started = Date.now();
    // Not finished: put off until the second walk may begin.
    expect((await handOver(rewriteNames, job)).failed).toEqual([]);
    const [entry] = await due.entriesOf("RENAMES");
    expect(entry).toMatchObject({ id: job.sk, tries: 0, reason: "continues later" });
    expect(entry?.dueAt).toBeGreaterThanOrEqual(started + SETTLE_MS);
    expect(await namesOf(ada.userId, [postId])).toEqual(new Set(["Augusta"]));
    const again = await handOver(rewriteNames, job);
    expect(again.calls.map(({ operation }) => operation)).toEqual(["GetItem", "UpdateItem"]);
    expect(await renames.carryOut(job.sk, portal.settled())).toBe("done");
    await handOver(rewriteNames, job);
    expect(await due.waitingIds("RENAMES")).toEqual([]);
  });

  it("finds a vote and a post with the old name that were written after the first walk", async () => {
    const ada = await aMember("Ada");
    const { postId } = await aPost(await aMember());
    const late = await aPost(await aMember());
    const asRead = await votes.summary(postId);
    await portal.rename("Augusta", ada);
    const jobId = await theJob();
    expect(await renames.carryOut(jobId)).toMatchObject({ notBefore: expect.any(Number) });
    await voting.cast(postId, ada, { voters: asRead });
    const post = await aPost(ada);
    expect(await namesOf(ada.userId, [postId, post.postId])).toEqual(new Set(["Ada"]));
    await expectSound();
    expect(await renames.carryOut(jobId, portal.settled())).toBe("done");
    expect(await namesOf(ada.userId, [postId, post.postId, late.postId])).toEqual(new Set(["Augusta"]));
    await expectSound();
  });

  it.each([
    ["the rename", "the hand-over of a seat"],
    ["the hand-over of a seat", "the rename"],
  ])("keeps the names of seat and vote equal if %s is written during %s", async (first) => {
    const ada = await aMember("Ada");
    const { postId, seated } = await aPostWithAQueue(ada);
    await portal.rename("Augusta", ada);
    const jobId = await theJob();
    const { userId } = seated[0] as users.Person;
    const rename = () => renames.carryOut(jobId);
    const handOver = async () => voting.takeBack(postId, userId, await voting.ownVote(postId, userId));
    const [fast, slow] = first === "the rename" ? [rename, handOver] : [handOver, rename];
    // The slow one is planned with the name as it was.
    const outcomes = await overtaken<unknown, unknown>(slow, fast, isTransactionOn(postId));
    expect(Object.values(outcomes)).toContain("taken back");
    expect((await votes.summary(postId))?.first.at(-1)).toMatchObject({ userId: ada.userId, name: "Augusta" });
    expect(await namesOf(ada.userId, [postId])).toEqual(new Set(["Augusta"]));
    await portal.finishRenames();
    await expectSound();
  });

  it("never restores a vote or a post that is deleted during the rename", async () => {
    const ada = await aMember("Ada");
    const kept = await aPost(ada);
    const taken = await aPost(ada);
    const deleted = await aPost(ada);
    for (const { postId } of [kept, taken, deleted]) await aVote(postId, ada);
    await portal.rename("Augusta", ada);
    const jobId = await theJob();
    const vanish = async () => {
      await voting.takeBack(taken.postId, ada.userId, await voting.ownVote(taken.postId, ada.userId));
      await posts.destroy(deleted);
    };
    await overtaken(() => renames.carryOut(jobId), vanish, isTransactionOn(deleted.postId));
    expect(await posts.find(deleted.postId)).toBeUndefined();
    expect(await namesOf(ada.userId, [kept.postId, taken.postId])).toEqual(new Set(["Augusta"]));
    await portal.finishRenames();
    await expectSound();
  });

  it("prefers the later of two renames, at every step of the earlier one", async () => {
    const ada = await aMember("Ada");
    const postIds: string[] = [];
    for (let n = 0; n < 3; n++) postIds.push((await aPost(ada)).postId);
    for (const postId of postIds) await aVote(postId, ada);
    await portal.rename("Second", ada);
    const first = await theJob();
    // The third name is given, and written everywhere, just before the second is written.
    const third = async () => {
      await users.changeProfile({ ...ada, name: "Second" }, { name: "Third" });
      for (const jobId of await due.waitingIds("RENAMES")) if (jobId !== first) await renames.carryOut(jobId);
    };
    await overtaken(() => renames.carryOut(first), third, isTransactionOn(postIds[0] as string));
    expect(await namesOf(ada.userId, postIds)).toEqual(new Set(["Third"]));
    await portal.finishRenames();
    expect(await namesOf(ada.userId, postIds)).toEqual(new Set(["Third"]));
    await expectSound();
  });

  it("continues after a crash at any call", async () => {
    const ada = await aMember("Ada");
    const { postId } = await aPost(ada);
    await aVote(postId, ada);
    await users.changeProfile(ada, { name: "Augusta" });
    const jobId = await theJob();
    let calls = 1;
    while (await cutAt(calls, () => renames.carryOut(jobId, portal.settled()))) calls++;
    expect(calls).toBeGreaterThan(5);
    expect(await namesOf(ada.userId, [postId])).toEqual(new Set(["Augusta"]));
    await expectSound();
  });

  it("repeats no finished work after a crash", async () => {
    const ada = await aMember("Ada");
    const own = Array.from({ length: 120 }, () => postOf(ada));
    await addPosts(own);
    const postIds = own.map(({ postId }) => postId);
    await users.changeProfile(ada, { name: "Augusta" });
    const jobId = await theJob();
    let pages = 0;
    // From the third page on nothing answers, however often the SDK tries.
    const die = ({ operation }: Attempt): Fault => {
      if (operation === "Query") pages++;
      return pages > 2 ? connectionReset() : "none";
    };
    const crash = withFaults(die, () => renames.carryOut(jobId));
    await expect(crash).rejects.toThrow();
    const { calls } = await recordCalls(() => renames.carryOut(jobId), rewriteNames.definition);
    const read = calls.filter(({ operation }) => operation === "BatchGetItem").flatMap(({ touches }) => touches);
    // It repeats one item of page 2 and reads page 3.
    expect(new Set(read.map(({ sk }) => sk)).size).toBeLessThanOrEqual(21);
    expect(await namesOf(ada.userId, postIds)).toEqual(new Set(["Augusta"]));
  });

  it("costs two reads a vote and writes only names that differ", async () => {
    const ada = await aMember("Ada");
    await aPostWithAQueue(ada);
    const operationsIn = ({ calls }: { calls: { operation: string }[] }) =>
      calls.map(({ operation }) => operation).sort();
    const reads = ["BatchGetItem", "GetItem", "Query"];
    await users.changeProfile(ada, { name: "Augusta" });
    const jobId = await theJob();
    const first = await recordCalls(() => renames.carryOut(jobId), rewriteNames.definition);
    expect(operationsIn(first)).toEqual([...reads, "TransactWriteItems", "TransactWriteItems"]);
    const second = await recordCalls(() => renames.carryOut(jobId, portal.settled()), rewriteNames.definition);
    expect(operationsIn(second)).toEqual([...reads, "DeleteItem"].sort());
  });
});
