import { beforeAll, describe, expect, it } from "vitest";
import { work as announce } from "../../../functions/background/announce.ts";
import { work as sendMail } from "../../../functions/background/send-mail.ts";
import { work as sendNotices } from "../../../functions/background/send-notices.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import * as due from "../../../lib/table/due.ts";
import { carryOutAll, invoke, refusal, success } from "../../support/http/invoke.ts";
import { type MailService, startMailService } from "../../support/process/mail-service.ts";
import { freshTable, newContainer } from "../../support/setup.ts";

const password = "correct horse";
const bySes = { MAIL_TRANSPORT: "ses", MAIL_FROM: "Feedback <feedback@example.com>" };
const withoutMail = { MAIL_TRANSPORT: "off", MAIL_FROM: "" };

let service: MailService;

beforeAll(async () => {
  service = await startMailService();
});

async function aSite() {
  await freshTable();
  const body = { email: "owner@example.com", password };
  const owner = success(await invoke("auth-set-up", { body }), 201).user.authToken;
  const ada = success(await invoke("auth-sign-up", { body: { email: "ada@example.com", password } }), 201).user;
  const wish = { title: "Dark mode" };
  const { postId } = success(await invoke("posts-create", { token: ada.authToken, body: wish }), 201).post;
  return { owner, ada: ada.authToken, postId };
}

/** News for Ada: a status of her post, and a new key. */
async function makeNews({ owner, postId }: Awaited<ReturnType<typeof aSite>>): Promise<void> {
  success(await invoke("posts-set-status", { token: owner, params: { postId }, body: { status: "planned" } }), 200);
  success(await invoke("keys-create", { token: owner, body: { name: "Import", scopes: ["post:create"] } }), 201);
  expect(await carryOutAll(announce)).toBe(true);
}

const waitingNews = () => due.waitingIds("NOTICES");

describe("A site without mail, by MAIL_TRANSPORT=off", () => {
  it("lets people set up, sign up and work, and leaves nothing to be mailed", async () => {
    newContainer(withoutMail);
    await makeNews(await aSite());
    expect(await outbox.waiting()).toEqual([]);
    expect(await waitingNews()).toEqual([]);
  });

  it("refuses to reset and to confirm by MAIL_CONFIG_MISSING, and lets pages see it", async () => {
    newContainer(bySes);
    const { ada } = await aSite();
    expect(success(await invoke("settings-site"), 200).settings.sendsMail).toBe(true);
    newContainer(withoutMail);
    expect(success(await invoke("settings-site"), 200).settings.sendsMail).toBe(false);
    refusal(await invoke("auth-password-reset", { body: { email: "ada@example.com" } }), "MAIL_CONFIG_MISSING");
    refusal(await invoke("auth-email-verify", { token: ada }), "MAIL_CONFIG_MISSING");
  });

  it("drops the mails that waited when it was chosen", async () => {
    newContainer(bySes);
    await makeNews(await aSite());
    expect((await outbox.waiting()).length).toBeGreaterThan(0);
    // Of the change, and of the new post.
    expect(await waitingNews()).toHaveLength(2);
    newContainer(withoutMail);
    expect(await carryOutAll(sendMail)).toBe(true);
    expect(await carryOutAll(sendNotices)).toBe(true);
    expect(await outbox.waiting()).toEqual([]);
    expect(await waitingNews()).toEqual([]);
    expect(service.taken).toEqual([]);
  });
});
