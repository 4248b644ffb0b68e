import { may, type Permission } from "../../lib/auth/permissions.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { codesOf, countsForAccount, type Definition, takesIfMatch } from "../../lib/http/definition.ts";
import { KEY } from "../../lib/http/idempotency.ts";
import { mergeConflicts } from "../../lib/posts/merging.ts";
import { type ErrorCode, errorCatalogue } from "../../lib/runtime/errors.ts";
import { commentsOf, splitSummary } from "./comments.ts";
import { byStatus, whenOf } from "./errors.ts";
import { requestSchemas, responseSchema, type Schema, withoutNull } from "./json-schemas.ts";
import { inWords, windowsOf } from "./rate-limits.ts";

/** A request of an endpoint and its answer, as they were sent and received. */
export type Exchange = {
  request: { body?: unknown; params?: Record<string, string>; query?: Record<string, string> };
  answer: unknown;
};

const JSON_TYPE = "application/json";

/** The path in the notation of OpenAPI, which has no greedy parameters. */
export function pathOf({ path }: Pick<Definition, "path">): string {
  return path.replace("+}", "}");
}

const ROLES = ["owner", "moderator", "member"] as const;

export function rolesWith(permission: Permission): string[] {
  return ROLES.filter((role) => may({ role }, permission));
}

/** Sentences that follow from a definition. */
function notesOf(definition: Definition): string[] {
  const { access, permission } = definition;
  const windows = windowsOf(definition);
  return [
    ...(access === "optional" ? ["A valid token identifies the caller; an invalid one is ignored."] : []),
    ...(access === "bearer unless public reads" ? ["With `PUBLIC_READS=on` the token is optional."] : []),
    ...(definition.refusesKeys ? ["Requires the token of a session: an API key gets KEY_NOT_ALLOWED."] : []),
    ...(permission ? [`Needs the permission \`${permission}\`: ${rolesWith(permission).join(", ")}.`] : []),
    ...(definition.needsVerified
      ? ["With `REQUIRE_VERIFIED=on` the caller's address must be confirmed, else EMAIL_NOT_VERIFIED."]
      : []),
    ...(windows.length > 0 ? [`Rate limit: ${inWords(windows)}.`] : []),
    ...(countsForAccount(definition) ? ["Counts as a change by the account: docs/api.md."] : []),
  ];
}

const SECURITY: Record<Definition["access"], object[]> = {
  public: [],
  optional: [{}, { bearer: [] }],
  bearer: [{ bearer: [] }],
  "bearer unless public reads": [{ bearer: [] }],
};

/** A parameter as its type, from how it stands in an address. */
function readAs(text: string, type: unknown): string | number | string[] {
  if (type === "array") return text.split(",");
  return type === "integer" ? Number(text) : text;
}

function parametersOf(
  place: "path" | "query",
  schema: Schema | undefined,
  examples: Record<string, string> = {},
): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = withoutNull(property);
    const isList = rest.type === "array";
    const text = examples[name];
    const value = text === undefined ? undefined : readAs(text, rest.type);
    return {
      name,
      in: place,
      required: place === "path",
      description,
      ...(isList && { style: "form", explode: false }),
      schema: rest,
      ...(value !== undefined && { example: value }),
    };
  });
}

// Without examples: the page would send them with each call.
const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes the request safe to repeat for 24 hours: the same request under the same key gets the first answer again. " +
    "Use a new key, such as a random UUID, for each thing to create.",
  schema: { type: "string", pattern: KEY.source },
};

const IF_MATCH = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "The `ETag` of the state to change. If another call has changed it since, the answer is CHANGED_MEANWHILE.",
  schema: { type: "string" },
};

const ACCEPT_LANGUAGE = {
  name: "Accept-Language",
  in: "header",
  required: false,
  description:
    "The languages of the reader, as browsers send them. Without one of ours it is the language of the site.",
  schema: { type: "string" },
};

export const successHeaders = {
  IdempotencyReplayed: {
    description: "This is the first answer, repeated: the request was carried out before under this `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
  },
  ETag: {
    description: "The tag of this state, for `If-Match`.",
    schema: { type: "string", pattern: '^".+"$' },
  },
};

const SECOND_STEP = {
  type: "object",
  description: "With TWO_FACTOR_NEEDED: what the sign-in goes on with.",
  properties: {
    challenge: { type: "string", description: "For POST /auth/two-factor, within 15 minutes." },
    isOn: {
      type: "boolean",
      description: "Whether the account has a second factor; else POST /auth/two-factor/enrol begins one.",
    },
  },
  required: ["challenge", "isOn"],
};

const CONFLICT = {
  type: "string",
  enum: mergeConflicts,
  description: "With MERGE_CONFLICT: which it is.",
};

// Of a token that is missing or not good: nearly every endpoint has all three.
const OF_TOKENS = "INVALID_AUTH_HEADER.INVALID_AUTH_HEADER_FORMAT.INVALID_TOKEN";

/** The name of a shared error answer: its status and its codes, in short where all codes of tokens are among them. */
function nameOfErrors(status: number, codes: ErrorCode[]): string {
  return [status, ...codes].join(".").replace(OF_TOKENS, "TOKEN");
}

// API Gateway answers these by itself too, and then the body has a message only.
const BY_GATEWAY = new Set([413, 429, 500, 503]);

