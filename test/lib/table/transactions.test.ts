import { TransactWriteItemsCommand, type TransactWriteItemsInput } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { documentClient } from "../../../lib/table/client.ts";
import * as votes from "../../../lib/votes/votes.ts";
import { invoke, tally } from "../../support/http/invoke.ts";
import { expectSound } from "../../support/setup.ts";
import { type Attempt, connectionReset, type Fault, isTransaction, withFaults } from "../../support/store/faults.ts";
import { aMember, aPost, aVote } from "../../support/world/fixtures.ts";

/** Loses the first sending of a transaction; `arrive` sends it to the store later. */
function aLateSending() {
  let lost: TransactWriteItemsInput | undefined;
  const decide = (attempt: Attempt): Fault => {
    if (lost || !isTransaction(attempt)) return "none";
    lost = attempt.input as unknown as TransactWriteItemsInput;
    return connectionReset();
  };
  const arrive = async (): Promise<void> => {
    // The lost input has the format of the plain client.
    await documentClient().send(new TransactWriteItemsCommand(lost as TransactWriteItemsInput) as never);
  };
  return { decide, arrive };
}

describe("a transaction whose first sending is delayed", () => {
  it.each([
    // The delayed sending casts the vote, and nobody was told that it was refused.
    ["answers 503 instead of a refusal: the first sending may still commit", true, "503 SERVER_ERROR", 1],
    ["commits once, though the first sending arrives after another call", false, "201", 0],
  ])("%s", async (_, hasVoted, answer, count) => {
    const voter = await aMember();
    const { postId } = await aPost(voter);
    if (hasVoted) await aVote(postId, voter);
    const request = { token: voter.token, body: { postId } };
    const late = aLateSending();
    const added = await withFaults(late.decide, () => invoke("votes-add", request));
    const removed = await invoke("votes-remove", request);
    await late.arrive();
    expect(tally([added, removed])).toEqual({ [answer]: 1, 200: 1 });
    expect((await votes.summary(postId))?.count).toBe(count);
    await expectSound();
  });
});
