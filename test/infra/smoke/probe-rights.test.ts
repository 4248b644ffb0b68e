import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actionsOf } from "../../../lib/table/access.ts";
import { aFolder, projectFolder } from "../../support/process/server-process.ts";
import { functionsOf, templateOf } from "../../support/stack/stack.ts";

const script = join(projectFolder, "infra/smoke/probe-rights.sh");

// In place of AWS's command: only a real account has an IAM.
const AWS = `#!/bin/sh
echo "$1 $2 $*" >> "$CALLS"
case "$1 $2" in
  "lambda get-function-configuration") case $* in *TABLE_NAME*) echo the-table ;; *) echo arn:aws:iam::123456789012:role/the-role ;; esac ;;
  "iam get-role-policy") echo '{"Statement":[]}' ;;
  "sts get-caller-identity") echo 123456789012 ;;
  "iam create-role") echo arn:aws:iam::123456789012:role/probe ;;
  "sts assume-role") printf 'id\\tsecret\\ttoken\\n' ;;
  "dynamodb "*)
    [ "$AWS_ACCESS_KEY_ID" = id ] || exit 1
    case "$DENIED $*" in
      *CREDENTIALS* | *delete-item* | "all "*) echo "An error occurred (AccessDeniedException) when calling: no" >&2 ;;
      *) echo "An error occurred (TransactionCanceledException): reasons [ConditionalCheckFailed, None]" >&2 ;;
    esac
    exit 254 ;;
esac
`;

function probe(env: Record<string, string>) {
  const folder = aFolder();
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/aws"), AWS);
  chmodSync(join(folder, "bin/aws"), 0o755);
  const calls = join(folder, "calls");
  const PATH = `${join(folder, "bin")}:${process.env.PATH}`;
  const { status, stdout } = spawnSync("sh", [script, "dev"], {
    env: { PATH, CALLS: calls, PROBE_PAUSE: "0", ...env },
    encoding: "utf8",
  });
  return { status, stdout, calls: readFileSync(calls, "utf8").trim().split("\n") };
}

describe("infra/smoke/probe-rights.sh", () => {
  it("confirms the rights of votes-remove with conditions that fail, and removes its role", () => {
    const { status, stdout, calls } = probe({ DENIED: "foreign" });
    expect(stdout).toMatch(
      /families of keys +allowed\n.*password hashes +denied\n.*outside of a transaction +denied\nAs it should be/,
    );
    expect(status).toBe(0);
    expect(calls.slice(-2).map((call) => call.split(" ", 2).join(" "))).toEqual([
      "iam delete-role-policy",
      "iam delete-role",
    ]);
    const own = calls.findIndex((call) => call.startsWith("dynamodb transact-write-items"));
    const json = calls
      .slice(own, own + 5)
      .join("")
      .replace(/^.*--cli-input-json /, "");
    const { TransactItems } = JSON.parse(json) as { TransactItems: Record<string, { ConditionExpression: string }>[] };
    const statements = functionsOf(templateOf())["votes-remove"]?.statements ?? [];
    for (const part of TransactItems) {
      const [[kind, { ConditionExpression }]] = Object.entries(part) as [[string, { ConditionExpression: string }]];
      expect(ConditionExpression).toBe("attribute_exists(pk)");
      const action = kind === "ConditionCheck" ? actionsOf.check[0] : `${kind}Item`;
      expect(JSON.stringify(statements)).toContain(`dynamodb:${action}`);
    }
    expect(TransactItems).toHaveLength(4);
  });

  it("names leadingKeys=off if the transaction is denied", () => {
    const { status, stdout, calls } = probe({ DENIED: "all" });
    expect(stdout).toContain("Deploy with -c leadingKeys=off");
    expect(status).toBe(1);
    expect(calls.at(-1)).toMatch(/^iam delete-role /);
  });
});
