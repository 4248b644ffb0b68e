import * as apiKeys from "../accounts/api-keys.ts";
import * as users from "../accounts/users.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { type AuditRecord, kindOf } from "../events/audit.ts";
import { titlesOf } from "../posts/titles.ts";
import * as providers from "../providers/providers.ts";
import { isNoAddress } from "../values/no-address.ts";
import type { NamesOf } from "./resources/audit.ts";

// Of accounts only a suspension in the queue names a post: for which it was.
const OF_POSTS = new Set(["post", "comment", "vote", "held", "user"]);

/** The post that a record is of, or whose comment or vote; a held one has no title before it is approved. */
function postOf(record: AuditRecord): string[] {
  const postId = OF_POSTS.has(kindOf(record.action)) ? record.item?.split("/", 1)[0] : undefined;
  return postId === undefined ? [] : [postId];
}

/** The API keys that records are of: each belongs to the account that it was deleted of, or to who made the change. */
function keysIn(records: AuditRecord[]): { userId: string; keyId: string }[] {
  const ofKeys = records.filter(({ action }) => kindOf(action) === "key");
  return ofKeys.flatMap(({ account, by, item }) => (item ? [{ userId: account ?? by, keyId: item }] : []));
}

/** What an account is called to the owner: by its address while nobody has given it a name, if it has one. */
function callOf({ name, isUnnamed, email }: users.UserRecord, seesAddresses: boolean): string {
  return isUnnamed && seesAddresses && !isNoAddress(email) ? email : name;
}

/**
 * Reads the names of what records name by ids: of people, posts, boards, roadmaps, statuses, tags, providers and API
 * keys. `seesAddresses`: whether the reader may know addresses.
 */
export async function namesFor(
  records: AuditRecord[],
  { boards, roadmaps, statuses, tags }: Catalogue,
  seesAddresses: boolean,
): Promise<NamesOf> {
  const targets = records.flatMap(({ action, to }) => (action === "post.merged" && to !== undefined ? [to] : []));
  const postIds = [...records.flatMap(postOf), ...targets];
  const providerIds = records.flatMap((record) => (kindOf(record.action) === "provider" ? (record.item ?? []) : []));
  const [people, titles, ofProviders, ofKeys] = await Promise.all([
    users.findAll([...new Set(records.flatMap(({ by, account }) => (account === undefined ? [by] : [by, account])))]),
    titlesOf([...new Set(postIds)]),
    Promise.all([...new Set(providerIds)].map(providers.find)),
    apiKeys.findAll(keysIn(records)),
  ]);
  const names = new Map([
    // Of what is gone, or has no name in these lists.
    ...records.flatMap(({ item, itemName }) => (item && itemName ? [[item, itemName] as const] : [])),
    ...people.map((person) => [person.userId, callOf(person, seesAddresses)] as const),
    ...ofKeys.map(({ keyId, name }) => [keyId, name] as const),
    ...titles,
    ...ofProviders.flatMap((provider) => (provider ? [[provider.providerId, provider.name] as const] : [])),
    ...boards.map(({ boardId, name }) => [boardId, name] as const),
    ...roadmaps.map(({ roadmapId, name }) => [roadmapId, name] as const),
    ...tags.map(({ tagId, name }) => [tagId, name] as const),
  ]);
  // Ids of statuses are words.
  const nameOfStatus = (id: string) => statuses.find(({ statusId }) => statusId === id)?.name;
  const nameOf = (id: string | undefined) => (id === undefined ? undefined : names.get(id));
  return (record) => {
    const { by, account, item, itemName, to, action } = record;
    const isOfStatus = /^status(es)?$/.test(kindOf(action));
    const isToStatus = isOfStatus || action === "post.status_changed";
    return {
      by: nameOf(by),
      account: nameOf(account),
      // A later status may have the id of one that was deleted.
      item: itemName ?? ((isOfStatus && nameOfStatus(item ?? "")) || nameOf(postOf(record)[0] ?? item)),
      to: isToStatus ? nameOfStatus(to ?? "") : nameOf(to),
      value: (field, id) => (field === "status" ? nameOfStatus(id ?? "") : nameOf(id)),
    };
  };
}
