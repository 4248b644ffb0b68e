import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Node } from "constructs";
import { describe, expect, it } from "vitest";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { readContext } from "../../../infra/stack/context.ts";
import { alarmsOf } from "../../support/stack/alarms.ts";
import { functionsOf, templateOf } from "../../support/stack/stack.ts";

const text = readFileSync("docs/deploy.md", "utf8");
const template = templateOf();

function found(pattern: RegExp, where = text): string[] {
  return [...where.matchAll(pattern)].map(([, word = ""]) => word);
}

describe("docs/deploy.md", () => {
  it("describes each context value, and the workflow passes it", () => {
    const read = new Set<string>();
    readContext({ tryGetContext: (name: string) => void read.add(name) } as unknown as Node);
    // sam local's alone.
    read.delete("local");
    const passed = found(/-c (\w+)=/g, readFileSync(".github/workflows/deploy.yml", "utf8").replace(/^ *#.*$/gm, ""));
    expect(passed.sort()).toEqual([...read].sort());
    const [, table = ""] = /^\| Context \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
    const described = table.split("\n").flatMap((row) => found(/`(\w+)`/g, row.split("|")[1] ?? ""));
    expect(described.sort()).toEqual([...read].sort());
  });

  it("names the outputs of the stack", () => {
    const [line = ""] = /^Outputs: .*$/m.exec(text) ?? [];
    const [always = "", withPortal = ""] = line.split("; with the portal");
    expect(found(/`(\w+)`/g, always).sort()).toEqual(Object.keys(template.Outputs).sort());
    const more = [...found(/`(\w+)`/g, always), ...found(/`(\w+)`/g, withPortal)];
    expect(more.sort()).toEqual(Object.keys(templateOf({ portal: "true" }).Outputs).sort());
  });
});

describe("the ten checks for a first real deploy", () => {
  const [, section = ""] = /^## Ten checks for a first real deploy$([\s\S]*?)^## /m.exec(text) ?? [];

  it("give a command each that a shell understands", () => {
    const numbers = found(/^\*\*(\d+)\. .*?\.\*\* [\s\S]*?:\n\n```sh\n/gm, section);
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, at) => String(at + 1)));
    const commands = found(/```sh\n([\s\S]*?)```/g, section);
    expect(commands).toHaveLength(11);
    execFileSync("bash", ["-n"], { input: commands.join("\n") });
  });

  it("name outputs, functions, alarms and families that exist", () => {
    expect(Object.keys(template.Outputs)).toEqual(expect.arrayContaining(found(/output (\w+)\)/g, section)));
    expect(Object.keys(functionsOf(template))).toContain(found(/endpoint = "([\w-]+)"/g, section)[0]);
    const alarms = alarmsOf(template).map(({ AlarmName }) => AlarmName.replace("feedback-board-dev-", ""));
    expect(alarms).toContain(found(/--alarm-name \$NAME-([\w-]+)/g, section)[0]);
    expect(section).toContain(`each of the ${alarms.length} alarms`);
    const [families = ""] = found(/for family in (.*); do/g, section);
    // Follow-ups leave no items.
    const taken = backgroundFunctions.flatMap(({ definition }) =>
      definition.works.filter(({ followUp }) => !followUp).map((work) => work.definition.takes),
    );
    expect(families.split(" ").sort()).toEqual([...taken, "DUE"].sort());
  });
});
