import { useEffect, useRef, useState } from "preact/hooks";
import { Copied } from "./copied.tsx";
import { teamText } from "./team-text.ts";

/**
 * A secret, in the only moment in which the service shows it. It gets the keyboard. To the page it is a form with edits
 * until it is copied: nobody loses it by a link without a question.
 */
export function Secret({ text, hint }: { text: string | undefined; hint: string }) {
  const panel = useRef<HTMLFormElement>(null);
  const [copied, setCopied] = useState<string>();
  useEffect(() => {
    if (!text) return;
    panel.current?.focus();
    panel.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [text]);
  return (
    <div role="status">
      {text && (
        <form
          ref={panel}
          class="panel"
          tabIndex={-1}
          data-draft={copied === text ? "copied" : undefined}
          data-asks={teamText("leaveSecret")}
        >
          <p>{hint}</p>
          <Copied text={text} done={() => setCopied(text)} />
        </form>
      )}
    </div>
  );
}
