import { beforeAll, describe, expect } from "vitest";
import { work as announce } from "../../../functions/background/announce.ts";
import { work as sendMail } from "../../../functions/background/send-mail.ts";
import { work as sendNotices } from "../../../functions/background/send-notices.ts";
import { handler as deliver } from "../../../functions/scheduled/deliver.ts";
import * as erasures from "../../../lib/cleanup/erasures.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import { carryOutAll, invoke, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { type Receiver, startReceiver } from "../../support/process/receiver.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { cutAt } from "../../support/store/faults.ts";
import { aPost, aReader, aUser, aWebhook, type Person, strangersVote } from "../../support/world/fixtures.ts";
import { type Dice, generated } from "../../support/world/generated.ts";
import { moveAll } from "../../support/world/merges.ts";
import { tracesOf } from "../../support/world/traces.ts";

// People live side by side, have posts, votes, mails, messages of webhooks, merges and renames under way, and leave one
// after the other, while the work of their erasures is killed again and again. Thousands of lives, without this engine:
// npm run simulate -- --profile lives.

const ACTIONS = 8;

const NAMES = ["Zoé Ångström", "Nguyễn Thị Hà", "山田 花子", "Łukasz O'Hara-Ünal", "Ağaoğlu+Çelik"];

type Post = { postId: string };
/** A person, and every name that they had. */
type Life = Person & { names: string[] };
type Site = { owner: Person; posts: Post[] };

let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});

/** Gives a person a name that nobody else has. */
function rename(dice: Dice, life: Life) {
  const name = `${dice.oneOf(NAMES)} ${dice.below(2 ** 32).toString(36)}`;
  life.names.push(name);
  return portal.rename(name, life);
}

/** The team merges a post into another one, or takes it out; often its votes still move when a person leaves. */
async function merge(dice: Dice, { owner: { token }, posts }: Site): Promise<void> {
  const params = dice.oneOf(posts);
  const body = { into: dice.oneOf(posts).postId };
  await (dice.below(10) < 6
    ? invoke("posts-merge", { token, params, body })
    : invoke("posts-unmerge", { token, params }));
  if (dice.below(10) < 4) await moveAll(params.postId);
}

/** Does something at random that leaves a trace; refusals are part of life. */
async function act(dice: Dice, person: Life, site: Site): Promise<void> {
  const { posts } = site;
  const post = dice.oneOf(posts);
  const { token } = person;
  const actions = [
    async () => {
      const { body } = await portal.post({ title: `A wish ${dice.below(1000)}` }, person);
      posts.push(body.post);
    },
    () => portal.vote(post, person),
    () => portal.unvote(post, person),
    () => portal.comment(post, { body: "I agree" }, person),
    () => portal.comment(post, { body: "A note", is_internal: true }, person),
    () => portal.follow(post, person),
    () => portal.leave(post, person),
    () => rename(dice, person),
    () => merge(dice, site),
    () => merge(dice, site),
    () => deliver({}),
    () => invoke("users-change-email", { token, body: { email: `new.${person.email}` } }),
    () => invoke("auth-magic", { body: { email: person.email } }),
    () => invoke("keys-create", { token, body: { name: "A key", scopes: ["post:create"] } }),
    () => carryOutAll(announce),
    () => carryOutAll(sendMail),
    () => carryOutAll(sendNotices),
  ];
  await dice.oneOf(actions)();
}

/** Kills the work at random calls until it has come to its end. */
async function eraseKilled(dice: Dice, { userId }: Person): Promise<void> {
  const later = Date.now() + SETTLE_MS + 1;
  for (let isKilled = true; isKilled; ) {
    isKilled = await cutAt(
      1 + dice.below(30),
      () => erasures.carryOut(userId, later),
      () => dice.oneOf(["lose the answer", new Error("killed")] as const),
    ).catch(() => true);
  }
}

describe("People who leave", () => {
  generated("leave no trace, whatever they did and wherever the work was killed", async (dice) => {
    await freshTable();
    const owner = await aUser("owner");
    const posts: Post[] = [await aPost(owner), await aPost(owner)];
    for (const { postId } of posts) await strangersVote(postId, dice.below(9));
    const site = { owner, posts };
    receiver.secrets = [(await aWebhook(owner, { url: receiver.url })).secret];
    receiver.answer = (response) => response.writeHead(dice.oneOf([204, 500])).end();
    const people: Life[] = [];
    const lives = dice.times(32);
    for (let n = 0; n < lives; n++) {
      const reader = await aReader(dice.oneOf(["member", "moderator"]));
      const person = { ...reader, names: [reader.name] };
      success(await rename(dice, person), 200);
      people.push(person);
    }
    for (let n = 0; n < lives * ACTIONS; n++) await act(dice, dice.oneOf(people), site);
    while (people.length > 0) {
      const [gone] = people.splice(dice.below(people.length), 1) as [Life];
      const body = { votes: dice.oneOf(["keep", "withdraw"]) };
      success(await invoke("users-delete-profile", { token: gone.token, body }), 202);
      if (people.length > 0) await act(dice, dice.oneOf(people), site);
      await eraseKilled(dice, gone);
      await portal.finishRenames();
      expect(await carryOutAll(sendMail)).toBe(true);
      await carryOutAll(sendNotices);
      const texts = [gone.email, `new.${gone.email}`, gone.username, ...gone.names];
      expect(await tracesOf([{ ...gone, texts }])).toEqual([]);
      await expectSound();
    }
  });
});
