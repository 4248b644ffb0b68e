import type { StoreCall } from "./calls.ts";

function describe({ operation, touches }: StoreCall): string {
  const families = [...new Set(touches.map(({ family }) => family))];
  if (operation === "BatchGetItem") return `BatchGetItem ${touches.length} ${families.join(" ")}`;
  if (operation !== "TransactWriteItems") return `${operation} ${families.join(" ")}`;
  const parts = touches.map(({ action, family }) => `${action.replace("Item", "")} ${family}`);
  return `TransactWriteItems (${parts.join(", ")})`;
}

function stepsOf(calls: StoreCall[]): number {
  return Math.max(0, ...calls.map(({ step }) => step));
}

/** What calls did, in a line: `|` between what ran side by side, `;` between one step and the next. */
export function planOf(calls: StoreCall[]): string {
  return Array.from({ length: stepsOf(calls) }, (_, at) =>
    calls
      .filter(({ step }) => step === at + 1)
      .map(describe)
      .sort()
      .join(" | "),
  ).join(" ; ");
}

export type Cost = { steps: number; calls: number; readUnits: number; writeUnits: number };

/** Counts calls and their steps, and adds up their units. */
export function costOf(calls: StoreCall[]): Cost {
  return {
    steps: stepsOf(calls),
    calls: calls.length,
    readUnits: calls.reduce((sum, call) => sum + call.readUnits, 0),
    writeUnits: calls.reduce((sum, call) => sum + call.writeUnits, 0),
  };
}

/** Plans by name, written as `name: plan`, a line each; an indented line continues the one before. */
export function plansIn(text: string): Record<string, string> {
  const lines = text
    .trim()
    .replace(/\n {4,}/g, " ")
    .split("\n");
  return Object.fromEntries(lines.map((line) => line.trim().split(": ") as [string, string]));
}
