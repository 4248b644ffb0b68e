import { type ParseArgsConfig, parseArgs } from "node:util";

/** The words that a script accepts: flags (`--all`), options (`--origin <value>`), a number of others. */
type Takes<Flag extends string, Option extends string> = {
  flags?: readonly Flag[];
  options?: readonly Option[];
  values?: number;
  /** Printed below the usage. */
  help?: string;
};

/** The flags and options that were given, and the other words in their order. */
type CommandLine<Flag extends string, Option extends string> = {
  flags: Set<Flag>;
  options: { [O in Option]?: string };
  values: string[];
};

/**
 * Reads the words after the name of a script. Ends the process: for `--help` with the usage, for an unknown word with
 * an error.
 */
export function readCommandLine<Flag extends string = never, Option extends string = never>(
  usage: string,
  { flags = [], options = [], values: most = 0, help = "" }: Takes<Flag, Option> = {},
  words: readonly string[] = process.argv.slice(2),
): CommandLine<Flag, Option> {
  const known: NonNullable<ParseArgsConfig["options"]> = { help: { type: "boolean", short: "h" } };
  for (const name of flags) known[name.slice(2)] = { type: "boolean" };
  for (const name of options) known[name.slice(2)] = { type: "string" };
  try {
    const { values: given, positionals } = parseArgs({ args: [...words], options: known, allowPositionals: true });
    if (given.help) {
      console.log(`Usage: ${usage}\n${help}`.trim());
      process.exit(0);
    }
    if (positionals.length > most) throw new Error(`Unknown word ${positionals[most]}`);
    return {
      flags: new Set(flags.filter((name) => given[name.slice(2)])),
      options: Object.fromEntries(options.map((name) => [name, given[name.slice(2)]])) as { [O in Option]?: string },
      values: positionals,
    };
  } catch (error) {
    const [problem] = (error as Error).message.split(". ");
    console.error(`${problem}. Usage: ${usage}`);
    process.exit(1);
  }
}
