import * as z from "zod/mini";
import * as boards from "../catalogue/boards.ts";
import { firstListParts } from "../catalogue/statuses.ts";
import { differences, isEmpty, isEqual, setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import type { Language } from "../values/languages.ts";
import { gateMarks, gateParts } from "./gate.ts";
import { PolicyItem } from "./moderation-policy.ts";
import { type AccountOptions, accountParts } from "./new-users.ts";
import type { UserRecord } from "./users.ts";

/** What of the first steps of an owner leaves no trace elsewhere on the site, and that their list is hidden. */
export const firstSteps = ["board", "statuses", "share", "hidden"] as const;

/** The colour of a site whose owner has chosen none. */
export const FIRST_COLOR = "484d7c";

export const SiteItem = z.object({
  ownerId: z.string(),
  title: z.string(),
  description: z.optional(z.string()),
  logo: z.optional(z.string()),
  icon: z.optional(z.string()),
  accentColor: z.optional(z.string()),
  allowSignup: z._default(z.boolean(), true),
  /** The domains of the addresses that may sign up; all if there are none. */
  signupDomains: z._default(z.array(z.string()), []),
  /** The domains of the addresses that neither sign up nor replace another address, with those within them. */
  blockedMailDomains: z._default(z.array(z.string()), []),
  /** Whether people may sign in by a password. The owner always may. */
  password: z._default(z.boolean(), true),
  /** Whether people may sign in by a mail. */
  magic: z._default(z.boolean(), true),
  /** Whether the owner and moderators must have a second factor. */
  requireTwoFactor: z._default(z.boolean(), false),
  /** Since when people sign in by tokens of the owner's product, with the present secret; absent if they do not. */
  ssoSince: z.optional(z.number()),
  /** Whether the owner and moderators may sign in by them. */
  ssoStaff: z._default(z.boolean(), false),
  /** What is held for the team; nothing if it is absent. */
  moderation: z.optional(PolicyItem),
  googleAnalyticsId: z.optional(z.string()),
  developerMode: z._default(z.boolean(), false),
  voteOnBehalf: z._default(z.boolean(), false),
  firstSteps: z._default(z.array(z.enum(firstSteps)), []),
  /** Increases with every change, so that a plan for an older version fails. Absent before the first. */
  version: z.optional(z.number()),
});

export type Site = z.output<typeof SiteItem>;

/** A change by the owner. */
export type SiteChange = Partial<Omit<Site, "ownerId" | "version" | "ssoSince" | "ssoStaff">>;

/** Reads the site; undefined until setup is done. */
export function find(): Promise<Site | undefined> {
  return get(key.site(), SiteItem);
}

/** The first board of every site, so that every post has a board. */
export function firstBoard(boardId: string): boards.BoardRecord {
  const shown = { name: "Feedback", url: "feedback", color: "3b82f6", display: true };
  return { boardId, ...shown, viewVoters: true, postCount: 0 };
}

/** Makes the site with its owner and its first board, once. */
export async function setUp(
  title: string,
  owner: UserRecord,
  passwordHash: string,
  board: boards.BoardRecord,
  { language = "en", ...options }: AccountOptions & { language?: Language } = {},
): Promise<"set up" | "set up before" | "email taken" | "username taken"> {
  const outcome = await transact({
    site: create(key.site(), { ownerId: owner.userId, title } satisfies z.input<typeof SiteItem>),
    ...accountParts(owner, passwordHash, options),
    ...boards.createParts(board),
    ...firstListParts(language),
  });
  if (outcome.done) return "set up";
  if (outcome.failed.site) return "set up before";
  return outcome.failed.email ? "email taken" : "username taken";
}

/** Changes the site as it was read; only what differs is written. "changed meanwhile" asks the caller to read again. */
export async function change(asRead: Site, wanted: SiteChange): Promise<Site | "changed meanwhile"> {
  const fields = differences<SiteChange>(asRead, wanted);
  if (isEmpty(fields)) return asRead;
  const version = (asRead.version ?? 0) + 1;
  const marks = gateMarks({ ...asRead, ...fields });
  const outcome = await transact<string>({
    ...(isEqual(marks, gateMarks(asRead)) ? {} : gateParts(marks)),
    site: setFields(key.site(), { ...fields, version }, stillHas({ version: asRead.version })),
  });
  return outcome.done ? { ...asRead, ...fields, version } : "changed meanwhile";
}
