import { beforeEach, describe, expect, it } from "vitest";
import { type Key, key } from "../../lib/table/keys.ts";
import { Ledger, type Verb } from "./world/ledger.ts";
import { StoredHistory } from "./world/stored.ts";

// What the simulation takes for true of votes and comments whose posts are merged. A minute lies between two
// transactions.

const POST = "01a028ca-fbdb-7589-8076-de4acd3e4464";
const OTHER = "01a028cb-3d6e-7216-bc97-96309b1c164a";
const THIRD = "01a028cb-3f0a-7d3c-8a51-64a1c4a0b7f2";
const ANN = "01a028cb-0c32-73d0-af90-0febd2e5e903";
const COMMENT = "01a028cb-2ab7-7695-a691-a0da69e2c31c";
const MINUTE = 60_000;

type Fields = Record<string, string | boolean>;
type Write = [key: Key, after: Fields | undefined];

const inWire = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? { S: value } : { BOOL: value }]),
  );

/** A table whose changes a ledger follows. */
class Changes {
  readonly ledger: Ledger;
  readonly #history = new StoredHistory();
  readonly #items = new Map<string, Fields>();
  #transactions = 0;

  constructor() {
    this.ledger = new Ledger(this.#history);
  }

  get #now(): number {
    return this.#transactions * MINUTE;
  }

