import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { documentClient } from "../../lib/table/client.ts";
import { makeClientPatient } from "./patience.ts";
import { observe } from "./store/calls.ts";
import { injectFaults } from "./store/faults.ts";
import { withoutSignatures } from "./store/unsigned.ts";

let client: DynamoDBDocumentClient | undefined;

/**
 * Continues as a new Lambda container would, with these environment variables changed: settings, clients and signing
 * keys are made anew. The new client is observed, takes faults, waits as long as tests may take, and signs nothing.
 */
export function newContainer(variables: Record<string, string | undefined> = {}): void {
  client?.destroy();
  process.env = { ...process.env, ...variables };
  client = documentClient();
  observe();
  injectFaults();
  makeClientPatient();
  withoutSignatures();
}
