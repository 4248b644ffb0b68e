import { expect, it } from "vitest";
import { fill } from "../../../lib/mail/fill.ts";

it.each([
  ["You are signed in to {site}.", { site: "Acme" }, "You are signed in to Acme."],
  ["You are signed in to {site}.", { site: "Acme Inc." }, "You are signed in to Acme Inc."],
  [
    "Für dein Konto bei {site}. {more}",
    { site: "Müller & Co.", more: "Wirklich." },
    "Für dein Konto bei Müller & Co. Wirklich.",
  ],
  ["{site}", { site: "Yahoo!" }, "Yahoo!"],
  ["A comment on {post}.", {}, "A comment on ."],
])("fills %j with %j", (text, values, filled) => {
  expect(fill(text, values as Record<string, string>)).toBe(filled);
});
