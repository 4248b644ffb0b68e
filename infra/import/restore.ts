import { createHash } from "node:crypto";
import * as site from "../../lib/accounts/site.ts";
import { beginAnew } from "../../lib/figures/counting.ts";
import type { OwnKind } from "../../lib/moving/form.ts";
import { begin, find, finish } from "../../lib/moving/journal.ts";
import type { Workshop } from "../../lib/moving/work.ts";
import type { Report } from "./formats/form.ts";
import { ownRowsIn, type Placed, piecesOf } from "./own-rows.ts";
import type { Problems } from "./problems.ts";
import { Progress } from "./progress.ts";
import { Restore, type RestoreOrder } from "./restore-site.ts";

// An export of a site is restored into a table without one, with the same ids, so that an export of that table is the
// same file. Each piece is written under its own ids, so a run after a kill continues with what is missing. The site
// belongs to the owner whom the file names: nobody else is there. All other roles, confirmed addresses and what lets
// people in come in only with `withCredentials`.

type Counts = Record<OwnKind, number>;

/** What a file has, the address of the owner, and the hash of all of it. */
type Looked = { counts: Counts; owner: string | undefined; hash: string };

/** Reads a whole file, and reports what is wrong in it. */
async function look({ input }: RestoreOrder, report: Report): Promise<Looked> {
  const counts: Counts = {
    account: 0,
    site: 0,
    board: 0,
    roadmap: 0,
    status: 0,
    tag: 0,
    post: 0,
    vote: 0,
    comment: 0,
    change: 0,
    follow: 0,
    merged: 0,
    moved: 0,
    held: 0,
  };
  const addresses = new Map<string, string>();
  const hash = createHash("sha256");
  let ownerId = "";
  for await (const piece of piecesOf(counting(ownRowsIn(input, report, hash), counts), report)) {
    if (piece.kind === "account") addresses.set(piece.ref, piece.email);
    if (piece.kind === "site") ownerId = piece.owner;
  }
  return { counts, owner: addresses.get(ownerId), hash: hash.digest("hex") };
}

async function* counting(rows: AsyncIterable<Placed>, counts: Counts): AsyncGenerator<Placed, void, undefined> {
  for await (const placed of rows) {
    counts[placed.row.kind]++;
    yield placed;
  }
}

/** What an export has, as the owner reads it in the portal. */
function foundIn({ counts }: Looked) {
  const { account: accounts, board: boards, roadmap: roadmaps, status: statuses, post, merged, vote, comment } = counts;
  return { accounts, boards, roadmaps, statuses, posts: post + merged, votes: vote, comments: comment };
}

function describe({ counts, owner }: Looked): string[] {
  const { account, board, roadmap, status, tag, post, merged, vote, comment, held } = counts;
  return [
    `Found an export of a site: ${account} accounts, ${board} boards, ${roadmap} roadmaps, ${status} statuses, ` +
      `${tag} tags, ${post} posts, ${merged} merged posts, ${vote} votes, ${comment} comments and notes, ${held} held`,
    owner === undefined ? "It names no owner: it is not whole" : `The site will belong to ${owner}`,
  ];
}

/** Why an export cannot be restored here; undefined if it can. */
async function refusal({ importId, head, withCredentials }: RestoreOrder): Promise<string | undefined> {
  if (withCredentials && !head.credentials) return "The file has no credentials: it was exported without them";
  const before = await find(importId);
  if (before && !before.restores)
    return `There is an import ${importId} of something else: give this one another --name`;
  if (before || !(await site.find())) return undefined;
  return "This is an export of a whole site, and the table has a site: it goes into an empty table";
}

/** Looks at an export and writes nothing. Returns what a restore would do, in lines. */
export async function tryRestore(order: RestoreOrder, problems: Problems): Promise<string[]> {
  const looked = await look(order, problems.report);
  const refused = await refusal(order);
  return [
    ...describe(looked),
    ...problems.close(),
    refused ?? "Nothing was written: the same command with --write imports",
  ];
}

/** Restores a site from an export, or what is missing of it. Returns what was done, in lines. */
export async function restore(order: RestoreOrder, problems: Problems, { work, units }: Workshop): Promise<string[]> {
  const refused = await refusal(order);
  if (refused !== undefined) throw new Error(refused);
  const before = await find(order.importId);
  if (before && !before.isOpen) return ["The site was imported before: nothing is left to do"];
  const looked = await look(order, problems.report);
  if (looked.owner === undefined) throw new Error("The file names no owner of the site: it is not whole");
  const { hash } = looked;
  if (before?.restores && before.restores.hash !== hash)
    throw new Error("The import was begun with another file: continue it with that one");
  const startedAt = performance.now();
  await begin(order.importId, order.source, { hash });
  const total = Object.values(looked.counts).reduce((sum, count) => sum + count, 0);
  const progress = new Progress("Import", total);
  const pieces = before?.restores?.pieces ?? 0;
  await new Restore(order, problems.report, work).writeAll(progress, { hash, pieces });
  await finish(order.importId, { found: foundIn(looked), ...problems.summary });
  await beginAnew();
  progress.end();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return [
    ...describe(looked),
    `Wrote all of it in ${seconds} s, with ${units()} write units`,
    ...problems.close(),
    `Roles, passwords and confirmations: ${order.withCredentials ? "as in the file" : "none but the owner's role"}`,
  ];
}
