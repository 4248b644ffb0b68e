import { beforeAll, describe, expect, it } from "vitest";
import { handler as page } from "../../../functions/documents/unsubscribe.ts";
import { handler as unsubscribe } from "../../../functions/users/unsubscribe.ts";
import { check } from "../../../infra/operator/check-table/check.ts";
import { tokensOf } from "../../../lib/accounts/unsubscribe-tokens.ts";
import { newId } from "../../../lib/values/ids.ts";
import { eventOf, lambdaContext, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { freshTable, newContainer } from "../../support/setup.ts";
import { aMember, aPost, aVote, type Person } from "../../support/world/fixtures.ts";

let ada: Person;
let grace: Person;

beforeAll(async () => {
  await freshTable();
  [ada, grace] = [await aMember(), await aMember()];
});

describe("The notifications of an account", () => {
  it("begin with statuses and replies, and then follow the account's choice", async () => {
    const kay = await aMember();
    expect(await portal.mails(kay)).toEqual({ status: true, comments: false, replies: true });
    const chosen = { status: false, comments: true, replies: true };
    expect(success(await portal.chooseMails(chosen, kay), 200).mail).toEqual(chosen);
    expect(await portal.mails(kay)).toEqual(chosen);
    refusal(await portal.chooseMails({ replies: null }, kay), "VALIDATION_ERROR");
    expect(await portal.mails(kay)).toEqual(chosen);
  });
});

describe("Following a post", () => {
  it("begins automatically for author and voters, and by choice for others", async () => {
    const post = await aPost(ada);
    expect([await portal.isFollowing(post, ada), await portal.isFollowing(post, grace)]).toEqual([true, false]);
    await aVote(post.postId, grace);
    expect(await portal.isFollowing(post, grace)).toBe(true);
    const left = { subscription: { isFollowing: false } };
    for (const person of [ada, grace]) expect(success(await portal.leave(post, person), 200)).toEqual(left);
    expect([await portal.isFollowing(post, ada), await portal.isFollowing(post, grace)]).toEqual([false, false]);
    await portal.follow(post, grace);
    await portal.follow(post, grace);
    expect(await portal.isFollowing(post, grace)).toBe(true);
  });
});

describe("The token that ends notifications", () => {
  it("stops the mails of a post, or all, as often as it is used", async () => {
    const kay = await aMember();
    const post = await aPost(kay);
    const token = await tokensOf(kay.userId);
    for (let n = 0; n < 2; n++) success(await portal.unsubscribe(token(post.postId)), 200);
    expect(await portal.isFollowing(post, kay)).toBe(false);
    expect(await portal.mails(kay)).toMatchObject({ status: true });
    for (let n = 0; n < 2; n++) success(await portal.unsubscribe(token("all")), 200);
    expect(await portal.mails(kay)).toEqual({ status: false, comments: false, replies: false });
  });

  it("stays the same for ever, and outlives a new signing secret", async () => {
    const { SIGNING_SECRET = "" } = process.env;
    const before = (await tokensOf(ada.userId))("all");
    newContainer({ SIGNING_SECRET: "another secret of at least 32 characters" });
    expect((await tokensOf(ada.userId))("all")).toBe(before);
    newContainer({ SIGNING_SECRET });
    const [one, other] = await Promise.all([tokensOf(grace.userId), tokensOf(grace.userId)]);
    expect(one("all")).toBe(other("all"));
  });

  it("changes nothing if it is forged, and gets the same answer", async () => {
    const kay = await aMember();
    const post = await aPost(kay);
    const good = await tokensOf(kay.userId);
    const answer = success(await portal.unsubscribe(good(newId())), 200);
    const [userId, , signature] = good("all").split(".");
    const forged = [
      undefined,
      "",
      "a",
      `${good("all")}=`,
      `${userId}.${post.postId}.${signature}`,
      `${ada.userId}.all.${signature}`,
      `${newId()}.all.${signature}`,
      good("all").toUpperCase(),
    ];
    for (const token of forged) expect(success(await portal.unsubscribe(token), 200)).toEqual(answer);
    expect([await portal.isFollowing(post, kay), (await portal.mails(kay)).status]).toEqual([true, true]);
    expect((await portal.mails(ada)).status).toBe(true);
    expect(await check()).toEqual([]);
  });

  it("needs no session, and cannot be used as one", async () => {
    const token = (await tokensOf(ada.userId))("all");
    refusal(await portal.chooseMails({ comments: true }, { token }), "INVALID_TOKEN");
  });
});

describe("The page behind the link of a mail", () => {
  it("shows one button and no script, and changes nothing", async () => {
    const { statusCode, headers, body } = await page();
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(body.match(/<(form|button|script|input|a)\b[^>]*>/g)).toEqual([
      '<form method="post">',
      '<button class="button">',
    ]);
  });

  it("answers a browser's form by a page, and a mail program by JSON", async () => {
    const kay = await aMember();
    const query = { token: (await tokensOf(kay.userId))("all") };
    const event = eventOf(unsubscribe, { query });
    const form = {
      ...event,
      headers: { ...event.headers, accept: "text/html,*/*", "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    };
    const answer = await unsubscribe(form, lambdaContext());
    expect([answer.statusCode, answer.headers?.["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.body).toContain("You are unsubscribed");
    expect((await portal.mails(kay)).status).toBe(false);
    const program = { ...form, headers: { ...form.headers, accept: "*/*" } };
    expect((await unsubscribe(program, lambdaContext())).body).toBe('{"unsubscribe":{"success":true}}');
  });
});
