import { teamText } from "./team-text.ts";

// What is wrong with an address that a person has typed, in a sentence that says how to mend it; undefined if nothing
// is found. The service decides; it has the same rules in lib/http/ and lib/outgoing/urls.ts.

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** What an address looks like that should begin with https://. */
function withHttps(typed: string): string {
  return `https://${typed.replace(/^\w*:?\/*/, (start) => (start.includes("/") ? "" : start))}`;
}

/** Of a web address, as of a picture. */
export function problemOfUrl(typed: string): string | undefined {
  const text = typed.trim();
  if (text === "") return undefined;
  if (/\s/.test(text)) return teamText("url_space");
  const [character] = /["'<>`\\]/.exec(text) ?? [];
  if (character) return teamText("url_character", { character });
  if (!/^https?:\/\//i.test(text)) return teamText("url_scheme", { url: withHttps(text) });
  const [, port = ""] = /^\w+:\/\/[^/?#]*:(\d+)/.exec(text) ?? [];
  if (Number(port) > 65_535) return teamText("url_noPort", { port });
  const url = parsed(text);
  if (!url) return teamText("url_host");
  return url.username || url.password ? teamText("url_login") : undefined;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const IP_ADDRESS = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/;

/** Of an address that the service calls: a webhook's, or an issuer's. */
export function problemOfCalledUrl(typed: string): string | undefined {
  const problem = problemOfUrl(typed);
  const url = parsed(typed.trim());
  // On a developer's machine the service may call that machine.
  if (problem || !url || LOOPBACK.includes(url.hostname)) return problem;
  if (url.protocol === "http:") return teamText("url_http");
  if (IP_ADDRESS.test(url.hostname)) return teamText("url_ipAddress");
  if (url.port !== "" && Number(url.port) < 1024) return teamText("url_port", { port: url.port });
  return undefined;
}

/** Of a picture: browsers show none from http on a page that came by https. */
export function problemOfPicture(typed: string): string | undefined {
  const problem = problemOfUrl(typed);
  const url = parsed(typed.trim());
  if (problem || url?.protocol !== "http:" || LOOPBACK.includes(url.hostname)) return problem;
  return teamText("url_http");
}

export function problemOfIssuer(typed: string): string | undefined {
  const [placeholder] = /<[^<>]*>/.exec(typed) ?? [];
  if (placeholder) return teamText("url_own", { placeholder });
  return problemOfCalledUrl(typed) ?? (/[?#]/.test(typed) ? teamText("url_query") : undefined);
}

/** The domains in a text, with commas or spaces between them. */
export function domainsIn(text: string): string[] {
  return text.split(/[\s,;、，]+/).filter((each) => each !== "");
}

function problemOfDomain(typed: string): string | undefined {
  const domain = typed.replace(/^@/, "");
  if (domain.includes("://")) return teamText("domain_scheme", { domain });
  if (domain.includes("@")) return teamText("domain_person", { domain });
  if (domain.includes("/")) return teamText("domain_path", { domain });
  if (domain.includes(":")) return teamText("domain_port", { domain });
  if (!/^[^.]+(\.[^.]+)+$/.test(domain)) return teamText("domain_dot", { domain });
  return /[\p{P}\p{S}]/u.test(domain.replace(/[-.]/g, "")) ? teamText("domain_other", { domain }) : undefined;
}

/** Of a list of domains: of the first one that is wrong. */
export function problemOfDomains(typed: string): string | undefined {
  return domainsIn(typed).map(problemOfDomain).find(Boolean);
}

/** Of the end of the address of a board or a roadmap. */
export function problemOfSlug(typed: string): string | undefined {
  return /^[a-z0-9_-]*$/.test(typed) ? undefined : teamText("slugRule");
}
