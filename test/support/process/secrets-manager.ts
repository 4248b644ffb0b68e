import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "../../simulator/model/errors.ts";
import { Secrets, type SecretsInput, type Version } from "../../simulator/service/secrets.ts";
import { listen } from "../http/listen.ts";

/** The service's mode: it answers, fails, or stays silent. */
type Mood = "well" | "failing" | "silent";

// Long enough for a call that was sent in parallel to arrive too.
const OTHER_CALL_MS = 50;

/** One secret in a Secrets Manager on this machine, behind a real socket and the real protocol. */
export class SecretsManager extends Secrets {
  mood: Mood = "well";
  /** Rotates once, after the previous version was read and before the current one. */
  rotatesWhileRead = false;
  requests = 0;
  /** The requested actions, by their names in IAM. */
  readonly actions: string[] = [];

  /** Listens until the test file ends, with one version of the secret; the variables of a function that reads it. */
  async start(): Promise<Record<string, string>> {
    this.rotate();
    const server = createServer((request, response) => void this.#answer(request, response));
    const url = `http://127.0.0.1:${await listen(server)}`;
    return { SIGNING_SECRET: "", SIGNING_SECRET_ARN: Secrets.ARN, AWS_ENDPOINT_URL_SECRETS_MANAGER: url };
  }

  /** Makes a new current version, as `put-secret-value` does. */
  rotate(): Version {
    return this.add({ id: randomUUID(), secret: `canary-${randomUUID()}`, at: Date.now() });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests++;
    if (this.mood === "silent") return;
    const input = (await json(request)) as SecretsInput;
    if (this.rotatesWhileRead && input.VersionStage === "AWSCURRENT") await sleep(OTHER_CALL_MS);
    const { status, body } = this.#reply(String(request.headers["x-amz-target"]).replace("secretsmanager.", ""), input);
    if (this.rotatesWhileRead && input.VersionStage === "AWSPREVIOUS") {
      this.rotatesWhileRead = false;
      this.rotate();
    }
    // The test's clock, which may be ahead: otherwise the SDK would correct its clock and ask once more.
    const date = new Date().toUTCString();
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1", date });
    response.end(JSON.stringify(body));
  }

  #reply(operation: string, input: SecretsInput): { status: number; body: object } {
    if (this.mood === "failing") return { status: 500, body: { __type: "InternalServiceError" } };
    this.actions.push(`secretsmanager:${operation}`);
    try {
      return { status: 200, body: this.execute(operation, input) };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { status: error.status, body: error.body() };
    }
  }
}
