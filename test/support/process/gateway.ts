import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { createGateway } from "../../../infra/local/gateway/gateway.ts";

/** Serves all endpoints over HTTP for the tests of a file, on this port of 127.0.0.1. */
export function serveEndpoints(): { readonly port: number } {
  let server: Server;
  beforeAll(async () => {
    server = createGateway(endpoints);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    get port() {
      return (server.address() as AddressInfo).port;
    },
  };
}
