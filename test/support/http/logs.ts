import { vi } from "vitest";

/** The log lines of this test file, as they would have been printed. */
export const logLines: string[] = [];

const LOG_LINE = /^\{"time":"[^"]+","level":"(\w+)"/;

/** Keeps log lines instead of printing them. SHOW_LOG=1 prints errors too, so that a failing test explains itself. */
export function keepLog(): void {
  const print = process.stdout.write.bind(process.stdout);
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    const level = LOG_LINE.exec(String(chunk))?.[1];
    if (level === undefined) return print(chunk);
    logLines.push(String(chunk).trimEnd());
    if (level === "error" && process.env.SHOW_LOG) console.error(chunk);
    return true;
  });
}
