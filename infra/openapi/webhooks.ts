import * as z from "zod/mini";
import { messageData } from "../../lib/deliveries/payload.ts";
import { eventTypes } from "../../lib/events/events.ts";
import { responseSchema } from "./json-schemas.ts";

// The messages that webhooks get, so that receivers can make types of them: docs/webhooks.md.

const dataOf: Record<string, z.ZodMiniType> = { ...messageData, ping: messageData.webhook };

function messageOf(type: string): object {
  const data = dataOf[type.split(".")[0] ?? ""];
  if (!data) throw new Error(`infra/openapi/webhooks.ts has no data for ${type}`);
  const schema = responseSchema(z.object({ type: z.literal(type), timestamp: z.string(), data }), "message");
  return {
    post: {
      operationId: `message-${type.replaceAll(/[._]/g, "-")}`,
      summary: type === "ping" ? "A test by the owner" : `The event ${type}`,
      security: [],
      requestBody: { content: { "application/json": { schema } } },
      responses: { "2XX": { description: "Received." }, "410": { description: "Disable this webhook." } },
    },
  };
}

/** The messages of webhooks, by the type of their event. */
export function webhookMessages(): Record<string, object> {
  return Object.fromEntries(["ping", ...eventTypes].map((type) => [type, messageOf(type)]));
}
