import { documentClient } from "../../lib/table/client.ts";
import type { Family } from "../../lib/table/families.ts";
import { type Key, key } from "../../lib/table/keys.ts";
import type { NotedPosts } from "./noted-posts.ts";

type Marshalled = Record<string, { S?: string }>;
type Part = { Put?: { Item: Marshalled }; Update?: { Key: Marshalled } };

/**
 * New items of some families, and changed posts, that the transactions of this process write from now on. With `noted`,
 * the posts outlive it: those that a process before it left come first.
 */
export function changedItems(families: Family[], noted?: NotedPosts) {
  let changed = new Map<string, Key>();
  const add = (item: Key) => changed.set(`${item.pk} ${item.sk}`, item);
  for (const postId of noted?.read() ?? []) add(key.post(postId));
  const addWritten = (input: object) => {
    const { TransactItems = [] } = input as { TransactItems?: Part[] };
    for (const { Put, Update } of TransactItems) {
      const { pk, sk } = Put?.Item ?? Update?.Key ?? {};
      const family = pk?.S as Family;
      const id = sk?.S;
      if (!id || !families.includes(family) || !(Put || family === "POSTS")) continue;
      if (family === "POSTS") noted?.add(id);
      add({ pk: family, sk: id });
    }
  };
  documentClient().middlewareStack.add(
    (next) => async (args) => {
      try {
        const result = await next(args);
        addWritten(args.input);
        return result;
      } catch (error) {
        // Without an answer it may have been carried out.
        if ((error as Error).name !== "TransactionCanceledException") addWritten(args.input);
        throw error;
      }
    },
    { step: "serialize", priority: "low", name: `changed ${families}`, override: true },
  );
  return {
    add,
    /** Notes the waiting posts at the end of the process. */
    note: () => noted?.replace([...changed.values()].map(({ sk }) => sk)),
    /** Hands over what changed since the last time, if anything did; it stays there if that fails. */
    take: async (handOver: (keys: Key[]) => Promise<void>): Promise<void> => {
      if (changed.size === 0) return;
      const taken = changed;
      changed = new Map();
      try {
        await handOver([...taken.values()]);
        noted?.replace([...changed.values()].map(({ sk }) => sk));
      } catch (error) {
        changed = new Map([...taken, ...changed]);
        throw error;
      }
    },
  };
}
