import { defineBackground } from "../../lib/background.ts";
import * as mailTokens from "../../lib/data/mail-tokens.ts";
import * as outbox from "../../lib/data/outbox.ts";
import * as users from "../../lib/data/users.ts";
import { admits } from "../../lib/mail/bounds.ts";
import { letterOf, purposeOf } from "../../lib/mail/letters.ts";
import { transport } from "../../lib/mail/transport.ts";

// Mails that were sent but are still in the outbox: a repeated attempt does not send them again.
const sent = new Set<string>();

/**
 * Writes and sends a letter. A reset for an address without an account is dropped, and the answer to the request does not show it.
 * The other letters have an account: if it is not seen yet, they wait for it. A mailbox that had enough gets none either.
 */
const send = async (mail: outbox.Mail): Promise<"sent" | "dropped" | "later"> => {
  const deliver = transport();
  const userId = await users.idOf(mail.to);
  const user = userId && (await users.find(userId));
  if (!user) return mail.template === "reset" ? "dropped" : "later";
  if (!(await admits(mail))) return "dropped";
  await deliver(letterOf(mail, await mailTokens.issue(purposeOf(mail), user)));
  return "sent";
};

/** Sends each new mail of the outbox and removes it; after a crash in between, the mail is sent once more at most. */
export const handler = defineBackground(
  {
    name: "send-mail",
    takes: "OUTBOX",
    sendsMail: true,
    table: {
      OUTBOX: ["get", "update", "deleteAlone"],
      RATE: ["update"],
      EMAIL: ["get"],
      USER: ["get"],
      MAIL_TOKEN: ["put"],
    },
  },
  async (mailId) => {
    const mail = await outbox.find(mailId);
    // An earlier attempt sent it; its batch failed at another mail.
    if (!mail) return;
    if (!sent.has(mailId)) {
      if ((await send(mail)) === "later") return "later";
      sent.add(mailId);
    }
    await outbox.done(mailId);
    sent.delete(mailId);
  },
);
