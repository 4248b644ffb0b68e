import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import * as z from "zod/mini";
import type { Window } from "../accounts/rates.ts";
import { may, type Permission } from "../auth/permissions.ts";
import type { Audited } from "../events/audit.ts";
import type { ErrorCode } from "../runtime/errors.ts";
import { type LoneVerb, type TableAccess, type Verb, withFence } from "../table/access.ts";
import type { Family } from "../table/families.ts";
import { type RateLimit, teamChanges } from "./rate-limits.ts";

/**
 * Who may call. `public`: the token is ignored. `optional`: a valid token identifies the caller, a bad one is ignored.
 * `bearer`: a valid token is required. `bearer unless public reads`: as `bearer`; with PUBLIC_READS=on,
 * as `optional`.
 */
export type Access = "public" | "optional" | "bearer" | "bearer unless public reads";

/** Something known of the caller, such as the account or its id: always on `bearer`, never on `public`. */
export type Known<A extends Access, T> = {
  public: undefined;
  optional: T | undefined;
  bearer: T;
  "bearer unless public reads": T | undefined;
}[A];

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Route = `${Method} /${string}`;

export type RequestSchema = z.ZodMiniObject<{ body?: z.ZodMiniType; params?: z.ZodMiniType; query?: z.ZodMiniType }>;

/** The families that an endpoint's own code touches. It writes in transactions; only `limit` writes outside of one. */
export type OwnTable = {
  readonly [F in Exclude<Family, "RATE" | "IDEMPOTENCY" | "FENCE">]?: readonly Exclude<Verb, LoneVerb>[];
};

/** One endpoint as data. Routes, IAM policies, the local server, the OpenAPI document and tests are made from it. */
export type Definition<
  A extends Access = Access,
  S extends RequestSchema = RequestSchema,
  R extends z.ZodMiniType = z.ZodMiniType,
  E extends ErrorCode = ErrorCode,
  Prefetched = unknown,
  Kept extends z.ZodMiniType = z.ZodMiniType,
