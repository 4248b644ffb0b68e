import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listen } from "../http/listen.ts";

export type Mood = "take" | "fail" | "hang" | "refuse poison" | "reject poison";

/** A stand-in for the SES endpoint: the accepted letters, and its answer to the next one. */
export type MailService = {
  url: string;
  mood: Mood;
  /** Called after a letter is accepted and before the answer; the answer waits for it. */
  onTaken: () => unknown;
  /** Recipients of the accepted letters, in order. */
  taken: string[];
  /** Subjects of the accepted letters, in order. */
  subjects: string[];
  /** Plain texts of the accepted letters, in order. */
  texts: string[];
  /** Senders of the accepted letters, in order. */
  senders: string[];
  /** The number of requests to send, accepted or not. */
  attempts: number;
};

type SesRequest = {
  FromEmailAddress: string;
  Destination: { ToAddresses: [string] };
  Content: { Simple: { Subject: { Data: string }; Body: { Text: { Data: string } } } };
};

/** Starts a mail service in place of SES for this process, until the test file ends. */
export async function startMailService(): Promise<MailService> {
  const server = createServer(async (request, response) => {
    const { FromEmailAddress, Destination, Content } = (await json(request)) as SesRequest;
    const [to] = Destination.ToAddresses;
    service.attempts++;
    if (service.mood === "hang") return;
    const isPoison = service.mood.endsWith("poison") && to.startsWith("poison");
    const refused = service.mood === "fail" || isPoison;
    if (!refused) {
      service.taken.push(to);
      service.subjects.push(Content.Simple.Subject.Data);
      service.texts.push(Content.Simple.Body.Text.Data);
      service.senders.push(FromEmailAddress);
      await service.onTaken();
    }
    const rejected = isPoison && service.mood === "reject poison";
    const type = { "content-type": "application/json", ...(rejected && { "x-amzn-errortype": "MessageRejected" }) };
    const status = rejected ? 400 : 503;
    response.writeHead(refused ? status : 200, type);
    response.end(JSON.stringify(refused ? { message: "down" } : { MessageId: String(service.attempts) }));
  });
  const service: MailService = {
    url: `http://127.0.0.1:${await listen(server)}`,
    mood: "take",
    onTaken: () => {},
    taken: [],
    subjects: [],
    texts: [],
    senders: [],
    attempts: 0,
  };
  process.env.AWS_ENDPOINT_URL_SESV2 = service.url;
  return service;
}
