import { appendFile } from "node:fs/promises";
import { environment } from "../runtime/environment.ts";
import type { Letter } from "./layout.ts";
import { sesTransport } from "./ses.ts";

export function canSend(): boolean {
  const { MAIL_TRANSPORT, MAIL_FROM } = environment();
  return MAIL_TRANSPORT === "log" || (MAIL_TRANSPORT === "ses" && MAIL_FROM !== undefined);
}

type Transport = (letter: Letter) => Promise<void>;

/** The calls that portals make from the links of letters: without a portal there is no page behind a link. */
const CALLS = {
  "email-verify": `POST /auth/email/validate {"token":"…"} with the token of a session`,
  "password-reset": `POST /auth/password/set {"token":"…","password":"…"}`,
};

/** Prints the letter with the call that its link is for, and appends it as one JSON line to the file MAIL_LOG_FILE. */
const logTransport: Transport = async (letter) => {
  const call = Object.entries(CALLS).find(([page]) => letter.text.includes(`/${page}`))?.[1];
  const text = call ? `${letter.text}\n(Without a portal: ${call})` : letter.text;
  console.info(`mail to ${letter.to}: ${letter.subject}\n  ${text.trim().replaceAll("\n", "\n  ")}`);
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
