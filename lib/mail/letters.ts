import type { Purpose } from "../accounts/mail-tokens.ts";
import type { Mail } from "../accounts/outbox.ts";
import type { Site } from "../accounts/site.ts";
import { environment } from "../runtime/environment.ts";
import { type Content, type Letter, laidOut, nameOf } from "./layout.ts";
import { t } from "./texts.ts";

type Values = { site: string; siteUrl: string; token: string };

function confirmation({ siteUrl, token }: Values) {
  return { link: { label: t("confirm"), url: `${siteUrl}/email-verify?token=${token}` }, after: t("confirmEnd") };
}

// Letters contain no text of their reader, not even the name: a signup with a stranger's address could otherwise send
// the stranger spam.
const templates: Record<Mail["template"], (values: Values) => Content> = {
  welcome: (values) => ({
    subject: t("welcome", values),
    before: t("welcomeText", values),
    ...confirmation(values),
  }),
  verify: (values) => ({ subject: t("verify"), before: t("verifyText"), ...confirmation(values) }),
  reset: ({ site, siteUrl, token }) => ({
    subject: t("reset"),
    before: t("resetText", { site }),
    link: { label: t("reset"), url: `${siteUrl}/password-reset/confirm?token=${token}` },
    after: t("resetEnd"),
  }),
  "new-key": ({ site }) => ({ subject: t("newKey"), before: t("newKeyText", { site }), after: t("newKeyEnd") }),
  "webhook-disabled": ({ site, siteUrl }) => ({
    subject: t("webhookDisabled"),
    before: t("webhookDisabledText", { site }),
    link: { label: t("openWebhooks"), url: `${siteUrl}/manage/webhooks` },
    after: t("webhookDisabledEnd"),
  }),
};

const purposes: { [T in Mail["template"]]?: Purpose } = {
  welcome: "verify-email",
  verify: "verify-email",
  reset: "reset-password",
};

export function purposeOf({ template }: Mail): Purpose | undefined {
  return purposes[template];
}

export function letterOf({ to, template }: Mail, site: Site | undefined, token = ""): Letter {
  const values = { site: nameOf(site), siteUrl: environment().SITE_URL, token };
  return laidOut(to, templates[template](values), site);
}
