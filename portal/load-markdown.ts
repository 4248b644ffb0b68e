import { signal } from "@preact/signals";
import { loadFile } from "./load-file.ts";

type Markdown = typeof import("./markdown.ts");

/** The server has it from the start; the browser loads it with the first text that it renders itself. */
export const markdown = signal<Markdown | undefined>(undefined);

export async function loadMarkdown(): Promise<void> {
  markdown.value ??= await loadFile(() => import("./markdown.ts"));
}

/** Loads it before it is needed, if that can be done. */
export function loadMarkdownEarly(): void {
  void import("./markdown.ts").catch(() => {});
}

/** The beginning of a text, after Markdown was loaded. */
export function excerptNow(text: string): string {
  return markdown.peek()?.excerptOf(text) ?? "";
}
