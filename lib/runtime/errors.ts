/** A problem of an input field. Paths: `body.title`, `query.first`. */
type InputProblem = { path: string; code: string; message: string };

/** Every error code that an answer may carry, with its status and message: docs/contract.md#errors. */
export const errorCatalogue = {
  SERVER_ERROR: { status: 500, message: "Something went wrong on our side" },
  MAIL_CONFIG_MISSING: { status: 501, message: "Mail configuration is missing" },
  EMAIL_INVALID: { status: 400, message: "A valid email is required" },
  PASSWORD_MISSING: { status: 400, message: "A password is required" },
  USER_EXISTS: { status: 409, message: "An account with this email already exists" },
  SIGNUP_NOT_ALLOWED: { status: 400, message: "New accounts are not allowed on this site, or not with this email" },
  DOMAIN_BLOCKED: { status: 400, message: "Emails of this domain are not allowed on this site" },
  INCORRECT_PASSWORD: { status: 401, message: "The email or the password is wrong" },
  INCORRECT_CODE: { status: 401, message: "The code is wrong, was used or has expired" },
  PASSWORD_NOT_ALLOWED: { status: 403, message: "Signing in by a password is switched off on this site" },
  NO_WAY_IN: { status: 409, message: "People could not sign in any more: leave them one way" },
  TWO_FACTOR_NEEDED: { status: 401, message: "The code of an authenticator app is needed, too" },
  TWO_FACTOR_ON: { status: 409, message: "The second factor is switched on already" },
  TWO_FACTOR_OFF: { status: 409, message: "The second factor is not switched on" },
  TWO_FACTOR_REQUIRED: { status: 409, message: "The site requires a second factor of the owner and of moderators" },
  MAGIC_NOT_ALLOWED: { status: 403, message: "Signing in by a mail is switched off on this site" },
  PROVIDER_NOT_FOUND: { status: 404, message: "Sign-in provider not found" },
  PROVIDER_REFUSED: { status: 401, message: "The provider did not confirm the sign-in: try again" },
  SSO_NOT_ALLOWED: { status: 403, message: "Signing in from the product is switched off on this site" },
  SSO_REFUSED: { status: 401, message: "The token is not good, was used or has expired: begin again in the product" },
  ISSUER_REFUSED: { status: 400, message: "The issuer must be https, with a host name, without query or fragment" },
  TOO_MANY_PROVIDERS: { status: 409, message: "A site has at most 10 sign-in providers: delete one first" },
  SIGN_IN_TO_LINK: {
    status: 409,
    message: "This address has an account: sign in as before, and link this sign-in in the profile",
  },
  STAFF_NOT_ALLOWED: { status: 403, message: "The owner and moderators cannot sign in by this provider" },
  IDENTITY_NOT_FOUND: { status: 404, message: "The account has no such linked sign-in" },
  IDENTITY_TAKEN: { status: 409, message: "Another account is linked to this sign-in" },
  TOO_MANY_IDENTITIES: { status: 409, message: "An account has at most 5 linked sign-ins: unlink one first" },
  LAST_WAY_IN: {
    status: 409,
    message: "This is the account's only way in: set a password or confirm the address first",
  },
  USER_NOT_FOUND: { status: 404, message: "User not found" },
  SETUP_COMPLETED: { status: 403, message: "Setup has already been completed" },
  POST_NOT_FOUND: { status: 404, message: "Post not found" },
  POST_LOCKED: { status: 403, message: "The team has locked this post: it takes no new comments" },
  TOO_MANY_PINNED: { status: 409, message: "A site has at most 3 pinned posts: unpin one first" },
  ALREADY_DECIDED: { status: 409, message: "This no longer waits for the team" },
  HELD_NOT_FOUND: { status: 404, message: "This does not wait for the team, or no more" },
  ALREADY_REPORTED: { status: 409, message: "You have reported this already" },
  CANNOT_REPORT_OWN: { status: 403, message: "This is your own: change or delete it instead" },
  NEEDS_APPROVAL: { status: 403, message: "The team looks at such a text before others see it" },
  MERGE_CONFLICT: { status: 409, message: "These posts cannot be merged or parted now" },
  NOT_ENOUGH_PERMISSION: { status: 403, message: "You don't have enough permission to perform this action" },
  KEY_NOT_ALLOWED: { status: 403, message: "An API key cannot do this: sign in instead" },
  OTHER_ACCOUNT: { status: 403, message: "The link is for another account: sign in with that one" },
  SIGN_IN_AGAIN: { status: 403, message: "Sign in again: this needs a session younger than ten minutes" },
  CANNOT_OWN: {
    status: 409,
    message: "Only an account with a confirmed address, which is not suspended, can own the site",
  },
  CANNOT_SIGN_IN: { status: 409, message: "Without mails, an owner needs a password or a sign-in for the team" },
  EXPORT_RUNNING: { status: 409, message: "An export is running: wait until it ends" },
  EXPORT_NOT_FOUND: { status: 404, message: "This export is not there, or no more" },
  EXPORT_NOT_SET_UP: { status: 501, message: "This installation has no place for exports" },
  HAND_OVER_FIRST: { status: 409, message: "The owner hands the site over to another account first" },
  EMAIL_NOT_VERIFIED: { status: 403, message: "Confirm your email address first" },
  VOTE_EXISTS: { status: 409, message: "Vote already exists" },
  VALIDATION_ERROR: { status: 400, message: "Invalid input" },
  BOARD_NOT_FOUND: { status: 404, message: "Board not found" },
  BOARD_URL_EXISTS: { status: 409, message: "Another board has this url" },
  ROADMAP_URL_EXISTS: { status: 409, message: "Another roadmap has this url" },
  ROADMAP_ID_OR_URL_MISSING: { status: 404, message: "Roadmap not found" },
  STATUS_NOT_FOUND: { status: 404, message: "Status not found" },
  STATUS_IN_USE: { status: 409, message: "Posts have this status, or it is not archived" },
  TAG_NOT_FOUND: { status: 404, message: "Tag not found" },
  TAG_EXISTS: { status: 409, message: "Another tag has this name" },
  TOO_MANY_TAGS: { status: 409, message: "A site has at most 100 tags: delete one first" },
  COMMENT_NOT_FOUND: { status: 404, message: "Comment not found" },
  COMMENT_BODY_MISSING: { status: 400, message: "A comment must have a text" },
  KEY_NOT_FOUND: { status: 404, message: "API key not found" },
  TOO_MANY_KEYS: { status: 409, message: "An account has at most 20 API keys: delete one first" },
  WEBHOOK_NOT_FOUND: { status: 404, message: "Webhook not found" },
  WEBHOOK_URL_REFUSED: { status: 400, message: "The url must be https, with a host name, on port 443 or above 1023" },
  TOO_MANY_WEBHOOKS: { status: 400, message: "A site has at most 10 webhooks: delete one first" },
  INVALID_AUTH_HEADER: { status: 401, message: "The Authorization header is missing" },
  INVALID_AUTH_HEADER_FORMAT: { status: 401, message: "The Authorization header must be: Bearer <token>" },
  INVALID_TOKEN: { status: 401, message: "The token is not valid" },
  CHANGED_MEANWHILE: { status: 412, message: "It has changed since: If-Match names another state" },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: "This Idempotency-Key was used for another request" },
  PAYLOAD_TOO_LARGE: { status: 413, message: "The body is larger than 128 KiB" },
  TOO_MANY_REQUESTS: { status: 429, message: "Too many requests" },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** What a sign-in that needs a second factor continues with; `isOn`: whether the account has one. */
