import * as z from "zod/mini";
import { IdentityItem } from "../accounts/identities.ts";
import { PolicyItem } from "../accounts/moderation-policy.ts";
import { StoredPreferences } from "../accounts/preferences.ts";
import { firstSteps } from "../accounts/site.ts";
import { TwoFactorItem } from "../accounts/two-factor.ts";
import { LONGEST_TAG_NAME, MAX_TAGS_OF_POST } from "../catalogue/tags.ts";
import { BlockedDomains, Domains, Email, PersonName } from "../http/account-inputs.ts";
import { Color, CommentBody, Line, LongText, MAX_COMMENT, TextUpTo, WebAddress } from "../http/text-inputs.ts";
import { heldFor } from "../posts/holding.ts";
import { timeOf } from "../values/ids.ts";
import { LANGUAGES } from "../values/languages.ts";
import { LONGEST_STATUS_NAME, statusKinds } from "../values/statuses.ts";
import type { SecretField } from "./secret-fields.ts";

// The form of an export of a whole site: the common form, with what only our sites have. A `ref` is the id. What a row
// names stands above it, and what belongs to a post follows it. Every text passes the validator of the API, which
// leaves what it has accepted once as it is. docs/moving.md#moving-out

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const EARLIEST = Date.UTC(2010);
// Clocks differ.
const HOUR_MS = 60 * 60 * 1000;

function isIdOfNow(id: string): boolean {
  return UUID_V7.test(id) && timeOf(id) >= EARLIEST && timeOf(id) <= Date.now() + HOUR_MS;
}

function isTime(text: string): boolean {
  const time = new Date(text);
  return Number.isFinite(time.getTime()) && time.toISOString() === text;
}

const Id = z.string().check(z.refine(isIdOfNow, "Must be an id of a moment between 2010 and now"));
const Time = z.string().check(z.refine(isTime, "Must be a time like 2026-01-31T12:00:00.000Z"));
const Name = z.string().check(z.regex(/^[a-z0-9._-]{1,60}$/));
// Also a word that the API refuses by now: a site may have it from before.
const Url = z.string().check(z.regex(/^[a-z0-9_-]{1,50}$/));
const StatusId = Line(60);
/** Also of another portal. */
export const Slug = Line(300);

/** The form of exports: a change after which an earlier version reads one wrong gets the next number. */
export const EXPORT_VERSION = 1;

/** The first line of an export. */
export const Head = z.object({
  kind: z.literal("export"),
  version: z.literal(EXPORT_VERSION),
  credentials: z.optional(z.literal(true)),
});

export type Head = z.output<typeof Head>;

/** What lets people into an account, and what they may do: only in an export with credentials. */
const credentials = {
  role: z.optional(z.literal("moderator")),
  confirmed: z.optional(z.literal(true)),
  passwordHash: z.optional(z.string().check(z.maxLength(500))),
  twoFactor: z.optional(TwoFactorItem),
  identities: z.optional(
    z.array(z.extend(z.omit(IdentityItem, { userId: true }), { ref: z.string().check(z.regex(/^[0-9a-f-]{65}$/)) })),
  ),
} satisfies Partial<Record<SecretField, z.ZodMiniType>>;

const postFields = {
  title: Line(255),
  body: z.optional(LongText),
  /** Absent if the account was deleted; so are voters and all others who are named. */
  author: z.optional(Id),
  /** Who wrote it for the author. */
  by: z.optional(Id),
  board: z.optional(Id),
  roadmap: z.optional(Id),
  status: StatusId,
  locked: z.optional(z.literal(true)),
  tags: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(MAX_TAGS_OF_POST))),
  at: Time,
  updatedAt: Time,
  slug: Slug,
  /** Its earlier slugs, the latest first, and those that it had in another portal. */
  earlierSlugs: z.optional(z.array(Slug)),
  otherSlugs: z.optional(z.array(Slug)),
  response: z.optional(TextUpTo(MAX_COMMENT)),
  responseAt: z.optional(Time),
  /** The status of the post then; absent if it has been deleted. */
  responseStatus: z.optional(StatusId),
  responseBy: z.optional(Id),
};

