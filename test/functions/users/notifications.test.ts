import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { check } from "../../../infra/operator/check-table/check.ts";
import { tokensOf } from "../../../lib/accounts/unsubscribe-tokens.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId } from "../../../lib/values/ids.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import { serveEndpoints } from "../../support/http/listen.ts";
import * as portal from "../../support/portal.ts";
import { freshTable, newContainer } from "../../support/setup.ts";
import { aBoard, aMember, aPost, aReader, aVote, type Person } from "../../support/world/fixtures.ts";

const server = serveEndpoints();

let ada: Person;
let grace: Person;

beforeAll(async () => {
  await freshTable();
  [ada, grace] = [await aMember(), await aMember()];
});

describe("The notifications of an account", () => {
  it("begin with statuses and replies, and then follow the account's choice", async () => {
    const kay = await aMember();
    expect(await portal.mails(kay)).toEqual({
      status: true,
      comments: false,
      replies: true,
      ownPosts: true,
      newPosts: false,
      digest: false,
    });
    const chosen = { status: false, comments: true, replies: true, ownPosts: false };
    const shown = { ...chosen, newPosts: false, digest: false };
    expect(success(await portal.chooseMails(chosen, kay), 200).mail).toEqual(shown);
    expect(await portal.mails(kay)).toEqual(shown);
    refusal(await portal.chooseMails({ replies: null }, kay), "VALIDATION_ERROR");
    expect(await portal.mails(kay)).toEqual(shown);
  });
});

describe("Comments on own posts", () => {
  it("keep their choice where a client does not name them", async () => {
    const kay = await aMember();
    for (const ownPosts of [false, true]) {
      await portal.chooseMails({ ownPosts }, kay);
      await portal.chooseMails({ status: false }, kay);
      expect((await portal.mails(kay)).ownPosts).toBe(ownPosts);
    }
  });

  it("come to accounts that chose before there was this choice, unless these wanted no mails", async () => {
    const some = await aMember();
    const none = await aMember();
    const stored = { status: false, comments: false, replies: true };
    await transact({
      some: setFields(key.user(some.userId), { mail: stored }),
      none: setFields(key.user(none.userId), { mail: { ...stored, replies: false } }),
    });
    expect((await portal.mails(some)).ownPosts).toBe(true);
    expect((await portal.mails(none)).ownPosts).toBe(false);
  });
});

describe("Following a post", () => {
  it("lists which mails come: comments to the author, to others by choice, none before a confirmation", async () => {
    const author = await aReader();
    const post = await aPost(author);
    const read = async (by: Person) =>
      success(await invoke("posts-subscription", { token: by.token, params: { postId: post.postId } }), 200)
        .subscription;
    const both = { status: true, comments: true };
    expect(await read(author)).toEqual({ isFollowing: true, hasChosen: false, isVerified: true, mails: both });
    await portal.chooseMails({ ownPosts: false, status: false }, author);
    expect((await read(author)).mails).toEqual({ status: false, comments: false });
    expect(await read(grace)).toEqual({
      isFollowing: false,
      hasChosen: false,
      isVerified: false,
      mails: { status: true, comments: false },
    });
    await portal.chooseMails({ comments: true }, grace);
    expect((await read(grace)).mails).toEqual(both);
    await portal.leave(post, grace);
    expect(await read(grace)).toMatchObject({ isFollowing: false, hasChosen: true });
  });

  it("begins automatically for author and voters, and by choice for others", async () => {
    const post = await aPost(ada);
    expect(await portal.isFollowing(post, ada)).toBe(true);
    expect(await portal.isFollowing(post, grace)).toBe(false);
    await aVote(post.postId, grace);
    expect(await portal.isFollowing(post, grace)).toBe(true);
    const left = { subscription: { isFollowing: false } };
    for (const person of [ada, grace]) expect(success(await portal.leave(post, person), 200)).toEqual(left);
    expect(await portal.isFollowing(post, ada)).toBe(false);
    expect(await portal.isFollowing(post, grace)).toBe(false);
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
    expect(await portal.mails(kay)).toEqual({
      status: false,
      comments: false,
      replies: false,
      ownPosts: false,
      newPosts: false,
      digest: false,
    });
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
    expect(await portal.isFollowing(post, kay)).toBe(true);
    expect((await portal.mails(kay)).status).toBe(true);
    expect((await portal.mails(ada)).status).toBe(true);
    expect(await check()).toEqual([]);
  });

  it("needs no session, and cannot be used as one", async () => {
    const token = (await tokensOf(ada.userId))("all");
    refusal(await portal.chooseMails({ comments: true }, { token }), "INVALID_TOKEN");
  });
});

