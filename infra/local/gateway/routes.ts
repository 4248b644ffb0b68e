import type { Endpoint } from "../../../lib/endpoint.ts";
import { BASE_PATH, routeKeysOf } from "../../../lib/http/routes.ts";

export type Match = { endpoint: Endpoint; route: string; parameters: Record<string, string> };

type Route = { endpoint: Endpoint; key: string; method: string; segments: string[] };

function routesOf(endpoint: Endpoint): Route[] {
  const segments = `${BASE_PATH}${endpoint.definition.path}`.split("/");
  return routeKeysOf(endpoint.definition).map((key) => {
    const [method = ""] = key.split(" ");
    return { endpoint, key, method, segments };
  });
}

// API Gateway prefers the most specific route: fixed text before a parameter before a greedy parameter.
function rank(segment = ""): number {
  if (segment.endsWith("+}")) return 2;
  return segment.startsWith("{") ? 1 : 0;
}

function bySpecificity(a: Route, b: Route): number {
  for (let index = 0; index < Math.max(a.segments.length, b.segments.length); index++) {
    const difference = rank(a.segments[index]) - rank(b.segments[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns what finds the endpoint of a method and a path as API Gateway does, with the parameters in the path. */
export function matcherOf(endpoints: readonly Endpoint[]) {
  const routes = endpoints.flatMap(routesOf).sort(bySpecificity);
  return (method: string, rawPath: string): Match | undefined => {
    const segments = rawPath.split("/");
    for (const { endpoint, key, method: routeMethod, segments: pattern } of routes) {
      const parameters = routeMethod === method ? parametersOf(pattern, segments) : undefined;
      if (parameters) return { endpoint, route: key, parameters };
    }
    return undefined;
  };
}

function parametersOf(pattern: string[], segments: string[]): Record<string, string> | undefined {
  const isGreedy = pattern.at(-1)?.endsWith("+}") ?? false;
  if (isGreedy ? segments.length < pattern.length : segments.length !== pattern.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const text = part.endsWith("+}") ? segments.slice(index).join("/") : (segments[index] as string);
    if (part.startsWith("{")) {
      if (text === "") return undefined;
      parameters[part.replace(/[{}+]/g, "")] = decode(text);
    } else if (part !== text) return undefined;
  }
  return parameters;
}

/** Percent-decodes a segment of a path. A bad escape becomes U+FFFD, which is in no name and no url. */
function decode(text: string): string {
  const source = Buffer.from(text.replace(/%(?![0-9a-f]{2})/gi, "%FF"), "utf8");
  const bytes: number[] = [];
  for (let index = 0; index < source.length; index++) {
    const isEscape = source[index] === 0x25;
    const hex = source.toString("latin1", index + 1, index + 3);
    bytes.push(isEscape ? Number.parseInt(hex, 16) : (source[index] as number));
    if (isEscape) index += 2;
  }
  // ignoreBOM keeps a byte order mark, as a character like any other.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}
