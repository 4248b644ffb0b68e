import { serverAddress } from "./environment.ts";
import { showsMails } from "./gateway/mails.ts";

type Prepared = {
  engine: string;
  /** The folder that keeps the data; undefined in memory. */
  data: string | undefined;
  /** The file with the demo's tokens and ids; undefined without --demo. */
  demoFile: string | undefined;
  /** The sign-in provider for development; undefined without --provider. */
  issuer?: string | undefined;
};

type Welcome = Prepared & {
  baseUrl: string;
  apiOnly: boolean;
  accounts: { email: string; password: string }[];
};

export function preparedLines({ engine, data, demoFile, issuer }: Prepared): string[] {
  const { MAIL_TRANSPORT: mail, MAIL_LOG_FILE: mailFile } = process.env;
  const remarks: Record<string, string> = {
    none: ": nobody can sign up",
    off: ": nothing is mailed, and nobody can reset a password",
    log: mailFile ? `, kept in ${mailFile}` : "",
  };
  return [
    `  engine  ${engine}`,
    `  data    ${data ?? "in memory, gone when this ends"}`,
    `  mail    ${mail}${remarks[mail ?? ""] ?? ""}`,
    ...(issuer ? [`  sign-in by a provider for development: ${issuer}`] : []),
    ...(demoFile ? [`  demo    tokens and ids: ${demoFile}`] : []),
  ];
}

export function welcome(facts: Welcome): string {
  const { baseUrl, apiOnly, accounts } = facts;
  return [
    "",
    ...(apiOnly ? [] : [`The portal: ${new URL("/", baseUrl)}`]),
    `Feedback Board is up: ${baseUrl}`,
    `  docs    ${new URL("/docs/", baseUrl)}`,
    ...(showsMails(serverAddress().host) ? [`  mails   ${new URL("/mails", baseUrl)}`] : []),
    ...preparedLines(facts),
    ...(accounts.length > 0
      ? [
          `          accounts: ${accounts.map(({ email }) => email).join(", ")}`,
          `          password of each: ${accounts[0]?.password}`,
        ]
      : []),
    "",
    "docs/tour.md has calls to try. Ctrl-C stops it.",
    "",
  ].join("\n");
}
