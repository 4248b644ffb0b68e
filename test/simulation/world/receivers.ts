import type { Scheduler } from "../../simulator/scheduler/scheduler.ts";
import type { Network } from "../../simulator/scheduler/wire.ts";

/** A message of a webhook: how long after its event, if that was committed, and whether the receiver took it. */
type Message = { host: string; eventId: string; delay: number | undefined; isTaken: boolean };

const ANSWER_MS = 50;
const REFUSED = 0.2;

/** The host of the webhook that gets all events of a run. */
export const FICKLE = "fickle.receiver.example";

/** The servers that webhooks call: `fickle.receiver.example` refuses some messages once, `dead.` answers none. */
export class Receivers {
  readonly messages: Message[] = [];
  /** How many events came before the webhook. */
  eventsBefore = 0;

  /** The network with these servers in it; `committedAt` knows the events by id and type. */
  in(network: Network, scheduler: Scheduler, committedAt: (id: string, type: string) => number | undefined): Network {
    const random = scheduler.random.fork("receivers");
    const refused = new Set<string>();
    const receive: Network["receive"] = (request, connection) => {
      const { host, headers, body } = request;
      if (!host.endsWith(".receiver.example")) return network.receive(request, connection);
      const eventId = headers["webhook-id"] ?? "";
      const isDead = host.startsWith("dead.");
      const isFickle = host.startsWith("fickle.") && !refused.has(eventId);
      const isTaken = !isDead && !(isFickle && random.chance(REFUSED));
      if (!isTaken) refused.add(eventId);
      const { type } = JSON.parse(body);
      const begun = committedAt(eventId, type);
      // A ping tells of no event.
      if (type !== "ping") this.messages.push({ host, eventId, delay: begun && scheduler.now - begun, isTaken });
      const answer = { status: isTaken ? 204 : 500, headers: {}, body: "" };
      if (!isDead) scheduler.after(ANSWER_MS, () => connection.answer(answer));
    };
    return { receive };
  }
}
