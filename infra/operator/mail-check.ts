// npm run mail-check -- <address>: says why mail does not leave, step by step, and sends one.
import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  GetSuppressedDestinationCommand,
  SESv2Client,
  SendEmailCommand,
} from "@aws-sdk/client-sesv2";
import { settings } from "../../lib/runtime/settings.ts";
import { readCommandLine } from "../usage.ts";

const USAGE =
  "npm run mail-check -- <address>, with AWS_REGION, MAIL_TRANSPORT=ses and MAIL_FROM as the functions have them";

/** What keeps mail from leaving, and what to do about it. */
class Problem extends Error {
  override readonly name = "Problem";
}

type Run = { client: SESv2Client; from: string; to: string };
type Step = { name: string; check: (run: Run) => Promise<string> };

function addressOf(sender: string): string {
  return sender.replace(/^.*<|>$/g, "");
}
function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
function isMissing(error: unknown): boolean {
  return (error as Error).name === "NotFoundException";
}

/** An identity of SES; undefined where it has none of this name. */
function identityOf(client: SESv2Client, EmailIdentity: string) {
  return client.send(new GetEmailIdentityCommand({ EmailIdentity })).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

async function isVerified(client: SESv2Client, address: string): Promise<boolean> {
  const found = await Promise.all([identityOf(client, address), identityOf(client, domainOf(address))]);
  return found.some((identity) => identity?.VerifiedForSendingStatus);
}

const identity: Step = {
  name: "identity",
  check: async ({ client, from }) => {
    const domain = domainOf(from);
    const found = (await identityOf(client, from)) ?? (await identityOf(client, domain));
    if (!found) {
      throw new Problem(`SES in this region knows neither ${from} nor ${domain}: docs/deploy.md#2-mail makes one`);
    }
    if (!(await isVerified(client, from))) {
      throw new Problem(
        `the identity is not verified (${found.VerificationStatus}): enter its CNAME records, or follow the link that AWS mailed`,
      );
    }
    return `${from} may send`;
  },
};

const dkim: Step = {
  name: "DKIM",
  check: async ({ client, from }) => {
    const found = await identityOf(client, domainOf(from));
    if (!found) return "not signed: only the address is verified, so mail may land in spam; verify its domain";
    const { SigningEnabled, Status, Tokens = [] } = found.DkimAttributes ?? {};
    if (!SigningEnabled || Status !== "SUCCESS") {
      const records = Tokens.map((token) => `${token}._domainkey.${domainOf(from)} CNAME ${token}.dkim.amazonses.com`);
      throw new Problem(`mails are not signed (${Status}): the domain needs these records: ${records.join(", ")}`);
    }
    return "mails are signed";
  },
};

const account: Step = {
  name: "account",
  check: async ({ client, to }) => {
    const { SendingEnabled, EnforcementStatus, ProductionAccessEnabled } = await client.send(new GetAccountCommand({}));
    if (!SendingEnabled) {
      throw new Problem(
        `SES has stopped this account (${EnforcementStatus}): read the cause in its console and answer it`,
      );
    }
    if (ProductionAccessEnabled) return "out of the sandbox";
    if (!(await isVerified(client, to))) {
      throw new Problem(
        `the account is in SES's sandbox and ${to} is not verified: verify it, or leave the sandbox (docs/operations.md#ses-out-of-the-sandbox)`,
      );
    }
    return `in the sandbox: only verified addresses get mail, like ${to}`;
  },
};

const quota: Step = {
  name: "quota",
  check: async ({ client }) => {
    const { SendQuota: { Max24HourSend = 0, SentLast24Hours = 0, MaxSendRate = 0 } = {} } = await client.send(
      new GetAccountCommand({}),
    );
    // SES says -1 for no limit.
    if (Max24HourSend >= 0 && SentLast24Hours >= Max24HourSend) {
      throw new Problem(`all ${Max24HourSend} mails of 24 hours are sent: wait, or ask AWS for a higher quota`);
    }
    return `${SentLast24Hours} of ${Max24HourSend} mails in 24 hours, ${MaxSendRate} a second`;
  },
};

const suppression: Step = {
  name: "suppression list",
  check: async ({ client, to }) => {
    const found = await client
      .send(new GetSuppressedDestinationCommand({ EmailAddress: to }))
      .catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
    const { Reason } = found?.SuppressedDestination ?? {};
    if (!found) return `${to} is not on it`;
    throw new Problem(
      `SES sends nothing to ${to} after a ${Reason}: once it is sure to be good, aws sesv2 delete-suppressed-destination --email-address ${to}`,
    );
  },
};

const sending: Step = {
  name: "sending",
  check: async ({ client, to }) => {
    const content = (Data: string) => ({ Data, Charset: "UTF-8" });
    const text = "This mail was sent by npm run mail-check. Mails of Feedback Board reach you.\n";
    const command = new SendEmailCommand({
      FromEmailAddress: settings().mailFrom,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: content("Feedback Board: a trial mail"), Body: { Text: content(text) } } },
    });
    const { MessageId } = await client.send(command);
    return `SES took it as ${MessageId}; if it does not come within minutes, look into the spam folder`;
  },
};

// A step that gets no answer fails, too.
const PATIENCE = { connectionTimeout: 5000, requestTimeout: 10_000, throwOnRequestTimeout: true };

const STEPS: readonly Step[] = [identity, dkim, account, quota, suppression, sending];

/** What a failed call of AWS means, where it is no problem of a step itself. */
function wordsOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  const { name, message } = error as Error;
  if (name === "CredentialsProviderError")
    return "there are no AWS credentials: aws sts get-caller-identity must answer";
  if (name.startsWith("AccessDenied")) return `these credentials may not ask SES: ${message}`;
  return `${name}: ${message}`;
}

async function check(to: string): Promise<number> {
  process.env.TABLE_NAME ||= "feedback-board";
  const { mailTransport, mailFrom, region } = settings();
  if (mailTransport !== "ses" || !mailFrom) {
    console.log(
      `settings: MAIL_TRANSPORT must be ses and MAIL_FROM a sender; they are ${mailTransport} and ${mailFrom}`,
    );
    return 1;
  }
  console.log(`settings: ok, ${mailFrom} by SES in ${region}`);
  const run = {
    client: new SESv2Client({ region, maxAttempts: 2, requestHandler: PATIENCE }),
    from: addressOf(mailFrom),
    to,
  };
  for (const { name, check } of STEPS) {
    try {
      console.log(`${name}: ok, ${await check(run)}`);
    } catch (error) {
      console.log(`${name}: ${wordsOf(error)}`);
      return 1;
    }
  }
  return 0;
}

const {
  values: [to],
} = readCommandLine(USAGE, { values: 1 });
if (!to || !/^\S+@\S+\.\S+$/.test(to)) {
  console.error(`Usage: ${USAGE}`);
  process.exit(1);
}
process.exitCode = await check(to);
