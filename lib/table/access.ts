import type { Family } from "./families.ts";

/** The verbs of rights to a family, each with its IAM actions. Writes belong to a transaction, except "…Alone". */
export const actionsOf = {
  get: ["GetItem", "BatchGetItem"],
  query: ["Query"],
  put: ["PutItem"],
  update: ["UpdateItem"],
  delete: ["DeleteItem"],
  check: ["ConditionCheckItem"],
  putAlone: ["PutItem"],
  updateAlone: ["UpdateItem"],
  deleteAlone: ["DeleteItem"],
} as const;

export type Verb = keyof typeof actionsOf;

export type LoneVerb = Extract<Verb, `${string}Alone`>;

/** The rights of a function by key family; its IAM policy is made from them. */
export type TableAccess = { readonly [F in Family]?: readonly Verb[] };

const IN_TRANSACTIONS = new Set<Verb>(["put", "update", "delete", "check"]);

/** Rights with the one that every transaction needs besides its own: lib/table/transactions.ts. */
export function withFence(access: TableAccess): TableAccess {
  const transacts = Object.values(access)
    .flat()
    .some((verb) => IN_TRANSACTIONS.has(verb));
  return transacts ? { ...access, FENCE: ["check"] } : access;
}

/** The rights that include all of these. */
export function mergeAccess(accesses: readonly TableAccess[]): TableAccess {
  const verbs = new Map<Family, Set<Verb>>();
  for (const [family, own] of accesses.flatMap((access) => Object.entries(access) as [Family, readonly Verb[]][])) {
    verbs.set(family, new Set([...(verbs.get(family) ?? []), ...own]));
  }
  return Object.fromEntries([...verbs].map(([family, own]) => [family, [...own]]));
}
