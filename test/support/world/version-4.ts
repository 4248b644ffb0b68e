import { scan } from "../../../infra/operator/check-table/check.ts";
import type { Item } from "../../../infra/operator/check-table/stored.ts";
import { PostItem, type PostRecord } from "../../../lib/posts/posts.ts";
import { familyOf } from "../../../lib/table/families.ts";
import { put, remove } from "../../../lib/table/parts.ts";
import { OPEN_LETTER } from "../../../lib/values/statuses.ts";
import { Seats } from "../../../lib/votes/seats.ts";
import { transactRaw } from "../store/raw-calls.ts";

// Gives a table the form that the data model had in version 4: no lists of statuses, rows with a status and, on
// roadmaps, a board; statuses counted in every list, open posts in none; ranks counted;
// seats as maps; no rows of people, and nothing that leads to subscriptions.

type Former = { puts: Item[]; removed: Item[] };

export async function makeVersion4(): Promise<void> {
  const items = await scan();
  const posts = new Map(
    items.flatMap((item) => {
      const { data } = PostItem.safeParse(item);
      return item.pk === "POSTS" && data ? [[data.postId, data]] : [];
    }),
  );
  const former = items.map((item) => formerOf(item, posts));
  const puts = former.flatMap((each) => each.puts).map(({ pk, sk, ...rest }) => put({ pk, sk }, rest));
  const removed = former.flatMap((each) => each.removed).map(({ pk, sk }) => remove({ pk, sk }));
  const parts = [...removed, ...puts];
  for (let at = 0; at < parts.length; at += 100) await transactRaw(parts.slice(at, at + 100));
}

function formerOf(item: Item, posts: ReadonlyMap<string, PostRecord>): Former {
  switch (familyOf(item.pk)) {
    case "LIST":
      return item.pk.startsWith("LIST#STATUS#") ? { puts: [], removed: [item] } : changed(formerRow(item, posts));
    case "TOP":
    case "TRENDING":
      return changed(formerRow(item, posts));
    case "COUNTS":
      return changed(formerCounts(item, posts), ...formerRankCounts(item));
    case "PEOPLE":
      return { puts: [], removed: [item] };
    case "USER":
      return item.sk.startsWith("FOLLOW#") ? { puts: [], removed: [item] } : changed();
    case "POSTS":
      return "first" in item ? changed({ ...item, first: formerSeats(item.first) }) : changed();
    default:
      return changed();
  }
}

function changed(...puts: Item[]): Former {
  return { puts, removed: [] };
}

function formerRow({ pk, sk }: Item, posts: ReadonlyMap<string, PostRecord>): Item {
  const { status, boardId } = posts.get(sk.split("#").at(-1) ?? "") ?? {};
  const isOfRoadmap = pk.split("#")[1] === "ROADMAP";
  return {
    pk,
    sk,
    ...(status !== undefined && { status }),
    ...(isOfRoadmap && boardId !== undefined && { boardId }),
  };
}

function formerCounts(item: Item, posts: ReadonlyMap<string, PostRecord>): Item {
  const { pk, sk, ...counts } = item;
  const list = pk.replace("COUNTS#", "");
  const days = Object.entries(counts).filter(([name]) => !name.endsWith(OPEN_LETTER));
  const former: Item = { pk, sk, ...Object.fromEntries(days) };
  if (list === "ALL") return former;
  for (const { postId, status, boardId, roadmapId } of posts.values()) {
    const date = new Date(Number.parseInt(postId.slice(0, 8) + postId.slice(9, 13), 16)).toISOString();
    const isIn = list === `BOARD#${boardId}` || list === `ROADMAP#${roadmapId}`;
    if (!isIn || status === undefined || date.slice(0, 7) !== sk) continue;
    const name = `${date.slice(8, 10)}${status}`;
    former[name] = Number(former[name] ?? 0) + 1;
  }
  return former;
}

function formerRankCounts({ pk, sk }: Item): Item[] {
  return ["TOP", "TRENDING"].map((ranking) => ({
    pk: pk.replace("COUNTS", `${ranking}_COUNTS`),
    sk,
    "07": 1,
    "07a": 1,
  }));
}

function formerSeats(first: unknown): object {
  return Object.fromEntries(
    Seats.parse(first).map(({ userId, voteId, name, username, role }) => [
      userId,
      { v: voteId, n: name, u: username, ...(role && { r: role }) },
    ]),
  );
}
