import { useRead } from "../data.ts";
import { mergedPost } from "../posts.ts";
import { t } from "../text.ts";

type MergedLineProps = { named: string; into: string; words: "wasMerged" | "fromMerged" };

/** Names a post that was merged into the one that is shown, by its slug or id; nothing if it is none any more. */
export function MergedLine({ named, into, words }: MergedLineProps) {
  const { data } = useRead(mergedPost(named));
  return data?.into === into ? <p class="meta">{t(words, { title: data.title })}</p> : null;
}
