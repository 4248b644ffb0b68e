import { createServer, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { checkMessage } from "../http/document.ts";
import { listen } from "../http/listen.ts";

export type Message = { type: string; timestamp: string; data: Record<string, unknown> };

/** A server of another company, which verifies messages by the package `standardwebhooks` and by docs/openapi.json. */
export type Receiver = {
  url: string;
  /** The secrets that each message must be signed with. */
  secrets: string[];
  /** The messages, by their ids in the order of arrival. */
  messages: { id: string; message: Message }[];
  /** The answer to a message; 204 by default. */
  answer: (response: ServerResponse, message: Message) => void;
  /** Holds the next request to a path. Resolves when it has arrived, to a function that fails it. */
  hold: (path: string) => Promise<() => void>;
};

/** Starts a receiver until the test file ends. */
export async function startReceiver(): Promise<Receiver> {
  const holding = new Map<string, (response: ServerResponse) => void>();
  const server = createServer(async (request, response) => {
    const hold = holding.get(request.url ?? "");
    if (hold) return hold(response);
    const body = Buffer.concat(await request.toArray()).toString();
    try {
      for (const secret of receiver.secrets) {
        const message = new Webhook(secret).verify(body, request.headers as Record<string, string>) as Message;
        checkMessage(message);
        if (secret === receiver.secrets[0]) {
          receiver.messages.push({ id: String(request.headers["webhook-id"]), message });
          receiver.answer(response, message);
        }
      }
    } catch (error) {
      response.writeHead(401).end(String(error));
    }
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${await listen(server)}/feedback`,
    secrets: [],
    messages: [],
    answer: (response) => response.writeHead(204).end(),
    hold: async (path) => {
      const { promise, resolve } = Promise.withResolvers<ServerResponse>();
      holding.set(path, resolve);
      const response = await promise;
      holding.delete(path);
      return () => void response.writeHead(500).end();
    },
  };
  return receiver;
}
