import { describe, expect, it } from "vitest";
import * as keys from "../../../lib/table/keys.ts";
import { partitions } from "../../../lib/table/keys.ts";
import { boardList } from "../../../lib/table/post-lists.ts";
import { allows, isLike, type Statement } from "../../support/stack/iam.ts";

const TABLE = { "Fn::GetAtt": ["table", "Arn"] };

const inTransactions: Statement = {
  Effect: "Allow",
  Action: ["dynamodb:PutItem", "dynamodb:DeleteItem"],
  Resource: TABLE,
  Condition: {
    "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["USER#*", "SITE"] },
    Null: { "dynamodb:LeadingKeys": "false" },
    "ForAnyValue:StringEquals": { "dynamodb:EnclosingOperation": ["TransactWriteItems"] },
  },
};

function put(leadingKeys: string[]) {
  const context = { "dynamodb:LeadingKeys": leadingKeys, "dynamodb:EnclosingOperation": ["TransactWriteItems"] };
  return { action: "dynamodb:PutItem", resource: TABLE, context };
}

// What it has to deny besides: test/security/grants.test.ts.
describe("the policy evaluator of the tests", () => {
  it.each([
    ["a part of a transaction on a key of its families", put(["USER#1"]), true],
    ["a family whose name begins like one that is", put(["SITES"]), false],
    ["another table", { ...put(["USER#1"]), resource: { "Fn::GetAtt": ["other", "Arn"] } }, false],
  ])("judges %s", (_, request, expected) => {
    expect(allows([inTransactions], request)).toBe(expected);
  });

  it("puts a denial above an allowance", () => {
    const request = put(["USER#1"]);
    expect(allows([inTransactions, { Effect: "Deny", Action: "dynamodb:*", Resource: "*" }], request)).toBe(false);
  });

  it("throws at an unknown operator", () => {
    const odd = { ...inTransactions, Condition: { NumericLessThan: { c: "1" } } };
    expect(() => allows([odd], put(["USER#1"]))).toThrow("NumericLessThan");
  });
});

describe("the patterns of the families", () => {
  it("match the keys of their own family alone", () => {
    const id = "0192f0c1-2345-7000-8000-000000000000";
    const ofList = ["listRow", "dayCounts", "listOwner"];
    const ofRanking = ["rankRow", "rankCounts"];
    for (const [name, make] of Object.entries(keys.key) as [string, (...words: unknown[]) => keys.Key][]) {
      const made = ofRanking.includes(name)
        ? keys.rankings.map((ranking) => make(ranking, boardList(id), id))
        : [make(name === "commentRow" ? keys.key.comment(id, id) : ofList.includes(name) ? boardList(id) : id, id)];
      for (const { pk } of made) {
        const matching = Object.entries(partitions).filter(([, pattern]) => isLike(pk, pattern));
        expect(matching.map(([family]) => family)).toEqual([keys.familyOf(pk)]);
      }
    }
  });
});
