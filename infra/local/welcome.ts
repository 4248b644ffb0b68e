import { randomBytes } from "node:crypto";
import { serverAddress } from "./environment.ts";
import { showsMails } from "./gateway/mails.ts";

/** What a start has prepared before the server runs. */
type Prepared = {
  engine: string;
  /** The folder that keeps the data; undefined in memory. */
  data: string | undefined;
  /** The file with the demo's tokens and ids; undefined without --demo. */
  demoFile: string | undefined;
};

type Welcome = Prepared & {
  baseUrl: string;
  apiOnly: boolean;
  /** The demo accounts to sign in as. */
  accounts: { email: string; password: string }[];
  /** Whether the site has its owner. */
  isSetUp: boolean;
};

const PASSWORD = "correct horse";

function fieldOf(field: string): string {
  return `grep -o '"${field}":"[^"]*"' | cut -d'"' -f4`;
}

/** Commands to try. Their addresses are new at each start, so that they always work. */
function linesToTry({ baseUrl, isSetUp }: Welcome): string[] {
  const suffix = randomBytes(3).toString("hex");
  const account = (name: string): string =>
    `'${JSON.stringify({ email: `${name}.${suffix}@example.com`, password: PASSWORD })}'`;
  const token = `-H "Authorization: Bearer $TOKEN"`;
  const post = `'{"title":"Dark mode","contentMarkdown":"My eyes hurt at **night**."}'`;
  return [
    ...(isSetUp ? [] : [`curl -s ${baseUrl}/auth/setup -d ${account("owner")}; echo`]),
    `TOKEN=$(curl -s ${baseUrl}/auth/signup -d ${account("ada")} | ${fieldOf("authToken")})`,
    `POST=$(curl -s ${baseUrl}/posts ${token} -d ${post} | ${fieldOf("postId")})`,
    `curl -s ${baseUrl}/votes ${token} -d "{\\"postId\\":\\"$POST\\"}"; echo`,
    `curl -s ${baseUrl}/posts/get -d '{"page":1,"created":"desc"}'; echo`,
  ];
}

/** The lines about what a start has prepared. */
export function preparedLines({ engine, data, demoFile }: Prepared): string[] {
  const { MAIL_TRANSPORT: mail, MAIL_LOG_FILE: mailFile } = process.env;
  const mailRemark =
    mail === "none" ? ": nobody can sign up" : mail === "log" && mailFile ? `, kept in ${mailFile}` : "";
  return [
    `  engine  ${engine}`,
    `  data    ${data ?? "in memory, gone when this ends"}`,
    `  mail    ${mail}${mailRemark}`,
    ...(demoFile ? [`  demo    tokens and ids: ${demoFile}`] : []),
  ];
}

/** What npm start prints once the service is up. */
export function welcome(facts: Welcome): string {
  const { baseUrl, apiOnly, accounts, isSetUp } = facts;
  const steps = `${isSetUp ? "" : "the setup (once: it makes the owner), "}a signup, a post, a vote, the list`;
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
    `Try, in this order: ${steps}`,
    "",
    ...linesToTry(facts),
    "",
    "Ctrl-C stops it.",
    "",
  ].join("\n");
}
