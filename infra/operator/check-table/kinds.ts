import * as z from "zod/mini";
import { ApiKeyItem, KeyUseItem } from "../../../lib/accounts/api-keys.ts";
import { ErasedItem, ErasureItem } from "../../../lib/accounts/erasures.ts";
import { LastExport } from "../../../lib/accounts/exports.ts";
import { IdentityItem } from "../../../lib/accounts/identities.ts";
import { ImportItem } from "../../../lib/accounts/imports.ts";
import { TokenItem } from "../../../lib/accounts/mail-tokens.ts";
import { Mail } from "../../../lib/accounts/outbox.ts";
import { CodeItem, LinkItem } from "../../../lib/accounts/sign-in-mails.ts";
import { SiteItem } from "../../../lib/accounts/site.ts";
import { SsoSecretItem, SsoUseItem } from "../../../lib/accounts/sso.ts";
import { EnrolmentItem, TwoFactorItem } from "../../../lib/accounts/two-factor.ts";
import { SignerItem } from "../../../lib/accounts/unsubscribe-tokens.ts";
import { CountItem, CredentialsItem, UserItem } from "../../../lib/accounts/users.ts";
import { BoardOrderItem } from "../../../lib/catalogue/board-order.ts";
import { BoardItem } from "../../../lib/catalogue/boards.ts";
import { PinsItem } from "../../../lib/catalogue/pins.ts";
import { OrderItem, RoadmapItem } from "../../../lib/catalogue/roadmaps.ts";
import { StampItem } from "../../../lib/catalogue/stamp.ts";
import { StatusesItem } from "../../../lib/catalogue/statuses.ts";
import { TagCountItem, TagItem } from "../../../lib/catalogue/tags.ts";
import { RenameItem } from "../../../lib/cleanup/renames.ts";
import { TombstoneItem } from "../../../lib/cleanup/sweeps.ts";
import { AuditItem } from "../../../lib/events/audit.ts";
import { EventItem } from "../../../lib/events/events.ts";
import { PlaceItem } from "../../../lib/events/news.ts";
import { CountingItem } from "../../../lib/figures/counting.ts";
import { ListsItem, MonthItem } from "../../../lib/figures/figures.ts";
import { RankItem } from "../../../lib/lists/ranks.ts";
import { JobItem } from "../../../lib/moving/export-item.ts";
import { ImportedItem } from "../../../lib/moving/journal.ts";
import { ChangesItem } from "../../../lib/notices/changes.ts";
import { CommentJobItem } from "../../../lib/notices/comment-jobs.ts";
import { DigestItem } from "../../../lib/notices/digest.ts";
import { MergeJobItem } from "../../../lib/notices/merge-jobs.ts";
import { NewPostsItem } from "../../../lib/notices/new-posts.ts";
import { CommentItem, CommentRowItem, UserCommentItem } from "../../../lib/posts/comments.ts";
import { WaitingItem } from "../../../lib/posts/held.ts";
import { DuplicateItem, MergedItem } from "../../../lib/posts/merged-posts.ts";
import { MergeItem } from "../../../lib/posts/merging.ts";
import { MovedCommentItem } from "../../../lib/posts/moving-comments.ts";
import { OldSlugItem } from "../../../lib/posts/old-slugs.ts";
import { PostItem } from "../../../lib/posts/posts.ts";
import { OwnReportItem } from "../../../lib/posts/reports.ts";
import { StatusChangeItem } from "../../../lib/posts/status-changes.ts";
import { SubscriptionItem } from "../../../lib/posts/subscriptions.ts";
import { ProviderCountItem, ProviderItem, ProviderSecretItem } from "../../../lib/providers/providers.ts";
import { DerivedWordsItem, WordRowItem } from "../../../lib/search/word-rows.ts";
import { DueItem } from "../../../lib/table/due.ts";
import { type Family, familyOf } from "../../../lib/table/families.ts";
import { IdempotencyItem } from "../../../lib/table/idempotency.ts";
import type { Key } from "../../../lib/table/keys.ts";
import { facetCodes } from "../../../lib/table/post-lists.ts";
import { EXPIRY_ATTRIBUTE } from "../../../lib/table/table-shape.ts";
import { MovedVoteItem } from "../../../lib/votes/moved-votes.ts";
import { UserVoteItem, VoteItem, VotersItem } from "../../../lib/votes/votes.ts";
import { DeliveryItem } from "../../../lib/webhooks/deliveries.ts";
import { SecretsItem, WebhookCountItem, WebhookItem } from "../../../lib/webhooks/webhooks.ts";

