import { appendFile } from "node:fs/promises";
import { environment } from "../runtime/environment.ts";
import type { Letter } from "./layout.ts";
import { sesTransport } from "./ses.ts";

export function canSend(): boolean {
  const { MAIL_TRANSPORT, MAIL_FROM } = environment();
  return MAIL_TRANSPORT === "log" || (MAIL_TRANSPORT === "ses" && MAIL_FROM !== undefined);
}

type Transport = (letter: Letter) => Promise<void>;

/** Prints the letter, and appends it as one JSON line to the file MAIL_LOG_FILE. */
const logTransport: Transport = async (letter) => {
  console.info(`mail to ${letter.to}: ${letter.subject}\n  ${letter.text.trim().replaceAll("\n", "\n  ")}`);
  const { MAIL_LOG_FILE } = environment();
  if (MAIL_LOG_FILE) {
    const line = JSON.stringify({ time: new Date().toISOString(), ...letter });
    await appendFile(MAIL_LOG_FILE, `${line}\n`, { mode: 0o600 });
  }
};

export function transport(): Transport {
  const { MAIL_TRANSPORT } = environment();
  if (MAIL_TRANSPORT === "log") return logTransport;
  if (MAIL_TRANSPORT === "ses" && canSend()) return sesTransport;
  throw new Error("No mail sender is configured: MAIL_TRANSPORT");
}
