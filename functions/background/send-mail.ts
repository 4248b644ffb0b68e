import { defineBackground } from "../../lib/background.ts";
import * as mailTokens from "../../lib/data/mail-tokens.ts";
import * as outbox from "../../lib/data/outbox.ts";
import * as users from "../../lib/data/users.ts";
import { letterOf, purposeOf } from "../../lib/mail/letters.ts";
import { transport } from "../../lib/mail/transport.ts";

// Mails that were sent but are still in the outbox: a repeated attempt does not send them again.
const sent = new Set<string>();

/** Writes and sends a letter. An address without an account gets none, and the answer to the request does not show it. */
const send = async (mail: outbox.Mail): Promise<void> => {
  const deliver = transport();
  const userId = await users.idOf(mail.to);
  const user = userId && (await users.find(userId));
  if (!user) return;
  await deliver(letterOf(mail, await mailTokens.issue(purposeOf(mail), user)));
};

/** Sends each new mail of the outbox and removes it; after a crash in between, the mail is sent once more at most. */
export const handler = defineBackground(
  {
    name: "send-mail",
    takes: "OUTBOX",
    sendsMail: true,
    table: { OUTBOX: ["get", "deleteAlone"], EMAIL: ["get"], USER: ["get"], MAIL_TOKEN: ["put"] },
  },
  async (mailId) => {
    const mail = await outbox.find(mailId);
    // An earlier attempt sent it; its batch failed at another mail.
    if (!mail) return;
    if (!sent.has(mailId)) {
      await send(mail);
      sent.add(mailId);
    }
    await outbox.done(mailId);
    sent.delete(mailId);
  },
);
