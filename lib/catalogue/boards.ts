import * as z from "zod/mini";
import { stillHas } from "../table/changes.ts";
import { CarriedOutBefore, type Once } from "../table/idempotency.ts";
import { idIn, key, prefix, range } from "../table/keys.ts";
import { remove as removeItem, update } from "../table/parts.ts";
import { boardList } from "../table/post-lists.ts";
import { get, getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import { closeParts, isShare, type Share, ShareItem } from "./board-shares.ts";
import { listTombstone } from "./tombstones.ts";
import * as urlClaims from "./url-claims.ts";

/** A board as it is stored. */
export type BoardRecord = {
  boardId: string;
  name: string;
  url: string;
  color: string;
  display: boolean;
  /** Whether clients show who voted; the service itself does not look at it. */
  viewVoters: boolean;
  postCount: number;
  /** Whether the number of posts is spread over shares too, because many posts were made at once. */
  spread?: true | undefined;
};

/** Parses a stored board. */
export const BoardItem = z.pipe(
  z.object({
    sk: z.string().check(z.startsWith(prefix.board)),
    name: z.string(),
    url: z.string(),
    color: z.string(),
    display: z.boolean(),
    viewVoters: z.boolean(),
    postCount: z.number(),
    spread: z.optional(z.literal(true)),
  }),
  z.transform(({ sk, ...board }): BoardRecord => ({ boardId: idIn(sk), ...board })),
);

/** Parses a board, or a share of one's number of posts. */
export const BoardOrShareItem = z.union([BoardItem, ShareItem]);

/** Boards with all their posts counted. */
export function counted(entries: (BoardRecord | Share)[]): BoardRecord[] {
  const shares = entries.filter(isShare);
  const boards = entries.filter((entry): entry is BoardRecord => !isShare(entry));
  return boards.map((board) => ({
    ...board,
    postCount: shares.reduce(
      (sum, { sk, posts }) => (idIn(sk).startsWith(board.boardId) ? sum + posts : sum),
      board.postCount,
    ),
  }));
}

/** Reads all boards, oldest first. */
export async function all(): Promise<BoardRecord[]> {
  return counted(await getRange(range.boards(), BoardOrShareItem));
}

/** Reads a board, one whose number of posts is spread in two steps; undefined if it does not exist. */
export async function find(boardId: string): Promise<BoardRecord | undefined> {
  const board = await get(key.board(boardId), BoardItem);
  return board?.spread ? counted(await getRange(range.board(boardId), BoardOrShareItem))[0] : board;
}

/** Spreads the number of posts of a board over shares from now on. */
export async function spread(boardId: string): Promise<"spread" | "no such board"> {
  const outcome = await transact({
    board: update(key.board(boardId), "SET spread = :true", {
      if: "attribute_exists(pk) AND attribute_not_exists(spread)",
      values: { ":true": true },
    }),
  });
  return outcome.done || outcome.failed.board !== "no item" ? "spread" : "no such board";
}

/** Whether no board has a url. */
export async function isUrlFree(url: string): Promise<boolean> {
  return (await get(key.boardUrl(url), z.object({ boardId: z.string() }))) === undefined;
}

function entryOf(boardId: string): urlClaims.Entry {
  return {
    key: key.board(boardId),
    claimKey: key.boardUrl,
    claim: { boardId },
  };
}

/** The parts of the transaction that creates a board. */
export function createParts({ boardId, ...board }: BoardRecord) {
  return urlClaims.createParts(entryOf(boardId), board);
}

/** Creates a board, unless another has its url. With `once`, not a second time. */
export async function add(board: BoardRecord, once?: Once<BoardRecord>): Promise<"added" | "url taken"> {
  const outcome = await transact({ ...createParts(board), once: once?.(board) });
  if (outcome.done) return "added";
  if (outcome.failed.once) throw new CarriedOutBefore();
  return "url taken";
}

/** What the owner can change of a board. */
type Changeable = Pick<BoardRecord, "name" | "url" | "color" | "display" | "viewVoters">;

/** Changes a board as it was read; "changed meanwhile" asks the caller to read again. */
export async function change(
  board: BoardRecord,
  wanted: urlClaims.Change<Changeable>,
): Promise<BoardRecord | "url taken" | "changed meanwhile"> {
  const { name, url, color, display, viewVoters } = board;
  const changed = await urlClaims.change(entryOf(board.boardId), { name, url, color, display, viewVoters }, wanted);
  return typeof changed === "string" ? changed : { ...board, ...changed };
}

/** Deletes a board as it was read, at once for every reader; a tombstone leaves its rows and counts to the sweeper. */
export async function remove({ boardId, url, spread }: BoardRecord): Promise<"removed" | "changed meanwhile"> {
  const outcome = await transact<string>({
    ...urlClaims.removeParts(entryOf(boardId), url),
    // A new post that was planned before finds its share closed.
    entry: removeItem(key.board(boardId), stillHas({ url, spread })),
    tombstone: listTombstone(boardList(boardId)),
    ...(spread && closeParts(boardId)),
  });
  return outcome.done ? "removed" : "changed meanwhile";
}
