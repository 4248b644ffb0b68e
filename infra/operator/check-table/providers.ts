import { key } from "../../../lib/table/keys.ts";
import { type Findings, finding, type StoredTable } from "./stored.ts";

/** Every provider has its secret, and every secret its provider; the number of providers is right. */
export function* providers({ all, at, has }: StoredTable): Findings {
  const there = all("provider");
  const counted = at("providerCount", key.providerCount())?.providers ?? 0;
  if (counted !== there.length)
    yield finding(key.providerCount(), `counts ${counted} providers and there are ${there.length}`);
  for (const { key: provider } of there) {
    if (!has("providerSecret", key.providerSecret(provider.sk))) yield finding(provider, "has no secret");
  }
  for (const { key: secret } of all("providerSecret")) {
    if (!has("provider", key.provider(secret.sk))) yield finding(secret, "has no provider");
  }
}
