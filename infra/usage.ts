/** What a script takes: flags (`--all`), and how many other words. */
type Takes<Flag extends string> = { flags?: readonly Flag[]; values?: number };

/** The flags that were given, and the other words in their order. */
type CommandLine<Flag extends string> = { flags: Set<Flag>; values: string[] };

/** Reads the words after the name of a script. Ends the process: for `--help` with the usage, for a word that it does not take with an error. */
export const readCommandLine = <Flag extends string = never>(
  usage: string,
  { flags = [], values: most = 0 }: Takes<Flag> = {},
  words: readonly string[] = process.argv.slice(2),
): CommandLine<Flag> => {
  if (words.some((word) => word === "--help" || word === "-h")) {
    console.log(`Usage: ${usage}`);
    process.exit(0);
  }
  const isFlag = (word: string): word is Flag => (flags as readonly string[]).includes(word);
  const values = words.filter((word) => !word.startsWith("-"));
  const unknown = [...words.filter((word) => word.startsWith("-") && !isFlag(word)), ...values.slice(most)];
  if (unknown.length > 0) {
    console.error(`Unknown option ${unknown.join(" ")}. Usage: ${usage}`);
    process.exit(1);
  }
  return { flags: new Set(words.filter(isFlag)), values };
};
