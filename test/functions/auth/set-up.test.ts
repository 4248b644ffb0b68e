import { beforeEach, describe, expect, it } from "vitest";
import { handler as setUp } from "../../../functions/auth/set-up.ts";
import { handler as signUp } from "../../../functions/auth/sign-up.ts";
import { handler as listBoards } from "../../../functions/boards/list.ts";
import { handler as createPost } from "../../../functions/posts/create.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newContainer } from "../../support/container.ts";
import { anId, aTime, aToken, refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { aMember } from "../../support/world/fixtures.ts";
import { avatar } from "../../support/world/resources.ts";

const password = "correct horse";
const owner = { email: "Owner@Example.com", password };
function call(body: unknown) {
  return invoke(setUp, { body });
}

beforeEach(freshTable);

describe("POST /auth/setup", () => {
  it("creates the owner and answers every field", async () => {
    const { user } = success(await call({ ...owner, name: " Ada ", siteTitle: " Our board " }), 201);
    expect(user).toStrictEqual({
      authToken: aToken,
      userId: anId,
      name: "Ada",
      username: expect.stringMatching(/^ada_[0-9a-z]{8}$/),
      email: "owner@example.com",
      avatar: avatar(user.userId),
    });
    expect(await users.find(user.userId)).toMatchObject({ role: "owner" });
    expect(await site.find()).toMatchObject({ ownerId: user.userId, title: "Our board" });
    expect((await outbox.waiting()).map(({ to }) => to)).toEqual(["owner@example.com"]);
  });

  it("creates the first board, and the first post is on it", async () => {
    const { user } = success(await call({ ...owner, name: null, siteTitle: null }), 201);
    expect(user.name).toBe("owner");
    const { boards } = success(await invoke(listBoards, { token: user.authToken }), 200);
    expect(boards).toStrictEqual([
      {
        boardId: anId,
        name: "Feedback",
        url: "feedback",
        color: expect.stringMatching(/^[0-9a-f]{6}$/),
        createdAt: aTime,
        post_count: "0",
      },
    ]);
    const { post } = success(await invoke(createPost, { token: user.authToken, body: { title: "First" } }), 201);
    expect(post.boardId).toBe(boards[0].boardId);
  });

  it("can be completed once", async () => {
    success(await call(owner), 201);
    refusal(await call({ ...owner, email: "second@example.com" }), "SETUP_COMPLETED");
    refusal(await call(owner), "SETUP_COMPLETED");
  });

  it("needs the code of the setting SETUP_CODE, if there is one", async () => {
    newContainer({ SETUP_CODE: "open sesame" });
    try {
      for (const setupCode of [undefined, null, "", "open sesam", "Open sesame", "open sesame "]) {
        const reply = await call({ ...owner, setupCode });
        refusal(reply, "NOT_ENOUGH_PERMISSION");
        expect(reply.calls.filter(({ writeUnits }) => writeUnits > 0)).toEqual([]);
      }
      refusal(await call({ ...owner, setupCode: 1 }), "VALIDATION_ERROR");
      refusal(await call({ email: "", setupCode: "wrong" }), "EMAIL_INVALID");
      success(await call({ ...owner, setupCode: "open sesame" }), 201);
      // As the contract says, whatever the code.
      refusal(await call({ ...owner, setupCode: "wrong" }), "SETUP_COMPLETED");
    } finally {
      newContainer({ SETUP_CODE: "" });
    }
  });

  it("ignores a code without that setting", async () => {
    success(await call({ ...owner, setupCode: "anything" }), 201);
  });

  it("works after signups of members; an address that has an account cannot become the owner's", async () => {
    const { email } = await aMember();
    refusal(await call({ email: email.toUpperCase(), password }), "USER_EXISTS");
    expect(await site.find()).toBeUndefined();
    success(await call(owner), 201);
    refusal(await call({ email, password }), "SETUP_COMPLETED");
  });

  it("stores nothing when it is refused", async () => {
    const { email } = await aMember();
    refusal(await call({ email, password }), "USER_EXISTS");
    const { user } = success(await call(owner), 201);
    const { boards } = success(await invoke(listBoards, { token: user.authToken }), 200);
    expect(boards).toHaveLength(1);
  });

  it("checks address, password, other fields, SETUP_COMPLETED and USER_EXISTS in this order", async () => {
    const { email } = await aMember();
    const inOrder = async (): Promise<void> => {
      refusal(await call({ email: "no", password: "", name: "", siteTitle: "" }), "EMAIL_INVALID");
      refusal(await call({ email, name: "" }), "PASSWORD_MISSING");
      refusal(
        await call({ email, password: "short", name: "", siteTitle: " " }),
        "VALIDATION_ERROR",
        "body.password",
        "body.name",
        "body.siteTitle",
      );
    };
    await inOrder();
    refusal(await call({ email, password }), "USER_EXISTS");
    success(await call(owner), 201);
    await inOrder();
    refusal(await call({ email, password }), "SETUP_COMPLETED");
  });

  it("does not hash once the site is set up", async () => {
    success(await call(owner), 201);
    const { calls } = await call({ ...owner, email: "second@example.com" });
    expect(calls.map(({ operation }) => operation)).toEqual(["GetItem"]);
  });

  it.each([undefined, null, "", " ", "no", 5, {}, ["a@example.com"], "a@b", "\u0000@example.com"])(
    "refuses %j as an address",
    async (email) => {
      const reply = await call({ email, password });
      refusal(reply, "EMAIL_INVALID");
      expect(reply.calls).toEqual([]);
    },
  );

  it.each([
    ["name", ["", " ", "x".repeat(61), 5, {}, [], "a\u0000", "\ud800"]],
    ["siteTitle", ["", " ", 5, {}, [], false, "a\u0000", "\ud800"]],
  ])("refuses a %s that is no text or has a wrong length", async (field, values) => {
    for (const value of values) {
      refusal(await call({ ...owner, [field]: value }), "VALIDATION_ERROR", `body.${field}`);
    }
    expect(await site.find()).toBeUndefined();
  });

  it("answers MAIL_CONFIG_MISSING first of all without a mail sender", async () => {
    success(await call(owner), 201);
    newContainer({ MAIL_TRANSPORT: "none" });
    try {
      for (const body of [owner, {}, undefined, "{", "x".repeat(140_000)]) {
        refusal(await call(body), "MAIL_CONFIG_MISSING");
        refusal(await invoke(signUp, { body }), "MAIL_CONFIG_MISSING");
      }
    } finally {
      newContainer({ MAIL_TRANSPORT: "log" });
    }
  });
});
