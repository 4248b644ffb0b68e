import { vi } from "vitest";

/** The log lines of this test file, as they would have been printed. */
export const logLines: string[] = [];

const LOG_LINE = /^\{"time":"[^"]+","level":"(\w+)"/;

/** Keeps log lines instead of printing them. SHOW_LOG=1 prints errors too, so that a failing test explains itself. */
export function keepLog(): void {
  const print = process.stdout.write.bind(process.stdout);
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    const level = LOG_LINE.exec(String(chunk))?.[1];
    if (level === undefined) return print(chunk);
    logLines.push(String(chunk).trimEnd());
    if (level === "error" && process.env.SHOW_LOG) console.error(chunk);
    return true;
  });
}

// Secrets and personal data that no answer and no log line may hold. Every reply of every test and every log line of
// every test file is scanned.

const HASH = /\$(argon2id|scrypt)\$/;
const INSIDE =
  /arn:aws|node_modules|\bat .+:\d+:\d+|\b\w+(Exception|Error)\b|DynamoDB|ConditionExpression|USER#|CREDENTIALS#|127\.0\.0\.1/;
const TOKEN = /eyJ[\w-]{10,}\.[\w-]{10,}/;
const KEY = /\bfb_[\w-]{40,}/;
const ADDRESS = /[\w.+-]+@[a-z0-9][a-z0-9.-]*\.[a-z]{2,}/i;

/** The leak in an answer; undefined if there is none. */
/** A challenge is for the answer that asks for a second factor: it opens nothing by itself. */
function isChallenge(token: string): boolean {
  const [header = ""] = token.split(".");
  return Buffer.from(header, "base64url").toString().includes('"typ":"challenge+jwt"');
}

export function leakIn(status: number, text: string): string | undefined {
  if (HASH.test(text)) return "a password hash";
  // The only answer that tells a key is the one to its creation.
  if (KEY.test(text) && status !== 201) return "an API key";
  if (status < 400) return undefined;
  if (INSIDE.test(text) || text.includes(process.env.TABLE_NAME ?? "")) return "something of the inside";
  const [token] = TOKEN.exec(text) ?? [];
  if (token && !(status === 401 && isChallenge(token))) return "a token";
  return ADDRESS.test(text) ? "an address" : undefined;
}

export function leakInLog(line: string): string | undefined {
  if (HASH.test(line)) return "a password hash";
  if (TOKEN.test(line)) return "a token";
  if (KEY.test(line)) return "an API key";
  return ADDRESS.test(line) ? "an address" : undefined;
}
