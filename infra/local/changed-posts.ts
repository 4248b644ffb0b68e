import { documentClient } from "../../lib/table/client.ts";
import { type Key, key, postIdIn } from "../../lib/table/keys.ts";

type Marshalled = Record<string, { S?: string }>;
type Part = { Key?: Marshalled; Item?: Marshalled };

/** The posts that the transactions of this process change from now on, in place of the table's stream. */
export function changedPosts() {
  let changed = new Set<string>();
  documentClient().middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { TransactItems = [] } = args.input as { TransactItems?: { [verb: string]: Part }[] };
      for (const { Key, Item } of TransactItems.flatMap((part) => Object.values(part))) {
        const { pk, sk } = Key ?? Item ?? {};
        if (pk?.S === "POSTS") changed.add(postIdIn(sk?.S ?? ""));
      }
      return result;
    },
    { step: "serialize", priority: "low", name: "changedPosts", override: true },
  );
  return {
    /**
     * Hands over what changed since the last time, if anything did; it stays there if that fails. Returns whether there
     * was any.
     */
    take: async (handOver: (keys: Key[]) => Promise<void>): Promise<boolean> => {
      if (changed.size === 0) return false;
      const taken = changed;
      changed = new Set();
      try {
        await handOver([...taken].map(key.post));
      } catch (error) {
        for (const postId of taken) changed.add(postId);
        throw error;
      }
      return true;
    },
  };
}
