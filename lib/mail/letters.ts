import { goneAt } from "../accounts/erasures.ts";
import type { Purpose } from "../accounts/mail-tokens.ts";
import type { Mail } from "../accounts/outbox.ts";
import type { Site } from "../accounts/site.ts";
import { environment } from "../runtime/environment.ts";
import type { Language } from "../values/languages.ts";
import { type Letter, laidOut, nameOf } from "./layout.ts";
import type { Texts } from "./texts/en.ts";
import { t } from "./texts.ts";
import { unlinked } from "./unlinked.ts";

/** A kind of letter: its texts, and the page behind its link, which takes a token if the letter has a purpose. */
type Kind = {
  texts: [subject: keyof Texts, before: keyof Texts, after: keyof Texts];
  /** What the reader does next, in the text before the link. */
  next?: keyof Texts;
  link?: { label: keyof Texts; page: string; purpose?: Purpose | "sign-in"; lifetime?: number; query?: string };
};

/** What only the letter has: the token of its link, and the code of a sign-in. */
export type Secrets = { token?: string; code?: string };

const confirm = { label: "confirm", page: "email-verify", purpose: "verify-email" } as const;
const reset = { label: "reset", page: "password-reset/confirm", purpose: "reset-password" } as const;
const signIn = { label: "signIn", page: "sign-in/link", purpose: "sign-in" } as const;
const newPassword = { label: "reset", page: "password-reset" } as const;

// In seconds. Who is invited does not wait for the mail.
const WEEK = 7 * 24 * 60 * 60;

// Letters contain no text of their reader, not even the name: a signup with a stranger's address could otherwise send
// the stranger spam. The names of an API key and of who invites come from the team, and an address in them becomes no
// link.
const kinds: Record<Mail["template"], Kind> = {
  welcome: { texts: ["welcome", "welcomeText", "confirmEnd"], link: confirm },
  verify: { texts: ["verify", "verifyText", "confirmEnd"], link: confirm },
  reset: { texts: ["reset", "resetText", "resetEnd"], link: reset },
  invitation: {
    texts: ["invitation", "invitationText", "invitationEnd"],
    next: "setPasswordHere",
    // The page greets whom it was sent to.
    link: { ...reset, label: "acceptInvitation", lifetime: WEEK, query: "&invited=1" },
  },
  "new-address": { texts: ["newAddress", "newAddressText", "newAddressEnd"], link: confirm },
  "address-asked": { texts: ["addressAsked", "addressAskedText", "addressAskedEnd"] },
  "address-changed": { texts: ["addressChanged", "addressChangedText", "addressChangedEnd"] },
  "new-key": {
    texts: ["newKey", "newKeyText", "newKeyEnd"],
    link: { label: "openKeys", page: "manage/keys" },
  },
  "sign-in": { texts: ["signInSubject", "signInText", "signInEnd"], link: signIn },
  "signed-in": { texts: ["signedIn", "signedInText", "signedInEnd"], link: newPassword },
  "sign-in-linked": { texts: ["signInLinked", "signInLinkedText", "signInLinkedEnd"], link: newPassword },
  "two-factor-on": { texts: ["twoFactorOn", "twoFactorOnText", "twoFactorEnd"] },
  "two-factor-off": { texts: ["twoFactorOff", "twoFactorOffText", "twoFactorEnd"] },
  "recovery-used": { texts: ["recoveryUsed", "recoveryUsedText", "twoFactorEnd"] },
  "recovery-renewed": { texts: ["recoveryRenewed", "recoveryRenewedText", "twoFactorEnd"] },
  "password-changed": { texts: ["passwordChanged", "passwordChangedText", "signedInEnd"], link: newPassword },
  "password-set": { texts: ["passwordSet", "passwordSetText", "signedInEnd"], link: newPassword },
  "site-got": {
    texts: ["siteGot", "siteGotText", "siteGotEnd"],
    link: { label: "openSite", page: "manage" },
  },
  "site-given": { texts: ["siteGiven", "siteGivenText", "siteGivenEnd"] },
  "account-deleted": { texts: ["accountDeleted", "accountDeletedText", "accountDeletedEnd"] },
  "webhook-disabled": {
    texts: ["webhookDisabled", "webhookDisabledText", "webhookDisabledEnd"],
    link: { label: "openWebhooks", page: "manage/webhooks" },
  },
  "export-ready": {
    texts: ["exportReady", "exportReadyText", "exportReadyEnd"],
    link: { label: "openExport", page: "manage/export" },
  },
};

/** An invitation to a site where passwords are switched off. */
const invitationWithoutPassword: Kind = {
  texts: ["invitation", "invitationText", "invitationByMailEnd"],
  next: "signInByLink",
  link: { label: "signIn", page: "sign-in/mail" },
};

function kindOf({ template }: Mail, site: Site | undefined): Kind {
  return template === "invitation" && site?.password === false ? invitationWithoutPassword : kinds[template];
}

/** What an invitation says to who is to be of the team, by what it says to others. */
const TO_THE_TEAM: Partial<Record<keyof Texts, keyof Texts>> = { invitationText: "invitationTeamText" };

/** What the token in a mail is for, and for how many seconds it is good if not for the usual time. */
export function tokenOf(mail: Mail, site: Site | undefined): Pick<NonNullable<Kind["link"]>, "purpose" | "lifetime"> {
  return kindOf(mail, site).link ?? {};
}

/** The time of a mail, in UTC: nobody knows the reader's time zone. */
function timeOf(at: number, language: Language): string {
  const options = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Date(at).toLocaleString(language, options)} UTC`;
}

/** The day from which nothing of an account that is deleted then has its name or address. */
function goneBy(at: number, language: Language): string {
  const options = { dateStyle: "long", timeZone: "UTC" } as const;
  return goneAt(at).toLocaleDateString(language, options);
}

/**
 * When a mail was ordered, in milliseconds since 1970, the language of its reader, whether the team has them,
 * and the name of who invites them.
 */
export type Reading = { orderedAt: number; language: Language; isOfTeam?: boolean; inviter?: string | undefined };

/** The letter of a mail from the outbox. */
export function letterOf(
  mail: Mail,
  site: Site | undefined,
  { orderedAt, language, isOfTeam = false, inviter: name }: Reading,
  { token = "", code }: Secrets = {},
): Letter {
  const { to, keyName = "", browser = t("unknownBrowser", language), provider = t("ownProduct", language) } = mail;
  const { texts, link, next } = kindOf(mail, site);
  const [subject, before, after] = texts;
  const times = { time: timeOf(orderedAt, language), until: goneBy(orderedAt, language) };
  const inviter = name === undefined ? t("inviterTeam", language) : t("inviter", language, { name: unlinked(name) });
  const values = {
    site: nameOf(site),
    browser,
    provider,
    keyName: unlinked(keyName),
    inviter,
    next: next ? t(next, language) : "",
    ...times,
  };
  const say = (text: keyof Texts) => t(text, language, values);
  const query = link?.purpose ? `?token=${token}${link.query ?? mail.query ?? ""}` : "";
  const url = `${environment().SITE_URL}/${link?.page}${query}`;
  const content = {
    language,
    subject: say(subject),
    before: say((isOfTeam && TO_THE_TEAM[before]) || before),
    ...(link && { link: { label: say(link.label), url } }),
    ...(code && { code: { label: say("orCode"), code } }),
    after: say(after),
  };
  return laidOut(to, content, site);
}
