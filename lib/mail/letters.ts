import type { Purpose } from "../accounts/mail-tokens.ts";
import type { Mail } from "../accounts/outbox.ts";
import { environment } from "../runtime/environment.ts";

export type Letter = { to: string; subject: string; text: string };

function confirmation(siteUrl: string, token?: string): string {
  return [
    "please sign in and confirm that this address is yours:",
    `${siteUrl}/email-verify?token=${token}\n`,
    "The link is good for two hours and works once. If it was not you who signed up, do nothing.",
  ].join("\n");
}

// Letters contain no text of a user, not even the name: a signup with a stranger's address could otherwise send the
// stranger spam.
const templates: Record<Mail["template"], (siteUrl: string, token?: string) => Omit<Letter, "to">> = {
  welcome: (siteUrl, token) => ({
    subject: "Welcome",
    text: `Hello,\n\nyour account at ${siteUrl} is ready. One thing is left, ${confirmation(siteUrl, token)}\n`,
  }),
  verify: (siteUrl, token) => ({
    subject: "Confirm your e-mail address",
    text: `Hello,\n\n${confirmation(siteUrl, token)}\n`,
  }),
  reset: (siteUrl, token) => ({
    subject: "Set a new password",
    text: [
      `Hello,\n\na new password was requested for your account at ${siteUrl}. If it was you, set it here:`,
      `${siteUrl}/password-reset/confirm?token=${token}\n`,
      "The link is good for two hours and works once. If it was not you, do nothing: your password stays as it is.\n",
    ].join("\n"),
  }),
  "new-key": (siteUrl) => ({
    subject: "A new API key",
    text: [
      `Hello,\n\na new API key was made for your account at ${siteUrl}. A program that has it can act as you.`,
      'If it was not you, set a new password by "forgot password": that ends all sessions and all API keys.\n',
    ].join("\n"),
  }),
};

export function purposeOf({ template }: Mail): Purpose | undefined {
  if (template === "new-key") return undefined;
  return template === "reset" ? "reset-password" : "verify-email";
}

export function letterOf({ to, template }: Mail, token?: string): Letter {
  return { to, ...templates[template](environment().SITE_URL, token) };
}
