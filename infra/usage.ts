import { type ParseArgsConfig, parseArgs } from "node:util";

/**
 * Reads the words after the name of a script, which accepts flags (`--all`), options (`--origin <value>`) and a number
 * of other words. Ends the process: for `--help` with usage and help, for an unknown word with an error.
 */
export function readCommandLine<Flag extends string = never, Option extends string = never>(
  usage: string,
  {
    flags = [],
    options = [],
    values: most = 0,
    help = "",
  }: { flags?: readonly Flag[]; options?: readonly Option[]; values?: number; help?: string } = {},
  words: readonly string[] = process.argv.slice(2),
): { flags: Set<Flag>; options: { [O in Option]?: string }; values: string[] } {
  const known: NonNullable<ParseArgsConfig["options"]> = { help: { type: "boolean", short: "h" } };
  for (const name of flags) known[name.slice(2)] = { type: "boolean" };
  for (const name of options) known[name.slice(2)] = { type: "string" };
  try {
    const { values: given, positionals } = parseArgs({ args: [...words], options: known, allowPositionals: true });
    if (given.help) {
      console.log(`Usage: ${usage}\n${help}`.trim());
      process.exit(0);
    }
    if (positionals.length > most) throw new Error(`Unknown argument ${positionals[most]}`);
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
