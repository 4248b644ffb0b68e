/**
 * The origin of a web page as browsers send it: in small letters, without the port of its scheme and without a slash at
 * its end. Undefined if the text is none, or has a path.
 */
export function originIn(text: string): string | undefined {
  const url = /^https?:\/\/[^/?#@\s]+\/?$/i.test(text) ? URL.parse(text) : null;
  return url?.origin;
}

/** Whether pages can be below a URL. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
}
