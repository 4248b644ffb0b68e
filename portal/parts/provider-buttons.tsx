import { useLocation } from "preact-iso/router";
import { leaveFor, useWays } from "../providers.ts";
import { t } from "../text.ts";
import { Action } from "./basics.tsx";

/** A button for each provider that people can sign in by. */
export function ProviderButtons() {
  const { providers, callbackUrl } = useWays();
  const { query, path, url } = useLocation();
  const next = path.startsWith("/sign-") ? query.next : url;
  if (providers.length === 0) return null;
  return (
    <p class="actions">
      {providers.map((provider) => (
        <Action
          key={provider.id}
          act={() => leaveFor(provider, { purpose: "sign-in", callbackUrl, next })}
          label={t("withProvider", { name: provider.name })}
          kind=""
        />
      ))}
    </p>
  );
}
