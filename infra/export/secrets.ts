import * as z from "zod/mini";
import * as identities from "../../lib/accounts/identities.ts";
import { TwoFactorItem } from "../../lib/accounts/two-factor.ts";
import { CredentialsItem, type UserRecord } from "../../lib/accounts/users.ts";
import type { Secrets } from "../../lib/moving/rows.ts";
import type { Work } from "../../lib/moving/work.ts";
import { idIn, key } from "../../lib/table/keys.ts";
import { getMany } from "../../lib/table/reads.ts";

const Credentials = z.extend(CredentialsItem, { pk: z.string() });
const Factor = z.extend(TwoFactorItem, { pk: z.string() });

/** Reads what lets people into these accounts. */
export async function secretsOf(work: Work, users: UserRecord[]): Promise<Map<string, Secrets>> {
  const withFactor = users.filter(({ twoFactor }) => twoFactor);
  const [hashes, factors, linked] = await work(() =>
    Promise.all([
      getMany(
        users.map(({ userId }) => key.credentials(userId)),
        Credentials,
      ),
      getMany(
        withFactor.map(({ userId }) => key.twoFactor(userId)),
        Factor,
      ),
      Promise.all(users.flatMap((user) => user.identities ?? []).map(identities.find)),
    ]),
  );
  const hashOf = new Map(hashes.map(({ pk, passwordHash }) => [idIn(pk), passwordHash]));
  const factorOf = new Map(factors.map((factor) => [idIn(factor.pk), factor]));
  return new Map(
    users.map(({ userId }) => [
      userId,
      {
        passwordHash: hashOf.get(userId),
        twoFactor: factorOf.get(userId),
        identities: linked.filter((each) => each !== undefined).filter((each) => each.userId === userId),
      },
    ]),
  );
}
