import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { currentKey } from "../../lib/auth/signing-keys.ts";
import * as tokens from "../../lib/auth/tokens.ts";
import { settings } from "../../lib/runtime/settings.ts";
import { newId } from "../../lib/values/ids.ts";
import type { Person } from "../support/world/fixtures.ts";

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
export type Forge = {
  header: Json;
  claims: Json;
  /** A token of these parts, with a true signature unless another secret or hash is named. */
  sign: (header: unknown, claims: unknown, secret?: string | Uint8Array, hash?: string) => string;
};

/** The forge for a user's tokens; `sign(header, claims)` makes a good one. */
export async function forgeOf(person: Person): Promise<Forge> {
  const { kid } = await currentKey();
  const { SIGNING_SECRET = "" } = settings();
  const [head = "", payload = ""] = person.token.split(".");
  const decoded = (part: string): Json => JSON.parse(Buffer.from(part, "base64url").toString());
  const sign: Forge["sign"] = (header, claims, key = SIGNING_SECRET, hash = "sha256") => {
    const text = (part: unknown): string => (typeof part === "string" ? part : json(part));
    const input = `${text(header)}.${text(claims)}`;
    return `${input}.${base64url(createHmac(hash, key).update(input).digest())}`;
  };
  return { header: { ...decoded(head), kid }, claims: decoded(payload), sign };
}

function without(object: Json, name: string): Json {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}

function kindOf(value: unknown): string {
  return (JSON.stringify(value) ?? "absent").slice(0, 40);
}

/** The object with the field set to each value in turn, and once without it. */
function variants(object: Json, name: string, values: unknown[]): { what: string; changed: Json }[] {
  return [
    { what: `no ${name}`, changed: without(object, name) },
    ...values.map((value) => ({ what: `${name} ${kindOf(value)}`, changed: { ...object, [name]: value } })),
  ];
}

function badAlgorithms(forge: Forge): Forged[] {
  const { header, claims, sign } = forge;
  const names = "none None NONE nOnE hs256 HS1 RS256 PS256 ES256 EdDSA dir A128KW HS384 HS512".split(" ");
  const made = variants(header, "alg", [...names, "", " ", "HS256 ", null, 256, ["HS256"], {}, true]);
  return made
    .flatMap(({ what, changed }) => {
      const unsigned = `${json(changed)}.${json(claims)}`;
      const signed = { what, token: sign(changed, claims) };
      if (changed.alg && String(changed.alg).trim().toLowerCase() !== "none") return [signed];
      const parts = { what: `${what}, two parts`, token: unsigned };
      return [signed, { what: `${what}, no signature`, token: `${unsigned}.` }, parts];
    })
    .concat([
      { what: "a true HS384", token: sign({ ...header, alg: "HS384" }, claims, undefined, "sha384") },
      { what: "a true HS512", token: sign({ ...header, alg: "HS512" }, claims, undefined, "sha512") },
      { what: "HS256 signed by SHA-512", token: sign(header, claims, undefined, "sha512") },
      { what: "HS256 signed by SHA-1", token: sign(header, claims, undefined, "sha1") },
    ]);
}

function badHeaders({ header, claims, sign }: Forge): Forged[] {
  const { kid } = header;
  const types = "JWT jwt at jwt+at at+jwt2 at+jwt;x=1 refresh+jwt mail+jwt application/jwt".split(" ");
  const others = ["", "other", `${kid}x`, `${kid} `, String(kid).toUpperCase().replace(/\d/g, "X"), "x".repeat(5000)];
  const words = ["../../dev/null", "' OR '1'='1", "__proto__", "constructor", "\u0000"];
  const fields: [string, unknown[]][] = [
    ["typ", [...types, "", 1, null, true, ["at+jwt"], {}]],
    ["kid", [...others, ...words, 1, null, true, [kid], { kid }]],
    ["crit", [["exp"], ["b64"], ["x"], [], "exp", [1], null, {}, [["exp"]]]],
  ];
  return fields
    .flatMap(([name, values]) =>
      variants(header, name, values).filter(({ changed }) => name !== "crit" || "crit" in changed),
    )
    .map(({ what, changed }) => ({ what, token: sign(changed, claims) }))
    .concat([{ what: "an unencoded payload", token: sign({ ...header, b64: false, crit: ["b64"] }, claims) }]);
}

