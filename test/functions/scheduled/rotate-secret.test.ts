import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type RotationStep, handler as rotate } from "../../../functions/scheduled/rotate-secret.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import { refusal, success } from "../../support/http/invoke.ts";
import { logLines } from "../../support/http/logs.ts";
import * as portal from "../../support/portal.ts";
import { SecretsManager } from "../../support/process/secrets-manager.ts";
import { newContainer } from "../../support/setup.ts";
import { aMember } from "../../support/world/fixtures.ts";

const STEPS = ["createSecret", "setSecret", "testSecret", "finishSecret"] as const;

describe("The rotation of the signing secret", () => {
  const store = new SecretsManager();

  beforeAll(async () => {
    newContainer(await store.start());
  });

  const step = (Step: RotationStep["Step"], ClientRequestToken: string) =>
    rotate({ Step, SecretId: SecretsManager.ARN, ClientRequestToken });

  const rotateOnce = async (): Promise<string> => {
    const version = randomUUID();
    for (const each of STEPS) await step(each, version);
    return version;
  };

  it("makes a new version of 48 random bytes current, and tokens stay valid", async () => {
    const member = await aMember();
    const before = store.versions[0]?.id;
    const version = await rotateOnce();
    expect(store.versions.map(({ id }) => id)).toEqual([version, before]);
    // A new version signs after five minutes.
    for (const each of store.versions) each.at = Date.now() - 5 * 60_000;
    newContainer();
    const token = await tokens.issue(member);
    for (const session of [member, { token }]) success(await portal.profile(session), 200);
    await rotateOnce();
    const [first, second] = store.versions.map(({ secret }) => secret);
    expect(first).toMatch(/^[A-Za-z0-9_-]{64}$/);
    expect(first).not.toBe(second);
    newContainer();
    refusal(await portal.profile(member), "INVALID_TOKEN");
    success(await portal.profile({ token }), 200);
  });

  it("survives a repetition of any step, as Secrets Manager repeats one that fails", async () => {
    const version = randomUUID();
    await step("createSecret", version);
    const drawn = store.pending?.secret;
    await step("createSecret", version);
    expect(store.pending?.secret).toBe(drawn);
    await step("finishSecret", version);
    await step("finishSecret", version);
    expect(store.versions[0]).toMatchObject({ id: version, secret: drawn });
  });

  it("uses exactly the actions of its policy, and logs no secret", () => {
    const own = new Set(store.actions.filter((action) => action !== "secretsmanager:GetSecretValue"));
    expect([...own].sort()).toEqual([
      "secretsmanager:DescribeSecret",
      "secretsmanager:PutSecretValue",
      "secretsmanager:UpdateSecretVersionStage",
    ]);
    for (const { secret } of store.versions) expect(logLines.join()).not.toContain(secret);
  });
});
