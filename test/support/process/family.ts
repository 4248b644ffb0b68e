import { readFileSync } from "node:fs";

/** A process and those that it started, on Linux. */
export function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  return [pid, ...children.flatMap(familyOf)];
}
