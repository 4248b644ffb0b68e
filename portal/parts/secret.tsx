import { useEffect, useRef } from "preact/hooks";
import { t } from "../text.ts";
import { Action } from "./basics.tsx";
import { copyText } from "./copy-link.tsx";

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
          <Action act={() => copyText(text, t("copy"), t("copied"))} label={t("copy")} kind="" />
        </div>
      )}
    </div>
  );
}