function exampleOfError(code: ErrorCode): object {
  return {
    message: errorCatalogue[code].message,
    code,
    ...(code === "TWO_FACTOR_NEEDED" && { twoFactor: { challenge: "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", isOn: true } }),
    ...(code === "MERGE_CONFLICT" && { conflict: "being_moved" }),
    ...(code === "VALIDATION_ERROR" && {
      errors: [{ path: "body.title", code: "too_small", message: "Too small: expected string to have >=1 characters" }],
    }),
  };
}

const HEADERS: Record<number, object> = {
  401: {
    "WWW-Authenticate": {
      description: 'How to authenticate; with `error="invalid_token"` for INVALID_TOKEN.',
      schema: { type: "string" },
    },
  },
  429: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } },
  503: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } },
};

function errorAnswer(status: number, codes: ErrorCode[]): object {
  return {
    description: [
      ...codes.map((code) => `${code}: ${whenOf[code]}`),
      ...(BY_GATEWAY.has(status) ? ["The gateway's own answer of this status has a `message` only."] : []),
    ].join("\n\n"),
    ...(HEADERS[status] && { headers: HEADERS[status] }),
    content: {
      [JSON_TYPE]: {
        schema: {
          type: "object",
          properties: {
            message: { type: "string", description: "What is wrong, in English." },
            // The gateway sends no code. It is named so that a typed client can read the code of any error.
            code: {
              type: "string",
              enum: codes.length > 0 ? codes : ["TOO_MANY_REQUESTS"],
              description: "The code of the error.",
            },
            ...(codes.includes("TWO_FACTOR_NEEDED") && { twoFactor: SECOND_STEP }),
            ...(codes.includes("MERGE_CONFLICT") && { conflict: CONFLICT }),
            ...(codes.includes("VALIDATION_ERROR") && {
              errors: {
                type: "array",
                description: "With VALIDATION_ERROR: the problem of each invalid field.",
                items: { $ref: "#/components/schemas/InputProblem" },
              },
            }),
          },
          required: ["message", ...(codes.length > 0 && !BY_GATEWAY.has(status) ? ["code"] : [])],
        },
        ...(codes.length > 0
          ? { examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOfError(code) }])) }
          : { example: { message: "Too Many Requests" } }),
      },
    },
  };
}

function errorsOf(definition: Definition): Map<number, ErrorCode[]> {
  const errors = byStatus(codesOf(definition));
  // The gateway limits the calls of all endpoints together.
  if (!errors.has(429)) errors.set(429, []);
  return errors;
}

/** The error answers of all endpoints, each combination of status and codes once, by name. */
export function errorAnswers(endpoints: readonly Endpoint[]): Record<string, object> {
  return Object.fromEntries(
    endpoints
      .flatMap(({ definition }) => [...errorsOf(definition)])
      .map(([status, codes]) => [nameOfErrors(status, codes), errorAnswer(status, codes)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const PURPOSE: Record<Definition["success"], string> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted.",
  204: "Done; the body is empty.",
};

/** The doc comment of an endpoint's handler: its first sentence, and the rest. */
export function descriptionOf({ name }: Definition): { summary: string; rest: string } {
  return splitSummary(commentsOf(`functions/${name.replace("-", "/")}.ts`).handler ?? "");
}

/** The operation of an endpoint in the document. */
export function operationOf({ definition }: Endpoint, tag: string, example?: Exchange): object {
  const { name, access, success, response, request } = definition;
  const { summary, rest } = descriptionOf(definition);
  const description = [rest, ...notesOf(definition)].filter((each) => each !== "").join("\n\n");
  const { params, query, body } = requestSchemas(request, name);
  const headers = {
    ...(definition.idempotency && { "Idempotency-Replayed": { $ref: "#/components/headers/IdempotencyReplayed" } }),
    ...(definition.etagOf && { ETag: { $ref: "#/components/headers/ETag" } }),
  };
  const parameters = [
    ...parametersOf("path", params, example?.request.params),
    ...parametersOf("query", query, example?.request.query),
    ...(definition.idempotency ? [IDEMPOTENCY_KEY] : []),
    ...(takesIfMatch(definition) ? [IF_MATCH] : []),
    ...(definition.storesLanguage ? [ACCEPT_LANGUAGE] : []),
  ];
  const windows = windowsOf(definition);
  return {
    // The name in clients: `postsCreate`.
    operationId: name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [tag],
    summary,
    ...(description !== "" && { description }),
    security: SECURITY[access],
    ...(definition.permission && { "x-permission": definition.permission }),
    ...(windows.length > 0 && { "x-rate-limits": windows }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: (body.required ?? []).length > 0,
        content: { [JSON_TYPE]: { schema: body, ...(example && { example: example.request.body }) } },
      },
    }),
    responses: {
      [success]: {
        description: PURPOSE[success],
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(success !== 204 && {
          content: {
            [JSON_TYPE]: { schema: responseSchema(response, name), ...(example && { example: example.answer }) },
            ...(definition.page && { "text/html": { schema: { type: "string" } } }),
          },
        }),
      },
      ...Object.fromEntries(
        [...errorsOf(definition)].map(([status, codes]) => [
          status,
          { $ref: `#/components/responses/${nameOfErrors(status, codes)}` },
        ]),
      ),
    },
  };
}
