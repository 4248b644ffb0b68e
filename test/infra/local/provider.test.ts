import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forgetProviders } from "../../../infra/local/provider/forget.ts";
import { startProvider } from "../../../infra/local/provider/start.ts";
import { commandsOf } from "../../support/docs/commands.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import { anAttempt } from "../../support/process/provider.ts";

// The provider of `npm start -- --provider`, from the request of the page to the session.

let issuer = "";
let close: () => void;

beforeAll(async () => {
  ({ issuer, close } = await startProvider(0));
});
afterAll(() => close());

const attempt = anAttempt("ada");
// The code verifier's SHA-256, as the page sends it.
const challenge = async () =>
  Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(attempt.codeVerifier))).toString("base64url");

/** Types an address into the provider's page; returns what it leads back with. */
async function answerTo(email: string, more: Record<string, string> = {}): Promise<URLSearchParams | number> {
  const [provider] = success(await invoke("auth-providers"), 200).providers;
  const query = new URLSearchParams({
    response_type: "code",
    client_id: provider.clientId,
    redirect_uri: attempt.redirectUri,
    state: "state",
    nonce: attempt.nonce,
    code_challenge: await challenge(),
    code_challenge_method: "S256",
    ...more,
  });
  const url = `${provider.authorizationUrl}?${query}`;
  const page = await fetch(url);
  if (!page.ok) return page.status;
  expect(await page.text()).toContain('name="email"');
  const body = new URLSearchParams({ email, name: "Ada" });
  const answer = await fetch(url, { method: "POST", body, redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "").searchParams;
}

async function signIn(code: string, more: object = {}) {
  const [{ id }] = success(await invoke("auth-providers"), 200).providers;
  return invoke("auth-oidc", { params: { providerId: id }, body: { ...attempt, code, iss: issuer, ...more } });
}

describe("The provider for development", () => {
  it("signs in who types an address, by a code that counts once", async () => {
    const answer = (await answerTo("Ada@Example.com")) as URLSearchParams;
    expect(answer.get("state")).toBe("state");
    const code = answer.get("code") ?? "";
    expect(success(await signIn(code), 200).user).toMatchObject({ email: "ada@example.com", name: "Ada" });
    refusal(await signIn(code), "PROVIDER_REFUSED");
  });

  it("says no without an address, and refuses another site and another verifier", async () => {
    expect(((await answerTo("")) as URLSearchParams).get("error")).toBe("access_denied");
    expect(await answerTo("ada@example.com", { redirect_uri: "https://evil.example/" })).toBe(400);
    const answer = (await answerTo("ada@example.com")) as URLSearchParams;
    refusal(await signIn(answer.get("code") ?? "", { codeVerifier: "x".repeat(43) }), "PROVIDER_REFUSED");
  });

  it("is added to a site once", async () => {
    const port = Number(new URL(issuer).port);
    close();
    ({ issuer, close } = await startProvider(port));
    expect(success(await invoke("auth-providers"), 200).providers).toHaveLength(1);
  });

  it("leaves a site with the next start on another port, or without it", async () => {
    close();
    ({ issuer, close } = await startProvider(0));
    const { providers } = success(await invoke("auth-providers"), 200);
    expect(providers.map(({ issuer: each }: { issuer: string }) => each)).toEqual([issuer]);
    await forgetProviders();
    expect(success(await invoke("auth-providers"), 200).providers).toEqual([]);
  });

  it("is the one of the documented command", () => {
    const [command] = commandsOf("docs/sign-in.md").filter(({ text }) => text.includes("npm start"));
    expect(command?.text).toBe("npm start -- --provider");
    expect(readFileSync("infra/local/main.ts", "utf8")).toContain('"--provider"');
  });
});
