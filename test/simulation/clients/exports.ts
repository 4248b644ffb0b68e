import { expectThat } from "../history/violation.ts";
import type { Family, Turn } from "./turn.ts";

// The owner asks for an export of all of the site. The simulated network has no bucket that could hold it: what becomes
// of one under kills is in test/functions/exports/exports.test.ts.

async function askForExport(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const asked = await turn.call(session, "exports-create", {});
  expectThat(!turn.expectStatus(asked, "EXPORT_NOT_SET_UP", "SIGN_IN_AGAIN"), "an export begins without a place");
  const latest = await turn.call(session, "exports-latest", {});
  if (turn.expectStatus(latest, 200)) expectThat(latest.body.export === null, "an export has begun", latest.body);
  const params = { exportId: "01a00000-0000-7000-8000-000000000000" };
  turn.expectStatus(await turn.call(session, "exports-file", { params }), "EXPORT_NOT_FOUND", "SIGN_IN_AGAIN");
}

/** Reads the imports: operators make none in the simulation. */
async function lookAtImports(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const listed = await turn.call(session, "imports-list", {});
  if (turn.expectStatus(listed, 200))
    expectThat(JSON.stringify(listed.body.imports) === "[]", "an import was made", listed.body);
}

export const exports: Family = {
  askForExport: { weight: 0.3, act: askForExport },
  lookAtImports: { weight: 0.1, act: lookAtImports },
};
