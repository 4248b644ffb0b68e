import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { work as sendMail } from "../../../functions/background/send-mail.ts";
import type { Letter } from "../../../lib/mail/layout.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { handOver } from "../http/invoke.ts";
import { newContainer } from "../setup.ts";

export async function sendLetters(): Promise<Letter[]> {
  const folder = mkdtempSync(join(tmpdir(), "letters-"));
  const file = join(folder, "mail.jsonl");
  newContainer({ MAIL_LOG_FILE: file });
  const { info } = console;
  console.info = () => {};
  try {
    await handOver(sendMail, ...(await due.waitingIds("OUTBOX")).map(key.mail));
    const unsent = await due.waitingIds("OUTBOX");
    if (unsent.length > 0) throw new Error(`${unsent.length} mails were not sent`);
    return readFileSync(file, { encoding: "utf8", flag: "a+" })
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Letter);
  } finally {
    console.info = info;
    newContainer({ MAIL_LOG_FILE: "" });
    rmSync(folder, { recursive: true });
  }
}

export function tokenIn(letter: Letter | undefined): string {
  const token = /token=([A-Za-z0-9_-]+)/.exec(letter?.text ?? "")?.[1];
  if (!token) throw new Error("the letter holds no token");
  return token;
}
