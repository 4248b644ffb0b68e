import * as z from "zod";

const Environment = z.object({
  TABLE_NAME: z.string().min(1),
  AWS_REGION: z.string().min(1).default("us-east-1"),
  DYNAMODB_ENDPOINT: z.string().optional(),
  SIGNING_SECRET: z.string().min(32).optional(),
  SIGNING_SECRET_ARN: z.string().optional(),
  TOKEN_LIFETIME_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .default(7 * 24 * 60 * 60),
  TOKEN_ISSUER: z.string().min(1).default("feedback-board"),
  TOKEN_AUDIENCE: z.string().min(1).default("feedback-board-api"),
  MAIL_TRANSPORT: z.enum(["none", "log", "ses"]).default("none"),
  MAIL_FROM: z.string().optional(),
  MAIL_LOG_FILE: z.string().optional(),
  RATE_LIMITS: z.enum(["on", "off"]).default("off"),
  PUBLIC_READS: z.enum(["on", "off"]).default("off"),
  REQUIRE_VERIFIED: z.enum(["on", "off"]).default("off"),
  COMMON_PASSWORDS: z.enum(["refuse", "allow"]).default("allow"),
  SETUP_CODE: z.string().min(8).optional(),
  SITE_URL: z.string().default("http://localhost:3000"),
});

/** The name of an environment variable that a function reads. */
export type SettingName = keyof z.input<typeof Environment>;

/** The names of all these variables. */
export const settingNames = (): SettingName[] => Object.keys(Environment.shape) as SettingName[];

/** The typed settings of a function; every name is documented in README.md#configuration. */
type Settings = {
  tableName: string;
  region: string;
  /** Set only for a local engine; then fixed dummy credentials are used. */
  dynamoEndpoint: string | undefined;
  signingSecret: string | undefined;
  signingSecretArn: string | undefined;
  tokenLifetimeSeconds: number;
  tokenIssuer: string;
  tokenAudience: string;
  mailTransport: "none" | "log" | "ses";
  mailFrom: string | undefined;
  mailLogFile: string | undefined;
  siteUrl: string;
  rateLimits: boolean;
  /** Whether boards and roadmaps are listed without a token too. */
  publicReads: boolean;
  /** Whether only users with a confirmed address may post and vote. */
  requireVerified: boolean;
  /** Whether a new password may not be one of the commonest. */
  refuseCommonPasswords: boolean;
  /** What setup has to be called with. */
  setupCode: string | undefined;
};

const read = (environment: NodeJS.ProcessEnv): Settings => {
  // An empty variable counts as absent: `docker run -e NAME=` and SAM's env file pass empty text.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`Bad settings in the environment: ${names.join("; ")}`);
  }
  const env = parsed.data;
  return {
    tableName: env.TABLE_NAME,
    region: env.AWS_REGION,
    dynamoEndpoint: env.DYNAMODB_ENDPOINT,
    signingSecret: env.SIGNING_SECRET,
    signingSecretArn: env.SIGNING_SECRET_ARN,
    tokenLifetimeSeconds: env.TOKEN_LIFETIME_SECONDS,
    tokenIssuer: env.TOKEN_ISSUER,
    tokenAudience: env.TOKEN_AUDIENCE,
    mailTransport: env.MAIL_TRANSPORT,
    mailFrom: env.MAIL_FROM,
    mailLogFile: env.MAIL_LOG_FILE,
    siteUrl: env.SITE_URL.replace(/\/$/, ""),
    rateLimits: env.RATE_LIMITS === "on",
    publicReads: env.PUBLIC_READS === "on",
    requireVerified: env.REQUIRE_VERIFIED === "on",
    refuseCommonPasswords: env.COMMON_PASSWORDS === "refuse",
    setupCode: env.SETUP_CODE,
  };
};

/** A value made from another one on first use, and anew when the other one is replaced. */
const derived = <From, Value>(from: () => From, make: (from: From) => Value): (() => Value) => {
  let made: { from: From; value: Value } | undefined;
  return () => {
    const current = from();
    if (made?.from !== current) made = { from: current, value: make(current) };
    return made.value;
  };
};

/** The settings in the environment, read and checked on first use, never at import; throws an Error that names each bad variable. */
export const settings = derived(() => process.env, read);

/** What a process makes once from its settings, on first use: a client, a cache. */
export const fromSettings = <Value>(make: (settings: Settings) => Value): (() => Value) => derived(settings, make);
