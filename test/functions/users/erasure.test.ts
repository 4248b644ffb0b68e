import { beforeEach, describe, expect, it } from "vitest";
import { work as erase } from "../../../functions/background/erase.ts";
import { work as sendMail } from "../../../functions/background/send-mail.ts";
import { work as sweep } from "../../../functions/background/sweep.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { DAYS } from "../../../lib/accounts/erasures.ts";
import * as identities from "../../../lib/accounts/identities.ts";
import * as mailTokens from "../../../lib/accounts/mail-tokens.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import * as preferences from "../../../lib/accounts/preferences.ts";
import type { Role } from "../../../lib/accounts/roles.ts";
import * as signInMails from "../../../lib/accounts/sign-in-mails.ts";
import { tokensOf } from "../../../lib/accounts/unsubscribe-tokens.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import * as erasures from "../../../lib/cleanup/erasures.ts";
import * as events from "../../../lib/events/events.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as due from "../../../lib/table/due.ts";
import { partitions } from "../../../lib/table/families.ts";
import { key } from "../../../lib/table/keys.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { carryOutAll, handOver, invoke, refusal, success } from "../../support/http/invoke.ts";
import { logLines } from "../../support/http/logs.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { type Attempt, cutAt, isTransaction, overtaken } from "../../support/store/faults.ts";
import { aWorld } from "../../support/world/examples.ts";
import {
  aComment,
  aKey,
  aMember,
  anAccount,
  aPost,
  aReader,
  aStranger,
  aUser,
  aVote,
  type Person,
} from "../../support/world/fixtures.ts";
import { sendLetters } from "../../support/world/letters.ts";
import { mergeInto, moveAll, takeOut } from "../../support/world/merges.ts";
import { fates, tracesIn, tracesOf } from "../../support/world/traces.ts";
import { withTwoFactor } from "../../support/world/two-factor.ts";

let owner: Person;

beforeEach(async () => {
  await freshTable();
  owner = (await aWorld()).owner;
});

function deleteOwn({ token }: { token: string }, body = {}) {
  return invoke("users-delete-profile", { token, body });
}

function deleteOther({ userId }: { userId: string }, body = {}, { token } = owner) {
  return invoke("users-delete", { token, params: { userId }, body });
}

async function finishErasures(): Promise<void> {
  for (const userId of await due.waitingIds("ERASURES")) {
    await erasures.carryOut(userId);
    expect(await erasures.carryOut(userId, Date.now() + SETTLE_MS + 1)).toBe("done");
  }
}

const NAME = "Zoé Quartermaine-Ołów";

/** A person of whom every family that can hold one holds something. */
async function aFullLife(role: Role = "moderator"): Promise<{ person: Person; texts: string[] }> {
  const fresh = await aUser(role, NAME);
  const { person } = await withTwoFactor(fresh);
  const subject = "subject-of-zoe-248289761001";
  await identities.link({ issuer: "https://id.example", subject }, person);
  const { text } = await aKey(person);
  success(await portal.profile({ token: text }), 200);
  await tokensOf(person.userId);
  await preferences.choose(person.userId, { mail: preferences.NO_MAILS, newPosts: true, digest: true });
  await mailTokens.issue("reset-password", person);
  await signInMails.issue({ email: person.email, askedFrom: "" });
  await outbox.add({ to: person.email, userId: person.userId, template: "verify" });
  const own = await aPost(person);
  const other = await aPost(owner);
  await aVote(own.postId, person);
  for (let n = 0; n < 7; n++) await aVote(other.postId, aStranger());
  await aVote(other.postId, person);
  await aComment(other.postId, person);
  await aComment(other.postId, person, { isInternal: true });
  const third = await aPost(owner);
  success(await portal.follow(third, person), 200);
  success(await portal.leave(other, person), 200);
  return { person, texts: [person.email, NAME, person.username, subject] };
}

