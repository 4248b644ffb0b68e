/** The log lines of this test file, as they would have been printed. */
export const logLines: string[] = [];

/** Takes a log line; what went wrong on our side is printed too, so that a failing test explains itself. */
export const keepLog = (level: string, line: string): void => {
  logLines.push(line);
  if (level === "error" && process.env.SHOW_LOG) console.error(line);
};
