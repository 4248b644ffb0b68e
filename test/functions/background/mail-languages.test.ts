import { beforeEach, describe, expect, it } from "vitest";
import * as outbox from "../../../lib/accounts/outbox.ts";
import * as signInMails from "../../../lib/accounts/sign-in-mails.ts";
import * as users from "../../../lib/accounts/users.ts";
import { invoke, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { aMember, anAccount, aUser } from "../../support/world/fixtures.ts";
import { sendLetters } from "../../support/world/letters.ts";
import { codeNow, withTwoFactor } from "../../support/world/two-factor.ts";

const PASSWORD = "correct horse";

beforeEach(async () => {
  await freshTable();
  newContainer({ MAIL_LANGUAGE: "" });
});

function call(endpoint: string, language: string | undefined, body: object) {
  return invoke(endpoint, { body, ...(language && { headers: { "accept-language": language } }) });
}

async function subjects(): Promise<string[]> {
  return (await sendLetters()).map(({ subject }) => subject);
}

async function languageOf(email: string) {
  return (await users.findByEmail(email))?.language;
}

describe("The language of an account", () => {
  it.each([
    ["ja,en;q=0.5", "ja"],
    ["de-AT", "de"],
    ["it, nl", undefined],
    ["*", undefined],
    [undefined, undefined],
  ])("is the one that its signup likes best: %s", async (accepted, language) => {
    success(await call("auth-sign-up", accepted, { email: "ada@example.com", password: PASSWORD }), 201);
    expect(await languageOf("ada@example.com")).toBe(language);
  });

  it("is the owner's own, of the set-up", async () => {
    success(await call("auth-set-up", "fr", { email: "o@example.com", password: PASSWORD, siteTitle: "Acme" }), 201);
    expect(await subjects()).toEqual(["Bienvenue sur Acme"]);
  });

  it("is learned at the first sign-in of an account without one, and kept at later ones", async () => {
    const { email } = await anAccount(PASSWORD);
    success(await call("auth-log-in", undefined, { email, password: PASSWORD }), 200);
    expect(await languageOf(email)).toBeUndefined();
    success(await call("auth-log-in", "ja", { email, password: PASSWORD }), 200);
    expect(await languageOf(email)).toBe("ja");
    success(await call("auth-log-in", "de", { email, password: PASSWORD }), 200);
    expect(await languageOf(email)).toBe("ja");
    await expectSound();
  });

  it("is learned with the second factor, and not before it", async () => {
    const { person, challenge, secret } = await withTwoFactor(await anAccount(PASSWORD));
    expect((await call("auth-log-in", "fr", { email: person.email, password: PASSWORD })).status).toBe(401);
    expect(await languageOf(person.email)).toBeUndefined();
    success(await call("auth-two-factor", "fr", { challenge, code: codeNow(secret) }), 200);
    expect(await languageOf(person.email)).toBe("fr");
  });

  it("is the one of the page on which a link of a mail is opened, for a new account", async () => {
    const signIn = await signInMails.issue({ email: "new@example.com", askedFrom: "" });
    success(await call("auth-magic-verify", "pt-BR", { email: "new@example.com", code: signIn.code }), 200);
    expect(await languageOf("new@example.com")).toBe("pt");
  });

  it("is chosen in the profile, and removed by null", async () => {
    const member = await aMember();
    const choose = (body: object) => invoke("users-update-profile", { token: member.token, body });
    expect(success(await choose({ language: "pt" }), 200).user).toMatchObject({ language: "pt", name: member.name });
    expect(success(await choose({ name: "Ada" }), 200).user).toMatchObject({ language: "pt", name: "Ada" });
    expect(success(await choose({ language: null }), 200).user).toMatchObject({ language: null, name: "Ada" });
    expect((await choose({ language: "xx" })).status).toBe(400);
    expect(success(await portal.profile(member), 200).user.language).toBeNull();
    await expectSound();
  });
});

describe("A mail", () => {
  it("comes in the language of its account, not of the caller", async () => {
    success(await call("auth-sign-up", "de", { email: "ada@example.com", password: PASSWORD }), 201);
    expect(await subjects()).toEqual(["Willkommen bei http://localhost:3000"]);
    success(await call("auth-password-reset", "ja", { email: "ada@example.com" }), 200);
    success(await call("auth-magic", "ja", { email: "ada@example.com" }), 200);
    expect((await subjects()).sort()).toEqual(["Anmelden bei http://localhost:3000", "Lege ein neues Passwort fest"]);
  });

  it("comes in the language of who asks for it where no account has one, or else of the site", async () => {
    newContainer({ MAIL_LANGUAGE: "es" });
    success(await call("auth-magic", "ja", { email: "new@example.com" }), 200);
    success(await call("auth-magic", undefined, { email: "new@example.com" }), 200);
    const { email } = await anAccount(PASSWORD);
    await outbox.add({ to: email, template: "verify" });
    expect((await subjects()).sort()).toEqual([
      "Confirma tu correo electrónico",
      "Entra en http://localhost:3000",
      "http://localhost:3000へのログイン",
    ]);
  });

  it("invites in the language that the owner chose, also once more", async () => {
    const { token } = await aUser("owner");
    const invite = async (body: object) => {
      success(await invoke("users-invite", { token, body: { email: "new@example.com", ...body } }), 200);
      return subjects();
    };
    expect(await invite({ language: "fr" })).toEqual(["Une invitation à rejoindre http://localhost:3000"]);
    expect(await invite({})).toEqual(["Une invitation à rejoindre http://localhost:3000"]);
    expect(await invite({ language: "ja" })).toEqual(["http://localhost:3000への招待"]);
    await expectSound();
  });

  it("tells of a deletion in the language that the account had", async () => {
    success(await call("auth-sign-up", "ja", { email: "ada@example.com", password: PASSWORD }), 201);
    const { userId } = (await users.findByEmail("ada@example.com")) as users.UserRecord;
    await sendLetters();
    success(await invoke("users-delete-profile", { token: await signedInByMail(), body: {} }), 202);
    expect(await users.find(userId)).toBeUndefined();
    expect(await subjects()).toEqual(["アカウントが削除されました"]);
  });
});

/** The token of a session of Ada, whose address the sign-in confirms. */
async function signedInByMail(): Promise<string> {
  success(await call("auth-magic", "ja", { email: "ada@example.com" }), 200);
  const [letter] = await sendLetters();
  const code = /\n([A-Z0-9]{8})\n/.exec(letter?.text ?? "")?.[1];
  const { user } = success(await invoke("auth-magic-verify", { body: { email: "ada@example.com", code } }), 200);
  return user.authToken;
}
