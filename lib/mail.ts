import { appendFile } from "node:fs/promises";
import type { Purpose } from "./data/mail-tokens.ts";
import type { Mail } from "./data/outbox.ts";
import { settings } from "./settings.ts";

/** A mail as it is sent. */
export type Letter = { to: string; subject: string; text: string };

/** Whether a mail sender is configured. */
export const canSend = (): boolean => {
  const { mailTransport, mailFrom } = settings();
  return mailTransport === "log" || (mailTransport === "ses" && mailFrom !== undefined);
};

type Template = {
  /** What the token inside is good for. */
  purpose: Purpose;
  write: (siteUrl: string, token: string) => Omit<Letter, "to">;
};

const confirmation = (siteUrl: string, token: string): string =>
  `please confirm that this address is yours:\n${siteUrl}/email-verify?token=${token}\n\nThe link is good for two hours and works once.`;

// No letter repeats what a user typed, the name included: whoever signs up with a stranger's address could write to the stranger.
const templates: Record<Mail["template"], Template> = {
  welcome: {
    purpose: "verify-email",
    write: (siteUrl, token) => ({
      subject: "Welcome",
      text: `Hello,\n\nyour account at ${siteUrl} is ready. One thing is left, ${confirmation(siteUrl, token)}\n`,
    }),
  },
  verify: {
    purpose: "verify-email",
    write: (siteUrl, token) => ({
      subject: "Confirm your e-mail address",
      text: `Hello,\n\n${confirmation(siteUrl, token)}\n`,
    }),
  },
  reset: {
    purpose: "reset-password",
    write: (siteUrl, token) => ({
      subject: "Set a new password",
      text: [
        `Hello,\n\nsomebody asked for a new password for your account at ${siteUrl}. If it was you, set it here:`,
        `${siteUrl}/password-reset/confirm?token=${token}\n`,
        "The link is good for two hours and works once. If it was not you, do nothing: your password stays as it is.\n",
      ].join("\n"),
    }),
  },
};

/** What the token in a mail is good for. */
export const purposeOf = ({ template }: Mail): Purpose => templates[template].purpose;

/** Writes the letter of a mail that waits in the outbox. */
export const letterOf = ({ to, template }: Mail, token: string): Letter => ({
  to,
  ...templates[template].write(settings().siteUrl, token),
});

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
