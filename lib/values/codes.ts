import { randomInt } from "node:crypto";

// Codes that people read in a mail or on paper, and type.

/** Letters and digits that nobody takes for others: no I, L, O, U, 0 and 1. */
const LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789";

export function newCode(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/** A typed code as it was made: people type it in any form of letters and digits, and with blanks and hyphens. */
export function readCode(typed: string): string {
  return typed.normalize("NFKC").toUpperCase().replace(/[\s-]/g, "");
}
