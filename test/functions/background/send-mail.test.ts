import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { work as sendMail } from "../../../functions/background/send-mail.ts";
import * as erasures from "../../../lib/accounts/erasures.ts";
import { register } from "../../../lib/accounts/new-users.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import { newAccount } from "../../../lib/auth/accounts.ts";
import { laidOut } from "../../../lib/mail/layout.ts";
import { sesTransport } from "../../../lib/mail/ses.ts";
import { transport } from "../../../lib/mail/transport.ts";
import { environment } from "../../../lib/runtime/environment.ts";
import { documentClient } from "../../../lib/table/client.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { newId } from "../../../lib/values/ids.ts";
import { carryOutAll, handOver, invoke } from "../../support/http/invoke.ts";
import { type MailService, startMailService } from "../../support/process/mail-service.ts";
import { freshTable, newContainer } from "../../support/setup.ts";
import { throttled, withFaults } from "../../support/store/faults.ts";
import { anOwner } from "../../support/world/fixtures.ts";
import { worldTitles } from "../../support/world/texts.ts";

let service: MailService;

function configure(variables: Record<string, string>): void {
  newContainer({ MAIL_LOG_FILE: "", MAIL_FROM: "", ...variables });
}

const bySes = { MAIL_TRANSPORT: "ses", MAIL_FROM: "Feedback <feedback@example.com>" };

beforeAll(async () => {
  service = await startMailService();
});

beforeEach(async () => {
  await freshTable();
  configure(bySes);
  Object.assign(service, { mood: "take", taken: [], attempts: 0 });
});

function signUpAs(email: string) {
  return invoke("auth-sign-up", { body: { email, password: "correct horse" } });
}

async function waitingFor(): Promise<string[]> {
  return (await outbox.waiting()).map(({ to }) => to);
}

async function handOverWaiting() {
  return handOver(sendMail, ...(await due.waitingIds("OUTBOX")).map(key.mail));
}

/** The mails that were put off: recipient, failures in a row and the reason. */
async function putOff() {
  const entries = await due.entriesOf("OUTBOX");
  const mails = await outbox.waiting();
  return entries.map(({ id, tries, reason }) => [mails.find(({ sk }) => sk === id)?.to, tries, reason]);
}

describe("The welcome mail of signup and setup", () => {
  it("waits in the outbox from the commit on and is sent once", async () => {
    await signUpAs("ada@example.com");
    await invoke("auth-set-up", { body: { email: "owner@example.com", password: "correct horse" } });
    expect(await waitingFor()).toEqual(["ada@example.com", "owner@example.com"]);
    expect(await carryOutAll(sendMail)).toBe(true);
    expect(await carryOutAll(sendMail)).toBe(true);
    expect(service.taken.toSorted()).toEqual(["ada@example.com", "owner@example.com"]);
    expect(await waitingFor()).toEqual([]);
  });

  it.each(["fail", "hang"] as const)("stays while the mail service does not accept it: %s", async (mood) => {
    service.mood = mood;
    expect((await signUpAs("ada@example.com")).status).toBe(201);
    expect(await carryOutAll(sendMail)).toBe(false);
    // One attempt a batch: a service that only answers too late gets no letter twice from us.
    expect(service.attempts).toBe(1);
    service.mood = "take";
    expect(await carryOutAll(sendMail)).toBe(true);
    expect(service.taken).toEqual(["ada@example.com"]);
  });
});

describe("A letter", () => {
  it("arrives with the subject and the text that it was sent with", async () => {
    service.subjects = [];
    service.texts = [];
    for (const { title } of worldTitles)
      await sesTransport(
        laidOut("ada@example.com", { language: "en", subject: title, before: title, after: "" }, undefined),
      );
    expect(service.subjects).toEqual(worldTitles.map(({ title }) => title));
    expect(service.texts.map((text) => text.split("\n")[0])).toEqual(service.subjects);
  });
});

describe("send-mail for a letter that is seen before its account", () => {
  it.each(["welcome", "verify", "invitation"] as const)(
    "keeps a %s letter until the account is there",
    async (template) => {
      await outbox.add({ to: "ada@example.com", template });
      expect(await carryOutAll(sendMail)).toBe(false);
      expect(service.taken).toEqual([]);
      expect(await waitingFor()).toEqual(["ada@example.com"]);
      await register(newAccount("ada@example.com", "Ada", "member"), "no password");
      expect(await carryOutAll(sendMail)).toBe(true);
      expect(service.taken).toEqual(["ada@example.com"]);
      expect(await waitingFor()).toEqual([]);
    },
  );

  it("drops a reset to an address without an account", async () => {
    await outbox.add({ to: "nobody@example.com", template: "reset" });
    expect(await carryOutAll(sendMail)).toBe(true);
    expect(service.taken).toEqual([]);
    expect(await waitingFor()).toEqual([]);
  });
});

