import { TransactWriteItemsCommand, type TransactWriteItemsInput } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { documentClient } from "../../../lib/table/client.ts";
import * as votes from "../../../lib/votes/votes.ts";
import { invoke, tally } from "../../support/http/invoke.ts";
import { expectSound } from "../../support/setup.ts";
import {
  type Attempt,
  connectionReset,
  type Fault,
  isTransaction,
  transactionConflict,
  withFaults,
} from "../../support/store/faults.ts";
import { aMember, aPost, aVote } from "../../support/world/fixtures.ts";

/** Loses the first sending of a transaction; `arrive` sends it to the store later. Returns the outcome. */
function aLateSending() {
  let lost: TransactWriteItemsInput | undefined;
  const lose = (attempt: Attempt): Fault => {
    if (lost || !isTransaction(attempt)) return "none";
    lost = attempt.input as unknown as TransactWriteItemsInput;
    return connectionReset();
  };
  const arrive = async (): Promise<string> => {
    // The lost input has the format of the plain client.
    const command = new TransactWriteItemsCommand(lost as TransactWriteItemsInput) as never;
    return documentClient()
      .send(command)
      .then(
        () => "carried out",
        (error: Error) => error.name,
      );
  };
  return { lose, arrive };
}

function isFence({ input }: Attempt): boolean {
  return JSON.stringify(input).includes("FENCE#");
}

describe("a transaction whose first sending is delayed", () => {
  it("fails for good: the first sending can change nothing any more", async () => {
    const voter = await aMember();
    const { postId } = await aPost(voter);
    await aVote(postId, voter);
    const request = { token: voter.token, body: { postId } };
    const late = aLateSending();
    const added = await withFaults(late.lose, () => invoke("votes-add", request));
    const removed = await invoke("votes-remove", request);
    expect(tally([added, removed])).toEqual({ "409 VOTE_EXISTS": 1, 200: 1 });
    expect(await late.arrive()).toBe("IdempotentParameterMismatchException");
    expect((await votes.summary(postId))?.count).toBe(0);
    await expectSound();
  });

  it("commits once, though the first sending arrives after another call", async () => {
    const voter = await aMember();
    const { postId } = await aPost(voter);
    const request = { token: voter.token, body: { postId } };
    const late = aLateSending();
    const added = await withFaults(late.lose, () => invoke("votes-add", request));
    const removed = await invoke("votes-remove", request);
    expect(tally([added, removed])).toEqual({ 201: 1, 200: 1 });
    expect(await late.arrive()).toBe("carried out");
    expect((await votes.summary(postId))?.count).toBe(0);
    await expectSound();
  });

  it("succeeds if the first sending arrives and commits before the fence", async () => {
    const voter = await aMember();
    const { postId } = await aPost(voter);
    await aVote(postId, voter);
    const request = { token: voter.token, body: { postId } };
    const late = aLateSending();
    let hasArrived = false;
    const added = await withFaults(
      async (attempt) => {
        if (!isFence(attempt) || hasArrived) return late.lose(attempt);
        hasArrived = true;
        await invoke("votes-remove", request);
        expect(await late.arrive()).toBe("carried out");
        return "none";
      },
      () => invoke("votes-add", request),
    );
    expect(tally([added])).toEqual({ 201: 1 });
    expect((await votes.summary(postId))?.count).toBe(1);
    await expectSound();
  });

  it("fails for good if the fence was committed, its answer lost, and its repetition put off", async () => {
    const voter = await aMember();
    const { postId } = await aPost(voter);
    await aVote(postId, voter);
    const late = aLateSending();
    const fates: Fault[] = ["lose the answer", transactionConflict()];
    const added = await withFaults(
      (attempt) => (isFence(attempt) ? (fates.shift() ?? "none") : late.lose(attempt)),
      () => invoke("votes-add", { token: voter.token, body: { postId } }),
    );
    expect(tally([added])).toEqual({ "409 VOTE_EXISTS": 1 });
    expect(fates).toEqual([]);
    expect(await late.arrive()).toBe("IdempotentParameterMismatchException");
  });

  it("answers 503 if the fence gets no answer: the first sending may still commit", async () => {
    const voter = await aMember();
    const { postId } = await aPost(voter);
    await aVote(postId, voter);
    const late = aLateSending();
    const added = await withFaults(
      (attempt) => (isFence(attempt) ? connectionReset() : late.lose(attempt)),
      () => invoke("votes-add", { token: voter.token, body: { postId } }),
    );
    expect(tally([added])).toEqual({ "503 SERVER_ERROR": 1 });
  });

  it("needs no fence if every sending was answered", async () => {
    const voter = await aMember();
    const { postId } = await aPost(voter);
    await aVote(postId, voter);
    const attempts: Attempt[] = [];
    const added = await withFaults(
      (attempt) => {
        attempts.push(attempt);
        return "none";
      },
      () => invoke("votes-add", { token: voter.token, body: { postId } }),
    );
    expect(tally([added])).toEqual({ "409 VOTE_EXISTS": 1 });
    expect(attempts.filter(isTransaction)).toHaveLength(1);
  });
});
