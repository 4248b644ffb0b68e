import { beforeAll, describe, expect, it } from "vitest";
import { Domains } from "../../../lib/http/account-inputs.ts";
import { WebAddress } from "../../../lib/http/text-inputs.ts";
import { mayCall } from "../../../lib/outgoing/urls.ts";
import {
  domainsIn,
  problemOfCalledUrl,
  problemOfDomains,
  problemOfIssuer,
  problemOfUrl,
} from "../../../portal/pages/manage/typed-addresses.ts";
import { loadTexts } from "../../../portal/text.ts";

beforeAll(() => loadTexts("en"));

const CALLED: [string, RegExp][] = [
  ["example.com/hook", /Begin with https:.*https:\/\/example.com\/hook$/],
  ["htps:/example.com", /as in https:\/\/example.com$/],
  ["ftp://example.com", /as in https:\/\/example.com$/],
  ["https://exa mple.com", /cannot contain spaces/],
  ["https://example.com/a\\b", /contain \\/],
  ["https://", /host name is missing/],
  ["https://example.com:70000/", /no port 70000/],
  ["https://ada:secret@example.com", /user name and the password/],
  ["http://example.com", /not http:\/\//],
  ["https://203.0.113.7/hook", /instead of its IP address/],
  ["https://[2001:db8::1]/hook", /instead of its IP address/],
  ["https://example.com:80/hook", /Port 80 is not allowed/],
];

describe("What is wrong with an address that the service calls", () => {
  it.each(CALLED)("is said of %s", (typed, said) => {
    expect(problemOfCalledUrl(typed)).toMatch(said);
    expect(WebAddress.safeParse(typed).success && mayCall(typed)).toBe(false);
  });

  it.each(["", "https://example.com", "https://example.com:8443/hook?a=b", " https://example.com "])(
    "is nothing for '%s'",
    (typed) => expect(problemOfCalledUrl(typed)).toBeUndefined(),
  );

  it("is a query of an issuer, and neither http nor a port of a picture", () => {
    expect(problemOfIssuer("https://example.com/?tenant=1")).toMatch(/\? or #/);
    expect(problemOfUrl("http://example.com:80/logo.svg")).toBeUndefined();
  });
});

const DOMAINS: [string, RegExp][] = [
  ["https://example.com", /leave out the beginning/],
  ["ada@example.com", /what follows the @/],
  ["example.com/team", /the \/ and what follows/],
  ["example.com:443", /the port/],
  ["example.org, example", /^example is not a complete domain/],
  ["example..com", /not a complete domain/],
  ["*.example.com", /characters that a domain cannot have/],
];

describe("What is wrong with domains", () => {
  it.each(DOMAINS)("is said of %s", (typed, said) => {
    expect(problemOfDomains(typed)).toMatch(said);
    expect(Domains.safeParse(domainsIn(typed)).success).toBe(false);
  });

  it("is nothing, with any sign between them", () => {
    const typed = "@example.com, bücher.example;\nexample.co.uk、example.org";
    expect(problemOfDomains(typed)).toBeUndefined();
    expect(Domains.safeParse(domainsIn(typed)).success).toBe(true);
  });
});
