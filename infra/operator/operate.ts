// npm run operate -- <command>: the commands for operators. docs/operations.md.

type Command = {
  /** What it does, after its name in the list. */
  purpose: string;
  load: () => Promise<{ run: (words: readonly string[]) => Promise<number> }>;
};

const COMMANDS: Record<string, Command> = {
  background: {
    purpose: "lists the jobs of the background functions, or makes them due",
    load: () => import("./background.ts"),
  },
  brake: {
    purpose: "lets one call a second through each route of a stage, or takes that back",
    load: () => import("./brake.ts"),
  },
  "check-table": {
    purpose: "checks the invariants of a table",
    load: () => import("./check-table/check.ts"),
  },
  "end-sessions": {
    purpose: "ends all sessions and API keys, after a restore",
    load: () => import("./end-sessions.ts"),
  },
  "mail-check": {
    purpose: "sends a mail, and says why it does not leave",
    load: () => import("./mail-check.ts"),
  },
  migrate: {
    purpose: "brings a table to the newest version of the data model",
    load: () => import("./migrate.ts"),
  },
  smoke: {
    purpose: "checks a deployed service from outside",
    load: () => import("../smoke/smoke.ts"),
  },
};

const [name = "", ...words] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command) {
  process.exitCode = await (await command.load()).run(words);
} else {
  console.log("Usage: npm run operate -- <command> [words]\n");
  for (const [name, { purpose }] of Object.entries(COMMANDS)) console.log(`  ${name.padEnd(12)} ${purpose}`);
  process.exitCode = name === "" || name === "--help" || name === "-h" ? 0 : 1;
}
