import type { CDPSession, Page } from "playwright-core";
import { undoLater } from "./profiles.ts";

/** What a call of the API meets in place of the server. */
export type Fault = "no answer" | { status: number; json: object };

function meet(session: CDPSession, requestId: string, fault: Fault | undefined): Promise<unknown> {
  if (!fault) return session.send("Fetch.continueRequest", { requestId });
  if (fault === "no answer") {
    return session.send("Fetch.failRequest", { requestId, errorReason: "InternetDisconnected" });
  }
  return session.send("Fetch.fulfillRequest", {
    requestId,
    responseCode: fault.status,
    responseHeaders: [{ name: "content-type", value: "application/json" }],
    body: Buffer.from(JSON.stringify(fault.json)).toString("base64"),
  });
}

/**
 * Lets calls of the API from a page of a profile meet faults. A page that `page.route` watches loads every script anew,
 * a third more work for each address; this one keeps what its profile has loaded.
 */
export async function disturbCalls(
  page: Page,
  faultOf: (call: { method: string; url: string }) => Fault | undefined,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  undoLater(page, () => session.detach());
  session.on("Fetch.requestPaused", ({ requestId, request }) => {
    // A page that is left ends its calls before they meet anything.
    meet(session, requestId, faultOf(request)).catch(() => {});
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/api/v1/*" }] });
}
