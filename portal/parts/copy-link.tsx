import { announce } from "../notices.ts";
import { t } from "../text.ts";
import { Action } from "./basics.tsx";

/** Copies a text; shows it where the browser lets no page copy. Returns whether it is copied. */
export async function copyText(text: string, label: string, said: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce(said);
    return true;
  } catch {
    prompt(label, text);
    return false;
  }
}

/** Copies the whole address of a page, to share it. */
export function CopyLink({ path }: { path: string }) {
  const copy = () => copyText(location.origin + path, t("copyLink"), t("linkCopied"));
  return <Action act={copy} label={t("copyLink")} kind="" />;
}
