import { StoreError } from "../model/errors.ts";
import type { Work } from "../model/operations/work.ts";

/** A version of the secret; `createdAt` in milliseconds since 1970. */
type Version = { id: string; value: string; createdAt: number };

type Input = Record<"VersionStage" | "ClientRequestToken" | "SecretString" | "MoveToVersionId", string>;

type Stages = { AWSCURRENT: Version; AWSPREVIOUS?: Version; AWSPENDING?: Version };

/** One secret in Secrets Manager: the versions at its stages, and when each version lost its last one. */
export class Secrets {
  static readonly ARN = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:signing-AbCdEf";
  readonly #now: () => number;
  readonly #stages: Stages;
  readonly #goneAt = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
    // Made long before the site.
    const createdAt = now() - 365 * 86_400_000;
    this.#stages = {
      AWSCURRENT: { id: "the-first-version", value: "the first value of the secret ".repeat(2), createdAt },
    };
  }

  /** The time when a version lost its last stage; infinite if it has one. */
  readonly goneAt = (id: string): number => this.#goneAt.get(id) ?? Number.POSITIVE_INFINITY;

  *begin(operation: string, input: Input): Work {
    yield "read";
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

  #versionIds(): Record<string, string[]> {
    return Object.fromEntries(Object.entries(this.#stages).map(([stage, { id }]) => [id, [stage]]));
  }

  #value({ VersionStage }: Input): object {
    const version = this.#stages[VersionStage as keyof Stages];
    if (!version)
      throw new StoreError("ResourceNotFoundException", "Secrets Manager can't find the specified secret value");
    const { id: VersionId, value: SecretString, createdAt } = version;
    return { ARN: Secrets.ARN, VersionId, SecretString, VersionStages: [VersionStage], CreatedDate: createdAt / 1000 };
  }

  #put({ ClientRequestToken: id, SecretString: value }: Input): object {
    // A version never changes: the same token with another value is refused.
    if (Object.values(this.#stages).some((version) => version.id === id && version.value !== value))
      throw new StoreError("ResourceExistsException", "A resource with the ID you requested already exists");
    this.#stages.AWSPENDING = { id, value, createdAt: this.#now() };
    return { VersionId: id, VersionStages: ["AWSPENDING"] };
  }

  /** Makes the pending version current; the former current one becomes the previous one in the same moment. */
  #move({ MoveToVersionId }: Input): object {
    const { AWSCURRENT, AWSPREVIOUS, AWSPENDING } = this.#stages;
    if (AWSPENDING?.id !== MoveToVersionId)
      throw new StoreError("ResourceNotFoundException", "Secrets Manager can't find the specified version");
    if (AWSPREVIOUS) this.#goneAt.set(AWSPREVIOUS.id, this.#now());
    this.#stages.AWSPREVIOUS = AWSCURRENT;
    this.#stages.AWSCURRENT = AWSPENDING;
    delete this.#stages.AWSPENDING;
    return {};
  }
}
