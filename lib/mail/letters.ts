import type { Purpose } from "../accounts/mail-tokens.ts";
import type { Mail } from "../accounts/outbox.ts";
import type { Site } from "../accounts/site.ts";
import { environment } from "../runtime/environment.ts";
import { type Letter, laidOut, nameOf } from "./layout.ts";
import type { Texts } from "./texts/en.ts";
import { t } from "./texts.ts";

/** A kind of letter: its texts, and the page behind its link, which takes a token if the letter has a purpose. */
type Kind = {
  texts: [subject: keyof Texts, before: keyof Texts, after: keyof Texts];
  link?: { label: keyof Texts; page: string; purpose?: Purpose; lifetime?: number };
};

const confirm = { label: "confirm", page: "email-verify", purpose: "verify-email" } as const;
const reset = { label: "reset", page: "password-reset/confirm", purpose: "reset-password" } as const;

// In seconds. Who is invited does not wait for the mail.
const WEEK = 7 * 24 * 60 * 60;

// Letters contain no text of their reader, not even the name: a signup with a stranger's address could otherwise send
// the stranger spam.
const kinds: Record<Mail["template"], Kind> = {
  welcome: { texts: ["welcome", "welcomeText", "confirmEnd"], link: confirm },
  verify: { texts: ["verify", "verifyText", "confirmEnd"], link: confirm },
  reset: { texts: ["reset", "resetText", "resetEnd"], link: reset },
  invitation: {
    texts: ["invitation", "invitationText", "invitationEnd"],
    link: { ...reset, label: "acceptInvitation", lifetime: WEEK },
  },
  "new-address": { texts: ["newAddress", "newAddressText", "newAddressEnd"], link: confirm },
  "address-asked": { texts: ["addressAsked", "addressAskedText", "addressAskedEnd"] },
  "address-changed": { texts: ["addressChanged", "addressChangedText", "addressChangedEnd"] },
  "new-key": { texts: ["newKey", "newKeyText", "newKeyEnd"] },
  "webhook-disabled": {
    texts: ["webhookDisabled", "webhookDisabledText", "webhookDisabledEnd"],
    link: { label: "openWebhooks", page: "manage/webhooks" },
  },
};

/** What the token in a mail is for, and for how many seconds it is good if not for the usual time. */
export function tokenOf({ template }: Mail): { purpose?: Purpose | undefined; lifetime?: number | undefined } {
  const { purpose, lifetime } = kinds[template].link ?? {};
  return { purpose, lifetime };
}

/** The letter of a mail from the outbox. */
export function letterOf({ to, template }: Mail, site: Site | undefined, token = ""): Letter {
  const { texts, link } = kinds[template];
  const [subject, before, after] = texts;
  const say = (text: keyof Texts) => t(text, { site: nameOf(site) });
  const url = `${environment().SITE_URL}/${link?.page}${link?.purpose ? `?token=${token}` : ""}`;
  const content = { subject: say(subject), before: say(before), after: say(after) };
  return laidOut(to, link ? { ...content, link: { label: say(link.label), url } } : content, site);
}