describe("The last mail", () => {
  const lettersTo = async ({ email }: Person) => (await sendLetters()).filter(({ to }) => to === email);

  it("says to who is deleted what stays and until when, once", async () => {
    const leaver = await aReader();
    const removed = await aReader();
    success(await deleteOwn(leaver), 202);
    success(await deleteOther(removed), 202);
    const letters = await sendLetters();
    for (const { email } of [leaver, removed]) {
      const own = letters.filter(({ to }) => to === email);
      expect(own.map(({ subject }) => subject)).toEqual(["Your account is deleted"]);
      const until = new Date(Date.now() + DAYS.limits * 24 * 60 * 60 * 1000);
      expect(own[0]?.text).toContain(
        `is gone by ${until.toLocaleDateString("en", { dateStyle: "long", timeZone: "UTC" })}`,
      );
    }
    await finishErasures();
    expect(await sendLetters()).toEqual([]);
    await expectSound();
  });

  it("is dropped with the end of the job: nothing keeps the address for it", async () => {
    const person = await aReader();
    success(await deleteOwn(person), 202);
    expect(JSON.stringify(await scan())).toContain(person.email);
    await finishErasures();
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
    expect(JSON.stringify(await scan())).not.toContain(person.email);
    expect(await lettersTo(person)).toEqual([]);
  });

  it("goes to no address that nobody has confirmed, and from no site without mails", async () => {
    const unconfirmed = await aMember();
    success(await deleteOwn(unconfirmed), 202);
    expect(await lettersTo(unconfirmed)).toEqual([]);
    const person = await aReader();
    newContainer({ MAIL_TRANSPORT: "off" });
    success(await deleteOwn(person), 202);
    newContainer({ MAIL_TRANSPORT: "log" });
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
  });
});

describe("DELETE /users/profile", () => {
  it("ends the account with the answer, which says what stays and until when", async () => {
    const { person } = await aFullLife();
    const { text } = await aKey(person);
    const { erasure } = success(await deleteOwn(person), 202);
    expect(erasure).toMatchObject({ userId: person.userId, votes: "keep" });
    const until = Object.fromEntries(
      erasure.stays.map((each: { what: string; until: string }) => [each.what, each.until]),
    );
    expect(until).toMatchObject({ posts: null, votes: null, record: null });
    expect(Date.parse(until.backups) - Date.parse(erasure.erasedAt)).toBe(DAYS.backups * 24 * 60 * 60 * 1000);
    for (const token of [person.token, text]) refusal(await portal.profile({ token }), "INVALID_TOKEN");
    expect(await users.idOf(person.email)).toBeUndefined();
    await finishErasures();
    await expectSound();
  });

  it("leaves posts and comments to a deleted user, and votes counted without a name", async () => {
    const ada = await aMember("Ada");
    const post = await aPost(ada);
    await aVote(post.postId, ada);
    const { commentId } = await aComment(post.postId, ada);
    success(await deleteOwn(ada), 202);
    await finishErasures();
    const nobody = { name: "Deleted user", username: "deleted" };
    const shown = await portal.shownPost(post);
    expect(shown).toMatchObject({ author: nobody, voters: { votesCount: 1, votes: [nobody] } });
    expect(JSON.stringify([shown, await portal.activity(post)])).not.toContain(ada.userId);
    // The team can still moderate them.
    const params = { postId: post.postId, commentId };
    success(await invoke("comments-update", { token: owner.token, params, body: { is_internal: true } }), 200);
    success(await invoke("comments-delete", { token: owner.token, params }), 204);
    success(await portal.deletePost(post, owner), 204);
    expect(await carryOutAll(sweep)).toBe(true);
    await expectSound();
  });

  it("takes each vote back, if that is wished, and gives its seat on", async () => {
    const ada = await aMember("Ada");
    const post = await aPost(owner);
    await aVote(post.postId, ada);
    for (let n = 0; n < 6; n++) await aVote(post.postId, aStranger());
    success(await deleteOwn(ada, { votes: "withdraw" }), 202);
    await finishErasures();
    const voters = await votes.summary(post.postId);
    expect(voters).toMatchObject({ count: 6, first: { length: 6 } });
    await expectSound();
  });

  it("asks for a session younger than ten minutes, and first for another owner", async () => {
    const ada = await aMember();
    refusal(await deleteOwn({ token: await tokens.issue(ada, Date.now() - 11 * 60_000) }), "SIGN_IN_AGAIN");
    refusal(await deleteOwn({ token: (await aKey(ada)).text }), "KEY_NOT_ALLOWED");
    refusal(await deleteOwn(owner), "HAND_OVER_FIRST");
    refusal(await deleteOther(owner), "HAND_OVER_FIRST");
    refusal(await deleteOwn(ada, { votes: "sell" }), "VALIDATION_ERROR", "body.votes");
    success(await portal.profile(ada), 200);
  });

  it("lets a suspended account go too", async () => {
    success(await deleteOwn(await aUser("suspended")), 202);
  });

  it("frees the address for a stranger", async () => {
    const { email, token } = await anAccount("correct horse");
    success(await deleteOwn({ token }), 202);
    const { user } = success(await portal.signUp({ email, password: "another good horse" }), 201);
    expect(success(await invoke("users-posts", { token: user.authToken }), 200).results).toEqual([]);
    await finishErasures();
    await expectSound();
  });
});

