// The operator's command end-sessions: ends all sessions and API keys of a table that was restored, disables its
// webhooks, and deletes the secret of the product.
// docs/operations.md#restore-from-a-backup.
import * as apiKeys from "../../lib/accounts/api-keys.ts";
import * as site from "../../lib/accounts/site.ts";
import * as sso from "../../lib/accounts/sso.ts";
import * as users from "../../lib/accounts/users.ts";
import * as webhooks from "../../lib/webhooks/webhooks.ts";
import { readCommandLine } from "../usage.ts";
import { onTable, TABLES } from "./table.ts";

const USAGE = `npm run operate -- end-sessions, ${TABLES}`;

const PAGE_SIZE = 100;

/** Ends the sessions, mailed links and API keys of an account. Returns the number of keys. */
async function endAllOf(userId: string, version: number): Promise<number> {
  for (let user = await users.find(userId); user && user.tokenVersion < version; user = await users.find(userId)) {
    await users.endSessions(user, version);
  }
  const keyIds = await apiKeys.idsOf(userId);
  for (const keyId of keyIds) await apiKeys.remove(userId, keyId);
  return keyIds.length;
}

/** Disables all webhooks: some were deleted after the backup, or had another url or secret. Returns their number. */
async function disableWebhooks(): Promise<number> {
  const active = (await webhooks.all()).filter(({ isDisabled }) => !isDisabled);
  for (const { webhookId } of active) await webhooks.change(webhookId, { isDisabled: true });
  return active.length;
}

/** Deletes the secret of the product: it may be one that was replaced because others knew it. */
async function endSecretOfProduct(): Promise<void> {
  if ((await site.find())?.ssoSince === undefined) return;
  await sso.switchOff();
  console.log("Deleted the secret that signs tokens of the product");
}

async function endAll(table: string): Promise<number> {
  // The seconds since 1970 are more than any version that a table which is now gone can have given to a token.
  const version = Math.floor(Date.now() / 1000);
  let accounts = 0;
  let keys = 0;
  let ids = await users.idsAfter(undefined, "asc", PAGE_SIZE);
  while (ids.length > 0) {
    for (const userId of ids) keys += await endAllOf(userId, version);
    accounts += ids.length;
    ids = await users.idsAfter(ids.at(-1), "asc", PAGE_SIZE);
  }
  const disabled = await disableWebhooks();
  console.log(
    `Ended the sessions of ${accounts} accounts and ${keys} API keys of the table ${table}, disabled ${disabled} webhooks`,
  );
  await endSecretOfProduct();
  return 0;
}

export async function run(words: readonly string[]): Promise<number> {
  readCommandLine(USAGE, {}, words);
  return onTable(endAll);
}
