import { StoreError } from "../model/errors.ts";
import type { Work } from "../model/operations/work.ts";

/** A version of the secret, and when it was made, in milliseconds since 1970. */
export type Version = { id: string; secret: string; at?: number };

type Field = "SecretId" | "VersionStage" | "ClientRequestToken" | "SecretString" | "MoveToVersionId";
export type SecretsInput = Record<Field, string>;

/** One secret in Secrets Manager: its versions, and when each of them lost its last stage. */
export class Secrets {
  static readonly ARN = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:signing-AbCdEf";
  /** Newest first: the current version, the previous one, and the ones without a stage. */
  readonly versions: Version[] = [];
  pending: Version | undefined;
  readonly #now: () => number;
  readonly #goneAt = new Map<string, number>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The time when a version lost its last stage; infinite if it has one. */
  readonly goneAt = (id: string): number => this.#goneAt.get(id) ?? Number.POSITIVE_INFINITY;

  /** Adds a new current version; the former current one becomes the previous one in the same moment. */
  add(version: Version): Version {
    const [, previous] = this.versions;
    if (previous) this.#goneAt.set(previous.id, this.#now());
    this.versions.unshift(version);
    return version;
  }

  *begin(operation: string, input: SecretsInput): Work {
    yield "read";
    return this.execute(operation, input);
  }

  /** The body of the answer to a request; throws a StoreError. */
  execute(operation: string, input: SecretsInput): object {
    if (input.SecretId !== Secrets.ARN) throw notFound();
    switch (operation) {
      case "GetSecretValue":
        return this.#value(input);
      case "PutSecretValue":
        return this.#put(input);
      case "DescribeSecret":
        return { VersionIdsToStages: this.#versionIds() };
      case "UpdateSecretVersionStage":
        return this.#move(input);
      default:
        throw new StoreError("InvalidRequestException", `${operation} is not part of this model`);
    }
  }

  #stages(): Record<string, Version | undefined> {
    const [AWSCURRENT, AWSPREVIOUS] = this.versions;
    return { AWSCURRENT, AWSPREVIOUS, AWSPENDING: this.pending };
  }

  #versionIds(): Record<string, string[]> {
    const stages = Object.entries(this.#stages());
    return Object.fromEntries(stages.flatMap(([stage, version]) => (version ? [[version.id, [stage]]] : [])));
  }

  #value({ SecretId: ARN, VersionStage }: SecretsInput): object {
    const version = this.#stages()[VersionStage];
    if (!version) throw notFound();
    const { id: VersionId, secret: SecretString, at = this.#now() } = version;
    return { ARN, VersionId, SecretString, VersionStages: [VersionStage], CreatedDate: at / 1000 };
  }

  #put({ ClientRequestToken: id, SecretString: secret }: SecretsInput): object {
    // A version never changes: the same token with another value is refused.
    if (Object.values(this.#stages()).some((version) => version?.id === id && version.secret !== secret))
      throw new StoreError("ResourceExistsException", "A resource with the ID you requested already exists");
    this.pending = { id, secret, at: this.#now() };
    return { VersionId: id, VersionStages: ["AWSPENDING"] };
  }

  #move({ MoveToVersionId }: SecretsInput): object {
    if (this.pending?.id !== MoveToVersionId) throw notFound();
    this.add(this.pending);
    this.pending = undefined;
    return {};
  }
}

function notFound(): StoreError {
  return new StoreError("ResourceNotFoundException", "Secrets Manager can't find the specified secret");
}