describe("DELETE /users/{userId}", () => {
  it("is the owner's, in a young session, once", async () => {
    const ada = await aMember();
    refusal(await deleteOther(ada, {}, await aUser("moderator")), "NOT_ENOUGH_PERMISSION");
    const old = { ...owner, token: await tokens.issue(owner, Date.now() - 11 * 60_000) };
    refusal(await deleteOther(ada, {}, old), "SIGN_IN_AGAIN");
    expect(success(await deleteOther(ada), 202).erasure.userId).toBe(ada.userId);
    refusal(await deleteOther(ada), "USER_NOT_FOUND");
  });
});

describe("The walk over all items", () => {
  const userId = "0192f0c1-2d3e-7a4b-8c5d-6e7f80912345";
  const text = "Zoé Quartermaine/Ołów";
  const base64 = Buffer.from(`x${text}`).toString("base64");

  it.each([
    ["in a set", new Set([text])],
    ["in a list of a map", { list: [{ name: text }] }],
    ["as the name of an attribute", { [text]: 1 }],
    ["in bytes of a list", [Buffer.from(text)]],
    ["in base64", base64],
    ["in lower case without accents", "zoe quartermaine/ołow"],
    ["in a url", encodeURIComponent(text)],
  ])("finds a text %s", (_, value) => {
    const items = [{ pk: "POSTS", sk: "1", value }];
    expect(tracesIn(items, [{ userId, texts: [text] }])).toHaveLength(1);
    expect(tracesIn(items, [{ userId, texts: ["Zoé Quartermaine/Other"] }])).toEqual([]);
  });

  it("finds an id where no id may stay, and there alone", () => {
    const items = [
      { pk: "LIST#1", sk: userId },
      { pk: "POSTS", sk: userId },
    ];
    expect(tracesIn(items, [{ userId, texts: [] }])).toEqual([expect.stringContaining("list#1")]);
  });
});

