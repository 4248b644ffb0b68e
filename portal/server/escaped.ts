// Texts of people in documents that other programs read.

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

// XML 1.0 knows no way to write these (https://www.w3.org/TR/xml/#charsets).
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A text for an element or an attribute, of HTML and of XML alike. */
export function escaped(text: string): string {
  const known = text.toWellFormed().replace(NOT_IN_XML, "");
  return known.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}

/** JSON for a script element: nothing in it can end the element. */
export function jsonInHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