> = {
  /** Unique; `<folder>-<file>` of its module in functions/. */
  name: string;
  method: Method;
  /** The path below `/api/v1`, in API Gateway's notation. */
  path: `/${string}`;
  /** One of the endpoints of docs/contract.md: its requests and answers are fixed. */
  contract?: true;
  access: A;
  /** The role permission that the caller needs; checked before the input. Only with `access: "bearer"`. */
  permission?: Permission;
  /** Further permissions that a valid input requires; checked with `permission`. */
  permissionsOf?(input: z.output<S>, viewerId: Known<A, string>): readonly Permission[];
  /** Requires the token of a session: no API key; checked after the token. Only with `access: "bearer"`. */
  refusesKeys?: true;
  /** With REQUIRE_VERIFIED=on the caller's address must be confirmed; checked after the permission. */
  needsVerified?: true;
  /**
   * `mail`: without a mail sender every call is answered with MAIL_CONFIG_MISSING, before anything else is checked.
   * `mail or none`: unless the operator chose to have no mail.
   */
  requires?: "mail" | "mail or none";
  request: S;
  success: 200 | 201 | 202 | 204;
  /** Schema of the success body and its serialiser: a field that it does not name is not sent. */
  response: R;
  /**
   * The codes that `handle` throws by `fail` and the codes of the request's schemas (EMAIL_INVALID). `codesOf` adds the
   * implied ones.
   */
  errors: readonly E[];
  /**
   * What the audit log calls a change by the team. Of changes that matter to nobody else it says "own
   * affair": these are not recorded. Every endpoint with a caller that changes something has it.
   */
  audit?: Audited;
  /** The exact rights that `prefetch`, `handle` and `replay` use. `grantsOf` adds what the pipeline uses. */
  table: OwnTable;
  /** Hashes passwords: the function gets a whole processor core. */
  hashesPasswords?: true;
  /** Asks for the setup code: only this function gets its hash. */
  asksSetupCode?: true;
  /** Calls the function `deliver`, which no other endpoint may do. */
  callsDeliver?: true;
  /** Makes links to files of exports: the function may read the bucket that holds them. */
  readsExports?: true;
  /** Calls sign-in providers: the function holds the door to foreign servers. */
  callsProviders?: true;
  /** Issues tokens, or signs in: the function may read the signing secret. */
  readsSigningSecret?: true;
  /** A first factor of a sign-in: it issues a token or asks for the second factor (TWO_FACTOR_NEEDED). */
  isFirstFactor?: true;
  /**
   * The first read, if it does not depend on the caller's account: for a session it runs in parallel with the look-up
   * of the account.
   */
  prefetch?(input: z.output<S>, viewerId: Known<A, string>): Promise<Prefetched>;
  /**
   * The endpoint accepts an Idempotency-Key. The schema is of what is kept with the key: what `replay` needs to repeat
   * the answer.
   */
  idempotency?: Kept;
  /** The tag of the answered state, for the header ETag. On PATCH and PUT it makes the endpoint accept If-Match. */
  etagOf?(result: z.output<R>): string;
  /**
   * The read units that a call takes, as its input lets expect, if they can be many. The network's limit counts them
   * before they are read.
   */
  expectedReads?(input: z.output<S>): number;
  /**
   * The write units that a call takes with its background work, if its input lets expect more than a usual change. The
   * limits of its network and its account count them before anything is written.
   */
  expectedWrites?(input: z.output<S>): number;
  /**
   * What a call with valid input counts against with RATE_LIMITS=on, in place of what accounts may write; counted in
   * parallel with the prefetch.
   */
  limit?(input: z.output<S>, by: { network: string; account: Known<A, string> }): RateLimit;
  /**
   * How many of these calls an account may make, in addition to its limit on changes (lib/http/rate-limits.ts). Changes
   * of the team have a limit of their own: `callLimitsOf`.
   */
  callLimits?: readonly Window[];
  /** Whether a call with this input is one of those; by default each is. */
  isLimited?(input: z.output<S>): boolean;
  /**
   * Whether a call takes access away. No limit counts or refuses it: neither a thief nor a neighbour behind the same
   * address can prevent it by many calls.
   */
  endsAccess?: true | ((input: z.output<S>) => boolean);
  /** What a call stores depends on the header Accept-Language. */
  storesLanguage?: true;
  /**
   * Makes the answer of a call for a person: whose client asks for HTML, as browsers do. `accepted` is its header
   * Accept-Language. Called after `handle`.
   */
  page?(input: z.output<S>, accepted: string | undefined): Promise<APIGatewayProxyStructuredResultV2>;
};

/** The fields that need not be written. Without `access`, a call needs a token. */
export const defaults = {
  access: "bearer",
  request: z.object({}),
  success: 200,
  response: z.void(),
  errors: [],
  table: {},
} as const;

/** Constraints between the fields of a definition: only `access: "bearer"` has the others. */
export type Consistent<A extends Access> = A extends "bearer" ? unknown : { permission?: never; refusesKeys?: never };

type VerbsOf<V> = V extends readonly (infer Own)[] ? Own : never;

/** Whether an endpoint with this `table` changes something: sending a mail changes nothing. */
export type Changes<T extends OwnTable> =
  Extract<VerbsOf<T[Exclude<keyof T, "OUTBOX">]>, "put" | "update" | "delete"> extends never ? false : true;

/** What an endpoint that changes something must say of it, for the log and the audit log. */
export type Told<A extends Access, T extends OwnTable> =
  Changes<T> extends true
    ? { trace: object } & (A extends "public" ? { audit?: never } : { audit: Audited })
    : { audit?: never };

/** Whether a call without a token is refused (with PUBLIC_READS off). */
export function requiresToken({ access }: Pick<Definition, "access">): boolean {
  return access === "bearer" || access === "bearer unless public reads";
}

/** Whether the function issues or verifies tokens, which requires the signing secret. */
export function usesSigningSecret({
  access,
  readsSigningSecret,
}: Pick<Definition, "access" | "readsSigningSecret">): boolean {
  return access !== "public" || readsSigningSecret === true;
}

