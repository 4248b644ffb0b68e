import * as z from "zod/mini";
import { eventTypes } from "../events/events.ts";
import { mayCall } from "../outgoing/urls.ts";
import { mapped, refuse } from "./inputs.ts";
import { WebAddress } from "./text-inputs.ts";

export const WebhookUrl = mapped(WebAddress, (url, context) =>
  mayCall(url) ? url : refuse(context, "Must be callable", { code: "WEBHOOK_URL_REFUSED" }),
).check(z.meta({ minLength: 9 }));

export const EventTypes = z.array(z.enum(eventTypes)).check(
  z.minLength(1),
  z.refine((types) => new Set(types).size === types.length, "Must name a type once"),
  z.meta({ uniqueItems: true }),
);
