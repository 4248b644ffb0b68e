import { idOfHex } from "./ids.ts";

const SLUG_ID_LENGTH = 25;
const READABLE_LENGTH = 80;
const MAX_ID = (1n << 128n) - 1n;

/** A post's id as 25 base-36 characters: at the end of a slug, it leads to the post without an index. */
export function slugIdOf(postId: string): string {
  return BigInt(`0x${postId.replaceAll("-", "")}`)
    .toString(36)
    .padStart(SLUG_ID_LENGTH, "0");
}

/** The post id at the end of a slug; undefined if there is none. */
export function postIdOf(slug: string): string | undefined {
  const tail = slug.slice(-SLUG_ID_LENGTH);
  if (!/^[0-9a-z]{25}$/.test(tail)) return undefined;
  let number = 0n;
  for (const character of tail) number = number * 36n + BigInt(Number.parseInt(character, 36));
  if (number > MAX_ID) return undefined;
  return idOfHex(number.toString(16).padStart(32, "0"));
}

/** The slug of a post: the readable part of its title (at most 80 characters), `-`, its slugId. */
export function slugOf(title: string, postId: string): string {
  const readable = readablePart(title);
  return readable === "" ? slugIdOf(postId) : `${readable}-${slugIdOf(postId)}`;
}

function readablePart(title: string): string {
  return (
    title
      .normalize("NFKC")
      .toLowerCase()
      // Signs choose the look of an emoji, and marks may stand on one: nothing of them is readable.
      .replace(/[\p{Variation_Selector}\p{Me}]|(?<![\p{L}\p{M}\p{Nd}])\p{M}+/gu, "")
      .replace(/[^\p{L}\p{M}\p{Nd}]+/gu, "-")
      .replace(/^-/, "")
      .slice(0, READABLE_LENGTH)
      // The cut may leave half of a surrogate pair, or a hyphen, at the end.
      .replace(/[\ud800-\udbff]$/, "")
      .replace(/-$/, "")
  );
}
