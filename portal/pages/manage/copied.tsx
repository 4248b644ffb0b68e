import { Action } from "../../parts/basics.tsx";
import { copyText } from "../../parts/copy-link.tsx";
import { teamText } from "./team-text.ts";

/** A text that belongs somewhere else, with a button that copies it. */
export function Copied({ text, done }: { text: string; done?: () => void }) {
  const copy = async () => {
    await copyText(text, teamText("copy"), teamText("copied"));
    done?.();
  };
  return (
    <p class="copied">
      <code>{text}</code>
      <Action act={copy} label={teamText("copy")} kind="" />
    </p>
  );
}
