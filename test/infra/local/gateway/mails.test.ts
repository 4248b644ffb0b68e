import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { mailsAt, showsMails } from "../../../../infra/local/gateway/mails.ts";

const file = join(mkdtempSync(join(tmpdir(), "mails-")), "mail.jsonl");

beforeEach(() => {
  vi.stubEnv("MAIL_LOG_FILE", file);
  vi.stubEnv("MAIL_TRANSPORT", "log");
});

describe("The page of the last mails", () => {
  it("shows twenty letters, the newest first, each as HTML in a frame and as text", () => {
    expect(mailsAt("/mails")?.body).toContain("<h1>No mail was sent yet</h1>");
    const address = { time: "now", to: "a@example.com" };
    const letter = (n: number) => ({ ...address, subject: `N${n}.`, text: "a < b", html: `<b>"${n}` });
    writeFileSync(file, Array.from({ length: 25 }, (_, n) => `${JSON.stringify(letter(n))}\n`).join(""));
    const { statusCode, body = "" } = mailsAt("/mails") ?? {};
    expect(statusCode).toBe(200);
    const shown = [...body.matchAll(/<h2[^>]*>N(\d+)\./g)].map(([, n]) => Number(n));
    expect(shown).toEqual(Array.from({ length: 20 }, (_, n) => 24 - n));
    expect(body).toContain('srcdoc="&lt;base target=&quot;_blank&quot;&gt;&lt;b&gt;&quot;24"');
    expect(body).toContain(">a &lt; b</pre>");
    expect(mailsAt("/mails/1")).toBeUndefined();
  });

  it("exists on loopback only, because letters hold links that are for their readers", () => {
    expect(["127.0.0.1", "::1", "localhost"].filter(showsMails)).toHaveLength(3);
    expect(["0.0.0.0", "192.168.1.2"].filter(showsMails)).toEqual([]);
  });
});
