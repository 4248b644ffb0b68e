import type { Node } from "constructs";
import { cors } from "./cors.ts";

/** What a deployment may choose, by `cdk deploy -c name=value` or in cdk.json; docs/deploy.md describes each. */
export type DeploymentContext = {
  /** Names the deployment, so that several live side by side in one account. */
  stageName: string;
  /** Origins whose pages may call the API; any by default. */
  allowedOrigins: string[];
  /** The address that mails come from; without one nobody can sign up. */
  mailFrom: string | undefined;
  /** Where the portal's pages are: mails link there. */
  siteUrl: string | undefined;
  /** Who gets a mail when an alarm goes off. */
  alarmEmail: string | undefined;
  /** Whether boards and roadmaps are listed without a token too, for public portals. */
  publicReads: boolean;
  /** For `sam local`: this machine's architecture, a table with a known name, an engine and a secret from the environment. */
  local: boolean;
};

const text = (node: Node, name: string): string | undefined => {
  const value: unknown = node.tryGetContext(name);
  if (value === undefined || value === "") return undefined;
  return String(value).trim();
};

const checked = (name: string, value: string | undefined, pattern: RegExp, means: string): string | undefined => {
  if (value !== undefined && !pattern.test(value)) throw new Error(`Context ${name} must be ${means}, not ${value}`);
  return value;
};

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;
const ORIGIN = /^(\*|https?:\/\/[^/\s]+)$/;

/** Reads and checks the context; throws one clear line at a mistake. */
export const readContext = (node: Node): DeploymentContext => {
  const stageName = checked(
    "stageName",
    text(node, "stageName"),
    /^[a-z][a-z0-9-]{0,15}$/,
    "1 to 16 of a-z, 0-9 and -",
  );
  const mailFrom = checked("mailFrom", text(node, "mailFrom"), ADDRESS, "an e-mail address");
  const siteUrl = checked("siteUrl", text(node, "siteUrl"), /^https?:\/\/\S+$/, "a URL");
  if (mailFrom && !siteUrl)
    throw new Error("Context mailFrom needs siteUrl beside it: mails link to the portal's pages");
  const allowedOrigins = (text(node, "allowedOrigins") ?? cors.allowOrigins.join(","))
    .split(",")
    .map((origin) => origin.trim());
  for (const origin of allowedOrigins) {
    checked("allowedOrigins", origin, ORIGIN, "* or origins like https://example.com, comma-separated");
  }
  return {
    stageName: stageName ?? "dev",
    allowedOrigins,
    mailFrom,
    siteUrl,
    alarmEmail: checked("alarmEmail", text(node, "alarmEmail"), ADDRESS, "an e-mail address"),
    publicReads: text(node, "publicReads") === "true",
    local: text(node, "local") === "true",
  };
};