/** The rows of an export by their kinds, with the fields in the order in which they are written. */
export const ownRows = {
  status: z.object({
    kind: z.literal("status"),
    ref: StatusId,
    name: Line(LONGEST_STATUS_NAME),
    color: Color,
    category: z.enum(statusKinds),
    archived: z.optional(z.literal(true)),
    /** Since when it has its place; absent for a status that every site begins with. */
    since: z.optional(Time),
  }),
  tag: z.object({ kind: z.literal("tag"), ref: Id, name: Line(LONGEST_TAG_NAME), color: Color }),
  board: z.object({
    kind: z.literal("board"),
    ref: Id,
    name: Line(100),
    description: z.optional(TextUpTo(500)),
    url: Url,
    color: Color,
    display: z.boolean(),
    viewVoters: z.boolean(),
  }),
  roadmap: z.object({
    kind: z.literal("roadmap"),
    ref: Id,
    name: Line(100),
    url: Url,
    color: Color,
    display: z.boolean(),
    index: z.number(),
  }),
  account: z.object({
    kind: z.literal("account"),
    ref: Id,
    email: Email,
    name: PersonName,
    /** Whether nobody gave it this name: others see a neutral one. */
    unnamed: z.optional(z.literal(true)),
    username: Name,
    at: Time,
    blocked: z.optional(z.literal(true)),
    /** The language of the mails to it. */
    language: z.optional(z.enum(LANGUAGES)),
    /** Which notifications it chose. */
    mail: z.optional(StoredPreferences),
    newPosts: z.optional(z.boolean()),
    digest: z.optional(z.boolean()),
    /** Whether the team has approved something that was held. */
    accepted: z.optional(z.literal(true)),
    ...credentials,
  }),
  site: z.object({
    kind: z.literal("site"),
    owner: Id,
    title: Line(100),
    description: z.optional(TextUpTo(500)),
    logo: z.optional(WebAddress),
    icon: z.optional(WebAddress),
    accentColor: z.optional(Color),
    allowSignup: z.boolean(),
    signupDomains: Domains,
    blockedMailDomains: z._default(BlockedDomains, []),
    password: z.boolean(),
    magic: z.boolean(),
    requireTwoFactor: z.optional(z.literal(true)),
    googleAnalyticsId: z.optional(z.string().check(z.regex(/^[A-Za-z0-9-]{1,50}$/))),
    developerMode: z.boolean(),
    voteOnBehalf: z.boolean(),
    firstSteps: z.optional(z.array(z.enum(firstSteps))),
    moderation: z.optional(PolicyItem),
  }),
  post: z.object({
    kind: z.literal("post"),
    ref: Id,
    pinned: z.optional(z.literal(true)),
    ...postFields,
  }),
  vote: z.object({
    kind: z.literal("vote"),
    ref: Id,
    post: Id,
    voter: z.optional(Id),
    /** Who voted for the voter. */
    by: z.optional(Id),
    at: Time,
  }),
  comment: z.object({
    kind: z.literal("comment"),
    ref: Id,
    post: Id,
    author: z.optional(Id),
    body: CommentBody,
    /** It may be gone. */
    parent: z.optional(Id),
    internal: z.boolean(),
    /** Of a note: that it was public once, so that public answers do not name it. */
    wasPublic: z.optional(z.literal(true)),
    at: Time,
    editedAt: z.optional(Time),
    editedBy: z.optional(Id),
    /** The merged post that it came from. */
    from: z.optional(Id),
  }),
  change: z.object({
    kind: z.literal("change"),
    ref: Id,
    post: Id,
    /** Absent if the status has been deleted. */
    from: z.optional(StatusId),
    to: z.optional(StatusId),
    by: z.optional(Id),
    at: Time,
  }),
  follow: z.object({
    kind: z.literal("follow"),
    post: Id,
    account: Id,
    on: z.boolean(),
    /** The merged post from which the choice came. */
    from: z.optional(Id),
  }),
  /** A post or comment that waits for the team, by the id that it has once it is approved. */
  held: z.object({
    kind: z.literal("held"),
    ref: Id,
    what: z.enum(["post", "comment"]),
    author: Id,
    reasons: z.array(z.enum(heldFor)),
    title: z.optional(Line(255)),
    body: z.optional(LongText),
    board: z.optional(Id),
    /** The post that a comment is for, and the comment that it answers; both may be gone. */
    onPost: z.optional(Id),
    parent: z.optional(Id),
  }),
  /** A post that was merged, below the post in which it continues. Its changes and followers are below it. */
  merged: z.object({
    kind: z.literal("merged"),
    ref: Id,
    post: Id,
    /** The post that it was merged into, which may have been merged itself. */
    into: Id,
    mergedAt: Time,
    mergedBy: z.optional(Id),
    ...postFields,
  }),
  /** What came from a merged post: a comment or a vote, by its id on the other post. */
  moved: z.object({
    kind: z.literal("moved"),
    post: Id,
    ref: Id,
    what: z.enum(["vote", "comment"]),
    /** The vote that was lost, because the voter had one on the other post, and who cast it for the voter. */
    was: z.optional(Id),
    by: z.optional(Id),
    /** Whether that vote had come with another merged post, which has it again. */
    inherits: z.optional(z.literal(true)),
  }),
} as const;

export type OwnKind = keyof typeof ownRows;
export type OwnRows = { [K in OwnKind]: z.output<(typeof ownRows)[K]> };
export type OwnRow = OwnRows[OwnKind];