/** Whether calls count against what their network may take: all but ends of access and public reads of single items. */
export function countsForNetwork(definition: Definition): boolean {
  const { access, limit, table, endsAccess } = definition;
  if (endsAccess === true) return false;
  return access !== "public" || limit !== undefined || !verbsIn(table).every((verb) => verb === "get");
}

/** Whether calls count for the limit on changes of their account. */
export function countsForAccount(definition: Definition): boolean {
  const { access, limit, endsAccess } = definition;
  return access === "bearer" && !limit && endsAccess !== true && changesItems(definition);
}

/** Whether a call with this valid input takes access away. */
export function takesAccessAway({ endsAccess }: Definition, input: z.output<RequestSchema>): boolean {
  return typeof endsAccess === "function" ? endsAccess(input) : endsAccess === true;
}

/** Whether only the team may call: a member lacks the permission. */
export function isForTeam({ permission }: Pick<Definition, "permission">): boolean {
  return permission !== undefined && !may({ role: "member" }, permission);
}

/** How many of these calls an account may make, in addition to its limit on changes. */
export function callLimitsOf(definition: Definition): readonly Window[] {
  const { name, callLimits } = definition;
  if (callLimits) return callLimits;
  return isForTeam(definition) && countsForAccount(definition) ? teamChanges(name) : [];
}

const READS = new Set<Verb>(["get", "query"]);

/** Whether the endpoint may write. */
export function changesItems({ table }: Pick<Definition, "table">): boolean {
  return !verbsIn(table).every((verb) => READS.has(verb));
}

function verbsIn(table: OwnTable): Verb[] {
  return Object.values(table).flat();
}

/** Whether the endpoint compares `If-Match`. */
export function takesIfMatch({ etagOf, method }: Pick<Definition, "etagOf" | "method">): boolean {
  return etagOf !== undefined && (method === "PATCH" || method === "PUT");
}

/** Every code that an endpoint may answer with, those that its definition implies too (docs/contract.md#errors). */
export function codesOf(definition: Definition): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(["SERVER_ERROR", "PAYLOAD_TOO_LARGE", ...definition.errors]);
  if (definition.requires) codes.add("MAIL_CONFIG_MISSING");
  if (definition.isFirstFactor) codes.add("TWO_FACTOR_NEEDED");
  if (requiresToken(definition)) {
    codes.add("INVALID_AUTH_HEADER").add("INVALID_AUTH_HEADER_FORMAT").add("INVALID_TOKEN");
  }
  if (definition.permission || definition.permissionsOf) codes.add("NOT_ENOUGH_PERMISSION");
  if (definition.refusesKeys) codes.add("KEY_NOT_ALLOWED");
  if (definition.needsVerified) codes.add("EMAIL_NOT_VERIFIED");
  if (Object.keys(definition.request.shape).length > 0) codes.add("VALIDATION_ERROR");
  if (definition.idempotency) codes.add("IDEMPOTENCY_KEY_REUSED");
  if (takesIfMatch(definition)) codes.add("CHANGED_MEANWHILE");
  if (countsForNetwork(definition)) codes.add("TOO_MANY_REQUESTS");
  return codes;
}

/** All rights of an endpoint's function to the table: its IAM policy. */
export function grantsOf(definition: Definition): TableAccess {
  const { access, refusesKeys, idempotency, audit, table } = definition;
  return withFence({
    ...table,
    // The look-up of the caller's account and API key.
    ...(access !== "public" && {
      USER: [...new Set<Verb>(["get", ...(table.USER ?? [])])],
      API_KEYS: [...new Set<Verb>(["get", ...(table.API_KEYS ?? [])])],
    }),
    ...(access !== "public" && !refusesKeys && { KEY_USES: ["updateAlone"] }),
    ...(audit && audit !== "own affair" && { AUDIT: ["put"] }),
    ...(idempotency && { IDEMPOTENCY: ["get", "put"] }),
    ...(countsForNetwork(definition) && { RATE: ["updateAlone"] }),
  });
}
