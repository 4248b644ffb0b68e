import { documentClient } from "../../lib/table/client.ts";
import type { Family } from "../../lib/table/families.ts";

const DUE: Family = "DUE";

/** Calls `found` whenever this process writes a due entry: work that has to be taken up later. */
export function watchDueWrites(name: string, found: () => void): void {
  documentClient().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { Key } = args.input as { Key?: { pk?: { S?: string } } };
        if (commandName === "UpdateItemCommand" && Key?.pk?.S === DUE) found();
        return next(args);
      },
    { step: "serialize", priority: "low", name: `due entries of ${name}`, override: true },
  );
}