type Kind = { family: Family; sk: RegExp; schema: z.ZodMiniType };

const ID = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
function idAfter(prefix: string): RegExp {
  return new RegExp(`^${prefix}${ID}$`);
}

const KeysOnly = z.object({});
// Nothing sweeps them, not even the deliveries of a deleted webhook.
const Expiring = z.object({ [EXPIRY_ATTRIBUTE]: z.number() });
const Claim = z.object({ userId: z.string() });
// Strict: no row keeps what older versions wrote.
const Row = z.strictObject({ pk: z.string(), sk: z.string(), ...facetCodes });
const Counts = z.record(z.string().check(z.regex(/^(\d\d[a-z]?|pk|sk)$/)), z.unknown());

/** All kinds of items of the data model (docs/data-model.md#items). */
const kinds = {
  user: { family: "USER", sk: /^USER$/, schema: UserItem },
  userVote: { family: "USER", sk: idAfter("VOTE#"), schema: UserVoteItem },
  userPost: { family: "USER", sk: idAfter("POST#"), schema: KeysOnly },
  userFollow: { family: "USER", sk: idAfter("FOLLOW#"), schema: KeysOnly },
  userRow: { family: "USERS", sk: idAfter(""), schema: KeysOnly },
  userCount: { family: "USER_COUNT", sk: /^[0-9a-f]$/, schema: CountItem },
  personRow: { family: "PEOPLE", sk: new RegExp(`^.+#${ID}$`, "su"), schema: KeysOnly },
  credentials: { family: "CREDENTIALS", sk: /^CREDENTIALS$/, schema: CredentialsItem },
  twoFactor: { family: "TWO_FACTOR", sk: /^TWO_FACTOR$/, schema: TwoFactorItem },
  enrolment: { family: "TWO_FACTOR", sk: /^ENROLMENT$/, schema: EnrolmentItem },
  apiKey: { family: "API_KEYS", sk: idAfter(""), schema: ApiKeyItem },
  keyUse: { family: "KEY_USES", sk: idAfter(""), schema: KeyUseItem },
  email: { family: "EMAIL", sk: /^EMAIL$/, schema: Claim },
  identity: { family: "IDENTITY", sk: /^IDENTITY$/, schema: IdentityItem },
  username: { family: "USERNAME", sk: /^USERNAME$/, schema: Claim },
  site: { family: "SITE", sk: /^SITE$/, schema: SiteItem },
  model: { family: "MODEL", sk: /^MODEL$/, schema: z.object({ version: z.number() }) },
  board: { family: "CATALOGUE", sk: idAfter("BOARD#"), schema: BoardItem },
  pins: { family: "CATALOGUE", sk: /^PINS$/, schema: PinsItem },
  boardOrder: { family: "CATALOGUE", sk: /^BOARD_ORDER$/, schema: BoardOrderItem },
  roadmap: { family: "CATALOGUE", sk: idAfter("ROADMAP#"), schema: RoadmapItem },
  roadmapOrder: { family: "CATALOGUE", sk: /^ROADMAP_ORDER$/, schema: OrderItem },
  statuses: { family: "CATALOGUE", sk: /^STATUSES$/, schema: StatusesItem },
  tag: { family: "CATALOGUE", sk: idAfter("TAG#"), schema: TagItem },
  tagCount: { family: "CATALOGUE", sk: /^TAG_COUNT$/, schema: TagCountItem },
  tagName: { family: "TAG_NAME", sk: /^NAME$/, schema: z.object({ tagId: z.string() }) },
  stamp: { family: "CATALOGUE", sk: /^STAMP$/, schema: StampItem },
  boardUrl: { family: "BOARD_URL", sk: /^URL$/, schema: z.object({ boardId: z.string() }) },
  roadmapUrl: { family: "ROADMAP_URL", sk: /^URL$/, schema: z.object({ roadmapId: z.string() }) },
  post: { family: "POSTS", sk: idAfter(""), schema: PostItem },
  merged: { family: "MERGED", sk: /^POST$/, schema: MergedItem },
  duplicate: { family: "MERGED", sk: idAfter("FROM#"), schema: DuplicateItem },
  movedVote: { family: "MERGED", sk: idAfter("VOTE#"), schema: MovedVoteItem },
  movedComment: { family: "MERGED", sk: idAfter("COMMENT#"), schema: MovedCommentItem },
  merge: { family: "MERGES", sk: idAfter(""), schema: MergeItem },
  comment: { family: "ACTIVITY", sk: idAfter(""), schema: CommentItem },
  note: { family: "NOTES", sk: idAfter(""), schema: CommentItem },
  held: { family: "HELD", sk: idAfter(""), schema: WaitingItem },
  userHeld: { family: "USER", sk: idAfter("HELD#"), schema: KeysOnly },
  userReport: { family: "USER", sk: idAfter("REPORT#"), schema: OwnReportItem },
  subscription: { family: "SUBSCRIPTIONS", sk: idAfter(""), schema: SubscriptionItem },
  unsubscribe: { family: "UNSUBSCRIBE", sk: /^UNSUBSCRIBE$/, schema: SignerItem },
  commentRow: { family: "ACTIVITY", sk: idAfter("#"), schema: CommentRowItem },
  noteRow: { family: "NOTES", sk: idAfter("#"), schema: CommentRowItem },
  statusChange: { family: "ACTIVITY", sk: idAfter("\\$"), schema: StatusChangeItem },
  hiddenComment: { family: "ACTIVITY", sk: idAfter("!"), schema: KeysOnly },
  event: { family: "EVENTS", sk: idAfter(""), schema: z.intersection(Expiring, EventItem) },
  audit: { family: "AUDIT", sk: idAfter(""), schema: z.intersection(Expiring, AuditItem) },
  news: { family: "NEWS", sk: idAfter(""), schema: KeysOnly },
  newsPlace: { family: "SITE", sk: /^NEWS$/, schema: PlaceItem },
  queueNews: { family: "NEWS", sk: new RegExp(`^\\*${ID}#${ID}$`), schema: KeysOnly },
  userComment: { family: "USER", sk: idAfter("COMMENT#"), schema: UserCommentItem },
  voters: { family: "POSTS", sk: new RegExp(`^${ID}#VOTERS$`), schema: VotersItem },
  vote: { family: "VOTES", sk: idAfter(""), schema: VoteItem },
  row: { family: "LIST", sk: idAfter(""), schema: Row },
  counts: { family: "COUNTS", sk: /^\d{4}-\d\d$/, schema: Counts },
  figures: { family: "FIGURES", sk: /^\d{4}-\d\d$/, schema: MonthItem },
  figureLists: { family: "FIGURES", sk: /^LISTS$/, schema: ListsItem },
  counting: { family: "COUNTING", sk: /^FIGURES$/, schema: CountingItem },
  wordRow: { family: "WORDS", sk: new RegExp(`^[\\p{L}\\p{M}\\p{N}]+#${ID}$`, "u"), schema: WordRowItem },
  derivedWords: { family: "DERIVED", sk: /^WORDS$/, schema: DerivedWordsItem },
  rank: { family: "DERIVED", sk: /^RANK$/, schema: RankItem },
  topRow: { family: "TOP", sk: idAfter("\\d{7}#"), schema: Row },
  trendingRow: { family: "TRENDING", sk: idAfter("\\d{13}#"), schema: Row },
  tombstone: { family: "DELETED", sk: new RegExp(`^((BOARD|ROADMAP|TAG)#)?${ID}$`), schema: TombstoneItem },
  mail: { family: "OUTBOX", sk: idAfter(""), schema: Mail },
  newPosts: { family: "NOTICES", sk: /^\+$/, schema: NewPostsItem },
  digest: { family: "NOTICES", sk: /^\*$/, schema: DigestItem },
  digestReader: { family: "SITE", sk: idAfter("DIGEST#"), schema: KeysOnly },
  newPostsReader: { family: "SITE", sk: idAfter("NEW_POSTS#"), schema: KeysOnly },
  changes: { family: "NOTICES", sk: new RegExp(`^!${ID}(#${ID})?$`), schema: ChangesItem },
  mergeNotice: { family: "NOTICES", sk: new RegExp(`^&${ID}(#${ID})?$`), schema: MergeJobItem },
  notice: { family: "NOTICES", sk: new RegExp(`^${ID}(#${ID}#\\d+)?$`), schema: CommentJobItem },
  rename: { family: "RENAMES", sk: idAfter(""), schema: RenameItem },
  exportJob: { family: "EXPORTS", sk: idAfter(""), schema: JobItem },
  lastExport: { family: "SITE", sk: /^EXPORT$/, schema: LastExport },
  erasure: { family: "ERASURES", sk: idAfter(""), schema: ErasureItem },
  erased: { family: "ERASED", sk: idAfter(""), schema: ErasedItem },
  provider: { family: "PROVIDERS", sk: idAfter(""), schema: ProviderItem },
  providerCount: { family: "PROVIDERS", sk: /^#COUNT$/, schema: ProviderCountItem },
  providerSecret: { family: "PROVIDER_SECRETS", sk: idAfter(""), schema: ProviderSecretItem },
  ssoSecret: { family: "SSO_SECRET", sk: /^SSO_SECRET$/, schema: SsoSecretItem },
  ssoUse: { family: "SSO_USES", sk: /^USED$/, schema: SsoUseItem },
  webhook: { family: "WEBHOOKS", sk: idAfter(""), schema: WebhookItem },
  webhookCount: { family: "WEBHOOKS", sk: /^#COUNT$/, schema: WebhookCountItem },
  delivery: { family: "DELIVERIES", sk: idAfter(""), schema: z.intersection(Expiring, DeliveryItem) },
  waitingDelivery: { family: "DELIVERIES", sk: idAfter("#"), schema: z.intersection(Expiring, DeliveryItem) },
  webhookSecrets: { family: "WEBHOOK_SECRETS", sk: idAfter(""), schema: SecretsItem },
  due: {
    family: "DUE",
    sk: new RegExp(`^[A-Z]+#(FIGURES|[+*]|([!&*]|(BOARD|ROADMAP|TAG)#)?${ID}(#${ID}(#\\d+)?)?)$`),
    schema: DueItem,
  },
  signInLink: { family: "MAIL_TOKEN", sk: /^SIGN_IN$/, schema: LinkItem },
  signInCode: { family: "SIGN_IN_CODE", sk: /^SIGN_IN_CODE$/, schema: CodeItem },
  mailToken: { family: "MAIL_TOKEN", sk: /^MAIL_TOKEN$/, schema: TokenItem },
  idempotencyKey: { family: "IDEMPOTENCY", sk: /^IDEMPOTENCY$/, schema: IdempotencyItem },
  import: { family: "IMPORTS", sk: /^[a-z0-9-]+$/, schema: ImportItem },
  imported: { family: "IMPORTED", sk: /^[a-z]#/, schema: ImportedItem },
  oldSlug: { family: "OLD_SLUG", sk: /^OLD_SLUG$/, schema: OldSlugItem },
  rateWindow: { family: "RATE", sk: /^RATE$/, schema: KeysOnly },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

export type ValueOf<K extends KindName> = z.output<(typeof kinds)[K]["schema"]>;

/** The kind of an item by its key; undefined if the data model has no such key. */
export function kindOf({ pk, sk }: Key): KindName | undefined {
  return (Object.keys(kinds) as KindName[]).find(
    (name) => kinds[name].family === familyOf(pk) && kinds[name].sk.test(sk),
  );
}

export function parseAs(kind: KindName, item: object): z.core.util.SafeParseResult<unknown> {
  return kinds[kind].schema.safeParse(item);
}
