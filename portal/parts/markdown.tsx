import { useEffect, useMemo, useRef } from "preact/hooks";
import { loadMarkdown, markdown } from "../load-markdown.ts";

type MarkdownProps = {
  text: string;
  /** The level of the heading that it stands below, if that is not the page's. */
  above?: number;
};

export function Markdown({ text, above }: MarkdownProps) {
  const element = useRef<HTMLDivElement>(null);
  const first = useRef(text);
  // What the server rendered stays while the text does.
  useEffect(() => {
    if (text !== first.current || !element.current?.hasChildNodes()) void loadMarkdown();
  }, [text]);
  const __html = useMemo(() => markdown.value?.htmlOf(text, above) ?? "", [text, markdown.value]);
  return <div ref={element} class="prose" dir="auto" dangerouslySetInnerHTML={{ __html }} />;
}
