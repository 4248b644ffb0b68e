import { parseArgs } from "node:util";

/**
 * The words that a script accepts: flags (`--all`), options (`--origin <value>`), a number of others; `help` explains
 * them.
 */
type Takes<Flag extends string, Option extends string> = {
  flags?: readonly Flag[];
  options?: readonly Option[];
  values?: number;
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
  if (words.some((word) => word === "--help" || word === "-h")) {
    console.log(`Usage: ${usage}\n${help}`.trim());
    process.exit(0);
  }
  const typed = (names: readonly string[], type: "boolean" | "string") =>
    names.map((name) => [name.slice(2), { type }]);
  const { tokens, positionals } = parseArgs({
    args: [...words],
    options: Object.fromEntries([...typed(flags, "boolean"), ...typed(options, "string")]),
    strict: false,
    tokens: true,
  });
  const given = tokens.filter((token) => token.kind === "option");
  const isFlag = (name: string): name is Flag => (flags as readonly string[]).includes(name);
  const isOption = (name: string): name is Option => (options as readonly string[]).includes(name);
  const unknown = given.filter(({ rawName, value }) =>
    value === undefined ? !isFlag(rawName) : !isOption(rawName) || /^-\D/.test(value),
  );
  const refused = [...unknown.map(({ rawName }) => rawName), ...positionals.slice(most)];
  if (refused.length > 0) {
    console.error(`Unknown option ${refused.join(" ")}. Usage: ${usage}`);
    process.exit(1);
  }
  return {
    flags: new Set(given.map(({ rawName }) => rawName).filter(isFlag)),
    options: Object.fromEntries(
      given.flatMap(({ rawName, value }) => (isOption(rawName) ? [[rawName, value]] : [])),
    ) as CommandLine<Flag, Option>["options"],
    values: positionals,
  };
}
