import type { Scheduler } from "../../simulator/scheduler/scheduler.ts";
import type { Network } from "../../simulator/scheduler/wire.ts";

/** A message of a webhook: whether its event was committed by then, and whether the receiver took it. */
type Message = { host: string; eventId: string; at: number; isTrue: boolean; isTaken: boolean };

const ANSWER_MS = 50;
const REFUSED = 0.2;

/** The servers that webhooks call. They refuse some messages once; `dead.receiver.example` answers none. */
export class Receivers {
  readonly messages: Message[] = [];
  /** How many events came before the webhook. */
  eventsBefore = 0;

  /** The network with these servers in it; `isCommitted` knows the events by id and type. */
  in(network: Network, scheduler: Scheduler, isCommitted: (id: string, type: string) => boolean): Network {
    const random = scheduler.random.fork("receivers");
    const refused = new Set<string>();
    const receive: Network["receive"] = (request, connection) => {
      const { host, headers, body } = request;
      if (!host.endsWith(".receiver.example")) return network.receive(request, connection);
      const eventId = headers["webhook-id"] ?? "";
      const isDead = host.startsWith("dead.");
      const isTaken = !isDead && (refused.has(eventId) || !random.chance(REFUSED));
      if (!isTaken) refused.add(eventId);
      const isTrue = isCommitted(eventId, JSON.parse(body).type);
      this.messages.push({ host, eventId, at: scheduler.now, isTrue, isTaken });
      const answer = { status: isTaken ? 204 : 500, headers: {}, body: "" };
      if (!isDead) scheduler.after(ANSWER_MS, () => connection.answer(answer));
    };
    return { connecting: network.connecting, receive };
  }
}
