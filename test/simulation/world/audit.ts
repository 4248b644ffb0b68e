import type { AuditAction, Audited } from "../../../lib/events/audit.ts";
import type { Change } from "../../simulator/model/database.ts";
import type { Network, WireRequest } from "../../simulator/scheduler/wire.ts";
import { expectThat } from "../history/violation.ts";

type Sent = { recordId: string; by: string; action: AuditAction; item: string; to: string };

type WirePart = Record<string, { Item?: Record<string, { S?: string }> }>;

/** The records in a transaction; undefined for a request that changes nothing. */
function recordsIn({ headers, body }: WireRequest): Sent[] | undefined {
  if (!headers["x-amz-target"]?.endsWith("TransactWriteItems")) return undefined;
  const parts: WirePart[] = JSON.parse(body).TransactItems;
  if (parts.every(({ ConditionCheck }) => ConditionCheck)) return undefined;
  return parts.flatMap(({ Put: { Item = {} } = {} }) => {
    const { pk, sk, by, action, item, to } = Item;
    if (pk?.S !== "AUDIT") return [];
    const told = { item: item?.S ?? "", to: to?.S ?? "" };
    return [{ recordId: sk?.S ?? "", by: by?.S ?? "", action: action?.S as AuditAction, ...told }];
  });
}

/** Who called, and whether they have a role: some may get or lose one during the call. */
type Calling = { userId: string; mayBeStaff: boolean; isStaff: boolean };

/**
 * Looks at each transaction on its way to the store. It is committed whole or not at all, so a change has its record
 * exactly if the transaction has one.
 */
export class AuditLog {
  /** The ids of the records that are in the table. */
  readonly ids = new Set<string>();
  readonly #sentBy = new Map<string, Sent[][]>();

  /** The network, with a look at what passes. */
  in(network: Network): Network {
    const receive: Network["receive"] = (request, connection) => {
      const records = recordsIn(request);
      const operation = request.operation?.id ?? request.from;
      if (records) this.#sentBy.set(operation, [...(this.#sentBy.get(operation) ?? []), records]);
      network.receive(request, connection);
    };
    return { receive };
  }

  note({ key, before, after }: Change): void {
    if (key.partition !== "AUDIT") return;
    expectThat(!before || !after, "a record of the audit log was written again", key.sort);
    if (after) this.ids.add(key.sort);
    else this.ids.delete(key.sort);
  }

  /** Throws unless the transactions of a call have the right records. */
  judge(operation: string, audit: Audited | undefined, calling: Calling | undefined): void {
    const sent = this.#sentBy.get(operation) ?? [];
    this.#sentBy.delete(operation);
    const isRecorded = audit !== undefined && audit !== "own affair";
    const records = sent.flat();
    if (!isRecorded || !calling?.mayBeStaff) {
      expectThat(records.length === 0, `${operation} leaves a record of what is none`, records);
      return;
    }
    const isOne = sent.every((each) => each.length === 1) || (!calling.isStaff && records.length === 0);
    expectThat(isOne, `${operation} changes something without exactly one record`, sent);
    // A decision that suspends an author also changes a role.
    const actions: string[] = audit === "held.decided" ? [audit, "user.role_changed"] : [audit];
    const isTrue = records.every(({ by, action }) => by === calling.userId && actions.includes(action));
    expectThat(isTrue, `${operation} leaves a wrong record`, records);
    // A decision that suspends an author changes their account, the thing, and what else of theirs waits: each has one.
    const changes = new Set(records.map(({ item, to }) => `${to} ${item}`));
    const most = audit === "held.decided" ? Math.min(changes.size, 3) : 1;
    const ids = new Set(records.map(({ recordId }) => recordId));
    expectThat(ids.size <= most, `${operation} leaves more records than changes`, [...ids]);
  }

  /** Leaves out a call whose caller is not known here. */
  forget(operation: string): void {
    this.#sentBy.delete(operation);
  }

  /** Throws if background work has left a record. */
  expectNoOthers(): void {
    const others = [...this.#sentBy].filter(([, sent]) => sent.flat().length > 0);
    expectThat(others.length === 0, "background work leaves a record", others.slice(0, 5));
    this.#sentBy.clear();
  }

  /** The newest records, by the order of their ids. */
  newest(count: number): string[] {
    return [...this.ids].sort().reverse().slice(0, count);
  }
}
