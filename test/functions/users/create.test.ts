import { beforeEach, describe, expect, it } from "vitest";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as due from "../../../lib/table/due.ts";
import { createdAt } from "../../../lib/values/ids.ts";
import { atOnce, invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { measured, planOf } from "../../support/store/calls.ts";
import { aWorld, type World } from "../../support/world/examples.ts";
import { sendLetters, tokenIn } from "../../support/world/letters.ts";
import { avatar } from "../../support/world/resources.ts";

const email = "grace@example.com";
const password = "correct horse staple";

let world: World;
beforeEach(async () => {
  await freshTable();
  world = await aWorld();
});

function create(body: unknown) {
  return invoke("users-create", { token: world.owner.token, body });
}

describe("POST /users", () => {
  it("makes an account, without a mail", async () => {
    const waiting = await due.waitingIds("OUTBOX");
    const { user, created } = success(await create({ email: " Grace@Example.com ", name: "Grace Hopper" }), 200);
    expect(created).toBe(true);
    expect(user).toEqual({
      userId: user.userId,
      name: "Grace Hopper",
      username: expect.stringMatching(/^gracehopper_[0-9a-z]{8}$/),
      email,
      isVerified: false,
      twoFactor: false,
      avatar: avatar(user.userId),
      role: "member",
      createdAt: createdAt(user.userId),
      invitedAt: null,
    });
    expect(await due.waitingIds("OUTBOX")).toEqual(waiting);
    await expectSound();
  });

  it("shows nothing of the address of an account without a name, to whose holder nobody has spoken", async () => {
    const { user } = success(await create({ email }), 200);
    expect(user).toMatchObject({ name: "New member", username: expect.stringMatching(/^user_[0-9a-z]{8}$/) });
  });

  it("finds an account by its address for the cost of a look-up, and leaves it unchanged", async () => {
    const { userId, name } = world.moderator;
    const email = world.moderator.email.toUpperCase();
    const reply = await measured(() => create({ email, name: "Another" }));
    expect(success(reply, 200)).toMatchObject({ user: { userId, name, role: "moderator" }, created: false });
    expect(planOf(reply.calls)).toBe("BatchGetItem 2 USER EMAIL ; GetItem USER");
  });

  it("makes one account of 16 calls in parallel, and answers it to all", async () => {
    const before = await users.count();
    const answers = (await atOnce(16, () => create({ email }))).map((reply) => success(reply, 200));
    expect(new Set(answers.map(({ user }) => user.userId)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(await users.count()).toBe(before + 1);
    await expectSound();
  });

  it("makes an account that nobody can log in to until a password is set by mail", async () => {
    success(await create({ email }), 200);
    for (const tried of ["no password", "\0", "A".repeat(43)]) {
      refusal(await portal.logIn(email, tried), "INCORRECT_PASSWORD");
    }
    refusal(await portal.signUp({ email, password }), "USER_EXISTS");
    await invoke("auth-password-reset", { body: { email } });
    const token = tokenIn((await sendLetters()).find(({ to }) => to === email));
    success(await invoke("auth-password-set", { body: { token, password } }), 200);
    success(await portal.logIn(email, password), 200);
    await expectSound();
  });

  it("makes an account while signup is closed", async () => {
    await site.change((await site.find()) as site.Site, { allowSignup: false });
    expect(success(await create({ email }), 200).created).toBe(true);
    refusal(await portal.signUp({ email: "ada@example.com", password }), "SIGNUP_NOT_ALLOWED");
    await expectSound();
  });
});
