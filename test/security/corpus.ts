import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import { newKey } from "../../lib/auth/api-keys.ts";
import { currentKey } from "../../lib/auth/signing-keys.ts";
import * as tokens from "../../lib/auth/tokens.ts";
import { environment } from "../../lib/runtime/environment.ts";
import { newId } from "../../lib/values/ids.ts";
import { aKey, aUser, type Person } from "../support/world/fixtures.ts";

// Tokens made by hand, without the library that verifies them.

type Json = Record<string, unknown>;

/** A token that must be refused, and what is wrong with it. */
export type Forged = { what: string; token: string };

function base64url(value: string | Buffer): string {
  return Buffer.from(value).toString("base64url");
}
function json(value: unknown): string {
  return base64url(JSON.stringify(value));
}

/** Makes tokens like ours, changed at will. */
type Forge = {
  header: Json;
  claims: Json;
  /** A token of these parts, with a true signature unless another secret or hash is named. */
  sign: (header: unknown, claims: unknown, secret?: string | Uint8Array, hash?: string) => string;
};

/** The forge for a user's tokens; `sign(header, claims)` makes a good one. */
export async function forgeOf(person: Person): Promise<Forge> {
  const { kid } = await currentKey();
  const { SIGNING_SECRET = "" } = environment();
  const [head = "", payload = ""] = person.token.split(".");
  const decoded = (part: string): Json => JSON.parse(Buffer.from(part, "base64url").toString());
  const sign: Forge["sign"] = (header, claims, key = SIGNING_SECRET, hash = "sha256") => {
    const text = (part: unknown): string => (typeof part === "string" ? part : json(part));
    const input = `${text(header)}.${text(claims)}`;
    return `${input}.${base64url(createHmac(hash, key).update(input).digest())}`;
  };
  return { header: { ...decoded(head), kid }, claims: decoded(payload), sign };
}

function kindOf(value: unknown): string {
  return (JSON.stringify(value) ?? "absent").slice(0, 40);
}

/** The object with each field set to each of its values in turn, and once without it. */
function variants(object: Json, fields: Record<string, unknown[]>): { what: string; changed: Json }[] {
  return Object.entries(fields).flatMap(([name, values]) => {
    const { [name]: own, ...without } = object;
    const changes = values.map((value) => ({
      what: `${name} ${kindOf(value)}`,
      changed: { ...object, [name]: value },
    }));
    return own === undefined ? changes : [{ what: `no ${name}`, changed: without }, ...changes];
  });
}

function named(tokens: Record<string, string>): Forged[] {
  return Object.entries(tokens).map(([what, token]) => ({ what, token }));
}

function badAlgorithms(forge: Forge): Forged[] {
  const { header, claims, sign } = forge;
  const names = "none None NONE nOnE hs256 HS1 RS256 PS256 ES256 EdDSA dir A128KW HS384 HS512".split(" ");
  const made = variants(header, { alg: [...names, "", " ", "HS256 ", null, 256, ["HS256"], {}, true] });
  return [
    ...made.flatMap(({ what, changed }) => [
      { what, token: sign(changed, claims) },
      { what: `${what}, no signature`, token: `${json(changed)}.${json(claims)}.` },
    ]),
    ...named({
      "a true HS384": sign({ ...header, alg: "HS384" }, claims, undefined, "sha384"),
      "a true HS512": sign({ ...header, alg: "HS512" }, claims, undefined, "sha512"),
      "HS256 signed by SHA-512": sign(header, claims, undefined, "sha512"),
    }),
  ];
}

function badHeaders({ header, claims, sign }: Forge): Forged[] {
  const { kid } = header;
  const types = "JWT jwt at jwt+at at+jwt2 at+jwt;x=1 refresh+jwt mail+jwt application/jwt".split(" ");
  const others = ["", "other", `${kid}x`, `${kid} `, String(kid).toUpperCase().replace(/\d/g, "X"), "x".repeat(5000)];
  const words = ["../../dev/null", "' OR '1'='1", "__proto__", "constructor", "\u0000"];
  const fields = {
    typ: [...types, "", 1, null, true, ["at+jwt"], {}],
    kid: [...others, ...words, 1, null, true, [kid], { kid }],
    crit: [["exp"], ["b64"], ["x"], [], "exp", [1], null, {}, [["exp"]]],
  };
  return variants(header, fields)
    .map(({ what, changed }) => ({ what, token: sign(changed, claims) }))
    .concat([{ what: "an unencoded payload", token: sign({ ...header, b64: false, crit: ["b64"] }, claims) }]);
}

function offeredKeys({ header, claims, sign }: Forge): Forged[] {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "mine", use: "sig", alg: "RS256" };
  const pem = String(publicKey.export({ format: "pem", type: "spki" }));
  const secret = "the attacker's own secret of 32 characters";
  const oct = { kty: "oct", k: base64url(secret), alg: "HS256" };
  const byRsa = (extra: Json): string => {
    const input = `${json({ ...header, alg: "RS256", ...extra })}.${json(claims)}`;
    return `${input}.${base64url(createSign("sha256").update(input).sign(privateKey))}`;
  };
  const urls = ["https://attacker.example/jwks.json", "http://169.254.169.254/latest/meta-data", "file:///dev/null", 1];
  const offers: Json[] = [
    ...[jwk, oct, null].map((each) => ({ jwk: each })),
    ...urls.map((jku) => ({ jku })),
    { x5u: "https://attacker.example/cert.pem" },
    { x5c: [base64url(pem)] },
    { x5t: "x" },
  ];
  return [
    { what: "the public key as secret", token: sign(header, claims, pem) },
    ...offers.flatMap((offer) => {
      const name = Object.entries(offer).map(([key, value]) => `${key} ${kindOf(value)}`);
      return [
        { what: `${name}, signed by RSA`, token: byRsa(offer) },
        { what: `${name}, signed by a secret of one's own`, token: sign({ ...header, ...offer }, claims, secret) },
        { what: `${name}, and a kid of one's own`, token: sign({ ...header, ...offer, kid: "mine" }, claims, secret) },
      ];
    }),
  ];
}

