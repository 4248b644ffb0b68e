// Addresses in a text become links. linkify-it does so too, and weighs 17 KB: it knows every domain of the world.

// No look-behind: Safari has it since version 16.4.
const ADDRESS = /(^|[^\p{L}\p{N}_])((?:https?:\/\/|www\.)[^\s<>"`]{1,2000})/giu;
const AT_START = /^(?:https?:\/\/|www\.)[^\s<>"`]{1,2000}/iu;

/** Marks behind an address belong to the sentence. */
const BEHIND = /[.,;:!?…'*_~，。！？、」』）】]$/u;

const count = (text: string, mark: string): number => text.split(mark).length - 1;

function endsWithOpenBracket(address: string): boolean {
  const pairs = ["()", "[]", "{}"];
  return pairs.some(
    ([open = "", close = ""]) => address.endsWith(close) && count(address, close) > count(address, open),
  );
}

/** An address without what the sentence around it has put behind. */
function trimmed(address: string): string {
  let end = address;
  while (BEHIND.test(end) || endsWithOpenBracket(end)) end = end.slice(0, -1);
  return end;
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
