import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { endpoints } from "../../functions/index.ts";
import { answerLinksAt } from "../../lib/moving/folder.ts";
import { environment } from "../../lib/runtime/environment.ts";
import { startBackground } from "./background.ts";
import { writeWhole } from "./data-folder.ts";
import { serverAddress } from "./environment.ts";
import { baseUrlOf } from "./gateway/base-url.ts";
import { documentAt } from "./gateway/documents.ts";
import { exportAt } from "./gateway/exports.ts";
import { createGateway } from "./gateway/gateway.ts";
import { isLoopback, loopbackGuard } from "./gateway/guard.ts";
import { mailsAt, showsMails } from "./gateway/mails.ts";
import { portal } from "./gateway/portal.ts";
import { notedIn } from "./noted-posts.ts";
import { SHUTDOWN_PATIENCE_MS, type Shutdown } from "./run.ts";

type Options = {
  /** Leaves out the pages. */
  apiOnly?: boolean;
  /** Whether no other process writes to the table. */
  isAlone?: boolean;
  /** Whether posts were written since the last stop, so that all are checked. */
  hasNewPosts?: boolean;
};

/** Answers requests and does background work until the shutdown. Returns the base URL. */
export async function serve(
  shutdown: Shutdown,
  { apiOnly = false, isAlone = false, hasNewPosts = false }: Options = {},
): Promise<string> {
  const { host, port } = serverAddress();
  const baseUrl = (): string => baseUrlOf(host, (server.address() as AddressInfo).port);
  const { ALLOWED_ORIGINS: allowedOrigins, ALLOWED_HOSTS: allowedHosts } = process.env;
  const origins = () => ({ api: new URL(baseUrl()).origin, site: environment().SITE_URL });
  const portalAt = apiOnly ? undefined : portal(origins);
  const server = createGateway(endpoints, {
    pageAt: async ({ path, query }, headers) =>
      (await documentAt(path, headers)) ??
      (showsMails(host) ? mailsAt(path) : undefined) ??
      (await exportAt(path)) ??
      (await portalAt?.(query ? `${path}?${query}` : path, headers)) ??
      (path === "/" ? { statusCode: 302, headers: { location: "/docs/" } } : undefined),
    ...(isLoopback(host) && { guard: loopbackGuard({ allowedOrigins, allowedHosts }) }),
  });
  server.listen(port, host);
  await once(server, "listening");
  // No setting can name a port that the system chooses.
  if (port === 0) answerLinksAt(baseUrl());
  const { CHANGED_POSTS_FILE: file } = process.env;
  const noted = file ? notedIn(file) : undefined;
  const areAllNoted = isAlone && !hasNewPosts && noted?.areAll;
  const stopBackground = startBackground({ noted, areAllNoted, isAlone });
  let isNoted = false;
  shutdown.add(async () => {
    const isClosed = await close(server);
    // No request is left that could change a post.
    if (isAlone && isNoted && isClosed) noted?.end();
  });
  shutdown.add(async () => {
    isNoted = await Promise.race([stopBackground(), sleep(SHUTDOWN_PATIENCE_MS, false)]);
  });
  return baseUrl();
}

/** Writes the demo file. Returns the demo accounts with their passwords. */
export async function writeDemoFile(file: string, baseUrl: string): Promise<{ email: string; password: string }[]> {
  const { demoFile } = await import("./demo/demo-file.ts");
  const content = await demoFile(baseUrl);
  writeWhole(file, `${JSON.stringify(content, null, 2)}\n`);
  return content.accounts;
}

/** Ends the server; false if a request took too long. */
async function close(server: Server): Promise<boolean> {
  const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
  // Connections that clients keep open become idle one by one.
  const timer = setInterval(() => server.closeIdleConnections(), 20);
  const isClosed = await Promise.race([closed, sleep(SHUTDOWN_PATIENCE_MS, false)]);
  clearInterval(timer);
  server.closeAllConnections();
  return isClosed;
}
