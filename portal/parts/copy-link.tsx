import { announce } from "../notices.ts";
import { t } from "../text.ts";
import { Action } from "./basics.tsx";

/** Copies the whole address of a page, to share it; shows it where the browser lets no page copy. */
export function CopyLink({ path }: { path: string }) {
  const copy = async () => {
    const address = location.origin + path;
    try {
      await navigator.clipboard.writeText(address);
      announce(t("linkCopied"));
    } catch {
      prompt(t("copyLink"), address);
    }
  };
  return <Action act={copy} label={t("copyLink")} kind="" />;
}
