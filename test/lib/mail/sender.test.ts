import { describe, expect, it } from "vitest";
import { readSender, senderHeader } from "../../../lib/mail/sender.ts";

function headerOf(text: string): string | undefined {
  const sender = readSender(text);
  return sender && senderHeader(sender);
}

/** What a mail program shows of a name in encoded words. */
function shown(name: string): string {
  return name
    .split(" ")
    .map((word) => Buffer.from(/^=\?UTF-8\?B\?(.+)\?=$/.exec(word)?.[1] ?? "", "base64").toString())
    .join("");
}

describe("A sender", () => {
  it.each([
    ["feedback@example.com", "feedback@example.com"],
    ["Feedback <feedback@example.com>", "Feedback <feedback@example.com>"],
    ["Feedback Board <a+b@example.com>", "Feedback Board <a+b@example.com>"],
    ["Acme, Inc. <feedback@acme.com>", '"Acme, Inc." <feedback@acme.com>'],
    ['"Acme, Inc." <feedback@acme.com>', '"Acme, Inc." <feedback@acme.com>'],
    ["Acme (Berlin) <a@acme.com>", '"Acme (Berlin)" <a@acme.com>'],
    ["back\\slash <a@acme.com>", '"back\\\\slash" <a@acme.com>'],
    ["=?UTF-8?Q?x?= <a@acme.com>", '"=?UTF-8?Q?x?=" <a@acme.com>'],
    ["Rückmeldung <a@example.de>", "=?UTF-8?B?UsO8Y2ttZWxkdW5n?= <a@example.de>"],
    ["Feedback <Team@Example.COM>", "Feedback <Team@example.com>"],
    ["a@exämple.de", "a@xn--exmple-cua.de"],
  ])("%s stands in the header as %s", (text, header) => {
    expect(headerOf(text)).toBe(header);
  });

  it("cuts a long name in any script between letters, into words of at most 75 characters", () => {
    const name = "フィードバックとご意見の受付窓口 👩‍👩‍👧 株式会社サンプル製作所";
    const [, words = ""] = /^(.*) <a@example\.jp>$/.exec(headerOf(`${name} <a@example.jp>`) ?? "") ?? [];
    expect(words).toMatch(/^[\x20-\x7e]+$/);
    expect(Math.max(...words.split(" ").map((word) => word.length))).toBeLessThanOrEqual(75);
    expect(shown(words)).toBe(name);
  });

  it.each([
    "",
    "Feedback",
    "a@b",
    "ünï@example.com",
    "a@b.example, c@d.example",
    "<a@example.com>",
    'A "B" <a@b.example>',
  ])("is not what %j is", (text) => {
    expect(readSender(text)).toBeUndefined();
  });
});