describe("The page behind the link of a mail", () => {
  let kay: Person;
  let post: { postId: string; title: string };
  let token: (scope: string) => string;

  beforeEach(async () => {
    kay = await aMember();
    post = await aPost(kay, { title: 'A <dark> "mode"' });
    token = await tokensOf(kay.userId);
  });

  it("shows one button and no script, and changes nothing", async () => {
    const body = await portal.openLink("open", token("all"));
    expect(body.match(/<(form|button|script|input|a)\b[^>]*>/g)).toEqual([
      '<a href="http://localhost:3000">',
      '<form method="post">',
      '<button class="button" style="background: #484d7c; color: #ffffff">',
    ]);
    expect((await portal.mails(kay)).status).toBe(true);
  });

  it("names the site and what ends: the post by its title, or all mails", async () => {
    const ofPost = await portal.openLink("open", token(post.postId));
    expect(ofPost).toContain("emails from http://localhost:3000 about “A &lt;dark&gt; &quot;mode&quot;”");
    expect(await portal.openLink("open", token("all"))).toContain("Press the button to end them all.");
    const done = await portal.openLink("press", token(post.postId));
    expect(done).toContain("You will get no more emails from http://localhost:3000 about “A &lt;dark&gt;");
    expect(done).not.toContain("<button");
    expect(await portal.isFollowing(post, kay)).toBe(false);
    expect(await portal.openLink("press", token("all"))).toContain(
      "You will get no more emails from http://localhost:3000 about posts.",
    );
    expect((await portal.mails(kay)).status).toBe(false);
  });

  it("shows no title of a post that not everybody may read, or that is gone", async () => {
    const { boardId } = await aBoard({ display: false });
    const hidden = await aPost(kay, { title: "Secret", boardId });
    const body = await portal.openLink("open", token(hidden.postId));
    expect(body).not.toContain("Secret");
    expect(body).toContain("the post in that email");
    success(await portal.deletePost(post, kay), 204);
    expect(await portal.openLink("open", token(post.postId))).not.toContain("<button");
  });

  it.each([
    ["its end is cut off", (whole: string) => whole.slice(0, -3)],
    ["a bracket follows it", (whole: string) => `${whole})`],
    ["an equals sign follows it", (whole: string) => `${whole}=`],
    ["a full stop follows it", (whole: string) => `${whole}.`],
    ["a letter of it is another one", (whole: string) => whole.replace(/.$/, (last) => (last === "A" ? "B" : "A"))],
    ["it is in capitals", (whole: string) => whole.toUpperCase()],
    ["it is in small letters", (whole: string) => whole.toLowerCase()],
    ["it is empty", () => ""],
    ["it is missing", () => undefined],
  ])("says that the link is not complete, before the button and after it, if %s", async (_, altered) => {
    for (const scope of ["all", post.postId]) {
      for (const how of ["open", "press"] as const) {
        const body = await portal.openLink(how, altered(token(scope)));
        expect(body).toContain("This link is not complete");
        expect(body).not.toMatch(/<button|unsubscribed/);
      }
    }
    const mails = await portal.mails(kay);
    expect(mails.status).toBe(true);
    expect(await portal.isFollowing(post, kay)).toBe(true);
  });

  it.each([
    ["de-AT,de;q=0.9,en;q=0.1", "de", "E-Mails abbestellen"],
    ["en;q=0.1,de;q=0.9", "de", "E-Mails abbestellen"],
    ["fi,de;q=0.5", "de", "E-Mails abbestellen"],
    ["es-419", "es", "Cancelar la suscripción"],
    ["fr-CA", "fr", "Se désabonner"],
    ["pt-BR", "pt", "Cancelar inscrição"],
    ["ja-JP", "ja", "配信停止"],
    ["en-GB", "en", "Unsubscribe"],
    ["fi", "en", "Unsubscribe"],
    ["*", "en", "Unsubscribe"],
    ["den", "en", "Unsubscribe"],
    [";;q=,", "en", "Unsubscribe"],
  ])("speaks the language of its reader: %s", async (accepted, language, button) => {
    const body = await portal.openLink("open", token("all"), { "accept-language": accepted });
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).toContain(`>${button}</button>`);
  });

  it("is JSON for a program, which learns what the link ends", async () => {
    const asked = async (scope?: string) =>
      success(await invoke("users-unsubscription", { query: scope ? { token: token(scope) } : {} }), 200).unsubscribe;
    expect(await asked(post.postId)).toEqual({ scope: "post", title: post.title, isEnded: false });
    await portal.leave(post, kay);
    expect(await asked(post.postId)).toEqual({ scope: "post", title: post.title, isEnded: true });
    expect(await asked("all")).toEqual({ scope: "all", title: null, isEnded: false });
    expect(await asked()).toEqual({ scope: null, title: null, isEnded: false });
  });

  it("lets a browser name the origin of its form, and no other site learn its address", async () => {
    const { headers } = await invoke("users-unsubscription", { headers: { accept: "text/html" } });
    expect(headers["referrer-policy"]).toBe("same-origin");
    expect(headers["cache-control"]).toBe("no-store");
  });
});

describe("The address that a mail leads to", () => {
  it("answers HEAD as GET without a body, and ends no mails: programs that check links ask so", async () => {
    const kay = await aMember();
    const token = (await tokensOf(kay.userId))("all");
    const address = `http://127.0.0.1:${server.port}/api/v1/unsubscribe?token=${token}`;
    const before = await portal.mails(kay);
    for (const accept of ["application/json", "text/html"]) {
      const head = await fetch(address, { method: "HEAD", headers: { accept } });
      expect(head.status, accept).toBe(200);
      expect(head.headers.get("content-type"), accept).toContain(accept);
      expect(await head.text(), accept).toBe("");
    }
    expect(await portal.mails(kay)).toEqual(before);
  });
});
