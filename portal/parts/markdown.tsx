import { useEffect, useState } from "preact/hooks";

type Render = (text: string) => string;

// The server has it from the start; the browser loads it with the first text that it renders itself.
let render: Render | undefined;

export function renderMarkdownWith(how: Render): void {
  render = how;
}

export function Markdown({ text }: { text: string }) {
  // Empty where the browser takes over a page: what the server rendered then stays until the same text replaces it.
  const [html, setHtml] = useState(render?.(text) ?? "");
  useEffect(() => {
    void import("../markdown.ts").then(({ htmlOf }) => {
      render = htmlOf;
      setHtml(htmlOf(text));
    });
  }, [text]);
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
