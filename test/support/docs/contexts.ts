// Examples of the context values that docs/deploy.md describes.

const restoredTableArn = "arn:aws:dynamodb:eu-central-1:123456789012:table/restored";

/** A value for each, as it is typed after `-c <name>=`. */
export const examples = {
  stageName: "prod",
  mail: "none",
  mailFrom: "Feedback <feedback@example.com>",
  mailLanguage: "de",
  noticesPerSecond: "1",
  siteUrl: "https://feedback.example.com",
  portal: "true",
  domain: "feedback.example.com",
  certificateArn: "arn:aws:acm:us-east-1:123456789012:certificate/a",
  allowedOrigins: "https://feedback.example.com",
  alarmEmail: "you@example.com",
  publicReads: "true",
  setupCode: "open sesame",
  setupCodeSha256: "0".repeat(64),
  commonPasswords: "allow",
  requireVerified: "true",
  dailyBudget: "25",
  maxReadUnits: "1000",
  maxWriteUnits: "500",
  readsPerSecond: "10",
  writesPerSecond: "10",
  signInsPerSecond: "10",
  reservedConcurrency: "3",
  leadingKeys: "off",
  restoredTableArn,
  restoredStreamArn: `${restoredTableArn}/stream/2026-01-01T00:00:00.000`,
};

type Context = Partial<typeof examples>;

function only(...names: (keyof typeof examples)[]): Context {
  return Object.fromEntries(names.map((name) => [name, examples[name]]));
}

/** The other values that a value requires. */
const needed: Partial<Record<string, Context>> = {
  mailFrom: only("siteUrl"),
  domain: only("portal", "certificateArn"),
  certificateArn: only("portal", "domain"),
  requireVerified: only("mailFrom", "siteUrl"),
  restoredTableArn: only("restoredStreamArn"),
  restoredStreamArn: only("restoredTableArn"),
};

/** No value, each value alone, and all of them: with our pages, and with pages of one's own. */
export function documentedContexts(): Context[] {
  const alone = Object.entries(examples).map(([name, value]) => ({ [name]: value, ...needed[name] }));
  const { mail, siteUrl, ...withPortal } = examples;
  const { mail: _, portal, domain, certificateArn, ...withOwnPages } = examples;
  return [{}, ...alone, withPortal, withOwnPages];
}
