import { BASE_PATH } from "../../../functions/index.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";

/** The endpoint of a request, with its route key and decoded path parameters. */
export type Match = { endpoint: Endpoint; route: string; parameters: Record<string, string> };

type Route = { endpoint: Endpoint; key: string; method: string; segments: string[] };

const routeOf = (endpoint: Endpoint): Route => {
  const { method, path } = endpoint.definition;
  const whole = `${BASE_PATH}${path}`;
  return { endpoint, key: `${method} ${whole}`, method, segments: whole.split("/") };
};

// The gateway prefers the most specific route: fixed text before a parameter before a greedy parameter.
const rank = (segment = ""): number => (segment.endsWith("+}") ? 2 : segment.startsWith("{") ? 1 : 0);

const moreSpecific = (a: Route, b: Route): number => {
  for (let at = 0; at < Math.max(a.segments.length, b.segments.length); at++) {
    const difference = rank(a.segments[at]) - rank(b.segments[at]);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** Makes the function that finds the endpoint of a method and a raw path. */
export const matcherOf = (endpoints: readonly Endpoint[]) => {
  const routes = endpoints.map(routeOf).sort(moreSpecific);
  return (method: string, rawPath: string): Match | undefined => {
    const segments = rawPath.split("/");
    for (const { endpoint, key, method: wanted, segments: pattern } of routes) {
      const parameters = wanted === method ? parametersOf(pattern, segments) : undefined;
      if (parameters) return { endpoint, route: key, parameters };
    }
    return undefined;
  };
};

const parametersOf = (pattern: string[], segments: string[]): Record<string, string> | undefined => {
  const isGreedy = pattern.at(-1)?.endsWith("+}") ?? false;
  if (isGreedy ? segments.length < pattern.length : segments.length !== pattern.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const text = part.endsWith("+}") ? segments.slice(at).join("/") : (segments[at] as string);
    if (part.startsWith("{")) {
      if (text === "") return undefined;
      parameters[part.replace(/[{}+]/g, "")] = decode(text);
    } else if (part !== text) return undefined;
  }
  return parameters;
};

/** Percent-decodes a piece of a path; a bad escape becomes U+FFFD, a character that nothing is named with. */
const decode = (text: string): string => {
  const source = Buffer.from(text.replace(/%(?![0-9a-f]{2})/gi, "%FF"), "utf8");
  const bytes: number[] = [];
  for (let at = 0; at < source.length; at++) {
    const isEscape = source[at] === 0x25;
    bytes.push(isEscape ? Number.parseInt(source.toString("latin1", at + 1, at + 3), 16) : (source[at] as number));
    if (isEscape) at += 2;
  }
  // A byte order mark is a character like any other here.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
};
