import { beforeEach, describe, expect, it } from "vitest";
import { handler as logIn } from "../../../functions/auth/log-in.ts";
import { handler as passwordReset } from "../../../functions/auth/password-reset.ts";
import { handler as passwordSet } from "../../../functions/auth/password-set.ts";
import { handler as signUp } from "../../../functions/auth/sign-up.ts";
import { handler as createUser } from "../../../functions/users/create.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as due from "../../../lib/table/due.ts";
import { createdAt } from "../../../lib/values/ids.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { measured } from "../../support/store/calls.ts";
import { costOf, planOf } from "../../support/store/plans.ts";
import { expectSound } from "../../support/store/sound.ts";
import { aWorld, type World } from "../../support/world/examples.ts";
import { sendLetters, tokenIn } from "../../support/world/letters.ts";

let world: World;

beforeEach(async () => {
  await freshTable();
  world = await aWorld();
});

const email = "grace@example.com";
function call(body: unknown, token = world.owner.token) {
  return invoke(createUser, { token, body });
}

describe("POST /users", () => {
  it("makes an account, without a mail", async () => {
    const waiting = await due.waitingIds("OUTBOX");
    const { user, created } = success(await call({ email: " Grace@Example.com ", name: "Grace Hopper" }), 200);
    expect([user, created]).toEqual([
      {
        userId: user.userId,
        name: "Grace Hopper",
        username: expect.stringMatching(/^gracehopper_[0-9a-z]{8}$/),
        email,
        isVerified: false,
        avatar: expect.stringContaining("gravatar"),
        role: "member",
        createdAt: createdAt(user.userId),
      },
      true,
    ]);
    expect(await due.waitingIds("OUTBOX")).toEqual(waiting);
    await expectSound();
  });

  it("finds an account by its address and changes nothing of it", async () => {
    const { userId, name } = world.moderator;
    const { status, body, calls } = await call({ email: world.moderator.email.toUpperCase(), name: "Another" });
    expect([status, body]).toMatchObject([200, { user: { userId, name, role: "moderator" }, created: false }]);
    expect(calls.filter(({ writeUnits }) => writeUnits > 0)).toEqual([]);
  });

  it("makes one account of many calls at once, and answers it to all", async () => {
    const before = await users.count();
    const replies = await Promise.all(Array.from({ length: 16 }, () => call({ email })));
    const answers = replies.map((reply) => success(reply, 200));
    expect(new Set(answers.map(({ user }) => user.userId)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(await users.count()).toBe(before + 1);
    await expectSound();
  });

  it("makes an account that nobody can log in to until a password is set by mail", async () => {
    success(await call({ email }), 200);
    for (const password of ["no password", "\0", "A".repeat(43)]) {
      refusal(await invoke(logIn, { body: { email, password } }), "INCORRECT_PASSWORD");
    }
    refusal(await invoke(signUp, { body: { email, password: "correct horse staple" } }), "USER_EXISTS");
    await invoke(passwordReset, { body: { email } });
    const token = tokenIn((await sendLetters()).find(({ to }) => to === email));
    const password = "correct horse staple";
    success(await invoke(passwordSet, { body: { token, password } }), 200);
    success(await invoke(logIn, { body: { email, password } }), 200);
    await expectSound();
  });

  it("works while signup is closed", async () => {
    const stored = await site.find();
    if (!stored) throw new Error("the site is not set up");
    await site.change(stored, { allowSignup: false });
    expect(success(await call({ email }), 200).created).toBe(true);
    refusal(
      await invoke(signUp, { body: { email: "ada@example.com", password: "correct horse" } }),
      "SIGNUP_NOT_ALLOWED",
    );
    await expectSound();
  });

  it("costs six writes, or the look-up of the account", async () => {
    const made = await measured(() => call({ email }));
    expect(costOf(made.calls)).toMatchObject({ steps: 2, readUnits: 2, writeUnits: 12 });
    const found = await measured(() => call({ email }));
    expect(planOf(found.calls)).toBe("GetItem EMAIL | GetItem USER ; GetItem USER");
    expect(costOf(found.calls)).toMatchObject({ steps: 2, readUnits: 3, writeUnits: 0 });
  });

  it("refuses bad addresses and names, and every caller but the owner", async () => {
    for (const bad of [undefined, null, "", "grace", 7]) refusal(await call({ email: bad }), "EMAIL_INVALID");
    for (const name of ["", "x".repeat(61), 7]) {
      refusal(await call({ email, name }), "VALIDATION_ERROR", "body.name");
    }
    for (const { token } of [world.moderator, world.member, world.suspended]) {
      refusal(await call({ email }, token), "NOT_ENOUGH_PERMISSION");
    }
    expect(await users.idOf(email)).toBeUndefined();
  });
});
