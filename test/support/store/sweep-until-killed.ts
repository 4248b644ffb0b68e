import { work as sweep } from "../../../functions/background/sweep.ts";
import { documentClient } from "../../../lib/table/client.ts";

// A process that sweeps the deleted things in DELETED, and dies of SIGKILL at call number KILL_AT.

const { DELETED, KILL_AT } = process.env;
let calls = 0;

documentClient().middlewareStack.add(
  (next) => async (args) => {
    if (++calls === Number(KILL_AT)) process.kill(process.pid, "SIGKILL");
    return next(args);
  },
  { step: "finalizeRequest", priority: "low" },
);

await sweep.carryOut(DELETED as string, () => false);
