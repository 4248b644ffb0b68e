import { answer, api, type Schemas } from "../../api.ts";
import { useRead } from "../../data.ts";
import { carryOut } from "../../deeds.ts";
import { Action, Pending } from "../../parts/basics.tsx";
import { leaveFor, useWays } from "../../providers.ts";
import { accountText } from "./account-text.ts";
import { ownWays } from "./own-ways.ts";

/** The issuer of those who come from the owner's product. */
const OF_PRODUCT = "sso";

function nameOf({ provider, issuer }: Schemas["Identity"]): string {
  return provider ?? (issuer === OF_PRODUCT ? accountText("productName") : issuer);
}

/** The sign-ins at providers that lead to this account, in the profile. */
export function LinkedSignIns() {
  const { data, ...read } = useRead(ownWays());
  const linked = data?.results ?? [];
  const { providers, callbackUrl } = useWays();
  const unlink = (identityId: string) => {
    const params = { path: { identityId } };
    return carryOut(answer(api.DELETE("/users/profile/identities/{identityId}", { params })), read.again);
  };
  if (providers.length === 0 && linked.length === 0) return null;
  if (!data) return <Pending {...read} lines={1} />;
  return (
    <section class="panel">
      <h2>{accountText("linkedSignIns")}</h2>
      {linked.length === 0 && <p class="quiet-text">{accountText("noLinkedSignIns")}</p>}
      <ul class="rows">
        {linked.map((identity) => (
          <li key={identity.identityId} class="item">
            <span class="wide">{nameOf(identity)}</span>
            <Action act={() => unlink(identity.identityId)} label={accountText("unlink")} of={nameOf(identity)} />
          </li>
        ))}
      </ul>
      <p class="actions">
        {providers.map((provider) => (
          <Action
            key={provider.id}
            act={() => leaveFor(provider, { purpose: "link", callbackUrl })}
            label={accountText("linkWith", { name: provider.name })}
            kind=""
          />
        ))}
      </p>
    </section>
  );
}
