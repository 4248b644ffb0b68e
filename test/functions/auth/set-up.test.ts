import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import * as outbox from "../../../lib/accounts/outbox.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import { anId, aTime, aToken, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { freshTable, newContainer } from "../../support/setup.ts";
import { writesIn } from "../../support/store/calls.ts";
import { aMember } from "../../support/world/fixtures.ts";
import { countHashes } from "../../support/world/passwords.ts";
import { avatar } from "../../support/world/resources.ts";

const password = "correct horse";
const owner = { email: "Owner@Example.com", password };

beforeEach(freshTable);

describe("POST /auth/setup", () => {
  it("creates the owner and answers every field", async () => {
    const { user } = success(await portal.setUp({ ...owner, name: " Ada ", siteTitle: " Our board " }), 201);
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

  it("creates the first board, on which the first post is", async () => {
    const { user } = success(await portal.setUp({ ...owner, name: null, siteTitle: null }), 201);
    expect(user.name).toBe("owner");
    const session = { token: user.authToken };
    const boards = await portal.boards(session);
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
    const { post } = success(await portal.post({ title: "First" }, session), 201);
    expect(post.boardId).toBe(boards[0]?.boardId);
  });

  it("requires the code whose hash is SETUP_CODE_SHA256", async () => {
    newContainer({ SETUP_CODE_SHA256: createHash("sha256").update("open sesame").digest("hex") });
    onTestFinished(() => newContainer({ SETUP_CODE_SHA256: "" }));
    for (const setupCode of [undefined, null, "", "open sesam", "Open sesame", "open sesame "]) {
      const reply = await portal.setUp({ ...owner, setupCode });
      refusal(reply, "NOT_ENOUGH_PERMISSION");
      expect(writesIn(reply)).toEqual([]);
    }
    refusal(await portal.setUp({ ...owner, setupCode: 1 }), "VALIDATION_ERROR");
    refusal(await portal.setUp({ email: "", setupCode: "wrong" }), "EMAIL_INVALID");
    success(await portal.setUp({ ...owner, setupCode: "open sesame" }), 201);
    // As the contract says, whatever the code.
    refusal(await portal.setUp({ ...owner, setupCode: "wrong" }), "SETUP_COMPLETED");
  });

  it("checks address, password, other fields, SETUP_COMPLETED and USER_EXISTS in this order", async () => {
    const { email } = await aMember();
    const inOrder = async (): Promise<void> => {
      refusal(await portal.setUp({ email: "no", password: "", name: "", siteTitle: "" }), "EMAIL_INVALID");
      refusal(await portal.setUp({ email, name: "" }), "PASSWORD_MISSING");
      const bad = await portal.setUp({ email, password: "short", name: "", siteTitle: " " });
      refusal(bad, "VALIDATION_ERROR", "body.password", "body.name", "body.siteTitle");
    };
    await inOrder();
    refusal(await portal.setUp({ email: email.toUpperCase(), password }), "USER_EXISTS");
    expect(await site.find()).toBeUndefined();
    success(await portal.setUp(owner), 201);
    await inOrder();
    refusal(await portal.setUp({ email, password }), "SETUP_COMPLETED");
  });

  it("hashes nothing once the site is set up", async () => {
    success(await portal.setUp(owner), 201);
    const { hashes, result } = await countHashes(() => portal.setUp({ ...owner, email: "second@example.com" }));
    expect(hashes).toBe(0);
    expect(result.calls.length).toBe(1);
  });
});
