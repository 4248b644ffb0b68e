// Addresses in a text become links. linkify-it does so too, and weighs 17 KB: it knows every domain of the world.

// No look-behind: Safari has it since version 16.4.
const ADDRESS = /(^|[^\p{L}\p{N}_])((?:https?:\/\/|www\.)[^\s<>"`]{1,2000})/giu;
const AT_START = /^(?:https?:\/\/|www\.)[^\s<>"`]{1,2000}/iu;

/** Marks behind an address belong to the sentence. */
const BEHIND = new Set(".,;:!?…'*_~，。！？、」』）】");

const BRACKETS: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** An address without what the sentence around it has put behind: marks, and brackets that it does not open. */
function trimmed(address: string): string {
  const counts: Record<string, number> = {};
  for (const mark of address) counts[mark] = (counts[mark] ?? 0) + 1;
  const countOf = (mark: string): number => counts[mark] ?? 0;
  for (let end = address.length; ; end--) {
    const last = address.charAt(end - 1);
    const opening = BRACKETS[last];
    const isUnopened = opening !== undefined && countOf(last) > countOf(opening);
    if (!BEHIND.has(last) && !isUnopened) return address.slice(0, end);
    counts[last] = countOf(last) - 1;
  }
}

type Link = { schema: string; index: number; lastIndex: number; raw: string; text: string; url: string };

function linkAt(index: number, found: string): Link[] {
  const text = trimmed(found);
  const isWhole = /^(https?:\/\/|www\.)[^./]/i.test(text);
  const url = /^www/i.test(text) ? `https://${text}` : text;
  return isWhole ? [{ schema: "", index, lastIndex: index + text.length, raw: text, text, url }] : [];
}

function match(text: string): Link[] {
  return [...text.matchAll(ADDRESS)].flatMap(({ index, 1: before = "", 2: address = "" }) =>
    linkAt(index + before.length, address),
  );
}

/** What markdown-it asks of a finder of links. */
export const links = {
  match,
  test: (text: string): boolean => match(text).length > 0,
  pretest: (text: string): boolean => /https?:\/\/|www\./i.test(text),
  /** The address with which a text begins. */
  matchAtStart: (text: string): Link | undefined => linkAt(0, AT_START.exec(text)?.[0] ?? "")[0],
};
