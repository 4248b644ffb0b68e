import { expect, it } from "vitest";
import { environment } from "../../../lib/runtime/environment.ts";
import { newContainer } from "../../support/setup.ts";

it.each([
  ["https://feedback.example.com/", "https://feedback.example.com"],
  ["https://Feedback.Example.com/ideas//", "https://feedback.example.com/ideas"],
  ["https://exämple.de", "https://xn--exmple-cua.de"],
  ["", "http://localhost:3000"],
])("SITE_URL %j is the site %s", (given, site) => {
  newContainer({ SITE_URL: given });
  expect(environment().SITE_URL).toBe(site);
});

it.each(["feedback.example.com", "localhost:3000", "ftp://example.com", "https://example.com/?page=1"])(
  "SITE_URL %j is refused: mails would lead nowhere",
  (given) => {
    expect(() => newContainer({ SITE_URL: given })).toThrow(
      "Bad environment variables: SITE_URL: Must be a URL such as",
    );
    newContainer({ SITE_URL: "" });
  },
);
