import { signal } from "@preact/signals";
import { loadFile } from "./load-file.ts";

/** Makes HTML of Markdown. The server has it from the start; the browser loads it with the first text to render. */
export const render = signal<((text: string) => string) | undefined>(undefined);

export async function loadMarkdown(): Promise<void> {
  render.value ??= (await loadFile(() => import("./markdown.ts"))).htmlOf;
}
