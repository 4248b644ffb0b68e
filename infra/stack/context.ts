import { createHash } from "node:crypto";
import type { Node } from "constructs";
import { readSender } from "../../lib/mail/sender.ts";
import { LANGUAGES, type Language } from "../../lib/values/languages.ts";
import { isWebAddress, originIn } from "../../lib/values/origins.ts";
import { cors } from "./cors.ts";
import type { FeedbackBoardProps } from "./props.ts";

/** The choices of a deployment, by `cdk deploy -c name=value` or in cdk.json; docs/deploy.md describes each. */
export type DeploymentContext = {
  stageName: string;
  allowedOrigins: string[];
  /** `none`: nothing is mailed, by choice. Without a choice and a sender, signup and setup are refused. */
  mail: "none" | undefined;
  /** The sender of mails, an address or `Name <address>`. */
  mailFrom: string | undefined;
  mailLanguage: Language;
  /** The mails with news of posts that leave in a second; an account in SES's sandbox may send one. */
  noticesPerSecond: number;
  /** Whether the stack has the portal, at its own domain if there is one. */
  portal: { domain: string; certificateArn: string } | boolean;
  siteUrl: string | undefined;
  alarmEmail: string | undefined;
  publicReads: boolean;
  requireVerified: boolean;
  commonPasswords: "refuse" | "allow";
  /** The hash of the code that the first setup must give. Without it the first caller owns the site. */
  setupCodeSha256: string | undefined;
  /** Whether the rights to write in transactions are limited to families of keys. */
  leadingKeys: boolean;
  /** A table that was restored from a backup, in place of the stack's own: docs/operations.md#restore-from-a-backup. */
  restored: { tableArn: string; streamArn: string } | undefined;
  /** The table's limits, in units a second: DynamoDB throttles calls beyond them. */
  maxReadUnits: number;
  maxWriteUnits: number;
  /** The calls a second that a route admits, by its kind (infra/stack/api.ts). */
  signInsPerSecond: number;
  readsPerSecond: number;
  writesPerSecond: number;
  /** The containers that each function behind the API has for itself, and at most. */
  reservedConcurrency: number | undefined;
  /** AWS mails `alarmEmail` on a day that costs the account more than this, in USD. */
  dailyBudget: number;
  /** For `sam local`: this machine's architecture, a fixed table name, engine and secret from the environment. */
  local: boolean;
};

const LANGUAGE = new RegExp(`^(${LANGUAGES.join("|")})$`);
const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;
const TABLE_ARN = /^arn:[a-z-]+:dynamodb:[a-z0-9-]+:\d{12}:table\/[A-Za-z0-9_.-]+$/;

/** Reads and checks the context. Throws an error of one line that names a wrong value. */
export function readContext(node: Node): DeploymentContext {
  return read((name) => node.tryGetContext(name));
}

/** The same for properties: one rule for what is typed and what is written in code. */
export function contextOf(props: FeedbackBoardProps): DeploymentContext {
  return read((name) => (props as Record<string, unknown>)[name]);
}

