import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { run as mailCheck } from "../../../infra/operator/mail-check.ts";
import { listen } from "../../support/http/listen.ts";
import { operateHere } from "../../support/process/operate.ts";
import { newContainer } from "../../support/setup.ts";

// Against a stand-in of SES with one thing wrong at a time.

type Answer = { status?: number; body: object };

const missing: Answer = { status: 404, body: { __type: "NotFoundException", message: "none" } };
const verified = { VerifiedForSendingStatus: true, VerificationStatus: "SUCCESS" };
const signed = { DkimAttributes: { SigningEnabled: true, Status: "SUCCESS", Tokens: ["one", "two"] } };
const quota = { Max24HourSend: 200, SentLast24Hours: 3, MaxSendRate: 1 };

let answers: Record<string, Answer>;
let sent: { to: string; from: string }[] = [];
let url: string;

beforeAll(async () => {
  const server = createServer(async (request, response) => {
    const text = String(await buffer(request));
    const path = decodeURIComponent(request.url ?? "").replace("/v2/email/", "");
    const { status = 200, body } = answers[path] ?? missing;
    if (path === "outbound-emails" && status === 200) {
      const { Destination, FromEmailAddress } = JSON.parse(text);
      sent.push({ to: Destination.ToAddresses[0], from: FromEmailAddress });
    }
    const type = (body as { __type?: string }).__type;
    response.writeHead(status, { "content-type": "application/json", ...(type && { "x-amzn-errortype": type }) });
    response.end(JSON.stringify(body));
  });
  url = `http://127.0.0.1:${await listen(server)}`;
});
beforeEach(() => {
  sent = [];
  answers = {
    "identities/example.com": { body: { ...verified, ...signed } },
    account: { body: { SendingEnabled: true, ProductionAccessEnabled: true, SendQuota: quota } },
    "outbound-emails": { body: { MessageId: "the-mail" } },
  };
});

function change(path: string, fields: object): void {
  const status = "__type" in fields ? 400 : 200;
  answers[path] = { status, body: { ...answers[path]?.body, ...fields } };
}

async function run(words = ["you@example.org"], env: Record<string, string> = {}) {
  newContainer({
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_ENDPOINT_URL_SESV2: url,
    MAIL_TRANSPORT: "ses",
    MAIL_FROM: "Feedback <board@example.com>",
    ...env,
  });
  const { code, output } = await operateHere(mailCheck, words);
  return { code, lines: output.trim().split("\n") };
}

describe("npm run operate -- mail-check", () => {
  it("passes all steps and sends one mail if nothing is wrong", async () => {
    const { code, lines } = await run();
    const names = ["environment", "identity", "DKIM", "account", "quota", "suppression list", "sending"];
    expect(lines.map((line) => line.split(":")[0])).toEqual(names);
    expect(lines.every((line) => /^[^:]+: ok, /.test(line))).toBe(true);
    expect(code).toBe(0);
    expect(sent).toEqual([{ to: "you@example.org", from: "Feedback <board@example.com>" }]);
  });

  const identity = "identities/example.com";
  const failedKeys = { DkimAttributes: { ...signed.DkimAttributes, Status: "FAILED" } };
  const refused = { __type: "MessageRejected", message: "Not today" };
  const bounced = { SuppressedDestination: { Reason: "BOUNCE" } };
  const denied = { __type: "AccessDeniedException", message: "no" };

  it.each<[what: string, path: string, fields: object, last: RegExp]>([
    ["an identity to verify", identity, { VerifiedForSendingStatus: false }, /^identity: .*enter its CNAME records/],
    ["mails that are not signed", identity, failedKeys, /^DKIM: .*one\._domainkey\.example\.com CNAME one\.dkim/],
    ["an account that is stopped", "account", { SendingEnabled: false }, /^account: .*stopped this account/],
    ["the sandbox", "account", { ProductionAccessEnabled: false }, /^account: .*ses-out-of-the-sandbox/],
    ["a used quota", "account", { SendQuota: { ...quota, SentLast24Hours: 200 } }, /^quota: all 200 mails .* are sent/],
    [
      "a recipient who bounced",
      "suppression/addresses/you@example.org",
      bounced,
      /^suppression list: .*after a BOUNCE/,
    ],
    ["a mail that SES refuses", "outbound-emails", refused, /^sending: MessageRejected: Not today$/],
    ["credentials without the right", "identities/board@example.com", denied, /^identity: .*may not ask SES: no$/],
    ["an unknown identity", identity, missing.body, /^identity: .*knows neither board@example\.com nor example\.com/],
  ])("names %s and stops there", async (_, path, fields, last) => {
    change(path, fields);
    const { code, lines } = await run();
    expect(lines.at(-1)).toMatch(last);
    expect(lines.slice(0, -1).every((line) => /^[^:]+: ok, /.test(line))).toBe(true);
    expect(code).toBe(1);
    expect(sent).toEqual([]);
  });

  it("sends to a verified address from the sandbox, by an identity of the address alone", async () => {
    answers = {
      ...answers,
      "identities/example.com": missing,
      "identities/board@example.com": { body: verified },
      "identities/you@example.org": { body: verified },
    };
    change("account", { ProductionAccessEnabled: false });
    const { code, lines } = await run();
    expect(lines.join("\n")).toMatch(/DKIM: ok, not signed[\s\S]*account: ok, in the sandbox/);
    expect(code).toBe(0);
    expect(sent.length).toBe(1);
  });

  it("names missing settings, and prints its usage without an address", async () => {
    expect((await run(undefined, { MAIL_TRANSPORT: "log" })).lines).toEqual([
      "environment: MAIL_TRANSPORT must be ses and MAIL_FROM a sender; they are log and Feedback <board@example.com>",
    ]);
    for (const words of [[], ["nobody"]]) {
      const { code, lines } = await run(words);
      expect(code).toBe(1);
      expect(lines[0]).toEqual(expect.stringMatching(/^Usage: npm run operate -- mail-check <address>/));
    }
    expect(sent).toEqual([]);
  });
});
