import { readFileSync } from "node:fs";
import { TransactWriteCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import { documentClient } from "../../../lib/table/client.ts";
import { slugIdOf } from "../../../lib/values/slugs.ts";
import { numberOf } from "../../../lib/values/words.ts";
import { invoke, success } from "../../support/http/invoke.ts";
import { sizeOf } from "../../support/store/meter.ts";
import { aBoard, aRoadmap, aUser } from "../../support/world/fixtures.ts";

// docs/data-model.md#one-post-written-out and #a-votes-transaction: items and transaction are real, with names in place
// of ids.

type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];
type Placeholders = {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
};

/** The code block below a heading; of the remarks behind the keys only the size. */
function documented(heading: string): string {
  const [, section = ""] = readFileSync("docs/data-model.md", "utf8").split(`## ${heading}\n`);
  return (/```\n([\s\S]*?)\n```/.exec(section)?.[1] ?? "").replace(/ +# (\d+ bytes).*$/gm, " # $1");
}

/** A text without its layout: a line ends where a comma would be. */
function words(text: string): string {
  return text.split(/,?\s+/).join(" ");
}

function inOrder(value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

// Sums of weights depend on the moment.
function asText(_: string, each: unknown): unknown {
  return typeof each === "bigint" ? "<weight>" : each;
}

function json(value: unknown): string {
  return JSON.stringify(value, (_, each) => inOrder(each), 1)
    .replace(/\s*\n\s*/g, " ")
    .replaceAll(/"(<(?:weight|number of \w+)>)"/g, "$1");
}

/** An item as the document writes it: its key and its size, then its attributes by name. */
function written({ bytes, pk, sk, ...attributes }: Record<string, unknown>): string {
  const named = Object.entries(inOrder(attributes) as object).map(([name, value]) => `${name}: ${json(value)}`);
  return [`${pk} | ${sk} # ${bytes} bytes`, ...named].join("\n");
}

/** A part of a transaction as the document writes it: what it does to which key, with its placeholders filled in. */
function writtenPart(part: TransactItem): string {
  const [verb, fields] = Object.entries(part)[0] as [string, Record<string, unknown>];
  const { Key, Item, UpdateExpression, ConditionExpression, ...placeholders } = fields;
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = placeholders as Placeholders;
  const filled = (expression: unknown): string =>
    String(expression)
      .replace(/#\w+/g, (name) => names[name] ?? name)
      .replace(/:\w+/g, (value) => json(values[value]));
  const { pk, sk, ...attributes } = (Item ?? Key) as Record<string, unknown>;
  return [
    `${verb} ${pk} | ${sk}`,
    ...Object.entries(attributes).map(([name, value]) => `    ${name}: ${json(value)}`),
    ...(UpdateExpression ? [`    ${filled(UpdateExpression)}`] : []),
    ...(ConditionExpression ? [`    if ${filled(ConditionExpression)}`] : []),
  ].join("\n");
}

// Their numbers have ten digits, so that sizes are always the same.
const BOARD = "0192f0c1-2345-7000-8000-000000000001";
const ROADMAP = "0192f0c1-2345-7000-8000-000000000002";

/** What lies in the table, and the transaction of the last vote; in both, names in place of ids. */
async function play() {
  const board = await aBoard({ name: "Ideas", url: "ideas", boardId: BOARD });
  const roadmap = await aRoadmap({ roadmapId: ROADMAP });
  const owner = await aUser("owner");
  const signedUp = async (email: string, name: string) => {
    const { user } = success(await invoke("auth-sign-up", { body: { email, password: "correct horse", name } }), 201);
    return { ...user, token: user.authToken };
  };
  const ada = await signedUp("ada@example.com", "Ada Lovelace");
  const grace = await signedUp("grace@example.com", "Grace Hopper");
  const body = { title: "Dark mode", contentMarkdown: "At **night**.", boardId: board.boardId };
  const { post } = success(await invoke("posts-create", { token: ada.token, body }), 201);
  const { postId } = post;
  const onRoadmap = { id: postId, roadmapId: roadmap.roadmapId };
  success(await invoke("posts-update", { token: owner.token, body: onRoadmap }), 200);
  const names: [string, string][] = [
    [postId, "<post>"],
    [slugIdOf(postId), "<slugId>"],
    [board.boardId, "<board>"],
    [roadmap.roadmapId, "<roadmap>"],
    [String(numberOf(BOARD)), '"<number of board>"'],
    [String(numberOf(ROADMAP)), '"<number of roadmap>"'],
  ];
  const sent = vi.spyOn(documentClient(), "send");
  for (const [name, voter] of Object.entries({ ada, grace })) {
    sent.mockClear();
    const { voters } = success(await invoke("votes-add", { token: voter.token, body: { postId } }), 201);
    names.push([voters.viewerVote.voteId, `<vote of ${name}>`], [voter.userId, `<${name}>`]);
    names.push([voter.username, voter.username.replace(/_.*/, "_0123abcd")]);
  }
  const transaction = sent.mock.calls.map(([command]) => command).find((each) => each instanceof TransactWriteCommand);
  const named = <T>(value: T): T =>
    JSON.parse(names.reduce((text, [id, name]) => text.replaceAll(id, name), JSON.stringify(value, asText)));
  return {
    items: named((await scan()).map((item) => ({ ...item, bytes: sizeOf(item) }))),
    transaction: named(transaction?.input.TransactItems ?? []),
  };
}

let played: Awaited<ReturnType<typeof play>>;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-31T12:00:00.000Z") });
  played = await play();
});
afterAll(() => {
  vi.useRealTimers();
});

describe("docs/data-model.md", () => {
  it("writes out the items of a post that was made, put on a roadmap and voted for twice", () => {
    const items = played.items
      .map(written)
      .filter(
        (item) => /^(POSTS|(VOTES|USER|LIST|COUNTS)#|CATALOGUE)/.test(item) && !/ \| (USER|ROADMAP|STAMP)/.test(item),
      );
    const expected = documented("One post, written out").split(/\n(?=\S)/);
    expect(items.map(words).sort()).toEqual(expected.map(words).sort());
  });

  it("writes out the transaction of a vote", () => {
    expect(words(played.transaction.map(writtenPart).join("\n"))).toEqual(words(documented("A vote's transaction")));
  });
});
