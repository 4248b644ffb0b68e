import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

// Doc comments of exports are the descriptions in the document.

const root = join(import.meta.dirname, "../..");

const COMMENT = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const (\w+)/g;

/** The text of a comment in Markdown, without its stars and without the links to docs/contract.md. */
function textOf(comment: string): string {
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trimEnd())
    .join("\n")
    .trim()
    .replace(/(: |; |^)docs\/contract\.md#[\w-]+$/gm, (_, before: string) => (before === "" ? "" : "."))
    .trim();
}

/** The doc comments of the exported constants of modules, by name. */
export function commentsOf(pattern: string): Record<string, string> {
  const texts = globSync(pattern, { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
  const found = texts.flatMap((text) => [...text.matchAll(COMMENT)]);
  return Object.fromEntries(found.map(([, comment = "", name = ""]) => [name, textOf(comment)]));
}

const FIELD = /export const (\w+)|\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n +(\w+): /g;

/** The doc comments of fields, by the exported constant that holds them and the name of the field. */
export function fieldCommentsOf(pattern: string): Record<string, string> {
  const comments: Record<string, string> = {};
  for (const file of globSync(pattern, { cwd: root })) {
    let holder = "";
    for (const [, constant, comment, field] of readFileSync(join(root, file), "utf8").matchAll(FIELD)) {
      if (constant) holder = constant;
      else comments[`${holder}.${field}`] = textOf(comment ?? "");
    }
  }
  return comments;
}

/** The first sentence of a text, without its full stop, and the rest. */
export function splitSummary(text: string): { summary: string; rest: string } {
  const oneLine = text.replace(/(?<!\n)\n(?!\n|[-|])/g, " ");
  const [, first = oneLine, rest = ""] = /^([\s\S]*?\.)(?:\s+|$)([\s\S]*)$/.exec(oneLine) ?? [];
  return { summary: first.replace(/\.$/, ""), rest };
}
