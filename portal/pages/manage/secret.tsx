import { useEffect, useRef } from "preact/hooks";
import { Action } from "../../parts/basics.tsx";
import { copyText } from "../../parts/copy-link.tsx";
import { teamText } from "./team-text.ts";

/** A secret, in the only moment in which the service shows it. It gets the keyboard. */
export function Secret({ text, hint }: { text: string | undefined; hint: string }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (text) panel.current?.focus();
  }, [text]);
  return (
    <div role="status">
      {text && (
        <div ref={panel} class="panel" tabIndex={-1}>
          <p>
            {hint} <code>{text}</code>
          </p>
          <Action act={() => copyText(text, teamText("copy"), teamText("copied"))} label={teamText("copy")} kind="" />
        </div>
      )}
    </div>
  );
}