describe("send-mail on batches", () => {
  it("puts refused letters off and sends all others", async () => {
    service.mood = "refuse poison";
    for (const name of ["ada", "poison", "grace"]) await signUpAs(`${name}@example.com`);
    expect((await handOverWaiting()).failed).toEqual([]);
    expect(service.taken.toSorted()).toEqual(["ada@example.com", "grace@example.com"]);
    const reason = expect.stringMatching(/^Error: SES did not accept a mail: \w+$/);
    expect(await putOff()).toEqual([["poison@example.com", 1, reason]]);
  });

  it("puts a mail that cannot be read off and sends all others", async () => {
    await signUpAs("ada@example.com");
    const Item = { ...key.mail(newId()), to: "b@example.com", template: "of a later version", data: {} };
    await documentClient().send(new PutCommand({ TableName: environment().TABLE_NAME, Item }));
    await signUpAs("grace@example.com");
    expect((await handOverWaiting()).failed).toEqual([]);
    expect(service.taken.toSorted()).toEqual(["ada@example.com", "grace@example.com"]);
    expect(await due.waitingIds("OUTBOX")).toEqual([Item.sk]);
    expect(await due.entriesOf("OUTBOX")).toMatchObject([{ id: Item.sk, tries: 1 }]);
  });

  it("sends a mail once, also if it cannot remove it from the outbox", async () => {
    await signUpAs("ada@example.com");
    await withFaults(
      ({ operation }) => (operation === "DeleteItem" ? throttled() : "none"),
      async () => expect(await carryOutAll(sendMail)).toBe(false),
    );
    expect(await waitingFor()).toEqual(["ada@example.com"]);
    expect(await carryOutAll(sendMail)).toBe(true);
    expect(service.taken).toEqual(["ada@example.com"]);
  });
});

describe("An address that no mail reaches", () => {
  const NOWHERE = "4f2a@csv.invalid";

  it("gets no mail into the outbox by a sign-up, a request, an invitation or a deletion", async () => {
    const { token } = await anOwner();
    await carryOutAll(sendMail);
    Object.assign(service, { taken: [], attempts: 0 });
    expect((await signUpAs(NOWHERE)).status).toBe(201);
    for (const endpoint of ["auth-password-reset", "auth-magic"])
      expect((await invoke(endpoint, { body: { email: NOWHERE } })).status).toBe(200);
    const body = { email: "b@quackback.invalid" };
    expect((await invoke("users-invite", { token, body })).status).toBe(200);
    const confirmed = { ...newAccount("5e3b@csv.invalid", "Ada", "member"), isVerified: true };
    await register(confirmed, "no password");
    await erasures.erase(confirmed.userId, undefined, { by: confirmed.userId, votes: "keep", isTold: true });
    expect(await waitingFor()).toEqual([]);
    expect(await carryOutAll(sendMail)).toBe(true);
    expect(service).toMatchObject({ taken: [], attempts: 0 });
  });

  it("gets no letter, also of a mail that an earlier version has queued", async () => {
    await signUpAs(NOWHERE);
    const Item = { ...key.mail(newId()), to: NOWHERE, template: "verify" };
    await documentClient().send(new PutCommand({ TableName: environment().TABLE_NAME, Item }));
    await signUpAs("ada@example.com");
    expect(await carryOutAll(sendMail)).toBe(true);
    expect(await waitingFor()).toEqual([]);
    expect(service).toMatchObject({ taken: ["ada@example.com"], attempts: 1 });
  });

  it("gets no news, with either transport", async () => {
    const content = { language: "en", subject: "News", before: "News", after: "" } as const;
    const print = vi.spyOn(console, "info").mockImplementation(() => {});
    for (const variables of [bySes, { MAIL_TRANSPORT: "log" }]) {
      configure(variables);
      for (const to of [NOWHERE, "user@no-address.invalid"]) await transport()(laidOut(to, content, undefined));
    }
    const printed = print.mock.calls.length;
    print.mockRestore();
    expect({ printed, attempts: service.attempts }).toEqual({ printed: 0, attempts: 0 });
  });
});

describe("Mail configuration", () => {
  it.each([
    ["no transport", { MAIL_TRANSPORT: "none" }],
    ["ses without a sender", { MAIL_TRANSPORT: "ses" }],
  ])("refuses signup and setup with %s, by MAIL_CONFIG_MISSING before any other check", async (_, variables) => {
    configure(variables);
    for (const endpoint of ["auth-sign-up", "auth-set-up"]) {
      const good = { email: "ada@example.com", password: "correct horse" };
      for (const body of [good, {}, undefined, "{not json", "x".repeat(140_000)]) {
        const reply = await invoke(endpoint, { body });
        expect(reply.status).toBe(501);
        expect(reply.body.code).toBe("MAIL_CONFIG_MISSING");
        expect(reply.calls).toEqual([]);
      }
    }
  });

  it("keeps the mail of an earlier signup in the outbox when it is removed", async () => {
    await signUpAs("ada@example.com");
    configure({ MAIL_TRANSPORT: "none" });
    expect(await carryOutAll(sendMail)).toBe(false);
    expect(await waitingFor()).toEqual(["ada@example.com"]);
  });

  it("prints the letter with the transport log, and appends it to a file that only its owner can read", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "mail-")), "mail.jsonl");
    configure({ MAIL_TRANSPORT: "log", MAIL_LOG_FILE: file });
    const print = vi.spyOn(console, "info").mockImplementation(() => {});
    await signUpAs("ada@example.com");
    await carryOutAll(sendMail);
    const printed = String(print.mock.calls[0]?.[0]);
    print.mockRestore();
    expect(printed).toContain("mail to ada@example.com: Welcome to http://localhost:3000");
    expect(printed).toMatch(/Confirm the email address:\n {2}\S+\/email-verify\?token=\S+/);
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { to: "ada@example.com", subject: "Welcome to http://localhost:3000" },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
