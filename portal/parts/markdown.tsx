import { useEffect, useMemo, useRef } from "preact/hooks";
import { loadMarkdown, render } from "../load-markdown.ts";

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
