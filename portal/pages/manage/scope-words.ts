import { teamTextOr } from "./team-text.ts";

// What a key may do, in words: a scope is a thing and what is done with it, such as `comment:update:own`.

const THINGS: Record<string, string> = {
  profile: "profile",
  post: "posts",
  board: "boards",
  roadmap: "roadmaps",
  tag: "tags",
  user: "people",
  settings: "site",
  audit: "audit",
  stats: "figures",
  webhook: "webhooks",
};

/** The words for a scope; its own ones where the portal has none. */
export function wordsOf(scope: string): { thing: string; deed: string } {
  const [thing = "", ...deed] = scope.split(":");
  const name = deed.join("_").replace("destroy", "delete");
  const named = teamTextOr(THINGS[thing] ?? `scopes_${thing}`, thing);
  return { thing: named, deed: teamTextOr(`may_${name}`, deed.join(":")) };
}

/** Whether a key with a scope changes nothing by it. */
export function isReading(scope: string): boolean {
  return /:(read|search|view_\w+)$/.test(scope);
}

/** The scopes by the things that they are about, in the order of the service. */
export function groupsOf(scopes: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const scope of scopes) {
    const { thing } = wordsOf(scope);
    groups.set(thing, [...(groups.get(thing) ?? []), scope]);
  }
  return groups;
}

/** Scopes in one line, such as "Posts (Create, Delete), Votes (Create)". */
export function lineOf(scopes: readonly string[]): string {
  const groups = [...groupsOf(scopes)];
  return groups.map(([thing, some]) => `${thing} (${some.map((scope) => wordsOf(scope).deed).join(", ")})`).join(", ");
}
