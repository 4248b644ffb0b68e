import { appendFile } from "node:fs/promises";
import { settings } from "../runtime/settings.ts";
import type { Letter } from "./letters.ts";
import { sesTransport } from "./ses.ts";

export function canSend(): boolean {
  const { mailTransport, mailFrom } = settings();
  return mailTransport === "log" || (mailTransport === "ses" && mailFrom !== undefined);
}

type Transport = (letter: Letter) => Promise<void>;

/** Prints the letter, and appends it as one JSON line to the file MAIL_LOG_FILE. */
const logTransport: Transport = async (letter) => {
  console.info(`mail to ${letter.to}: ${letter.subject}\n  ${letter.text.trim().replaceAll("\n", "\n  ")}`);
  const { mailLogFile } = settings();
  if (mailLogFile) {
    const line = JSON.stringify({ time: new Date().toISOString(), ...letter });
    await appendFile(mailLogFile, `${line}\n`, { mode: 0o600 });
  }
};

/** The configured transport; throws without one. */
export function transport(): Transport {
  const { mailTransport } = settings();
  if (mailTransport === "log") return logTransport;
  if (mailTransport === "ses" && canSend()) return sesTransport;
  throw new Error("No mail sender is configured: MAIL_TRANSPORT");
}
