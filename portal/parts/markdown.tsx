import { useEffect, useMemo, useRef } from "preact/hooks";
import { loadMarkdown, markdown } from "../load-markdown.ts";

export function Markdown({ text }: { text: string }) {
  const element = useRef<HTMLDivElement>(null);
  const first = useRef(text);
  // What the server rendered stays while the text does.
  useEffect(() => {
    if (text !== first.current || !element.current?.hasChildNodes()) void loadMarkdown();
  }, [text]);
  const __html = useMemo(() => markdown.value?.htmlOf(text) ?? "", [text, markdown.value]);
  return <div ref={element} class="prose" dir="auto" dangerouslySetInnerHTML={{ __html }} />;
}
