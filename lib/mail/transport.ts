import { appendFile } from "node:fs/promises";
import { environment } from "../runtime/environment.ts";
import { canSend } from "../runtime/mail.ts";
import { isNoAddress } from "../values/no-address.ts";
import type { Letter } from "./layout.ts";
import { sesTransport } from "./ses.ts";

/** Prints the letter, and appends it as one JSON line to the file MAIL_LOG_FILE. */
async function logTransport(letter: Letter): Promise<void> {
  console.info(`mail to ${letter.to}: ${letter.subject}\n  ${letter.text.trim().replaceAll("\n", "\n  ")}`);
  const { MAIL_LOG_FILE } = environment();
  if (MAIL_LOG_FILE) {
    const line = JSON.stringify({ time: new Date().toISOString(), ...letter });
    await appendFile(MAIL_LOG_FILE, `${line}\n`, { mode: 0o600 });
  }
}

/** The function that sends a letter, unless it is to no address; throws where none is configured. */
export function transport(): (letter: Letter) => Promise<void> {
  if (!canSend()) throw new Error("No mail sender is configured: MAIL_TRANSPORT");
  const deliver = environment().MAIL_TRANSPORT === "log" ? logTransport : sesTransport;
  return async (letter) => {
    if (!isNoAddress(letter.to)) await deliver(letter);
  };
}
