import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../http/listen.ts";

export type Version = { id: string; secret: string; at?: number };

/** The service's mode: it answers, fails, or stays silent. */
export type Mood = "well" | "failing" | "silent";

type Answer = { status: number; body: object };
type Request = Record<"SecretId" | "VersionStage" | "ClientRequestToken" | "SecretString" | "MoveToVersionId", string>;

// Long enough for a call that was sent in parallel to arrive too.
const OTHER_CALL_MS = 50;

function refusal(__type: string): Answer {
  return { status: 400, body: { __type, Message: "no" } };
}

/** One secret in a Secrets Manager on this machine, behind a real socket and the real protocol. */
export class SecretsManager {
  static readonly ARN = "arn:aws:secretsmanager:us-east-1:123456789012:secret:signing-AbCdEf";
  mood: Mood = "well";
  /** Rotates once, after the previous version was read and before the current one. */
  rotatesWhileRead = false;
  requests = 0;
  /** The requested actions, by their names in IAM. */
  readonly actions: string[] = [];
  /** Newest first: the current version, the previous one, and the ones without a stage. */
  readonly versions: Version[] = [];
  pending: Version | undefined;

  /** Listens until the test file ends, with one version of the secret; the variables of a function that reads it. */
  async start(): Promise<Record<string, string>> {
    this.rotate();
    const server = createServer((request, response) => void this.#answer(request, response));
    const url = `http://127.0.0.1:${await listen(server)}`;
    return { SIGNING_SECRET: "", SIGNING_SECRET_ARN: SecretsManager.ARN, AWS_ENDPOINT_URL_SECRETS_MANAGER: url };
  }

  /** Makes a new current version; the current one becomes the previous one, as `put-secret-value` does. */
  rotate(): Version {
    const version = { id: randomUUID(), secret: `canary-${randomUUID()}`, at: Date.now() };
    this.versions.unshift(version);
    return version;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests++;
    if (this.mood === "silent") return;
    const chunks = await request.toArray();
    const input = JSON.parse(Buffer.concat(chunks).toString()) as Request;
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

  #reply(operation: string, input: Request): Answer {
    if (this.mood === "failing") return { status: 500, body: { __type: "InternalServiceError" } };
    this.actions.push(`secretsmanager:${operation}`);
    if (input.SecretId !== SecretsManager.ARN) return refusal("ResourceNotFoundException");
    if (operation === "GetSecretValue") return this.#value(input);
    if (operation === "PutSecretValue") return this.#put(input);
    if (operation === "DescribeSecret") return { status: 200, body: { VersionIdsToStages: this.#stages() } };
    if (operation === "UpdateSecretVersionStage") return this.#move(input);
    return refusal("InvalidRequestException");
  }

  #stages(): Record<string, string[]> {
    const [current, previous] = this.versions;
    return {
      ...(previous && { [previous.id]: ["AWSPREVIOUS"] }),
      ...(current && { [current.id]: ["AWSCURRENT"] }),
      ...(this.pending && { [this.pending.id]: ["AWSPENDING"] }),
    };
  }

  #value({ SecretId, VersionStage }: Request): Answer {
    const version = this.versions[VersionStage === "AWSPREVIOUS" ? 1 : 0];
    if (!version) return refusal("ResourceNotFoundException");
    const { id: VersionId, secret: SecretString, at = Date.now() } = version;
    const body = { ARN: SecretId, VersionId, SecretString, VersionStages: [VersionStage], CreatedDate: at / 1000 };
    return { status: 200, body };
  }

  #put({ ClientRequestToken, SecretString }: Request): Answer {
    // A version never changes: the same token with another value is refused.
    if ([this.pending, ...this.versions].some((each) => each?.id === ClientRequestToken)) {
      return refusal("ResourceExistsException");
    }
    this.pending = { id: ClientRequestToken, secret: SecretString, at: Date.now() };
    return { status: 200, body: { VersionId: ClientRequestToken, VersionStages: ["AWSPENDING"] } };
  }

  #move({ MoveToVersionId }: Request): Answer {
    if (this.pending?.id !== MoveToVersionId) return refusal("ResourceNotFoundException");
    this.versions.unshift(this.pending);
    this.pending = undefined;
    return { status: 200, body: {} };
  }
}
