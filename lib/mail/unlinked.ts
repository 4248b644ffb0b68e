// Mail programs make a link of each address in a text. In our mail a stranger's name or comment must not become one.

/** Joins letters without being seen, so that no program takes what it joins for an address. */
const JOINER = "\u2060";

/** A run that a mail program may take for a web or mail address: with a scheme, `www.`, an `@`, or like `a.example`. */
const ADDRESS = /\S*(?:[a-z][\w+.-]*:\/\/|www\.|\S@\S|[\p{L}\p{N}]\.\p{L}{2,})\S*/giu;

/** A text whose addresses no mail program makes links of. It looks the same. */
export function unlinked(text: string): string {
  return text.replace(ADDRESS, (run) => run.replace(/[.:@/](?=\S)/g, `$&${JOINER}`));
}
