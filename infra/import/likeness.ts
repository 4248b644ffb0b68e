import type * as statuses from "../../lib/catalogue/statuses.ts";
import type * as tags from "../../lib/catalogue/tags.ts";
import type { Import } from "../../lib/moving/journal.ts";
import { namedIdAt } from "../../lib/values/ids.ts";
import type { StatusKind } from "../../lib/values/statuses.ts";
import { foldCase } from "../../lib/values/text.ts";
import type { Board, Roadmap, Status, Tag } from "./checked.ts";
import type { Placed } from "./staging.ts";

// Which board, roadmap, status or tag of the site is one of the source: by url or name, or because an import made it.

// Words by which other portals name what every site here begins with.
const KINDS: [RegExp, StatusKind][] = [
  [/^(open|new|published|pending|backlog)$/, "open"],
  [/^(planned|accepted|approved|next)$/, "planned"],
  [/^(started|in progress|in_progress|in-progress|in development|active)$/, "started"],
  [/^(complete|completed|done|shipped|released|live|implemented)$/, "completed"],
  [/^(declined|closed|rejected|won't do|wont fix|won't fix|not planned|cancelled|canceled)$/, "declined"],
];

/** The kind of a status whose name says it. */
function usualKindOf(name: string): StatusKind | undefined {
  return KINDS.find(([words]) => words.test(name.toLowerCase()))?.[1];
}

export function kindOf({ name, category }: Status): StatusKind | undefined {
  return category ?? usualKindOf(name);
}

/**
 * The site's status for a status of the source: the one of the same name, else the one with the same meaning. An
 * archived status comes last. It counts, because otherwise a further run would create it again.
 */
export function statusLike(status: Status, known: statuses.StatusRecord[]): statuses.StatusRecord | undefined {
  const usable = known.filter(({ archived }) => !archived);
  const hasSameName = ({ name, statusId }: statuses.StatusRecord) =>
    [name, statusId].some((each) => foldCase(each) === foldCase(status.name));
  const usual = usualKindOf(status.name);
  return usable.find(hasSameName) ?? usable.find(({ kind }) => kind === usual) ?? known.find(hasSameName);
}

export function tagLike({ name }: Tag, known: tags.TagRecord[]): tags.TagRecord | undefined {
  return known.find((each) => foldCase(each.name) === foldCase(name));
}

export function entryLike<T extends { name: string; url: string }>(
  { name, url }: Board | Roadmap,
  among: T[],
): T | undefined {
  return (
    (url === undefined ? undefined : among.find((each) => each.url === url)) ??
    among.find((each) => foldCase(each.name) === foldCase(name))
  );
}

export type IdKind = "board" | "roadmap" | "tag";

/**
 * The id of a board, a roadmap or a tag. Its moment is its place in the source, so they keep that order. Another export
 * may have others before it: so whether an earlier run has made it is asked by the name in the id alone (`nameIn`).
 */
export function idOf(kind: IdKind, { ref, n }: Placed<{ ref: string }>, run: Import): string {
  return namedIdAt(run.startedAt + n, `${run.importId} ${kind} ${ref}`);
}

/** The ids of statuses that an earlier run has made, by their marks. */
export type MadeStatuses = Map<string, string>;

/** What stands for a status of the source in the journal, as an id of its name. */
export function statusMark({ ref }: Status, { importId }: Import): string {
  return namedIdAt(0, `${importId} status ${ref}`);
}
