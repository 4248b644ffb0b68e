/** The meaning of a status: its name is free text. */
export const statusKinds = ["open", "planned", "started", "completed", "declined"] as const;
export type StatusKind = (typeof statusKinds)[number];

/** The most characters of a name. */
export const LONGEST_STATUS_NAME = 40;

/** What stands for a status in posts, rows and counts, so that they stay small: one letter. */
export type StatusLetter = string;

/** The letter of `open`. Posts and rows store it as an absent attribute, so that new posts cost less. */
export const OPEN_LETTER: StatusLetter = "z";

/** The letter of a status; posts with the status `open` store none. */
export function letterOf(stored: StatusLetter | undefined): StatusLetter {
  return stored ?? OPEN_LETTER;
}
