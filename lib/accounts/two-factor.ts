import { createHash, randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { setFields, stillHas, useUp } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { type Condition, create, type MaybePart, type Part, put, remove, update } from "../table/parts.ts";
import { get } from "../table/reads.ts";
import { EXPIRY_ATTRIBUTE, isOver, nowInSeconds } from "../table/table-shape.ts";
import { transact } from "../table/transactions.ts";
import { newCode, readCode } from "../values/codes.ts";
import { mailPart } from "./outbox.ts";
import type { UserRecord } from "./users.ts";

// The second factor of an account: an authenticator app, with ten recovery codes for the day when it is lost. Its items
// are a family of their own, which only the functions that check codes may read.

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;

const RECOVERY_LENGTH = 10;

/** How long a secret waits for the first code of the app, in seconds. */
const ENROLMENT_SECONDS = 15 * 60;

export const TwoFactorItem = z.object({
  // In base64url.
  secret: z.string(),
  // The step (lib/auth/totp.ts) of the last code that was used.
  lastStep: z.number(),
  // The recovery codes that are left, by their hashes.
  recovery: z.record(z.string(), z.literal(true)),
});
export type TwoFactor = z.infer<typeof TwoFactorItem>;

export const EnrolmentItem = z.object({ secret: z.string(), [EXPIRY_ATTRIBUTE]: z.number() });

/** What a person has typed: a code of the app, by its step, or a recovery code, by its hash. */
export type Proof = { step: number } | { recovery: string };

export function bytesOf({ secret }: { secret: string }): Buffer {
  return Buffer.from(secret, "base64url");
}

export function find(userId: string): Promise<TwoFactor | undefined> {
  return get(key.twoFactor(userId), TwoFactorItem);
}

/** Begins with a new secret, which replaces one that waits for its first code. */
export async function enrol(userId: string): Promise<Buffer> {
  const secret = randomBytes(SECRET_BYTES);
  const item = { secret: secret.toString("base64url"), [EXPIRY_ATTRIBUTE]: nowInSeconds() + ENROLMENT_SECONDS };
  await transact({ enrolment: put(key.enrolment(userId), item) });
  return secret;
}

/** The secret that waits for its first code. */
export async function findEnrolment(userId: string): Promise<{ secret: string } | undefined> {
  const item = await get(key.enrolment(userId), EnrolmentItem);
  return item && !isOver(item) ? item : undefined;
}

/** Ten new recovery codes, and their hashes as an item keeps them. */
function newRecovery(userId: string): { codes: string[]; recovery: TwoFactor["recovery"] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newCode(RECOVERY_LENGTH));
  return { codes, recovery: Object.fromEntries(codes.map((code) => [hashOfRecovery(userId, code), true])) };
}

/** The hash of a recovery code as people type it. */
export function hashOfRecovery(userId: string, typed: string): string {
  // Who reads the table has the secret beside it: a slow hash would keep nothing from them.
  return createHash("sha256")
    .update(`${userId}\n${readCode(typed)}`)
    .digest("hex");
}

/** The fields of an account that a change needs as they were read. */
type Holder = Pick<UserRecord, "userId" | "email" | "tokenVersion">;

type Told = "two-factor-on" | "two-factor-off" | "recovery-used" | "recovery-renewed";

/** Whether the holder is told by mail. */
type Telling = { sendsMail: boolean };

function toldPart({ userId, email }: Holder, template: Told, { sendsMail }: Telling): MaybePart {
  return sendsMail && mailPart({ to: email, userId, template });
}

/**
 * Switches the second factor on with the secret that waits, whose first code was of a step. All sessions end: one of
 * them may be a thief's. Returns the recovery codes, which are kept nowhere.
 */
export async function switchOn(
  account: Holder,
  secret: string,
  step: number,
  telling: Telling,
): Promise<string[] | "is on" | "changed meanwhile"> {
  const { userId, tokenVersion } = account;
  const { codes, recovery } = newRecovery(userId);
  const waits = useUp(key.enrolment(userId));
  const next = tokenVersion + 1;
  const outcome = await transact({
    enrolment: waits,
    twoFactor: create(key.twoFactor(userId), { secret, lastStep: step, recovery }),
    user: setFields(key.user(userId), { twoFactor: true, tokenVersion: next }, stillHas({ tokenVersion })),
    // The credentials store the version too: see `CredentialsItem`.
    credentials: setFields(key.credentials(userId), { tokenVersion: next }),
    told: toldPart(account, "two-factor-on", telling),
  });
  if (outcome.done) return codes;
  return outcome.failed.twoFactor ? "is on" : "changed meanwhile";
}

/** The item must still take the proof: a code of the app counts once, and so does a recovery code. */
function takes(proof: Proof): Condition {
  if ("step" in proof) return { if: "lastStep < :step", values: { ":step": proof.step } };
  return { if: "attribute_exists(recovery.#code)", names: { "#code": proof.recovery } };
}

/** Uses up a code, so that it opens one session, and tells of the use of a recovery code by mail. */
export async function use(account: Holder, proof: Proof, telling: Telling): Promise<"used" | "not good"> {
  const isRecovery = "recovery" in proof;
  const change = isRecovery ? "REMOVE recovery.#code" : "SET lastStep = :step";
  const outcome = await transact({
    twoFactor: update(key.twoFactor(account.userId), change, takes(proof)),
    told: isRecovery && toldPart(account, "recovery-used", telling),
  });
  return outcome.done ? "used" : "not good";
}

/** Replaces the recovery codes by new ones, which it returns; a code of the app, or one of them, is used up for it. */
export async function renewRecovery(account: Holder, proof: Proof, telling: Telling): Promise<string[] | "not good"> {
  const { codes, recovery } = newRecovery(account.userId);
  const { values, ...condition } = takes(proof);
  const change = "step" in proof ? "SET lastStep = :step, recovery = :recovery" : "SET recovery = :recovery";
  const takesAndKeeps = { ...condition, values: { ...values, ":recovery": recovery } };
  const outcome = await transact({
    twoFactor: update(key.twoFactor(account.userId), change, takesAndKeeps),
    told: toldPart(account, "recovery-renewed", telling),
  });
  return outcome.done ? codes : "not good";
}

/** The parts that switch the second factor of an account off, as far as its own item goes. */
function offParts(account: Holder, fields: object, proof?: Proof): Record<string, Part> {
  const { userId, tokenVersion } = account;
  return {
    twoFactor: remove(key.twoFactor(userId), proof ? takes(proof) : {}),
    user: setFields(key.user(userId), { twoFactor: undefined, ...fields }, stillHas({ tokenVersion, twoFactor: true })),
  };
}

/** Switches the own second factor off by a code. */
export async function switchOff(
  account: Holder,
  proof: Proof,
  telling: Telling,
): Promise<"off" | "not good" | "changed meanwhile"> {
  const outcome = await transact<string>({
    ...offParts(account, {}, proof),
    told: toldPart(account, "two-factor-off", telling),
  });
  if (outcome.done) return "off";
  return outcome.failed.twoFactor ? "not good" : "changed meanwhile";
}

/** Switches the second factor of another account off, whose holder has lost it; its sessions end. */
export async function reset(account: Holder, telling: Telling): Promise<"off" | "changed meanwhile"> {
  const next = account.tokenVersion + 1;
  const outcome = await transact<string>({
    ...offParts(account, { tokenVersion: next }),
    credentials: setFields(key.credentials(account.userId), { tokenVersion: next }),
    told: toldPart(account, "two-factor-off", telling),
  });
  return outcome.done ? "off" : "changed meanwhile";
}
