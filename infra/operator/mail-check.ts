// The operator's command mail-check: finds out, step by step, why mails are not sent, then sends one.
import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  GetSuppressedDestinationCommand,
  SESv2Client,
  SendEmailCommand,
} from "@aws-sdk/client-sesv2";
import { readSender } from "../../lib/mail/sender.ts";
import { sesSender } from "../../lib/mail/ses.ts";
import { environment } from "../../lib/runtime/environment.ts";
import { readCommandLine } from "../usage.ts";

const USAGE =
  "npm run operate -- mail-check <address>, with AWS_REGION, MAIL_TRANSPORT=ses and MAIL_FROM as the functions have them";

/** A problem that keeps mails from being sent, and its remedy. */
class Problem extends Error {
  override readonly name = "Problem";
}

type Run = { client: SESv2Client; from: string; to: string };

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/** The answer of a call; undefined if SES has no such thing. */
function find<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: Error) => {
    if (error.name === "NotFoundException") return undefined;
    throw error;
  });
}

function findIdentity(client: SESv2Client, EmailIdentity: string) {
  return find(client.send(new GetEmailIdentityCommand({ EmailIdentity })));
}

async function isVerified(client: SESv2Client, address: string): Promise<boolean> {
  const found = await Promise.all([findIdentity(client, address), findIdentity(client, domainOf(address))]);
  return found.some((identity) => identity?.VerifiedForSendingStatus);
}

/** The steps by their names, in their order. Each returns what it found, or throws a problem. */
const steps: Record<string, (run: Run) => Promise<string>> = {
  identity: async ({ client, from }) => {
    const domain = domainOf(from);
    const found = (await findIdentity(client, from)) ?? (await findIdentity(client, domain));
    if (!found) {
      throw new Problem(
        `SES in this region knows neither ${from} nor ${domain}: docs/deploy.md#mail says how to create one`,
      );
    }
    if (await isVerified(client, from)) return `${from} may send`;
    throw new Problem(
      `the identity is not verified (${found.VerificationStatus}): enter its CNAME records, or follow the link that AWS mailed`,
    );
  },

  DKIM: async ({ client, from }) => {
    const domain = domainOf(from);
    const found = await findIdentity(client, domain);
    if (!found) return "not signed: only the address is verified, so mail may land in spam; verify its domain";
    const { SigningEnabled, Status, Tokens = [] } = found.DkimAttributes ?? {};
    if (SigningEnabled && Status === "SUCCESS") return "mails are signed";
    const records = Tokens.map((token) => `${token}._domainkey.${domain} CNAME ${token}.dkim.amazonses.com`);
    throw new Problem(`mails are not signed (${Status}): the domain needs these records: ${records.join(", ")}`);
  },

  account: async ({ client, to }) => {
    const { SendingEnabled, EnforcementStatus, ProductionAccessEnabled } = await client.send(new GetAccountCommand({}));
    const stopped = `SES has stopped this account (${EnforcementStatus}): read the cause in its console, answer it`;
    if (!SendingEnabled) throw new Problem(stopped);
    if (ProductionAccessEnabled) return "out of the sandbox";
    if (await isVerified(client, to)) return `in the sandbox: only verified addresses get mail, like ${to}`;
    throw new Problem(
      `the account is in SES's sandbox and ${to} is not verified: verify it, or leave the sandbox (docs/operations.md#ses-out-of-the-sandbox)`,
    );
  },

  quota: async ({ client }) => {
    const { SendQuota = {} } = await client.send(new GetAccountCommand({}));
    const { Max24HourSend = 0, SentLast24Hours = 0, MaxSendRate = 0 } = SendQuota;
    // -1 means no limit.
    if (Max24HourSend >= 0 && SentLast24Hours >= Max24HourSend) {
      throw new Problem(`all ${Max24HourSend} mails of 24 hours are sent: wait, or ask AWS for a higher quota`);
    }
    return `${SentLast24Hours} of ${Max24HourSend} mails in 24 hours, ${MaxSendRate} a second`;
  },

  "suppression list": async ({ client, to }) => {
    const found = await find(client.send(new GetSuppressedDestinationCommand({ EmailAddress: to })));
    if (!found) return `${to} is not on it`;
    throw new Problem(
      `SES sends nothing to ${to} after a ${found.SuppressedDestination?.Reason}: if the address works again, aws sesv2 delete-suppressed-destination --email-address ${to}`,
    );
  },

  sending: async ({ client, to }) => {
    const content = (Data: string) => ({ Data, Charset: "UTF-8" });
    const text = "This mail was sent by mail-check. Mails of Feedback Board reach you.\n";
    const command = new SendEmailCommand({
      FromEmailAddress: sesSender(),
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: content("Feedback Board: a test mail"), Body: { Text: content(text) } } },
    });
    const { MessageId } = await client.send(command);
    return `SES took it as ${MessageId}; if it does not come within minutes, look into the spam folder`;
  },
};

// A step without an answer also fails.
const PATIENCE = { connectionTimeout: 5000, requestTimeout: 10_000, throwOnRequestTimeout: true };

function explain(error: Error): string {
  const { name, message } = error;
  if (error instanceof Problem) return message;
  if (name === "CredentialsProviderError")
    return "there are no AWS credentials: aws sts get-caller-identity must answer";
  if (name.startsWith("AccessDenied")) return `these credentials may not ask SES: ${message}`;
  return `${name}: ${message}`;
}

async function check(to: string): Promise<number> {
  process.env.TABLE_NAME ||= "feedback-board";
  const { MAIL_TRANSPORT, MAIL_FROM, AWS_REGION } = environment();
  const sender = readSender(MAIL_FROM ?? "");
  if (MAIL_TRANSPORT !== "ses" || !sender) {
    console.log(
      `environment: MAIL_TRANSPORT must be ses and MAIL_FROM a sender; they are ${MAIL_TRANSPORT} and ${MAIL_FROM}`,
    );
    return 1;
  }
  console.log(`environment: ok, ${MAIL_FROM} by SES in ${AWS_REGION}`);
  const client = new SESv2Client({ region: AWS_REGION, maxAttempts: 2, requestHandler: PATIENCE });
  const run = { client, from: sender.address, to };
  for (const [name, step] of Object.entries(steps)) {
    try {
      console.log(`${name}: ok, ${await step(run)}`);
    } catch (error) {
      console.log(`${name}: ${explain(error as Error)}`);
      return 1;
    }
  }
  return 0;
}

export async function run(words: readonly string[]): Promise<number> {
  const [to] = readCommandLine(USAGE, { values: 1 }, words).values;
  if (to && /^\S+@\S+\.\S+$/.test(to)) return check(to);
  console.error(`Usage: ${USAGE}`);
  return 1;
}