/** Headers that offer the key to verify with. */
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
  return offers
    .flatMap((offer) => {
      const name = Object.entries(offer).map(([key, value]) => `${key} ${kindOf(value)}`);
      return [
        { what: `${name}, signed by RSA`, token: byRsa(offer) },
        { what: `${name}, signed by a secret of one's own`, token: sign({ ...header, ...offer }, claims, secret) },
        { what: `${name}, and a kid of one's own`, token: sign({ ...header, ...offer, kid: "mine" }, claims, secret) },
      ];
    })
    .concat([{ what: "the public key as secret", token: sign(header, claims, pem) }]);
}

function badClaims({ header, claims, sign }: Forge): Forged[] {
  const { iss, aud, sub, tv } = claims;
  const now = Math.floor(Date.now() / 1000);
  const strangers = ["", " ", "me", newId(), "00000000-0000-0000-0000-000000000000", "x".repeat(5000), "../x"];
  const broken = [`${sub}x`, `{${sub}}`, `USER#${sub}`, `${sub}\u0000`, "\ud800"];
  const fields: [string, unknown[]][] = [
    ["iss", ["", "other", `${iss}/`, String(iss).toUpperCase(), 1, null, [iss], {}]],
    ["aud", ["", "other", `${aud} `, String(aud).toUpperCase(), [], ["other"], [[aud]], 1, null, {}]],
    ["sub", [...strangers, ...broken, 1, null, true, [sub], { id: sub }]],
    ["exp", [0, -1, now - 1, now - 100_000, 1.5, String(now + 1000), null, true, [now + 1000], {}]],
    ["iat", [String(now), null, true, [], {}]],
    ["nbf", [now + 100_000, String(now), null]],
    ["tv", [0, -1, 2, 1.5, 1e300, String(tv), null, true, [tv], {}]],
    ["jti", []],
  ];
  return fields
    .flatMap(([name, values]) => variants(claims, name, values).filter(({ what }) => what !== "no nbf"))
    .map(({ what, changed }) => ({ what, token: sign(header, changed) }));
}

function badParts({ header, claims, sign }: Forge): Forged[] {
  const texts: [string, string][] = [
    ["nothing", ""],
    ["no JSON", base64url("{")],
    ["null", json(null)],
    ["an array", json([claims])],
    ["text", json("text")],
    ["a number", json(1)],
    ["bytes that are no UTF-8", base64url(Buffer.from([0xff, 0xfe, 0x7b]))],
    ["a prototype", base64url('{"__proto__":{"sub":"x"}}')],
    ["deep JSON", base64url("[".repeat(20_000))],
    ["no base64", "***"],
  ];
  return texts.flatMap(([what, text]) => [
    { what: `a payload of ${what}`, token: sign(header, text) },
    { what: `a header of ${what}`, token: sign(text, claims) },
  ]);
}

