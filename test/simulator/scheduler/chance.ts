import * as crypto from "node:crypto";
import { leastWork } from "./least-work.ts";
import { operationAtHand } from "./operation.ts";
import type { Random } from "./random.ts";

/** Waits for real work outside of the event loop. */
type External = <T>(work: Promise<T>) => Promise<T>;

/** Draws random numbers from the stream of the current operation, otherwise of the container. */
export function virtualChance(own: Random, external: External, sleep: (milliseconds: number) => Promise<unknown>) {
  const random = (): Random => operationAtHand()?.random ?? own;

  const randomInt = (low: number, high?: number): number => {
    const [from, to] = high === undefined ? [0, low] : [low, high];
    return from + random().below(to - from);
  };

  const randomBytes = (count: number): Buffer => random().bytes(count);

  const getRandomValues = <T extends NodeJS.TypedArray>(array: T): T => {
    random()
      .bytes(array.byteLength)
      .copy(Buffer.from(array.buffer, array.byteOffset, array.byteLength));
    return array;
  };

  const randomUUID = (): string => random().uuid();

  const math = Object.defineProperties({}, Object.getOwnPropertyDescriptors(Math)) as Math;
  Object.defineProperty(math, "random", { value: () => random().next() });

  // Signatures are real and made on other threads. A verified signature is remembered.
  const verify = remembering((...words) => external(crypto.webcrypto.subtle.verify(...words)));
  const subtle = new Proxy(crypto.webcrypto.subtle, {
    get: (real, name) => {
      if (name === "verify") return verify;
      const method: unknown = Reflect.get(real, name);
      if (typeof method !== "function") return method;
      return (...words: unknown[]) => external(Reflect.apply(method, real, words) as Promise<unknown>);
    },
  });

  const webcrypto = { subtle, getRandomValues, randomUUID };

  return {
    math,
    webcrypto,
    crypto: {
      ...crypto,
      randomInt,
      randomBytes,
      randomUUID,
      getRandomValues,
      webcrypto,
      subtle,
      argon2: argon2In(sleep),
      scryptSync: cheapScrypt,
    },
  };
}

type Verify = crypto.webcrypto.SubtleCrypto["verify"];

/** The number of remembered signatures: the same tokens come many times. */
const MOST_REMEMBERED = 1000;

function textOf(bytes: Parameters<Verify>[2]): string {
  return (
    ArrayBuffer.isView(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.from(bytes)
  ).toString("latin1");
}

/** `verify`, with the results of each key kept. */
function remembering(verify: Verify): Verify {
  const byKey = new WeakMap<object, Map<string, boolean>>();
  return async (algorithm, key, signature, data) => {
    const known = byKey.get(key) ?? new Map<string, boolean>();
    byKey.set(key, known);
    const name = `${JSON.stringify(algorithm)} ${textOf(signature)} ${textOf(data)}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const isRight = await verify(algorithm, key, signature, data);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(name, isRight);
    return isRight;
  };
}

const HASHING_MS = 30;

type Argon2 = Parameters<typeof crypto.argon2>;

/** argon2 with the least work: hashes differ as they should, and take virtual time. */
function argon2In(sleep: (milliseconds: number) => Promise<unknown>) {
  return (algorithm: Argon2[0], parameters: Argon2[1], done: Argon2[2]): void => {
    const hash = crypto.argon2Sync(algorithm, leastWork(parameters));
    void sleep(HASHING_MS).then(() => done(null, hash));
  };
}

/** scrypt with the least work. */
function cheapScrypt(password: string, salt: string, length: number, { N = 16_384 } = {}): Buffer {
  return crypto.scryptSync(password, `${salt} ${N}`, length, { N: 2 });
}
