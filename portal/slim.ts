// Stands for packages of markdown-it that browsers need not load: 25 KB of gzip.

/** entities: the character that an entity stands for. */
export function decodeHTMLStrict(entity: string): string {
  return new DOMParser().parseFromString(entity.replaceAll("<", "&lt;"), "text/html").documentElement.textContent ?? "";
}

/** uc.micro: punctuation and symbols. */
export const [P, S] = [/\p{P}/u, /\p{S}/u];

/** linkify-it: addresses in a text become no links. */
export class LinkifyIt {}

/** punycode.js: browsers convert the names of hosts by themselves. */
export default { toASCII: (name: string) => name, toUnicode: (name: string) => name };
