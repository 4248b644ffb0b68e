import { isErased } from "../../lib/accounts/erasures.ts";
import { mayOpen } from "../../lib/accounts/gate.ts";
import * as mailTokens from "../../lib/accounts/mail-tokens.ts";
import { waitedFor } from "../../lib/accounts/new-address.ts";
import * as outbox from "../../lib/accounts/outbox.ts";
import { isStaff } from "../../lib/accounts/roles.ts";
import * as signInMails from "../../lib/accounts/sign-in-mails.ts";
import * as site from "../../lib/accounts/site.ts";
import * as users from "../../lib/accounts/users.ts";
import { defineWork } from "../../lib/background.ts";
import { admits } from "../../lib/mail/bounds.ts";
import { letterOf, type Secrets, tokenOf } from "../../lib/mail/letters.ts";
import { mailLanguageOf } from "../../lib/mail/texts.ts";
import { transport } from "../../lib/mail/transport.ts";
import { isWithoutMail } from "../../lib/runtime/mail.ts";
import { timeOf } from "../../lib/values/ids.ts";

/**
 * Writes and sends a letter, or drops it if the site sends no mails any more. A reset for an address without an account
 * is dropped, and so is a sign-in that would lead nowhere; the answer to the request does not show it. Every other
 * letter needs its account: while that cannot be read, the attempt fails and is repeated. A letter of an account that
 * was erased, to an address that the account has no more, or to a mailbox that reached its limit, is dropped.
 */
async function send(mail: outbox.Mail): Promise<void> {
  if (isWithoutMail()) return;
  const deliver = transport();
  const { to, userId, template } = mail;
  if (template === "account-deleted") return sendLast(mail, deliver);
  const findUser = () => (userId === undefined ? users.findByEmail(to) : users.find(userId));
  const findInviter = () => (mail.by === undefined ? undefined : users.find(mail.by));
  const [user, ofSite, inviter] = await Promise.all([findUser(), site.find(), findInviter()]);
  if (!user && template === "reset") return;
  if (template === "sign-in" && !leadsIn(to, user, ofSite)) return;
  if (userId !== undefined && !user && (await isErased(userId))) return;
  if (!user && template !== "sign-in") throw new Error("the account of a mail does not exist yet");
  if (user && !concerns(user, mail)) return;
  if (!(await admits(mail, user?.isVerified))) return;
  const language = mailLanguageOf(user?.language ? user : mail);
  const isOfTeam = user !== undefined && isStaff(user);
  const reading = { orderedAt: timeOf(mail.sk), language, isOfTeam, inviter: nameOf(inviter) };
  await deliver(letterOf(mail, ofSite, reading, await secretsOf(mail, user, ofSite)));
}

/** The name that a person goes by; undefined of who has none, or is gone. */
function nameOf(user: users.UserRecord | undefined): string | undefined {
  return user?.isUnnamed ? undefined : user?.name;
}

/** Sends the last mail to a person whose account is deleted. Its address was confirmed. */
async function sendLast(mail: outbox.Mail, deliver: ReturnType<typeof transport>): Promise<void> {
  const reading = { orderedAt: timeOf(mail.sk), language: mailLanguageOf(mail) };
  if (await admits(mail, true)) await deliver(letterOf(mail, await site.find(), reading));
}

/** Whether a sign-in by mail leads to an account, one that there is or a new one. */
function leadsIn(to: string, user: users.UserRecord | undefined, ofSite: site.Site | undefined): boolean {
  if (ofSite?.magic === false) return false;
  return user !== undefined || ofSite === undefined || mayOpen(to, ofSite);
}

async function secretsOf(
  mail: outbox.Mail,
  user: users.UserRecord | undefined,
  ofSite: site.Site | undefined,
): Promise<Secrets> {
  const { purpose, lifetime } = tokenOf(mail, ofSite);
  const { to: email, askedFrom = "" } = mail;
  if (purpose === "sign-in") {
    // A stranger who has made the account must not end the link by a logout.
    const tokenVersion = user?.isVerified ? user.tokenVersion : undefined;
    return signInMails.issue({ email, tokenVersion, askedFrom });
  }
  return user && purpose ? { token: await mailTokens.issue(purpose, { ...user, email }, lifetime) } : {};
}

/** Whether the account still has the address of a mail, waits for it, or has just given it up. */
function concerns(user: users.UserRecord, { to, template }: outbox.Mail): boolean {
  if (template === "address-changed") return true;
  return to === (template === "new-address" ? waitedFor(user) : user.email);
}

/** Remembers the mails that it sent but could not remove, and does not send them again. */
function sendsMails(sent = new Set<string>()) {
  return async (mailId: string): Promise<"done"> => {
    const mail = await outbox.find(mailId);
    // An earlier attempt sent it.
    if (!mail) return "done";
    if (!sent.has(mailId)) await send(mail);
    sent.add(mailId);
    await outbox.done(mailId);
    sent.delete(mailId);
    return "done";
  };
}

/** Sends each new mail of the outbox and removes it; after a crash in between, the mail is sent once more at most. */
export const work = defineWork(
  {
    name: "send-mail",
    takes: "OUTBOX",
    sendsMail: true,
    table: {
      OUTBOX: ["get", "update", "deleteAlone"],
      RATE: ["update"],
      EMAIL: ["get"],
      USER: ["get"],
      ERASED: ["get"],
      SITE: ["get"],
      MAIL_TOKEN: ["put"],
      SIGN_IN_CODE: ["put"],
    },
  },
  sendsMails(),
);
