import { randomBytes } from "node:crypto";
import { type DataFolder, keptSecret } from "./data-folder.ts";
import { baseUrlOf } from "./gateway/base-url.ts";

/**
 * Sets the variables that the environment leaves open. The signing secret and the mails are kept in the data folder, if
 * there is one.
 */
export function setDefaults(folder: DataFolder | undefined): void {
  process.env.TABLE_NAME ||= "feedback-board";
  process.env.MAIL_TRANSPORT ||= "log";
  process.env.WEBHOOK_PRIVATE_TARGETS ||= "on";
  // The portal's own address: under another name a browser has another session.
  process.env.SITE_URL ||= siteUrl();
  process.env.SIGNING_SECRET ||= folder ? keptSecret(folder.file("signing-secret")) : randomBytes(32).toString("hex");
  if (!folder) return;
  process.env.MAIL_LOG_FILE ||= folder.file("mail.jsonl");
  process.env.EXPORT_FOLDER ||= folder.file("exports");
  // Not for people: marks the server of `--watch`, which is a process of its own.
  process.env.CHANGED_POSTS_FILE = folder.file("changed-posts");
}

function siteUrl(): string {
  const { host, port } = serverAddress();
  return new URL(baseUrlOf(host, port)).origin;
}

/** The port in an environment variable. Throws if it is not a number up to 65535. */
export function portFrom(name: "PORT" | "ENGINE_PORT", byDefault: number): number {
  const text = process.env[name] || String(byDefault);
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new Error(`${name} must be a port number, not ${JSON.stringify(text)}`);
  return port;
}

// The ports of other protocols that browsers and `fetch` refuse (Fetch standard, "bad port"), above 1023.
const REFUSED_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
];

/** Where the server listens, by HOST and PORT. Throws if no browser would open a page there. */
export function serverAddress(): { host: string; port: number } {
  const port = portFrom("PORT", 3000);
  if (REFUSED_PORTS.includes(port)) throw new Error(`PORT must not be ${port}: browsers open no page there`);
  return { host: process.env.HOST || "127.0.0.1", port };
}
