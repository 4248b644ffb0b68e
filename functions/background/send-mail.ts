import { defineBackground } from "../../lib/background.ts";
import * as outbox from "../../lib/data/outbox.ts";
import { letterOf, transport } from "../../lib/mail.ts";

// Mails that were sent and could not be taken out of the outbox yet: a repeated attempt does not send them again.
const sent = new Set<string>();

/** Sends each new mail of the outbox and takes it out; a crash in between sends it at most once more. */
export const handler = defineBackground(
  { name: "send-mail", takes: "OUTBOX", sendsMail: true, table: { OUTBOX: ["get", "deleteAlone"] } },
  async (mailId) => {
    const mail = await outbox.find(mailId);
    // Sent before, by an attempt whose batch failed at another mail.
    if (!mail) return;
    if (!sent.has(mailId)) {
      const send = await transport();
      await send(letterOf(mail));
      sent.add(mailId);
    }
    await outbox.done(mailId);
    sent.delete(mailId);
  },
);
