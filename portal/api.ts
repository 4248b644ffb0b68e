import type { components } from "../lib/client/index.ts";
import { type Api, clientAt } from "./client.ts";
import { announce } from "./notices.ts";
import { signOut, token } from "./session.ts";
import { language, problemText, t, textOf } from "./text.ts";

export type Schemas = components["schemas"];
/** A post as its own page shows it. */
export type Post = Schemas["PostBySlug"];
/** A post in a list. */
export type ListedPost = Schemas["Post"];

/** What a sign-in that needs a second factor continues with; `isOn`: whether the account has one. */
export type SecondStep = { challenge: string; isOn: boolean };

/**
 * A call that failed. `fields`: what was wrong in the request, by the name of the field. `conflict`: of which kind a
 * MERGE_CONFLICT is.
 */
export class Failure extends Error {
  declare status: number;
  declare code: string;
  declare fields: Record<string, string>;
  declare twoFactor?: SecondStep;
  declare conflict?: string;

  constructor(status: number, code: string, message: string, fields: Record<string, string> = {}) {
    super(message);
    Object.assign(this, { status, code, fields });
  }
}

/** Whether the same call may work later: it had no answer, or none for now. */
export function mayWorkLater({ status }: Failure): boolean {
  return status === 0 || status >= 429;
}

export type { Api };

/** A client of the API at this origin; in a page that is its own. */
export function apiAt(origin: string, headers: Record<string, string> = {}): Api {
  return clientAt(`${origin}/api/v1`, () => ({ token: token.value, language: language.peek() }), headers);
}

/** What a page calls when a person does something. */
export const api = apiAt("");

export type Result<T> = { data?: T; error?: unknown; response: Response };

/** The content of an answer. Throws a Failure with a sentence for people if the call failed or had no answer. */
export async function answer<T>(call: Promise<Result<T>>): Promise<NonNullable<T>> {
  const session = token.peek();
  const result = await call.catch(() => {
    throw new Failure(0, "OFFLINE", t("offline"));
  });
  const { data, error, response } = result;
  if (response.ok) return data as NonNullable<T>;
  const failure = failureOf(response, error, session);
  if (failure.code === "NOT_ENOUGH_PERMISSION" && (await isSuspendedNow())) failure.message = t("suspendedHint");
  throw failure;
}

/** Whether an account with these permissions is suspended: it may write nothing. */
export function isSuspendedBy(permissions: string[]): boolean {
  return !permissions.includes("post:create");
}

/** Whether the account that is signed in is suspended; false if that cannot be read. */
async function isSuspendedNow(): Promise<boolean> {
  if (!token.peek()) return false;
  const { data } = await api.GET("/users/permissions").catch(() => ({ data: undefined }));
  return data !== undefined && isSuspendedBy(data.permissions);
}

/** The tag of what a call answered, for a later `If-Match`. */
export async function tagOf(call: Promise<Result<unknown>>): Promise<string> {
  return (await call).response.headers.get("etag") ?? "*";
}

type Problem = {
  message?: string;
  code?: string;
  errors?: { path: string; code: string; message: string }[];
  twoFactor?: SecondStep;
  conflict?: string;
};

/** The field whose content a code refuses. */
const FIELD_OF: Record<string, string> = {
  EMAIL_INVALID: "email",
  USER_EXISTS: "email",
  // Where a form names the voter.
  VOTE_EXISTS: "email",
  INCORRECT_PASSWORD: "password",
  DOMAIN_BLOCKED: "email",
  PASSWORD_MISSING: "password",
  BOARD_URL_EXISTS: "url",
  ROADMAP_URL_EXISTS: "url",
  WEBHOOK_URL_REFUSED: "url",
  ISSUER_REFUSED: "issuer",
  COMMENT_BODY_MISSING: "body",
  INCORRECT_CODE: "code",
};

/** `session`: the one that was open when the call was made. */
function failureOf({ status, url }: Response, problem: unknown, session: string | undefined): Failure {
  // An answer without a code is a gateway's own.
  const fallback = status === 429 ? "TOO_MANY_REQUESTS" : "SERVER_ERROR";
  const { message = "", code = fallback, errors = [], twoFactor, conflict } = Object(problem) as Problem;
  // The tokens of mails have the same code; a session has not ended when one of them has.
  if (code === "INVALID_TOKEN" && !/\/auth\/(email|password|magic|two-factor)/.test(url)) {
    // A late answer to an old session does not end the new one.
    if (token.peek() === session) {
      signOut();
      announce(t("signedOut"), "problem");
    }
    return new Failure(status, code, t("signedOut"));
  }
  const sentence = textOf(code, message);
  const fields = errors.map((each) => [each.path.replace(/^body\./, ""), problemText(each)]);
  const field = FIELD_OF[code];
  if (field) fields.push([field, sentence]);
  const failure = new Failure(status, code, sentence, Object.fromEntries(fields));
  return Object.assign(failure, { twoFactor, conflict });
}

const REPEATED_AFTER_MS = [500, 1500];

/** The name of one piece of work, however often it is sent. Plain http has no randomUUID. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/** Repeats a call that had no answer, or that a busy service refused; twice at most. */
export async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (const wait of REPEATED_AFTER_MS) {
    try {
      return await call();
    } catch (failure) {
      if (!(failure instanceof Failure) || (failure.status !== 0 && failure.status !== 503)) throw failure;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return call();
}

/** Makes one thing exactly once, however often the call is repeated. */
export function once<T>(
  call: (headers: { "Idempotency-Key": string }) => Promise<Result<T>>,
  key = newKey(),
): Promise<NonNullable<T>> {
  return untilAnswered(() => answer(call({ "Idempotency-Key": key })));
}