describe("An erasure", () => {
  it("knows every family of the table", () => {
    expect(Object.keys(fates).sort()).toEqual(Object.keys(partitions).sort());
  });

  it("leaves no address, name, username, subject or id of the account, in any form, and logs none", async () => {
    const { person, texts } = await aFullLife();
    expect((await tracesOf([{ ...person, texts }])).length).toBeGreaterThan(20);
    success(await deleteOther(person), 202);
    await finishErasures();
    expect(await carryOutAll(sendMail)).toBe(true);
    expect(await tracesOf([{ ...person, texts }])).toEqual([]);
    for (const text of texts) expect(logLines.join("\n")).not.toContain(text);
    await expectSound();
  });

  it("is told by an event that names the account alone, and takes it out of earlier ones", async () => {
    const ada = await aMember("Ada");
    await aPost(ada);
    success(await deleteOwn(ada), 202);
    await finishErasures();
    const all = await events.first({}, 100);
    const naming = all.items.filter((event) => JSON.stringify(event).includes(ada.userId));
    expect(naming.filter(({ eventId }) => eventId !== ada.userId)).toMatchObject([
      { type: "user.deleted", userId: ada.userId, by: ada.userId },
    ]);
  });

  it("takes who deleted another account out of that event", async () => {
    const ada = await aMember("Ada");
    const next = await aReader();
    success(await deleteOther(ada), 202);
    const body = { role: "owner" };
    success(await invoke("users-update", { token: owner.token, params: { userId: next.userId }, body }), 200);
    success(await deleteOwn(owner), 202);
    await finishErasures();
    const { items } = await events.first({}, 100);
    const byOwner = items.filter(({ by }) => by === owner.userId);
    expect(byOwner).toMatchObject([{ type: "user.deleted", userId: owner.userId }]);
  });

  it("finds what a request wrote that had read the account before", async () => {
    const ada = await aMember("Ada");
    const { postId } = await aPost(owner);
    const asRead = await votes.summary(postId);
    success(await deleteOwn(ada), 202);
    expect(await erasures.carryOut(ada.userId)).toMatchObject({ notBefore: expect.any(Number) });
    await voting.cast(postId, ada, { voters: asRead });
    const late = await aPost(ada);
    await finishErasures();
    expect((await posts.find(late.postId))?.author.name).toBe("Deleted user");
    expect(await tracesOf([{ ...ada, texts: [ada.email, ada.username] }])).toEqual([]);
    await expectSound();
  });

  it("counts an account once whose request votes again after the erasure began", async () => {
    const ada = await aMember("Ada");
    const { postId } = await aPost(owner);
    await aVote(postId, ada);
    success(await deleteOwn(ada), 202);
    expect(await erasures.carryOut(ada.userId)).toMatchObject({ notBefore: expect.any(Number) });
    await voting.cast(postId, ada, { voters: await votes.summary(postId) });
    await finishErasures();
    expect(await votes.summary(postId)).toMatchObject({ count: 1, first: [{ name: "Deleted user" }] });
    await expectSound();
  });

  /** Walks once, as a late job does, while something else is done between its look at a person's things and a write. */
  async function eraseAround(
    { userId }: Person,
    meanwhile: () => Promise<void>,
    matches = isTransaction,
  ): Promise<void> {
    const { slow } = await overtaken(() => erasures.carryOut(userId, Date.now() + SETTLE_MS + 1), meanwhile, matches);
    expect(slow).toBe("done");
  }

  it.each([
    ["vote that is taken back", "withdraw", aVote],
    ["vote that stays", "keep", aVote],
    ["comment", "keep", aComment],
  ] as const)("finds a %s on a post that is merged meanwhile", async (_, kept, leave) => {
    const [person, author] = await Promise.all([aMember(NAME), aMember()]);
    const [post, target] = await Promise.all([aPost(author), aPost(author)]);
    await leave(post.postId, person);
    success(await deleteOther(person, { votes: kept }), 202);
    await eraseAround(person, () => mergeInto(post, target.postId, { waits: true }));
    await moveAll(post.postId);
    await expectSound();
  });

  it("finds a post that is merged meanwhile, and one that is taken out of a merge", async () => {
    const person = await aMember();
    const [post, target] = await Promise.all([aPost(person), aPost(await aMember())]);
    success(await deleteOther(person), 202);
    const again = await aMember();
    const merged = await aPost(again);
    await mergeInto(merged, target.postId);
    success(await deleteOther(again), 202);
    await eraseAround(person, () => mergeInto(post, target.postId));
    await eraseAround(again, () => takeOut(merged));
    await expectSound();
  });

  it("finds a post that is taken out of a merge between its two looks", async () => {
    const person = await aMember();
    const [post, target] = await Promise.all([aPost(person), aPost(await aMember())]);
    await mergeInto(post, target.postId);
    success(await deleteOther(person), 202);
    const looksForMerged = ({ input }: Attempt) => JSON.stringify(input).includes(`"MERGED#${post.postId}"`);
    await eraseAround(person, () => takeOut(post), looksForMerged);
    await expectSound();
  });

  it("comes to its end wherever it is killed, again and again", async () => {
    const { person, texts } = await aFullLife();
    for (const votesOf of ["keep", "withdraw"] as const) {
      const subject = votesOf === "keep" ? person : (await aFullLife("member")).person;
      for (let call = 1, isCut = true; isCut; call++) {
        isCut = await cutAt(
          call,
          () => deleteOther(subject, { votes: votesOf }),
          () => "lose the answer",
        );
        await expectSound();
      }
      for (let call = 1, isCut = true; isCut; call++) {
        isCut = await cutAt(call, () => erasures.carryOut(subject.userId, Date.now() + SETTLE_MS + 1));
        await expectSound();
      }
      await carryOutAll(sendMail);
      expect(await tracesOf([{ ...subject, texts: texts.slice(0, 1) }])).toEqual([]);
    }
  });

  it("leaves work that is not done to the next minute", async () => {
    const ada = await aMember("Ada");
    await aPost(ada);
    success(await deleteOwn(ada), 202);
    expect((await handOver(erase, key.erasure(ada.userId))).failed).toEqual([]);
    expect(await due.entriesOf("ERASURES")).toMatchObject([{ id: ada.userId, reason: "continues later" }]);
    expect((await scan()).filter(({ pk }) => pk === "ERASED")).toMatchObject([{ sk: ada.userId, votes: "keep" }]);
  });
});