  commit(...writes: Write[]): void {
    this.#transactions++;
    for (const [{ pk, sk }, fields] of writes) {
      const known = this.#items.get(`${pk}|${sk}`);
      const before = known && inWire(known);
      const after = fields && inWire(fields);
      const change = {
        key: { partition: pk, sort: sk },
        before,
        after,
        by: "request",
        transaction: this.#transactions,
      };
      this.#history.note(change as Parameters<StoredHistory["note"]>[0], this.#now);
      this.ledger.note(change as Parameters<Ledger["note"]>[0], this.#now);
      if (fields) this.#items.set(`${pk}|${sk}`, fields);
      else this.#items.delete(`${pk}|${sk}`);
    }
  }

  /** A call of Ann, with the transaction that it makes. */
  async call(verb: Verb, postId: string, ...writes: Write[]): Promise<void> {
    const answer = async () => {
      this.commit(...writes);
      return { status: 200 };
    };
    // It begins just before its transaction.
    await this.ledger.during({ userId: ANN, postId, verb }, () => (this.#transactions + 1) * MINUTE, answer);
  }
}

const voteOn = (postId: string, voteId: string): Write[] => [
  [key.userVote(ANN, postId), { voteId }],
  [key.vote(postId, voteId), { userId: ANN }],
];
const noVoteOn = (postId: string, voteId: string): Write[] => [
  [key.userVote(ANN, postId), undefined],
  [key.vote(postId, voteId), undefined],
];
const merged: Write[] = [
  [key.post(POST), undefined],
  [key.merged(POST), { into: OTHER }],
  [key.merge(POST), { into: OTHER }],
];
const moveOver: Write = [key.merge(POST), undefined];
const mergedOn: Write[] = [
  [key.post(OTHER), undefined],
  [key.merged(OTHER), { into: THIRD }],
  [key.merge(OTHER), { into: THIRD }],
];
const unmergedOn: Write[] = [
  [key.post(OTHER), {}],
  [key.merged(OTHER), undefined],
  [key.merge(OTHER), { into: THIRD, back: true }],
];
const unmerged: Write[] = [
  [key.post(POST), {}],
  [key.merged(POST), undefined],
  [key.merge(POST), { into: OTHER, back: true }],
];

let table: Changes;

beforeEach(() => {
  table = new Changes();
  table.commit([key.post(POST), {}], [key.post(OTHER), {}]);
});

describe("a vote on a post that is taken out of a merge", () => {
  const EARLY = "01a028cb-2816-72b0-be19-63f67331f8c5";
  const ANEW = "01a028cb-2983-7007-b793-f3dc4cead28c";

  beforeEach(async () => {
    await table.call("vote", POST, ...voteOn(POST, EARLY));
    table.commit(...merged);
    table.commit(...noVoteOn(POST, EARLY), ...voteOn(OTHER, EARLY), [key.movedVote(POST, EARLY), {}]);
    table.commit(moveOver);
    table.commit(...unmerged);
  });

  it("is lost if it is taken back on its way", async () => {
    await table.call("take back", OTHER, ...noVoteOn(OTHER, EARLY));
    table.commit([key.movedVote(POST, EARLY), undefined]);
    table.commit(moveOver);
    expect(table.ledger.findings()).toEqual([]);
  });

  it("comes back under the new vote by which it is kept", () => {
    table.commit([key.movedVote(POST, EARLY), undefined], [key.movedVote(POST, ANEW), { was: EARLY }]);
    table.commit(...noVoteOn(OTHER, EARLY), ...voteOn(POST, EARLY), [key.movedVote(POST, ANEW), undefined]);
    table.commit(moveOver);
    expect(table.ledger.findings()).toEqual([]);
  });

  it("stays if it was cast there anew, whatever is taken back on the other post", async () => {
    await table.call("vote", POST, ...voteOn(POST, ANEW));
    await table.call("take back", OTHER, ...noVoteOn(OTHER, EARLY));
    table.commit([key.movedVote(POST, EARLY), undefined]);
    table.commit(moveOver);
    expect(table.ledger.findings()).toEqual([]);
    table.commit(...noVoteOn(POST, ANEW));
    expect(table.ledger.findings()).not.toEqual([]);
  });
});

describe("a vote that moved with its post to a third one", () => {
  const EARLY = "01a028cb-2816-72b0-be19-63f67331f8c5";
  const ANEW = "01a028cb-2983-7007-b793-f3dc4cead28c";

  it("goes with that one, though its voter votes anew on the post between", async () => {
    table.commit([key.post(THIRD), {}]);
    await table.call("vote", POST, ...voteOn(POST, EARLY));
    table.commit(...merged);
    table.commit(...noVoteOn(POST, EARLY), ...voteOn(OTHER, EARLY), [key.movedVote(POST, EARLY), {}]);
    table.commit(moveOver);
    table.commit(...mergedOn);
    table.commit(...noVoteOn(OTHER, EARLY), ...voteOn(THIRD, EARLY), [key.movedVote(OTHER, EARLY), {}]);
    table.commit([key.merge(OTHER), undefined]);
    table.commit(...unmergedOn);
    table.commit([key.post(THIRD), undefined]);
    await table.call("vote", OTHER, ...voteOn(OTHER, ANEW));
    table.commit([key.movedVote(OTHER, EARLY), undefined]);
    table.commit([key.merge(OTHER), undefined]);
    table.commit(...unmerged);
    table.commit([key.movedVote(POST, EARLY), undefined]);
    table.commit(moveOver);
    expect(table.ledger.findings()).toEqual([]);
    table.commit(...noVoteOn(OTHER, ANEW));
    expect(table.ledger.findings()).not.toEqual([]);
  });
});

describe("a comment on its way back", () => {
  const comment = (postId: string, fields?: Fields): Write => [key.comment(postId, COMMENT), fields];

  beforeEach(() => {
    table.commit(comment(POST, {}));
    table.commit(...merged);
    table.commit(comment(POST), comment(OTHER, {}), [key.movedComment(POST, COMMENT), {}]);
    table.commit(moveOver);
    table.commit(...unmerged);
  });

  it("goes with the other post, before or after that is swept", () => {
    table.commit([key.post(OTHER), undefined]);
    table.commit([key.movedComment(POST, COMMENT), undefined]);
    table.commit(moveOver);
    expect(table.ledger.findings()).toEqual([]);
    table.commit(comment(OTHER));
    expect(table.ledger.findings()).toEqual([]);
  });

  it("stays if it was back before", () => {
    table.commit(comment(OTHER), comment(POST, {}), [key.movedComment(POST, COMMENT), undefined]);
    table.commit([key.post(OTHER), undefined]);
    table.commit(moveOver);
    expect(table.ledger.findings()).toEqual([]);
  });

  it("may not be lost while the other post is there", () => {
    table.commit(comment(OTHER), [key.movedComment(POST, COMMENT), undefined]);
    table.commit(moveOver);
    expect(table.ledger.findings()).not.toEqual([]);
  });
});
