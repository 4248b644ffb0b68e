import type { Node } from "constructs";
import { cors } from "./cors.ts";

/** What a deployment may choose, by `cdk deploy -c name=value` or in cdk.json; docs/deploy.md describes each. */
export type DeploymentContext = {
  /** The name of the deployment. Several can live side by side in one account. */
  stageName: string;
  /** Origins whose pages may call the API; any by default. */
  allowedOrigins: string[];
  /** The sender of mails, an address or `Name <address>`. Without it signup is refused. */
  mailFrom: string | undefined;
  /** The URL of the portal's pages, for links in mails. */
  siteUrl: string | undefined;
  /** The address that gets a mail when an alarm goes off. */
  alarmEmail: string | undefined;
  /** Whether boards and roadmaps are listed without a token too, for public portals. */
  publicReads: boolean;
  /** Whether only users with a confirmed address may post and vote. */
  requireVerified: boolean;
  /** Whether a new password may be one of the commonest. */
  commonPasswords: "refuse" | "allow";
  /** What the first setup has to be called with. Without it the first caller owns the site. */
  setupCode: string | undefined;
  /** Whether the rights to write in transactions are limited to families of keys, as they are meant to be. */
  leadingKeys: boolean;
  /** A table that was restored from a backup, in place of the stack's own: docs/operations.md#restore-from-a-backup. */
  restored: { tableArn: string; streamArn: string } | undefined;
  /** The most that the table may read and write, in units a second: DynamoDB refuses what exceeds them. */
  maxReadUnits: number;
  maxWriteUnits: number;
  /** The calls that each route admits a second, by what its endpoint does (infra/stack/throttles.ts). */
  signInsPerSecond: number;
  readsPerSecond: number;
  writesPerSecond: number;
  /** AWS mails `alarmEmail` on a day that costs the account more than this, in USD. */
  dailyBudget: number;
  /** For `sam local`: this machine's architecture, a table with a known name, an engine and a secret from the environment. */
  local: boolean;
};

function text(node: Node, name: string): string | undefined {
  const value: unknown = node.tryGetContext(name);
  if (value === undefined || value === "") return undefined;
  return String(value).trim();
}

function checked(name: string, value: string | undefined, pattern: RegExp, means: string): string | undefined {
  if (value !== undefined && !pattern.test(value)) throw new Error(`Context ${name} must be ${means}, not ${value}`);
  return value;
}

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;
const SENDER = /^(?:[^<>"]+ <[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+>|[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+)$/;
const ORIGIN = /^(\*|https?:\/\/[^/\s]+)$/;

const TABLE_ARN = /^arn:[a-z-]+:dynamodb:[a-z0-9-]+:\d{12}:table\/[A-Za-z0-9_.-]+$/;

function restoredTable(node: Node): DeploymentContext["restored"] {
  const tableArn = checked("restoredTableArn", text(node, "restoredTableArn"), TABLE_ARN, "the ARN of a table");
  const streamArn = text(node, "restoredStreamArn");
  if (!tableArn && !streamArn) return undefined;
  if (!tableArn || !streamArn?.startsWith(`${tableArn}/stream/`)) {
    throw new Error("Context restoredTableArn and restoredStreamArn must be the ARNs of one table and of its stream");
  }
  return { tableArn, streamArn };
}

function amount(node: Node, name: string, byDefault: number): number {
  return Number(checked(name, text(node, name), /^[1-9]\d{0,6}$/, "a whole number from 1 to 9999999") ?? byDefault);
}

/** Reads and checks the context. Throws an error of one line that names a wrong value. */
export function readContext(node: Node): DeploymentContext {
  const stageName = checked(
    "stageName",
    text(node, "stageName"),
    /^[a-z][a-z0-9-]{0,15}$/,
    "1 to 16 of a-z, 0-9 and -",
  );
  const mailFrom = checked("mailFrom", text(node, "mailFrom"), SENDER, "an e-mail address, or Name <address>");
  const siteUrl = checked("siteUrl", text(node, "siteUrl"), /^https?:\/\/\S+$/, "a URL");
  if (mailFrom && !siteUrl)
    throw new Error("Context mailFrom needs siteUrl beside it: mails link to the portal's pages");
  const allowedOrigins = (text(node, "allowedOrigins") ?? cors.allowOrigins.join(","))
    .split(",")
    .map((origin) => origin.trim());
  for (const origin of allowedOrigins) {
    checked("allowedOrigins", origin, ORIGIN, "* or origins like https://example.com, comma-separated");
  }
  const requireVerified = text(node, "requireVerified") === "true";
  if (requireVerified && !mailFrom)
    throw new Error("Context requireVerified needs mailFrom: addresses are confirmed by mail");
  return {
    stageName: stageName ?? "dev",
    allowedOrigins,
    mailFrom,
    siteUrl,
    alarmEmail: checked("alarmEmail", text(node, "alarmEmail"), ADDRESS, "an e-mail address"),
    publicReads: text(node, "publicReads") === "true",
    requireVerified,
    commonPasswords:
      checked("commonPasswords", text(node, "commonPasswords"), /^(refuse|allow)$/, "refuse or allow") === "allow"
        ? "allow"
        : "refuse",
    setupCode: checked("setupCode", text(node, "setupCode"), /^.{8,}$/, "at least 8 characters"),
    leadingKeys: checked("leadingKeys", text(node, "leadingKeys"), /^(on|off)$/, "on or off") !== "off",
    restored: restoredTable(node),
    maxReadUnits: amount(node, "maxReadUnits", 300),
    maxWriteUnits: amount(node, "maxWriteUnits", 400),
    signInsPerSecond: amount(node, "signInsPerSecond", 100),
    readsPerSecond: amount(node, "readsPerSecond", 15),
    writesPerSecond: amount(node, "writesPerSecond", 20),
    dailyBudget: amount(node, "dailyBudget", 10),
    local: text(node, "local") === "true",
  };
}
