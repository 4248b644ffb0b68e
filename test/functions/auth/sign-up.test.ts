import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import * as outbox from "../../../lib/accounts/outbox.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newId } from "../../../lib/values/ids.ts";
import { anId, aToken, invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { planOf } from "../../support/store/calls.ts";
import { countHashes } from "../../support/world/passwords.ts";
import { avatar } from "../../support/world/resources.ts";
import { worldNames } from "../../support/world/texts.ts";

const password = "correct horse";

function anAddress(): string {
  return `someone.${newId()}@example.com`;
}

describe("POST /auth/signup", () => {
  it("creates a user and answers every field", async () => {
    const email = anAddress();
    const { user } = success(await portal.signUp({ email, password, name: "  Grace Hopper " }), 201);
    expect(user).toStrictEqual({
      authToken: aToken,
      userId: anId,
      name: "Grace Hopper",
      username: expect.stringMatching(/^gracehopper_[0-9a-z]{8}$/),
      email,
      avatar: avatar(user.userId),
    });
  });

  it.each(worldNames)("keeps the name %s, to its owner and in a post", async (name, latin) => {
    const { user } = success(await portal.signUp({ email: anAddress(), password, name }), 201);
    expect(user.name).toBe(name);
    expect(user.username.replace(/_[0-9a-z]{8}$/, "")).toBe(latin.slice(0, 21) || "user");
    const caller = { token: user.authToken };
    expect(success(await portal.profile(caller), 200).user.name).toBe(name);
    const { post } = success(await invoke("posts-create", { ...caller, body: { title: `A post of ${name}` } }), 201);
    expect(post.title).toBe(`A post of ${name}`);
    expect((await portal.shownPost(post)).author.name).toBe(name);
  });

  it("answers a valid token that contains nothing about the user but the id", async () => {
    const before = Math.floor(Date.now() / 1000);
    const { user } = success(await portal.signUp({ email: anAddress(), password }), 201);
    expect(decodeProtectedHeader(user.authToken)).toStrictEqual({
      alg: "HS256",
      kid: expect.stringMatching(/./),
      typ: "at+jwt",
    });
    const claims = decodeJwt(user.authToken);
    expect(claims).toStrictEqual({
      iss: expect.stringMatching(/./),
      aud: expect.stringMatching(/./),
      sub: user.userId,
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 7 * 24 * 60 * 60,
      jti: expect.stringMatching(/./),
      tv: expect.any(Number),
    });
    expect(claims.iat).toBeGreaterThanOrEqual(before);
    success(await portal.profile({ token: user.authToken }), 200);
  });

  it("creates a member, whatever role it is sent, and puts the welcome mail into the outbox", async () => {
    const email = anAddress();
    const userId = newId();
    const { user } = success(await portal.signUp({ email, password, userId, role: "owner", tokenVersion: 9 }), 201);
    expect(user.userId).not.toBe(userId);
    expect(await users.find(user.userId)).toMatchObject({ role: "member", tokenVersion: 1 });
    expect((await outbox.waiting()).filter(({ to }) => to === email)).toHaveLength(1);
  });

  it.each([
    ["the local part where there is no name", "Ada.Lovelace-1_x+tag", undefined, "ada.lovelace-1_xtag"],
    ["at most 21 characters of a long local part", "abcdefghijklmnopqrstuvwxyz", undefined, "abcdefghijklmnopqrstu"],
    ["the name in ASCII", "x", "Zoë  Größe", "zoegrosse"],
    ["`user` where nothing of the name is left", "x", "李小龍", "user"],
    ["`user` where nothing of the local part is left", "!!!", undefined, "user"],
    ["at most 21 characters of a long name", "x", "N".repeat(60), "n".repeat(21)],
  ])("makes the username from %s", async (_, local, name, stem) => {
    const { user } = success(await portal.signUp({ email: `${local}@${newId()}.example.com`, password, name }), 201);
    expect(user.username).toMatch(new RegExp(`^${stem.replaceAll(".", "\\.")}_[0-9a-z]{8}$`));
    expect(user.name).toBe(name ?? stem);
  });

  it("stores the address trimmed, in lower case and with an ASCII domain", async () => {
    const id = newId();
    const { user } = success(await portal.signUp({ email: `\t  Jurgen.${id}@EXAMPLE.com `, password }), 201);
    expect(user.email).toBe(`jurgen.${id}@example.com`);
    const idn = success(await portal.signUp({ email: `A.${id}@Bücher.Example`, password }), 201);
    expect(idn.user.email).toBe(`a.${id}@xn--bcher-kva.example`);
    refusal(await portal.signUp({ email: `a.${id}@XN--BCHER-KVA.EXAMPLE`, password }), "USER_EXISTS");
    refusal(await portal.signUp({ email: `a.${id}@bu\u0308cher.example`, password }), "USER_EXISTS");
    refusal(await portal.signUp({ email: `JURGEN.${id}@ｅｘａｍｐｌｅ.com`, password }), "USER_EXISTS");
  });

  it.each([
    ...[undefined, null, "", "   ", "example.com", "a@b@example.com", "@example.com", "a@", "a@localhost"],
    ...[".a@example.com", "a.@example.com", "a..b@example.com", "a@example..com", "a@example.com."],
    ...["a b@example.com", '"a b"@example.com', "A <a@example.com>", "jürgen@example.com", "a@example.com:25"],
    // A Kelvin sign, literal and full-width IP addresses.
    ...["\u212aelvin@example.com", "a@[127.0.0.1]", "a@127.0.0.1", "a@１２７.０.０.１", "a@example.123"],
    ...["a@-example.com", "a@example-.com", "a@ex_ample.com", "a@example.com/b", "a@ex%61mple.com"],
    ...["a\u0000@example.com", "a@example.com\nbcc: b@example.com", "a\n@example.com", "a@exam\u0085ple.com"],
    ...["a\ud800@example.com", "a@exa\udfffmple.com", `a@${"b".repeat(64)}.com`, `${"a".repeat(65)}@example.com`],
  ])("refuses the address %.30j", async (email) => {
    const reply = await portal.signUp({ email, password });
    refusal(reply, "EMAIL_INVALID");
    expect(reply.calls).toEqual([]);
  });

  // Four emoji are eight characters as JavaScript counts.
  it.each(["12345678", "x".repeat(128), " ".repeat(8), "\u0000\u0001\u001b\u007f\u0085\n\r\t", "😀😀😀😀"])(
    "accepts the password %.9j",
    async (good) => {
      success(await portal.signUp({ email: anAddress(), password: good }), 201);
    },
  );

  it.each([
    ["four letters with accents", "e\u0301".repeat(4)],
    ["one sign that stands for eighteen", "\ufdfa"],
    ["seven signs that stand for fourteen", "\u00bc".repeat(7)],
  ])("refuses a password of %s as too short", async (_, short) => {
    refusal(await portal.signUp({ email: anAddress(), password: short }), "VALIDATION_ERROR", "body.password");
  });

  it("checks address, password and name without a hash, then USER_EXISTS", async () => {
    const email = anAddress();
    success(await portal.signUp({ email, password }), 201);
    const { hashes } = await countHashes(async () => {
      refusal(await portal.signUp({ email: "no", password: "", name: "" }), "EMAIL_INVALID");
      for (const none of [undefined, null, ""])
        refusal(await portal.signUp({ email, password: none, name: "" }), "PASSWORD_MISSING");
      const bad = await portal.signUp({ email, password: "short", name: "" });
      refusal(bad, "VALIDATION_ERROR", "body.password", "body.name");
      refusal(await portal.signUp({ email, password, name: "" }), "VALIDATION_ERROR", "body.name");
    });
    expect(hashes).toBe(0);
    refusal(await portal.signUp({ email, password }), "USER_EXISTS");
  });

  it("hashes the password once and makes the same store calls with and without an account of the address", async () => {
    const body = { email: anAddress(), password };
    const fresh = await countHashes(() => portal.signUp(body));
    const known = await countHashes(() => portal.signUp(body));
    success(fresh.result, 201);
    refusal(known.result, "USER_EXISTS");
    expect(fresh.hashes).toBe(1);
    expect(known.hashes).toBe(1);
    expect(planOf(known.result.calls)).toBe(planOf(fresh.result.calls));
  });
});
