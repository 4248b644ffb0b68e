import { beforeAll } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { createGateway } from "../../../infra/local/gateway/gateway.ts";
import { listen } from "../http/listen.ts";

/** Serves all endpoints over HTTP for the tests of a file, on this port of 127.0.0.1. */
export function serveEndpoints(): { readonly port: number } {
  const served = { port: 0 };
  beforeAll(async () => {
    served.port = await listen(createGateway(endpoints));
  });
  return served;
}
