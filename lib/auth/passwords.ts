import * as crypto from "node:crypto";
import { promisify } from "node:util";

// Stored as PHC strings: $argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>, $scrypt$ln=17,r=8,p=1$<salt>$<hash>

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const ARGON2: { algorithm: crypto.Argon2Algorithm; memory: number; passes: number; parallelism: number } = {
  algorithm: "argon2id",
  memory: 19_456,
  passes: 2,
  parallelism: 1,
};
const SCRYPT = { ln: 17, r: 8, p: 1 };

type Argon2Cost = { memory: number; passes: number; parallelism: number };
type ScryptCost = { ln: number; r: number; p: number };

// Node has it since 24.7. A named import would keep older versions from loading this module.
const argon2: typeof crypto.argon2 | undefined = crypto.argon2;
const argon2Async = argon2 && promisify(argon2);

async function byArgon2(password: string, salt: Buffer, cost: Argon2Cost): Promise<Buffer> {
  if (!argon2Async) throw new Error("an argon2 password hash requires Node 24.7 or newer");
  return argon2Async(ARGON2.algorithm, {
    message: password,
    nonce: salt,
    memory: cost.memory,
    passes: cost.passes,
    parallelism: cost.parallelism,
    tagLength: HASH_BYTES,
  });
}

function byScrypt(password: string, salt: Buffer, { ln, r, p }: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r };
    crypto.scrypt(password, salt, HASH_BYTES, options, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

let preferred: Promise<"argon2id" | "scrypt"> | undefined;

/** argon2id, or scrypt if the runtime has no argon2 (Node before 24.7, or its OpenSSL). Tried once. */
export function hashFunction(): Promise<"argon2id" | "scrypt"> {
  preferred ??= byArgon2("", crypto.randomBytes(SALT_BYTES), { memory: 8, passes: 1, parallelism: 1 }).then(
    () => "argon2id" as const,
    () => "scrypt" as const,
  );
  return preferred;
}

const argon2Prefix = `$argon2id$v=19$m=${ARGON2.memory},t=${ARGON2.passes},p=${ARGON2.parallelism}$`;
const scryptPrefix = `$scrypt$ln=${SCRYPT.ln},r=${SCRYPT.r},p=${SCRYPT.p}$`;

/** Hashes a password with a new salt; a PHC string. */
export async function hash(password: string): Promise<string> {
  const salt = crypto.randomBytes(SALT_BYTES);
  if ((await hashFunction()) === "argon2id") {
    return `${argon2Prefix}${base64(salt)}$${base64(await byArgon2(password, salt, ARGON2))}`;
  }
  return `${scryptPrefix}${base64(salt)}$${base64(await byScrypt(password, salt, SCRYPT))}`;
}

const MAX_COST: Record<string, number> = { m: 8 * ARGON2.memory, t: 10, p: 4, ln: 18, r: 8 };

const PHC = /^\$(argon2id|scrypt)\$(?:v=19\$)?([a-z0-9=,]+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** A hash that no password matches, with the parameters of a new hash: verifying one takes as long as usual. */
export async function hashOfNone(): Promise<string> {
  const prefix = (await hashFunction()) === "argon2id" ? argon2Prefix : scryptPrefix;
  return `${prefix}${base64(Buffer.alloc(SALT_BYTES))}$${base64(Buffer.alloc(HASH_BYTES))}`;
}

/** Takes as long as `verify` of a wrong password, so that time does not tell whether an account exists. */
export async function verifyNothing(password: string): Promise<false> {
  await verify(password, await hashOfNone());
  return false;
}

/** Whether a password matches a PHC string. */
export async function verify(password: string, phc: string): Promise<boolean> {
  const [, algorithm, parameters, salt, expected] = PHC.exec(phc) ?? [];
  if (!parameters || !salt || !expected) throw new Error("a stored password hash is not a PHC string we know");
  const cost = Object.fromEntries(parameters.split(",").map((pair) => pair.split("="))) as Record<string, string>;
  // Bounded: a stored hash could otherwise demand gigabytes.
  const number = (name: string): number => {
    const value = Number(cost[name]);
    if (!(value >= 1 && value <= (MAX_COST[name] ?? 0)))
      throw new Error(`a stored password hash asks for ${name}=${value}`);
    return value;
  };
  const saltBytes = Buffer.from(salt, "base64");
  const actual =
    algorithm === "argon2id"
      ? await byArgon2(password, saltBytes, { memory: number("m"), passes: number("t"), parallelism: number("p") })
      : await byScrypt(password, saltBytes, { ln: number("ln"), r: number("r"), p: number("p") });
  const expectedBytes = Buffer.from(expected, "base64");
  return expectedBytes.length === actual.length && crypto.timingSafeEqual(expectedBytes, actual);
}

/** Whether a hash was made with other parameters than a new hash. */
export async function isOutdated(phc: string): Promise<boolean> {
  return !phc.startsWith((await hashFunction()) === "argon2id" ? argon2Prefix : scryptPrefix);
}
