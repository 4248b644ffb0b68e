import * as z from "zod";
import { type BoardRecord, boardParts } from "./catalogue.ts";
import { key } from "./keys.ts";
import { create, get, transact } from "./table.ts";
import { type AccountOptions, accountParts, type UserRecord } from "./users.ts";

const SiteItem = z.object({ ownerId: z.string(), title: z.string() });

/** The site: who owns it and what it is called. */
export type Site = z.infer<typeof SiteItem>;

/** Reads the site; undefined until setup is done. */
export const find = (): Promise<Site | undefined> => get(key.site(), SiteItem);

/** The board that every site starts with, so that a post always has one to belong to. */
export const firstBoard = (boardId: string): BoardRecord => ({
  boardId,
  name: "Feedback",
  url: "feedback",
  color: "3b82f6",
  display: true,
  viewVoters: true,
  postCount: 0,
});

/** Makes the site with its owner's account and its first board, all or nothing. */
export const setUp = async (
  title: string,
  owner: UserRecord,
  passwordHash: string,
  board: BoardRecord,
  options?: AccountOptions,
): Promise<"set up" | "set up before" | "email taken" | "username taken"> => {
  const outcome = await transact({
    site: create(key.site(), { ownerId: owner.userId, title } satisfies Site),
    ...accountParts(owner, passwordHash, options),
    ...boardParts(board),
  });
  if (outcome.done) return "set up";
  if (outcome.failed.site) return "set up before";
  return outcome.failed.email ? "email taken" : "username taken";
};
