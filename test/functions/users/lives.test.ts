import { describe, expect } from "vitest";
import { work as announce } from "../../../functions/background/announce.ts";
import { work as sendMail } from "../../../functions/background/send-mail.ts";
import { work as sendNotices } from "../../../functions/background/send-notices.ts";
import * as erasures from "../../../lib/cleanup/erasures.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import { carryOutAll, invoke, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { cutAt } from "../../support/store/faults.ts";
import { aPost, aReader, aUser, type Person, strangersVote } from "../../support/world/fixtures.ts";
import { type Dice, generated } from "../../support/world/generated.ts";
import { tracesOf } from "../../support/world/traces.ts";

// People live side by side, have posts, votes and mails under way, and leave one after the other, while the work of
// their erasures is killed again and again.

const ACTIONS = 8;

const NAMES = ["Zoé Ångström", "Nguyễn Thị Hà", "山田 花子", "Łukasz O'Hara-Ünal", "Ağaoğlu+Çelik"];

type Post = { postId: string };

/** Does something at random that leaves a trace; refusals are part of life. */
async function act(dice: Dice, person: Person, posts: Post[]): Promise<void> {
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
    () => portal.rename(dice.oneOf(NAMES), person),
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
    const people: Person[] = [];
    const lives = dice.times(32);
    for (let n = 0; n < lives; n++) {
      const person = await aReader(dice.oneOf(["member", "moderator"]));
      success(await portal.rename(dice.oneOf(NAMES), person), 200);
      people.push(person);
    }
    for (let n = 0; n < lives * ACTIONS; n++) await act(dice, dice.oneOf(people), posts);
    while (people.length > 0) {
      const [gone] = people.splice(dice.below(people.length), 1) as [Person];
      const body = { votes: dice.oneOf(["keep", "withdraw"]) };
      success(await invoke("users-delete-profile", { token: gone.token, body }), 202);
      if (people.length > 0) await act(dice, dice.oneOf(people), posts);
      await eraseKilled(dice, gone);
      await portal.finishRenames();
      expect(await carryOutAll(sendMail)).toBe(true);
      await carryOutAll(sendNotices);
      expect(await tracesOf([{ ...gone, texts: [gone.email, `new.${gone.email}`, gone.username] }])).toEqual([]);
      await expectSound();
    }
  });
});
