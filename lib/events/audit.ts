import * as z from "zod/mini";
import { range } from "../table/ranges.ts";
import { getFirst } from "../table/reads.ts";
import { DAY_MS } from "../values/days.ts";
import { firstIdAt } from "../values/ids.ts";
import { AUDIT_DAYS } from "./audit-days.ts";

// The audit log: a record of each change by the team, written in the transaction of the change
// (lib/table/companion.ts). It holds ids, roles, names of fields, and names of some things that end (`itemName`): never
// the name of a person, a text, an address or a secret.

/** What a record says: a kind of things, and what was done. */
export const auditActions = [
  "post.created",
  "post.updated",
  "post.status_changed",
  "post.tagged",
  "post.merged",
  "post.unmerged",
  "post.deleted",
  "comment.created",
  "comment.updated",
  "comment.deleted",
  "held.decided",
  "vote.created",
  "vote.deleted",
  "board.created",
  "board.updated",
  "board.moved",
  "board.deleted",
  "roadmap.created",
  "roadmap.updated",
  "roadmap.moved",
  "roadmap.deleted",
  "tag.created",
  "tag.updated",
  "tag.deleted",
  "statuses.updated",
  "status.deleted",
  "user.created",
  "user.invited",
  "user.role_changed",
  "user.two_factor_removed",
  "user.deleted",
  "key.created",
  "key.deleted",
  "webhook.created",
  "webhook.updated",
  "webhook.secret_renewed",
  "webhook.replayed",
  "webhook.deleted",
  "provider.created",
  "provider.updated",
  "provider.tested",
  "provider.deleted",
  "sso.updated",
  "sso.secret_renewed",
  "sso.deleted",
  "site.updated",
  "export.created",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The kind of things that an action changes: the word before the dot. */
export function kindOf(action: AuditAction): string {
  return action.split(".", 1)[0] as string;
}

/** The kinds of things. */
export const auditKinds = [...new Set(auditActions.map(kindOf))];

/** What a definition says of its changes: what the record calls them, or that they are the caller's own affair. */
export type Audited = AuditAction | "own affair";

/** The fields of a record besides its id and action. */
export const auditFields = {
  // The account that made the change, its role then, and the API key if one called.
  by: z.string(),
  role: z.enum(["owner", "moderator"]),
  key: z.optional(z.string()),
  // What was changed, a comment as `<post>/<comment>`, or for what the queue has suspended an author; and whose it is.
  item: z.optional(z.string()),
  // The name of a board, roadmap, tag, status or provider that was deleted. Nothing else would tell it.
  itemName: z.optional(z.string()),
  account: z.optional(z.string()),
  // What it became: the new role or status, the post that it was merged into, or the decision: a held text is approved
  // or declined ("approve", "decline"), a reported one kept or deleted ("keep", "remove"); of a comment that it is a
  // note ("note"); of a status the one before which it was moved.
  to: z.optional(z.string()),
  // The names of the fields that the call set; of a status and response, what of both changed. A switch says which way
  // it goes ("display.on", "display.off"). A post is "locked" or "unlocked", "pinned" or "unpinned"; a status is
  // "created", "archived" or "restored", or has another place ("order").
  changed: z.optional(z.array(z.string())),
  // Of some of these fields what they were and became: of a post the status, the board and the roadmap, by their ids;
  // of an account the role. A side is absent where there was none, and where there is none any more.
  values: z.optional(
    z.array(z.object({ field: z.string(), from: z.optional(z.string()), to: z.optional(z.string()) })),
  ),
};

export const AuditItem = z.pipe(
  z.object({ sk: z.string(), action: z.enum(auditActions), ...auditFields }),
  z.transform(({ sk, ...record }) => ({ recordId: sk, ...record })),
);
export type AuditRecord = z.output<typeof AuditItem>;
export type AuditValue = NonNullable<AuditRecord["values"]>[number];

/** Which records are looked for; `from` and `to` are moments in milliseconds since 1970, both included. */
export type AuditFilter = {
  by?: string | undefined;
  account?: string | undefined;
  item?: string | undefined;
  action?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
};

/** The list of statuses is replaced as one thing, and a status deleted as another: both are one kind. */
const OF_STATUSES = ["statuses", "status"];

/** Whether a record is of an action, or of a kind of things. */
function isOf(action: AuditAction, asked: string): boolean {
  const kinds = OF_STATUSES.includes(asked) ? OF_STATUSES : [asked];
  return action === asked || kinds.includes(kindOf(action));
}

/** Whether a record names a thing: as the one that changed, its post, or what it became. */
function names({ item, to }: AuditRecord, asked: string): boolean {
  return item === asked || item?.startsWith(`${asked}/`) === true || to === asked;
}

function matches(record: AuditRecord, { by, account, item, action }: AuditFilter): boolean {
  return (
    (by === undefined || record.by === by) &&
    (account === undefined || record.account === account) &&
    (item === undefined || names(record, item)) &&
    (action === undefined || isOf(record.action, action))
  );
}

const LIFETIME_MS = AUDIT_DAYS * DAY_MS;

const MOST_READ = 500;

/**
 * Reads the first records that a filter lets through, the newest first, among 500 at most. `next` is the record to
 * continue after; undefined if none is left.
 */
export async function read(
  filter: AuditFilter,
  first: number,
  after?: string,
): Promise<{ records: AuditRecord[]; next: string | undefined }> {
  const { from = 0, to, by, account, item, action } = filter;
  const oldest = Math.max(from, Date.now() - LIFETIME_MS);
  const end = to === undefined ? undefined : firstIdAt(to + 1);
  const before = after !== undefined && (end === undefined || after < end) ? after : end;
  const isWhole = [by, account, item, action].every((value) => value === undefined);
  const bounds = { from: firstIdAt(oldest), before };
  const { items, more } = await getFirst(range.audit(bounds), AuditItem, isWhole ? first + 1 : MOST_READ, {
    descending: true,
  });
  const wanted = items.filter((record) => matches(record, filter));
  const records = wanted.slice(0, first);
  if (wanted.length > first) return { records, next: records.at(-1)?.recordId };
  return { records, next: more ? items.at(-1)?.recordId : undefined };
}
