import { appendFile } from "node:fs/promises";
import type { Mail } from "./data/outbox.ts";
import { settings } from "./settings.ts";

/** A mail as it is sent. */
export type Letter = { to: string; subject: string; text: string };

/** Whether a mail sender is configured. */
export const canSend = (): boolean => {
  const { mailTransport, mailFrom } = settings();
  return mailTransport === "log" || (mailTransport === "ses" && mailFrom !== undefined);
};

const letters: Record<Mail["template"], (data: Record<string, string>) => Omit<Letter, "to">> = {
  welcome: ({ name = "" }) => ({
    subject: "Welcome",
    text: `Hello ${name},\n\nyour account is ready: ${settings().siteUrl}\n`,
  }),
};

/** Writes the letter of a mail that waits in the outbox. */
export const letterOf = ({ to, template, data }: Mail): Letter => ({ to, ...letters[template](data) });

/** How a letter leaves. */
export type Transport = (letter: Letter) => Promise<void>;

/** The `log` transport: prints the letter and keeps it as one JSON line in the file that MAIL_LOG_FILE names. */
const logTransport: Transport = async (letter) => {
  console.info(`mail to ${letter.to}: ${letter.subject}\n  ${letter.text.trim().replaceAll("\n", "\n  ")}`);
  const { mailLogFile } = settings();
  if (mailLogFile) {
    const line = JSON.stringify({ time: new Date().toISOString(), ...letter });
    await appendFile(mailLogFile, `${line}\n`, { mode: 0o600 });
  }
};

/** The configured transport; throws where none is. `ses` is loaded only here, so that no request function carries its client. */
export const transport = async (): Promise<Transport> => {
  const { mailTransport } = settings();
  if (mailTransport === "log") return logTransport;
  if (mailTransport === "ses" && canSend()) return (await import("./mail-ses.ts")).sesTransport;
  throw new Error("No mail sender is configured: MAIL_TRANSPORT");
};
