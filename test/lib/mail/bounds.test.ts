import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { work as sendMail } from "../../../functions/background/send-mail.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import * as rates from "../../../lib/accounts/rates.ts";
import { admits, countNews, NEWS_BY_MEMBER, NEWS_BY_MEMBERS, NEWS_TO_READER } from "../../../lib/mail/bounds.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { handOver } from "../../support/http/invoke.ts";
import { freshTable, newContainer } from "../../support/setup.ts";
import { anAccount } from "../../support/world/fixtures.ts";

beforeEach(async () => {
  // Ten seconds into a day, an hour and thirty days: no window ends while a test runs.
  vi.useFakeTimers({ toFake: ["Date"], now: 750 * 30 * 86_400_000 + 10_000 });
  await freshTable();
  newContainer({ RATE_LIMITS: "on" });
});

afterEach(() => {
  vi.useRealTimers();
  newContainer({ RATE_LIMITS: "" });
});

async function asked(to: string, template: outbox.Mail["template"], times: number): Promise<outbox.Mail[]> {
  const before = new Set(await due.waitingIds("OUTBOX"));
  for (let n = 0; n < times; n++) await outbox.add({ to, template });
  return (await outbox.waiting()).filter(({ sk }) => !before.has(sk));
}

async function admitted(mails: outbox.Mail[]): Promise<number> {
  return (await Promise.all(mails.map((mail) => admits(mail)))).filter(Boolean).length;
}

describe("The limit of one mailbox", () => {
  it("admits ten mails of a kind a day for any caller, tagged addresses included", async () => {
    const mails = [
      ...(await asked("ada@example.com", "verify", 8)),
      ...(await asked("ada+tag@example.com", "verify", 8)),
    ];
    expect(await admitted(mails)).toBe(10);
    expect(await admitted(await asked("grace@example.com", "verify", 1))).toBe(1);
  });

  it.each(["verify", "new-key", "webhook-disabled", "sign-in"] as const)(
    "leaves new passwords to a mailbox that is full of the kind %s",
    async (kind) => {
      expect(await admitted(await asked("ada@example.com", kind, 12))).toBe(kind === "sign-in" ? 7 : 10);
      expect(await admitted(await asked("ada@example.com", "reset", 12))).toBe(7);
    },
  );

  it("admits one welcome in 30 days", async () => {
    const welcomes: outbox.Mail[] = [];
    for (const tag of ["", "+1", "+2"]) welcomes.push(...(await asked(`ada${tag}@example.com`, "welcome", 1)));
    expect(await admitted(welcomes)).toBe(1);
  });

  it("admits three invitations in 30 days", async () => {
    expect(await admitted(await asked("ada@example.com", "invitation", 5))).toBe(3);
  });

  it("counts a mail once, however often it is tried", async () => {
    const [mail] = await asked("ada@example.com", "reset", 1);
    for (let n = 0; n < 20; n++) expect(await admits(mail as outbox.Mail)).toBe(true);
    expect(await admitted(await asked("ada@example.com", "reset", 12))).toBe(6);
  });

  it("removes a mail above it from the outbox, unsent", async () => {
    const { email } = await anAccount("correct horse");
    const mails = await asked(email, "reset", 12);
    const printed = vi.spyOn(console, "info").mockImplementation(() => {});
    await handOver(sendMail, ...mails.map(({ sk }) => key.mail(sk)));
    expect(printed.mock.calls.filter(([line]) => String(line).startsWith("mail to"))).toHaveLength(7);
    printed.mockRestore();
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
  });
});

describe("The limit of all mails", () => {
  it("admits 500 an hour; later mails wait in the outbox", async () => {
    await rates.hit({ subject: "all-mails", windows: [{ hits: 500, seconds: 3600, by: 499 }] });
    const { email } = await anAccount("correct horse");
    const mails = await asked(email, "reset", 2);
    const [first, second] = mails as [outbox.Mail, outbox.Mail];
    expect(await admits(first)).toBe(true);
    await expect(admits(second)).rejects.toThrow("too many mails in an hour");
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(await admits(second)).toBe(true);
  });

  it("counts mails that sign in, or tell of it, by themselves: 1,000 an hour", async () => {
    const ofSignIns = { subject: "sign-in-mails", windows: [{ hits: 1000, seconds: 3600, by: 999 }] } as const;
    await rates.hit(ofSignIns);
    const [first] = await asked("ada@example.com", "sign-in", 1);
    const [second] = await asked("ada@example.com", "signed-in", 1);
    const [reset] = await asked("ada@example.com", "reset", 1);
    expect(await admits(first as outbox.Mail)).toBe(true);
    await expect(admits(second as outbox.Mail)).rejects.toThrow("too many mails in an hour");
    expect(await admits(reset as outbox.Mail)).toBe(true);
  });

  it("requires RATE_LIMITS=on", async () => {
    newContainer({ RATE_LIMITS: "" });
    expect(await admitted(await asked("ada@example.com", "reset", 15))).toBe(15);
  });
});

describe("The limits of mails with news", () => {
  const tomorrow = 750 * 30 * 86_400_000 + 86_400_000;
  let reader = 0;
  /** Counts mails that an account causes, each to another reader; returns the answer to the last. */
  const caused = async (by: string, times: number, isOfTeam = false) => {
    let last: Awaited<ReturnType<typeof countNews>>;
    for (let n = 0; n < times; n++) last = await countNews({ user: { userId: `reader ${reader++}` }, by, isOfTeam });
    return last;
  };

  it("let a member cause 250 a day, and leave the others theirs", async () => {
    expect(await caused("mallory", NEWS_BY_MEMBER)).toBeUndefined();
    expect(await caused("mallory", 1)).toEqual({ at: tomorrow, readerHadEnough: false });
    expect(await caused("ada", 1)).toBeUndefined();
    expect(await caused("olga", 1, true)).toBeUndefined();
    vi.setSystemTime(tomorrow);
    expect(await caused("mallory", 1)).toBeUndefined();
  });

  it("leave the team a fifth of the day, whatever all members do", async () => {
    const before = { hits: NEWS_BY_MEMBERS, seconds: 86_400, by: NEWS_BY_MEMBERS - 1 };
    await rates.hit({ subject: "news-by-members", windows: [before] });
    expect(await caused("ada", 1)).toBeUndefined();
    expect(await caused("grace", 1)).toEqual({ at: tomorrow, readerHadEnough: false });
    expect(await caused("olga", 1, true)).toBeUndefined();
  });

  it("let a reader get fifty a day, and count only mails that leave", async () => {
    const toAda = (by: string) => countNews({ user: { userId: "ada" }, by, isOfTeam: false });
    await caused("mallory", NEWS_BY_MEMBER);
    for (let n = 0; n < NEWS_TO_READER; n++) {
      expect(await toAda("mallory")).toEqual({ at: tomorrow, readerHadEnough: false });
      expect(await toAda("grace")).toBeUndefined();
    }
    expect(await toAda("grace")).toEqual({ at: tomorrow, readerHadEnough: true });
  });
});
