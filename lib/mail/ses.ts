import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { endpointOf, signerFor } from "../runtime/aws.ts";
import { environment, fromEnvironment } from "../runtime/environment.ts";
import { httpHandler } from "../runtime/http-handler.ts";
import type { Letter } from "./layout.ts";
import { readSender, senderHeader } from "./sender.ts";

// PURE: esbuild leaves the client out of bundles that send no mail.
const ses = /* @__PURE__ */ fromEnvironment(({ AWS_REGION }) => {
  const client: SESv2Client = new SESv2Client({
    region: AWS_REGION,
    signer: signerFor("ses", AWS_REGION, () => client.config.credentials()),
    endpointProvider: endpointOf("email"),
    // The stream repeats a failed mail. A retry here could send a mail twice whose acceptance arrived late.
    maxAttempts: 1,
    requestHandler: httpHandler({ connectionTimeout: 1000, requestTimeout: 5000 }),
  });
  return client;
});

/** The configured sender as SES takes it. */
export function sesSender(): string | undefined {
  const { MAIL_FROM } = environment();
  const sender = readSender(MAIL_FROM ?? "");
  return sender ? senderHeader(sender) : MAIL_FROM;
}

/** Sends a letter by SES. */
export async function sesTransport({ to, subject, text, html, headers }: Letter): Promise<void> {
  const content = (data: string) => ({ Data: data, Charset: "UTF-8" });
  const command = new SendEmailCommand({
    FromEmailAddress: sesSender(),
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: {
        Subject: content(subject),
        Body: { Text: content(text), Html: content(html) },
        Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
      },
    },
  });
  await ses()
    .send(command)
    .catch((error: Error) => {
      // Messages of SES quote addresses, which no log line may carry.
      throw new Error(`SES did not accept a mail: ${error.name}`);
    });
}
