// Stands for packages of markdown-it that browsers need not load: 27 KB of gzip.

/** entities: the character that an entity stands for. */
export function decodeHTMLStrict(entity: string): string {
  return new DOMParser().parseFromString(entity.replaceAll("<", "&lt;"), "text/html").documentElement.textContent ?? "";
}

/** uc.micro: punctuation and symbols. */
export const P = /\p{P}/u;
export const S = /\p{S}/u;

/** linkify-it: addresses in a text become no links. */
export class LinkifyIt {}

/** mdurl and punycode.js: browsers encode addresses and names of hosts by themselves. */
export const parse = (href: string) => ({ href });
export const format = ({ href }: { href: string }) => href;
export const decode = (text: string) => text;
export const encode = decode;
export default {};