function badClaims({ header, claims, sign }: Forge): Forged[] {
  const { iss, aud, sub, tv } = claims;
  const now = Math.floor(Date.now() / 1000);
  const strangers = ["", " ", "me", newId(), "00000000-0000-0000-0000-000000000000", "x".repeat(5000), "../x"];
  const broken = [`${sub}x`, `{${sub}}`, `USER#${sub}`, `${sub}\u0000`, "\ud800"];
  const fields = {
    iss: ["", "other", `${iss}/`, String(iss).toUpperCase(), 1, null, [iss], {}],
    aud: ["", "other", `${aud} `, String(aud).toUpperCase(), [], ["other"], [[aud]], 1, null, {}],
    sub: [...strangers, ...broken, 1, null, true, [sub], { id: sub }],
    exp: [0, -1, now - 1, now - 100_000, 1.5, String(now + 1000), null, true, [now + 1000], {}],
    iat: [String(now), null, true, [], {}],
    nbf: [now + 100_000, String(now), null],
    tv: [0, -1, 2, 1.5, 1e300, String(tv), null, true, [tv], {}],
    jti: [],
  };
  return variants(claims, fields).map(({ what, changed }) => ({ what, token: sign(header, changed) }));
}

function badSignatures({ header, claims, sign }: Forge): Forged[] {
  const [head, payload, signature = ""] = sign(header, claims).split(".");
  const other = sign(header, { ...claims, jti: "other" }).split(".")[2];
  const { iss, aud } = claims;
  const secrets = ["", "secret", "password", "key", "changeme", "0", "null", ...[header.kid, iss, aud].map(String)];
  return [
    ...secrets.map((secret) => ({ what: `the secret ${secret}`, token: sign(header, claims, secret) })),
    ...named({
      "no signature": `${head}.${payload}.`,
      "two parts": `${head}.${payload}`,
      "a signature of another token": `${head}.${payload}.${other}`,
      "a signature of zeros": `${head}.${payload}.${base64url(Buffer.alloc(32))}`,
      "a very long signature": `${head}.${payload}.${"A".repeat(50_000)}`,
      "a zero byte as secret": sign(header, claims, Buffer.alloc(1)),
      "claims changed after signing": `${head}.${json({ ...claims, role: "owner" })}.${signature}`,
      "a header changed after signing": `${json({ ...header, x: 1 })}.${payload}.${signature}`,
      "header and payload swapped": `${payload}.${head}.${signature}`,
    }),
  ];
}

/** Tokens that must not be taken for the person's. What a random change of a true one makes: tokens.test.ts. */
export async function forgedTokens(person: Person): Promise<Forged[]> {
  const forge = await forgeOf(person);
  const { header, claims, sign } = forge;
  const { userId, tokenVersion } = person;
  const sources = [badAlgorithms, badHeaders, offeredKeys, badClaims, badSignatures];
  return [
    ...sources.flatMap((tokensOf) => tokensOf(forge)),
    { what: "expired", token: await tokens.issue(person, Date.now() - 8 * 24 * 60 * 60 * 1000) },
    { what: "revoked", token: await tokens.issue({ userId, tokenVersion: tokenVersion + 1 }) },
    { what: "of a user who is gone", token: await tokens.issue({ userId: newId(), tokenVersion: 1 }) },
    { what: "of another site", token: sign(header, claims, "the signing secret of another site, as long") },
  ];
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

/** API keys that must be refused. What a random change of a true one makes: keys.test.ts. */
export async function forgedKeys(): Promise<Forged[]> {
  const made = (...parts: Buffer[]): string => `fb_${base64url(Buffer.concat(parts))}`;
  const one = await aUser("moderator");
  const two = await aUser("moderator");
  const good = await aKey(one);
  const other = await aKey(two);
  const ended = await aKey(one);
  const expired = await aKey(one, undefined, { endsAt: Date.now() - 1 });
  await apiKeys.remove(one.userId, ended.record.keyId);
  const { text } = good;
  const secret = Buffer.from(text.slice(3), "base64url").subarray(32);
  const hash = Buffer.from(good.record.hash, "base64url");
  return named({
    "a key of an account that does not exist": newKey(newId(), good.record.keyId).text,
    "a key that does not exist": newKey(one.userId, newId()).text,
    "a key of another secret": newKey(one.userId, good.record.keyId).text,
    "a key of another account's id": made(bytesOf(one.userId), bytesOf(other.record.keyId), secret),
    "a key of another account, with one's own secret": made(bytesOf(two.userId), bytesOf(other.record.keyId), secret),
    "a key of one's own, named as another's": made(bytesOf(two.userId), bytesOf(good.record.keyId), secret),
    "a key that was deleted": ended.text,
    "a key that has expired": expired.text,
    "a key of zeros": made(Buffer.alloc(57)),
    "a key of the stored hash": made(bytesOf(one.userId), bytesOf(good.record.keyId), hash.subarray(0, 25)),
    "the stored hash itself": `fb_${good.record.hash}`,
    "a key's prefix alone": "fb_",
    "a key without its prefix": text.slice(3),
    "a key in capitals": text.toUpperCase(),
    "a key that is too short": text.slice(0, -1),
    "a key twice": text + text,
    "a key as a JWT": `${text}.${text}.${text}`,
    "a very long key": `fb_${"A".repeat(100_000)}`,
    "a partition key": `fb_API_KEYS#${one.userId}`,
  });
}
