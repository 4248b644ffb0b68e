import { documentClient } from "../../lib/table/client.ts";
import { type Key, partitions } from "../../lib/table/keys.ts";

type Marshalled = Record<string, { S?: string }>;
type Part = { Put?: { Item: Marshalled }; Update?: { Key: Marshalled } };

/** The posts, and voters of posts, that the transactions of this process write from now on: the table's stream. */
export function changedPosts() {
  let changed = new Set<string>();
  documentClient().middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { TransactItems = [] } = args.input as { TransactItems?: Part[] };
      for (const { Put, Update } of TransactItems) {
        const { pk, sk } = Put?.Item ?? Update?.Key ?? {};
        if (pk?.S === partitions.POSTS && sk?.S) changed.add(sk.S);
      }
      return result;
    },
    { step: "serialize", priority: "low", name: "changedPosts", override: true },
  );
  return {
    /** Hands over what changed since the last time, if anything did; it stays there if that fails. */
    take: async (handOver: (keys: Key[]) => Promise<void>): Promise<void> => {
      if (changed.size === 0) return;
      const taken = changed;
      changed = new Set();
      try {
        await handOver([...taken].map((sk) => ({ pk: partitions.POSTS, sk })));
      } catch (error) {
        for (const sk of taken) changed.add(sk);
        throw error;
      }
    },
  };
}
