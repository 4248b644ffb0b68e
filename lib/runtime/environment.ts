import { en } from "zod/locales";
import * as z from "zod/mini";
import { LANGUAGES } from "../values/languages.ts";
import { isWebAddress } from "../values/origins.ts";

// zod/mini has no messages of its own. At a cold start, compiling parsers takes longer than later requests gain.
z.config({ ...en(), jitless: true });

const Switch = z._default(
  z.pipe(
    z.enum(["on", "off"]),
    z.transform((position) => position === "on"),
  ),
  false,
);

/** The URL as browsers and mails have it, in ASCII, because headers have no other letters; without a slash behind. */
function withoutSlash(url: string): string {
  const { origin, pathname } = new URL(url);
  const names = pathname.split("/").filter((name) => name !== "");
  return [origin, ...names].join("/");
}

/** docs/local.md#configuration says what each is for. */
const Variables = z.object({
  TABLE_NAME: z.string().check(z.minLength(1)),
  AWS_REGION: z._default(z.string().check(z.minLength(1)), "us-east-1"),
  // Only for a local engine, with fixed dummy credentials.
  DYNAMODB_ENDPOINT: z.optional(z.string()),
  SIGNING_SECRET: z.optional(z.string().check(z.minLength(32))),
  SIGNING_SECRET_ARN: z.optional(z.string()),
  TOKEN_LIFETIME_SECONDS: z._default(z.coerce.number().check(z.int(), z.minimum(60)), 7 * 24 * 60 * 60),
  TOKEN_ISSUER: z._default(z.string().check(z.minLength(1)), "feedback-board"),
  TOKEN_AUDIENCE: z._default(z.string().check(z.minLength(1)), "feedback-board-api"),
  MAIL_TRANSPORT: z._default(z.enum(["none", "off", "log", "ses"]), "none"),
  MAIL_FROM: z.optional(z.string()),
  MAIL_LANGUAGE: z._default(z.enum(LANGUAGES), "en"),
  MAIL_LOG_FILE: z.optional(z.string()),
  NOTICES_PER_SECOND: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 10),
  API_URL: z.optional(z.string()),
  RATE_LIMITS: Switch,
  PUBLIC_READS: Switch,
  REQUIRE_VERIFIED: Switch,
  COMMON_PASSWORDS: z._default(z.enum(["refuse", "allow"]), "allow"),
  SETUP_CODE_SHA256: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  PORTAL_KEY: z.optional(z.string()),
  WEBHOOK_PRIVATE_TARGETS: Switch,
  DELIVER_URL: z.optional(z.string()),
  EXPORT_BUCKET_URL: z.optional(z.string()),
  EXPORT_FOLDER: z.optional(z.string()),
  SITE_URL: z.pipe(
    z._default(
      z.string().check(z.refine(isWebAddress, "Must be a URL such as https://feedback.example.com")),
      "http://localhost:3000",
    ),
    z.transform(withoutSlash),
  ),
});

export type VariableName = keyof z.input<typeof Variables>;

export function variableNames(): VariableName[] {
  return Object.keys(Variables.shape) as VariableName[];
}

type Environment = ReturnType<typeof read>;

function read(variables: NodeJS.ProcessEnv) {
  // An empty variable counts as absent: `docker run -e NAME=` and SAM's env file pass empty text.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const parsed = Variables.safeParse(given);
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`Bad environment variables: ${names.join("; ")}`);
  }
  return parsed.data;
}

/** A cached value. It is made again when its source changes. */
function derived<From, Value>(from: () => From, make: (from: From) => Value): () => Value {
  let made: { from: From; value: Value } | undefined;
  return () => {
    const current = from();
    if (made?.from !== current) made = { from: current, value: make(current) };
    return made.value;
  };
}

/** The environment variables, read and checked on first use, not at import; throws an Error that names each bad one. */
export const environment = derived(() => process.env, read);

/** Where people reach the API. */
export function apiUrl(): string {
  const { SITE_URL, API_URL = `${SITE_URL}/api/v1` } = environment();
  return API_URL;
}

/** A value that a process makes once from its environment, on first use: a client, a cache. */
export function fromEnvironment<Value>(make: (variables: Environment) => Value): () => Value {
  return derived(environment, make);
}
