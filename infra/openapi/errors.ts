import { MAX_KEYS } from "../../lib/accounts/api-keys.ts";
import { MAX_IDENTITIES } from "../../lib/accounts/identities.ts";
import { MOST_PINNED } from "../../lib/catalogue/pins.ts";
import { MAX_TAGS } from "../../lib/catalogue/tags.ts";
import { MAX_BODY_BYTES } from "../../lib/http/request-body.ts";
import { MAX_PROVIDERS } from "../../lib/providers/providers.ts";
import { type ErrorCode, errorCatalogue } from "../../lib/runtime/errors.ts";
import { MAX_WEBHOOKS } from "../../lib/webhooks/webhooks.ts";

export const whenOf: Record<ErrorCode, string> = {
  SERVER_ERROR:
    "An unexpected error (500); or the table throttles or does not answer within five seconds (503, `Retry-After`).",
  MAIL_CONFIG_MISSING: "No mail sender is configured.",
  EMAIL_INVALID: "The address is missing or not valid.",
  PASSWORD_MISSING: "The password is missing or empty.",
  USER_EXISTS: "The address has an account.",
  SIGNUP_NOT_ALLOWED:
    "The owner has closed signup, for all or for addresses of this domain, blocked it, or switched passwords off.",
  DOMAIN_BLOCKED: "The owner has blocked the domain of the new address, or one that it lies within.",
  INCORRECT_PASSWORD: "The address has no account, or the password is wrong.",
  INCORRECT_CODE: "The code is wrong, was used or has expired; or a code of a mail had five tries.",
  PASSWORD_NOT_ALLOWED:
    "The owner has switched off signing in by a password; or, at a change of the password, the account has no address.",
  NO_WAY_IN: "Neither passwords nor mails, a live provider nor the product would sign people in any more.",
  TWO_FACTOR_NEEDED:
    "The account has a second factor, or the site requires one of the owner and of moderators: go on with `twoFactor`.",
  TWO_FACTOR_ON: "The account has a second factor already.",
  TWO_FACTOR_OFF: "The account has no second factor.",
  TWO_FACTOR_REQUIRED: "The site requires a second factor of the owner and of moderators.",
  MAGIC_NOT_ALLOWED: "The owner has switched off signing in by a mail.",
  PROVIDER_NOT_FOUND: "No provider has this id; or, at a sign-in, it is disabled or was not tested.",
  PROVIDER_REFUSED: "The provider refused the code, or its ID token is not good: docs/sign-in.md#by-a-provider",
  SSO_NOT_ALLOWED: "The owner has not switched on sign-in by tokens of the product.",
  SSO_REFUSED: "The token is not good, was used or has expired: docs/sign-in.md#by-your-own-product",
  ISSUER_REFUSED: "The issuer may not be called.",
  TOO_MANY_PROVIDERS: `The site has ${MAX_PROVIDERS} providers.`,
  SIGN_IN_TO_LINK: "A confirmed account, or one of the team, has the address: docs/sign-in.md#which-account-it-is",
  STAFF_NOT_ALLOWED: "The account is the owner's or a moderator's, and the provider is not marked as `staff`.",
  IDENTITY_NOT_FOUND: "The account has no identity with this id.",
  IDENTITY_TAKEN: "The identity signs in to another account.",
  TOO_MANY_IDENTITIES: `The account has ${MAX_IDENTITIES} identities.`,
  LAST_WAY_IN: "The account has neither a password nor a confirmed address nor another identity.",
  ALREADY_DECIDED: "Somebody of the team decided what waited, its author withdrew it, or it never did.",
  HELD_NOT_FOUND: "Nothing of the caller waits under this id: the team decided it, or it was withdrawn.",
  ALREADY_REPORTED: "The caller has reported it before, whatever the team decided then.",
  CANNOT_REPORT_OWN: "The caller wrote it.",
  NEEDS_APPROVAL: "An author put in what the team looks at first: links or words, or all texts.",
  MERGE_CONFLICT:
    "It is the same post, one of them was merged itself, votes of one are being moved, or too many merges lead to it: `conflict` says which.",
  USER_NOT_FOUND: "No account has this id.",
  KEY_NOT_ALLOWED: "The endpoint requires the token of a session, not an API key.",
  OTHER_ACCOUNT: "The token was mailed to another account than the caller's, or names another address.",
  SIGN_IN_AGAIN: "The token was issued more than ten minutes ago.",
  CANNOT_OWN: "The account is suspended, or its address is not confirmed on a site that sends mails.",
  CANNOT_SIGN_IN: "On a site without mails: the account has neither a password nor a sign-in that the team may use.",
  EXPORT_RUNNING: "An export is running.",
  EXPORT_NOT_FOUND: "There is no such export, it is not whole yet, or its hour is over.",
  EXPORT_NOT_SET_UP: "The installation has no place for exports, as in containers on one machine.",
  HAND_OVER_FIRST: "The account to delete is the owner's.",
  EMAIL_NOT_VERIFIED: "With `REQUIRE_VERIFIED=on`: the caller's address is not confirmed.",
  SETUP_COMPLETED: "Setup was done before: an owner exists.",
  POST_NOT_FOUND: "No post has this id or slug.",
  POST_LOCKED: "The team has locked the post, and the caller lacks `post:moderate`.",
  TOO_MANY_PINNED: `${MOST_PINNED} posts are pinned already.`,
  NOT_ENOUGH_PERMISSION: "The caller lacks the permission.",
  VOTE_EXISTS: "The account has already voted for this post.",
  VALIDATION_ERROR: "Malformed input; `errors` names the fields.",
  BOARD_NOT_FOUND: "No visible board has this id or url.",
  BOARD_URL_EXISTS: "Another board has this url.",
  ROADMAP_URL_EXISTS: "Another roadmap has this url.",
  ROADMAP_ID_OR_URL_MISSING: "No visible roadmap has this id or url.",
  STATUS_NOT_FOUND: "No status has this id, or it is archived.",
  STATUS_IN_USE: "Posts have this status, or it is not archived.",
  TAG_NOT_FOUND: "No tag has this id.",
  TAG_EXISTS: "Another tag has this name, in any case.",
  TOO_MANY_TAGS: `The site has ${MAX_TAGS} tags.`,
  COMMENT_NOT_FOUND: "The post has no comment with this id that the caller may see.",
  COMMENT_BODY_MISSING: "The text of the comment is missing or empty.",
  KEY_NOT_FOUND: "The account has no API key with this id.",
  TOO_MANY_KEYS: `The account has ${MAX_KEYS} API keys, expired ones included.`,
  WEBHOOK_NOT_FOUND: "No webhook has this id.",
  WEBHOOK_URL_REFUSED: "Webhooks may not call this url.",
  TOO_MANY_WEBHOOKS: `The site has ${MAX_WEBHOOKS} webhooks.`,
  INVALID_AUTH_HEADER: "The header is missing or empty.",
  INVALID_AUTH_HEADER_FORMAT: "The header is not `Bearer <token>`.",
  INVALID_TOKEN:
    "The token or API key is forged, expired, revoked or from another service, or its account no longer exists.",
  PAYLOAD_TOO_LARGE: `The body exceeds ${MAX_BODY_BYTES / 1024} KiB.`,
  CHANGED_MEANWHILE: "The state has changed: `If-Match` names another one.",
  IDEMPOTENCY_KEY_REUSED: "The caller sent another request under this `Idempotency-Key`.",
  TOO_MANY_REQUESTS: "A rate limit is reached; `Retry-After` says how many seconds to wait.",
};

/** The codes of an endpoint by status. SERVER_ERROR is sent as 503 too. */
export function byStatus(codes: Iterable<ErrorCode>): Map<number, ErrorCode[]> {
  const sorted = [...codes].sort();
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of sorted) {
    for (const status of code === "SERVER_ERROR" ? [500, 503] : [errorCatalogue[code].status]) {
      statuses.set(status, [...(statuses.get(status) ?? []), code]);
    }
  }
  return new Map([...statuses].sort(([a], [b]) => a - b));
}
