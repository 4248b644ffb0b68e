import { useEffect, useRef } from "preact/hooks";
import { Copied } from "./copied.tsx";

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
          <p>{hint}</p>
          <Copied text={text} />
        </div>
      )}
    </div>
  );
}
