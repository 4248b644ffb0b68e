import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loadFile } from "../load-file.ts";

type Render = (text: string) => string;

// The server has it from the start; the browser loads it with the first text that it renders itself.
export const render = signal<Render | undefined>(undefined);

export async function loadMarkdown(): Promise<void> {
  render.value ??= (await loadFile(() => import("../markdown.ts"))).htmlOf;
}

export function Markdown({ text }: { text: string }) {
  useEffect(() => void loadMarkdown(), []);
  // Empty where the browser takes over a page: what the server rendered then stays until the same text replaces it.
  return <div class="prose" dangerouslySetInnerHTML={{ __html: render.value?.(text) ?? "" }} />;
}
