// The operator's command end-two-factor: switches the second factor of an account off, and ends its sessions.
// docs/operations.md#an-owner-without-their-app
import * as twoFactor from "../../lib/accounts/two-factor.ts";
import * as users from "../../lib/accounts/users.ts";
import { replanned } from "../../lib/table/retries.ts";
import { readCommandLine } from "../usage.ts";
import { onTable, TABLES } from "./table.ts";

const USAGE = `npm run operate -- end-two-factor <email>, ${TABLES}`;

async function endOf(email: string, table: string): Promise<number> {
  const read = () => users.findByEmail(email.toLowerCase());
  const outcome = await replanned(await read(), read, async (account) => {
    if (!account?.twoFactor) return "none";
    return twoFactor.reset(account, { sendsMail: false });
  });
  if (outcome === "none") throw new Error(`No account of the table ${table} has this address and a second factor`);
  console.log(`Switched the second factor of ${email} off and ended its sessions, in the table ${table}`);
  return 0;
}

export async function run(words: readonly string[]): Promise<number> {
  const { values } = readCommandLine(USAGE, { values: 1 }, words);
  const [email] = values;
  if (email === undefined) {
    console.error(`Usage: ${USAGE}`);
    return 1;
  }
  return onTable((table) => endOf(email, table));
}