function badSignatures({ header, claims, sign }: Forge): Forged[] {
  const good = sign(header, claims);
  const [head, payload, signature = ""] = good.split(".");
  const other = sign(header, { ...claims, jti: "other" }).split(".")[2];
  const bytes = Buffer.from(signature, "base64url");
  const texts: [string, string][] = [
    ["no signature", ""],
    ["a signature of another token", other ?? ""],
    ["a signature of zeros", base64url(Buffer.alloc(32))],
    ["a signature of 0xff", base64url(Buffer.alloc(32, 0xff))],
    ["half a signature", base64url(bytes.subarray(0, 16))],
    ["a byte less", base64url(bytes.subarray(0, 31))],
    ["a byte more", base64url(Buffer.concat([bytes, Buffer.alloc(1)]))],
    ["a signature twice", signature + signature],
    ["a signature turned round", base64url(Buffer.from(bytes).reverse())],
    ["a signature in hex", bytes.toString("hex")],
    ["a signature in capitals", signature.toUpperCase()],
    ["a very long signature", "A".repeat(50_000)],
    ["a signature that is no base64", "!".repeat(43)],
  ];
  const { iss, aud } = claims;
  const secrets = ["", "secret", "password", "key", "changeme", "0", "null", ...[header.kid, iss, aud].map(String)];
  return [
    ...texts.map(([what, text]) => ({ what, token: `${head}.${payload}.${text}` })),
    ...secrets.map((secret) => ({ what: `the secret ${secret}`, token: sign(header, claims, secret) })),
    { what: "a zero byte as secret", token: sign(header, claims, Buffer.alloc(1)) },
    { what: "claims changed after signing", token: `${head}.${json({ ...claims, role: "owner" })}.${signature}` },
    { what: "a header changed after signing", token: `${json({ ...header, x: 1 })}.${payload}.${signature}` },
    { what: "header and payload swapped", token: `${payload}.${head}.${signature}` },
  ];
}

function badShapes({ header, claims, sign }: Forge): Forged[] {
  const good = sign(header, claims);
  const [head = "", payload = "", signature = ""] = good.split(".");
  const texts = [
    ...`. .. ... .... a.b.c a.b null undefined [object] true 0 {} '' "" * Bearer ü 😀`.split(" "),
    head,
    `${head}.${payload}`,
    `.${payload}.${signature}`,
    `${head}..${signature}`,
    `${good}.`,
    `.${good}`,
    `${good}.${signature}`,
    `${good}..`,
    `${head}.${payload}.${signature}.${payload}.${signature}`,
    `${good},${good}`,
    `"${good}"`,
    `<${good}>`,
    `${good};`,
    encodeURIComponent(`${good}=`),
    good.replaceAll(".", "%2E"),
    good.replaceAll(".", ","),
    good.replaceAll(".", "\u3002"),
    Buffer.from(good).toString("base64"),
    JSON.stringify({ protected: head, payload, signature }),
    good.toLowerCase(),
    good.toUpperCase(),
    [...good].reverse().join(""),
    `${good}\u0000`,
    `\u0000${good}`,
    "x".repeat(100_000),
    `${good}\u200b`,
  ];
  return texts.map((token) => ({ what: `the shape ${token.slice(0, 12)}... (${token.length})`, token }));
}

/** The good token with one character changed, at places all over it, and cut off at lengths all along it. */
function smallChanges({ header, claims, sign }: Forge): Forged[] {
  const good = sign(header, claims);
  const places = Array.from({ length: 25 }, (_, n) => Math.floor((n * (good.length - 2)) / 24));
  const changed = (at: number): string => `${good.slice(0, at)}${good[at] === "A" ? "B" : "A"}${good.slice(at + 1)}`;
  return places.flatMap((at) => [
    { what: `character ${at} changed`, token: changed(at) },
    ...(at > 0 ? [{ what: `cut at ${at}`, token: good.slice(0, at) }] : []),
  ]);
}

/** More than 200 tokens that must not be taken for the person's. */
export async function forgedTokens(person: Person): Promise<Forged[]> {
  const forge = await forgeOf(person);
  const { header, claims, sign } = forge;
  const { userId, tokenVersion } = person;
  return [
    ...badAlgorithms(forge),
    ...badHeaders(forge),
    ...offeredKeys(forge),
    ...badClaims(forge),
    ...badParts(forge),
    ...badSignatures(forge),
    ...badShapes(forge),
    ...smallChanges(forge),
    { what: "expired", token: await tokens.issue(person, Date.now() - 8 * 24 * 60 * 60 * 1000) },
    { what: "revoked", token: await tokens.issue({ userId, tokenVersion: tokenVersion + 1 }) },
    { what: "of a user who is gone", token: await tokens.issue({ userId: newId(), tokenVersion: 1 }) },
    { what: "of another site", token: sign(header, claims, "the signing secret of another site, as long") },
  ];
}