function read(given: (name: string) => unknown): DeploymentContext {
  const text = (name: string): string | undefined => String(given(name) ?? "").trim() || undefined;
  const checked = (name: string, pattern: RegExp, expected: string): string | undefined => {
    const value = text(name);
    if (value === undefined || pattern.test(value)) return value;
    throw new Error(`Context ${name} must be ${expected}, not ${value}`);
  };
  const amount = (name: string, byDefault: number): number =>
    Number(checked(name, /^[1-9]\d{0,6}$/, "a whole number from 1 to 9999999") ?? byDefault);
  const isOn = (name: string): boolean => checked(name, /^(true|false)$/, "true or false") === "true";

  const mailFrom = text("mailFrom");
  if (mailFrom && !readSender(mailFrom))
    throw new Error(`Context mailFrom must be an e-mail address, or Name <address>, not ${mailFrom}`);
  const mail = checked("mail", /^none$/, "none; a sender is mailFrom") === "none" ? "none" : undefined;
  if (mail && mailFrom) throw new Error("Context mail=none is for a site that mails nothing: leave mailFrom out");
  const siteUrl = text("siteUrl");
  if (siteUrl && !isWebAddress(siteUrl))
    throw new Error(
      `Context siteUrl must be a URL without ? and #, such as https://feedback.example.com, not ${siteUrl}`,
    );
  const portal = readPortal(
    isOn("portal"),
    checked("domain", /^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "a domain such as feedback.example.com"),
    checked("certificateArn", /^arn:[a-z-]+:acm:us-east-1:/, "the ARN of a certificate in us-east-1"),
  );
  if (portal && siteUrl) throw new Error("Context siteUrl is for pages of your own: leave it out with portal=true");
  if (mailFrom && !siteUrl && !portal)
    throw new Error("Context mailFrom needs siteUrl or portal=true: mails link to pages");
  const requireVerified = isOn("requireVerified");
  if (requireVerified && !mailFrom)
    throw new Error("Context requireVerified needs mailFrom: addresses are confirmed by mail");
  const allowedOrigins = text("allowedOrigins")?.split(",").map(originNamed) ?? [...cors.allowOrigins];

  return {
    stageName: checked("stageName", /^[a-z][a-z0-9-]{0,15}$/, "1 to 16 of a-z, 0-9 and -") ?? "dev",
    allowedOrigins,
    mail,
    mailFrom,
    mailLanguage: (checked("mailLanguage", LANGUAGE, `one of ${LANGUAGES.join(", ")}`) ?? "en") as Language,
    noticesPerSecond: amount("noticesPerSecond", 10),
    portal,
    siteUrl,
    alarmEmail: checked("alarmEmail", ADDRESS, "an e-mail address"),
    publicReads: isOn("publicReads"),
    requireVerified,
    commonPasswords: checked("commonPasswords", /^(refuse|allow)$/, "refuse or allow") === "allow" ? "allow" : "refuse",
    setupCodeSha256:
      sha256(checked("setupCode", /^.{8,}$/, "at least 8 characters")) ??
      checked("setupCodeSha256", /^[0-9a-f]{64}$/, "64 hexadecimal digits"),
    leadingKeys: checked("leadingKeys", /^(on|off)$/, "on or off") !== "off",
    restored: restoredTable(checked("restoredTableArn", TABLE_ARN, "the ARN of a table"), text("restoredStreamArn")),
    maxReadUnits: amount("maxReadUnits", 1500),
    maxWriteUnits: amount("maxWriteUnits", 750),
    signInsPerSecond: amount("signInsPerSecond", 25),
    readsPerSecond: amount("readsPerSecond", 20),
    writesPerSecond: amount("writesPerSecond", 20),
    reservedConcurrency: amount("reservedConcurrency", 0) || undefined,
    dailyBudget: amount("dailyBudget", 10),
    local: isOn("local"),
  };
}

/** An origin of the list as browsers send it: API Gateway compares letter by letter. */
function originNamed(text: string): string {
  const origin = text.trim() === "*" ? "*" : originIn(text.trim());
  if (origin) return origin;
  throw new Error(`Context allowedOrigins must be * or origins like https://example.com, comma-separated, not ${text}`);
}

function sha256(text: string | undefined): string | undefined {
  return text === undefined ? undefined : createHash("sha256").update(text).digest("hex");
}

function readPortal(wanted: boolean, domain?: string, certificateArn?: string): DeploymentContext["portal"] {
  if (!domain && !certificateArn) return wanted;
  if (wanted && domain && certificateArn) return { domain, certificateArn };
  throw new Error("Context domain and certificateArn need each other, and portal=true");
}

function restoredTable(tableArn: string | undefined, streamArn: string | undefined): DeploymentContext["restored"] {
  if (!tableArn && !streamArn) return undefined;
  if (tableArn && streamArn?.startsWith(`${tableArn}/stream/`)) return { tableArn, streamArn };
  throw new Error("Context restoredTableArn and restoredStreamArn must be the ARNs of one table and of its stream");
}
