import * as z from "zod";
import { newId } from "../ids.ts";
import { key, range } from "./keys.ts";
import { create, get, getRange, type Part, removeAlone } from "./table.ts";

/** A mail that waits to be sent: who gets it, which text, and what the text needs. */
export const Mail = z.object({
  sk: z.string(),
  to: z.string(),
  template: z.enum(["welcome"]),
  data: z.record(z.string(), z.string()),
});
export type Mail = z.infer<typeof Mail>;

/** Part: puts a mail into the outbox; the table's stream hands it to the function `send-mail`. */
export const mailPart = (mail: Omit<Mail, "sk">): Part => create(key.mail(newId()), mail);

/** Reads a mail that waits; undefined once it is sent. */
export const find = (mailId: string): Promise<Mail | undefined> => get(key.mail(mailId), Mail);

/** The mails that still wait, oldest first. */
export const waiting = (): Promise<Mail[]> => getRange(range.outbox(), Mail);

/** Takes a sent mail out of the outbox. */
export const done = (mailId: string): Promise<void> => removeAlone(key.mail(mailId));
