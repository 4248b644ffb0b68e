import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A version of the secret. */
export type Version = { id: string; secret: string };

/** How the service answers: as it should, with an error of its own, not at all. */
export type Mood = "well" | "failing" | "silent";

/** One secret in a Secrets Manager on this machine, behind a real socket and the real protocol. */
export class SecretsManager {
  static readonly ARN = "arn:aws:secretsmanager:us-east-1:123456789012:secret:signing-AbCdEf";
  mood: Mood = "well";
  /** How many times a version was asked for. */
  requests = 0;
  /** Newest first. */
  readonly versions: Version[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  /** Listens, with one version of the secret; resolves to the endpoint. */
  async start(): Promise<string> {
    this.rotate();
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends, and cuts what is still open. */
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Makes a new current version; the current one becomes the previous one, as `put-secret-value` does. */
  rotate(): Version {
    const version = { id: randomUUID(), secret: `canary-${randomUUID()}` };
    this.versions.unshift(version);
    return version;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests++;
    if (this.mood === "silent") return;
    const chunks = await request.toArray();
    const { SecretId, VersionStage } = JSON.parse(Buffer.concat(chunks).toString());
    const known =
      request.headers["x-amz-target"] === "secretsmanager.GetSecretValue" && SecretId === SecretsManager.ARN;
    const version = known ? this.versions[VersionStage === "AWSPREVIOUS" ? 1 : 0] : undefined;
    const send = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" });
      response.end(JSON.stringify(body));
    };
    if (this.mood === "failing") return send(500, { __type: "InternalServiceError" });
    if (!version) return send(400, { __type: "ResourceNotFoundException", Message: "no such version" });
    send(200, {
      ARN: SecretId,
      Name: "signing",
      VersionId: version.id,
      SecretString: version.secret,
      VersionStages: [VersionStage],
    });
  }
}
