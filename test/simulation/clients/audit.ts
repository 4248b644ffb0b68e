import type * as resource from "../../../lib/http/resources.ts";
import { expectThat } from "../history/violation.ts";
import type { Family, Turn } from "./turn.ts";

/** A page of the audit log: each record was committed, and the newest comes first. */
async function list(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const { audit } = turn.world;
  const query = turn.random.chance(0.5) ? { action: "post" } : {};
  const answer = await turn.call(session, "audit-list", { query });
  if (!turn.expectStatus(answer, 200)) return;
  const records = answer.body.records as resource.AuditEntry[];
  const untrue = records.filter(({ recordId }) => !audit.ids.has(recordId));
  expectThat(untrue.length === 0, "audit-list shows a record that is not there", untrue);
  const ids = records.map(({ recordId }) => recordId);
  expectThat(ids.join() === ids.toSorted().reverse().join(), "audit-list is not in order", ids);
}

export const audit: Family = { list: { weight: 0.3, act: list } };
