import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { settings } from "../runtime/settings.ts";
import type { Letter } from "./letters.ts";

let client: SESv2Client | undefined;

/** The `ses` transport: Amazon SES v2, from the address MAIL_FROM. */
export const sesTransport = async ({ to, subject, text }: Letter): Promise<void> => {
  client ??= new SESv2Client({
    region: settings().region,
    // The stream comes again with what failed; a resend of ours could double a mail that was sent and not acknowledged in time.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
  });
  const content = (data: string) => ({ Data: data, Charset: "UTF-8" });
  const command = new SendEmailCommand({
    FromEmailAddress: settings().mailFrom,
    Destination: { ToAddresses: [to] },
    Content: { Simple: { Subject: content(subject), Body: { Text: content(text) } } },
  });
  await client.send(command).catch((error: Error) => {
    // Its messages quote addresses, which no log line may carry.
    throw new Error(`SES did not take a mail: ${error.name}`);
  });
};
