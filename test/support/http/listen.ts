import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { createGateway } from "../../../infra/local/gateway/gateway.ts";

const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** Makes a server listen on 127.0.0.1 until the test file ends. Returns its port. */
export async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

/** A port that nobody listens on now, for a server that has to know its port before it starts. */
export async function aFreePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  return port;
}

/** Serves all endpoints over HTTP for the tests of a file, on this port of 127.0.0.1. */
export function serveEndpoints(): { readonly port: number } {
  const served = { port: 0 };
  beforeAll(async () => {
    served.port = await listen(createGateway(endpoints));
  });
  return served;
}
