// npm run operate -- <command>: the commands for operators. docs/operations.md.

/** Loads a command, whose `run` returns the exit code. */
type Load = () => Promise<{ run: (words: readonly string[]) => Promise<number> }>;

const COMMANDS: Record<string, [purpose: string, load: Load]> = {
  background: ["lists the jobs of the background functions, or makes them due", () => import("./background.ts")],
  brake: ["limits each route of a stage to one call a second, or restores its limits", () => import("./brake.ts")],
  "check-table": ["checks the invariants of a table", () => import("./check-table/check.ts")],
  "end-sessions": [
    "ends all sessions and API keys, disables all webhooks, after a restore",
    () => import("./end-sessions.ts"),
  ],
  "end-two-factor": ["switches the second factor of an account off", () => import("./end-two-factor.ts")],
  erasures: [
    "lists the accounts that were erased, or erases them again after a restore",
    () => import("./erasures.ts"),
  ],
  export: ["writes all of a site into a file or a folder", () => import("./export.ts")],
  import: ["brings in what another portal has, or takes an import back", () => import("./import.ts")],
  "mail-check": ["sends a mail, or says why it cannot be sent", () => import("./mail-check.ts")],
  migrate: ["migrates a table to the newest version of the data model", () => import("./migrate.ts")],
  "save-canny": ["keeps what Canny tells of an account in a folder, for the import", () => import("./save-canny.ts")],
  smoke: ["checks a deployed service from outside", () => import("../smoke/smoke.ts")],
};

const [name = "", ...words] = process.argv.slice(2);
const [, load] = (Object.hasOwn(COMMANDS, name) && COMMANDS[name]) || [];
if (load) {
  const { run } = await load();
  process.exitCode = await run(words).catch((error: Error) => {
    console.error(error.message);
    return 1;
  });
} else {
  console.log("Usage: npm run operate -- <command> [arguments]\n");
  for (const [name, [purpose]] of Object.entries(COMMANDS)) console.log(`  ${name.padEnd(14)} ${purpose}`);
  process.exitCode = name === "" || name === "--help" || name === "-h" ? 0 : 1;
}
