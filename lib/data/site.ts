import * as z from "zod";
import { type BoardRecord, boardParts } from "./catalogue.ts";
import { key } from "./keys.ts";
import { create, get, transact, update } from "./table.ts";
import { type AccountOptions, accountParts, gateParts, type UserRecord } from "./users.ts";

/** The site as stored. */
export const SiteItem = z.object({
  ownerId: z.string(),
  title: z.string(),
  description: z.string().optional(),
  logo: z.string().optional(),
  icon: z.string().optional(),
  accentColor: z.string().optional(),
  allowSignup: z.boolean().default(true),
});

/** The site: who owns it, what it is called and looks like, and whether it takes new accounts. */
export type Site = z.output<typeof SiteItem>;

/** What of the site its owner can change: a field that is undefined is taken away, one that is absent stays. */
export type SiteChange = Partial<Pick<Site, "title" | "allowSignup">> & {
  [Name in "description" | "logo" | "icon" | "accentColor"]?: string | undefined;
};

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
    site: create(key.site(), { ownerId: owner.userId, title } satisfies z.input<typeof SiteItem>),
    ...accountParts(owner, passwordHash, options),
    ...boardParts(board),
  });
  if (outcome.done) return "set up";
  if (outcome.failed.site) return "set up before";
  return outcome.failed.email ? "email taken" : "username taken";
};

/** Changes the site as it was read; only what differs is written. */
export const change = async (asRead: Site, wanted: SiteChange): Promise<Site> => {
  const after: Site = { ...asRead, ...wanted };
  const differing = (Object.keys(wanted) as (keyof SiteChange)[]).filter((name) => after[name] !== asRead[name]);
  if (differing.length === 0) return asRead;
  const set = differing.filter((name) => after[name] !== undefined);
  const gone = differing.filter((name) => after[name] === undefined);
  const list = (names: string[], each: (name: string) => string) => names.map(each).join(", ");
  const expression = [
    set.length > 0 ? `SET ${list(set, (name) => `#${name} = :${name}`)}` : "",
    gone.length > 0 ? `REMOVE ${list(gone, (name) => `#${name}`)}` : "",
  ].join(" ");
  const outcome = await transact<string>({
    ...(differing.includes("allowSignup") ? gateParts(after.allowSignup) : {}),
    site: update(key.site(), expression, {
      if: "attribute_exists(pk)",
      names: Object.fromEntries(differing.map((name) => [`#${name}`, name])),
      ...(set.length > 0 ? { values: Object.fromEntries(set.map((name) => [`:${name}`, after[name]])) } : {}),
    }),
  });
  if (!outcome.done) throw new Error("the site is gone");
  return after;
};
