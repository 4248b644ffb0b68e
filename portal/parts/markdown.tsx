import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { loadFile } from "../load-file.ts";

type Render = (text: string) => string;

// The server has it from the start; the browser loads it with the first text that it renders itself.
export const render = signal<Render | undefined>(undefined);

export async function loadMarkdown(): Promise<void> {
  render.value ??= (await loadFile(() => import("../markdown.ts"))).htmlOf;
}

export function Markdown({ text }: { text: string }) {
  const element = useRef<HTMLDivElement>(null);
  const first = useRef(text);
  // What the server rendered stays while the text does.
  useEffect(() => {
    if (text !== first.current || !element.current?.hasChildNodes()) void loadMarkdown();
  }, [text]);
  const __html = useMemo(() => render.value?.(text) ?? "", [text, render.value]);
  return <div ref={element} class="prose" dangerouslySetInnerHTML={{ __html }} />;
}