export type SecondStep = { challenge: string; isOn: boolean };

type Details = {
  message?: string | undefined;
  problems?: InputProblem[];
  retryAfter?: number;
  scopes?: string[];
  secondStep?: SecondStep;
  conflict?: string | undefined;
};

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly problems: InputProblem[] | undefined;
  /** Seconds after which a client may try again. */
  readonly retryAfter: number | undefined;

  readonly secondStep: SecondStep | undefined;
  /** Of MERGE_CONFLICT: its kind. */
  readonly conflict: string | undefined;

  constructor(code: ErrorCode, details: Details = {}) {
    const { scopes = [] } = details;
    const lacking = `: the API key lacks the scope${scopes.length > 1 ? "s" : ""} ${scopes.join(", ")}`;
    super((details.message ?? errorCatalogue[code].message) + (scopes.length > 0 ? lacking : ""));
    this.code = code;
    this.problems = details.problems;
    this.retryAfter = details.retryAfter;
    this.secondStep = details.secondStep;
    this.conflict = details.conflict;
  }

  /** The status of the catalogue; SERVER_ERROR with `retryAfter` is a 503. */
  get status(): number {
    return this.code === "SERVER_ERROR" && this.retryAfter !== undefined ? 503 : errorCatalogue[this.code].status;
  }
}

/** A service that we depend on does not answer: a 503, the client may try again. */
export class Unavailable extends Error {
  override readonly name: string = "Unavailable";
}

/** A VALIDATION_ERROR with one problem: where, by which rule, in words. */
export function invalid(path: string, code: string, message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { problems: [{ path, code, message }] });
}
