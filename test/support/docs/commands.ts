import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

// The commands that README.md and docs/ tell people to type, read from the documents themselves.

/** A command as a document has it. */
export type Command = { file: string; text: string };

export const documents = [
  "README.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const PROGRAM = String.raw`(?:[A-Z_]+=\S+ )*(?:npm|npx|node|cdk|git|curl|aws|sam|sh|bash|pnpm|docker) `;
const IN_PROSE = new RegExp(`\`(${PROGRAM}[^\`]+)\``, "g");
const BEGINS_A_LINE = new RegExp(`^${PROGRAM}`, "m");

type Block = { language: string; text: string };

function blocksOf(document: string): Block[] {
  const blocks = document.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm);
  return [...blocks].map(([, language = "", text = ""]) => ({ language, text }));
}

/** What zsh, the shell of macOS, takes for words of a command, and bash for a comment. */
export function commentsIn(file: string): string[] {
  const blocks = blocksOf(readFileSync(file, "utf8")).filter(({ language }) => language === "sh");
  const typed = blocks.filter(({ text }) => !text.startsWith("setopt interactivecomments "));
  return typed.flatMap(({ text }) => text.split("\n").filter((line) => /(^|\s)#(\s|$)/.test(line)));
}

/** The blocks of a document that hold commands and do not say that they are for a shell. */
export function unmarkedBlocksOf(file: string): string[] {
  const unmarked = blocksOf(readFileSync(file, "utf8")).filter(({ language }) => language === "");
  return unmarked.map(({ text }) => text).filter((text) => BEGINS_A_LINE.test(text));
}

/** What stands for a value that only the reader knows, such as `<BaseUrl>`. */
const PLACEHOLDER = /<([A-Za-z][\w ]*)>/g;

/** Puts values in the place of what only a reader knows. Throws for a placeholder without a value. */
export function filled(command: string, values: Record<string, string>): string {
  return command.replace(PLACEHOLDER, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`What is <${name}> in: ${command}`);
    return value;
  });
}

function isWhole(script: string): boolean {
  if (script.endsWith("\\\n")) return false;
  return spawnSync("bash", ["-n"], { input: script.replace(PLACEHOLDER, "value") }).status === 0;
}

/** The commands of a block. Lines that bash does not understand alone, such as a loop's, are one command. */
function commandsIn(block: string): string[] {
  const lines = block.replace(/^#.*$/gm, "").split("\n");
  const commands: string[] = [];
  let begun = "";
  for (const line of lines) {
    begun += `${line}\n`;
    if (!isWhole(begun)) continue;
    commands.push(...begun.split(/ && (?!\\)/));
    begun = "";
  }
  return [...commands, begun].map((command) => command.trim()).filter(Boolean);
}

/** The commands of a document: first from its blocks for a shell, then from sentences, between backticks. */
export function commandsOf(file: string): Command[] {
  const document = readFileSync(file, "utf8");
  const inBlocks = blocksOf(document).flatMap(({ language, text }) => (language === "sh" ? commandsIn(text) : []));
  const prose = document.replace(/^```[\s\S]*?^```/gm, "").replace(/\s*\n\s*/g, " ");
  const inProse = [...prose.matchAll(IN_PROSE)].map(([, text = ""]) => text);
  return [...inBlocks, ...inProse].map((text) => ({ file, text }));
}
