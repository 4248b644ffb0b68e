import { beforeAll, describe, expect, it } from "vitest";
import { work as sendMail } from "../../../functions/background/send-mail.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import { key } from "../../../lib/table/keys.ts";
import { handOver, invoke } from "../../support/http/invoke.ts";
import { type MailService, startMailService } from "../../support/process/mail-service.ts";
import { newContainer } from "../../support/setup.ts";
import { allows } from "../../support/stack/iam.ts";
import { chosen, functionsOf, templateOf } from "../../support/stack/stack.ts";

const FROM = chosen.mailFrom;

// A name that no header takes as it stands, and a domain as people write it.
const NAMED = "Rückmeldung, Acme <feedback@Example.com>";

describe("the right to send mail", () => {
  let service: MailService;
  const functions = functionsOf(templateOf(chosen));

  beforeAll(async () => {
    service = await startMailService();
    newContainer({ MAIL_TRANSPORT: "ses", MAIL_FROM: NAMED });
  });

  const arnOf = (identity: string) => {
    const [partition, region, account] = ["Partition", "Region", "AccountId"].map((name) => ({ Ref: `AWS::${name}` }));
    return { "Fn::Join": ["", ["arn:", partition, ":ses:", region, ":", account, `:identity/${identity}`]] };
  };

  const may = (name: string, sender: string, identity: string): boolean =>
    allows(functions[name]?.statements ?? [], {
      action: "ses:SendEmail",
      resource: arnOf(identity),
      context: { "ses:FromAddress": [sender.replace(/^.*<|>$/g, "")] },
    });

  it("belongs to the function send, whether SES has verified the address or its domain", async () => {
    await invoke("auth-sign-up", { body: { email: "ada@example.com", password: "correct horse" } });
    const [mail] = await outbox.waiting();
    await handOver(sendMail, key.mail(mail?.sk ?? ""));
    expect(service.taken).toEqual(["ada@example.com"]);
    expect(service.senders).toEqual(["=?UTF-8?B?UsO8Y2ttZWxkdW5nLCBBY21l?= <feedback@example.com>"]);
    for (const identity of ["feedback@example.com", "example.com"]) {
      expect(may("send", service.senders[0] ?? "", identity)).toBe(true);
    }
  });

  it("covers no other sender, identity or function", () => {
    expect(may("send", "ceo@example.com", "example.com")).toBe(false);
    expect(may("send", FROM, "other.example.com")).toBe(false);
    expect(Object.keys(functions).filter((name) => may(name, FROM, "example.com"))).toEqual(["send"]);
  });
});
