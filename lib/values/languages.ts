/** The languages of pages and mails, and of the statuses that a site begins with. */
export const LANGUAGES = ["en", "de", "es", "fr", "pt", "ja"] as const;

export type Language = (typeof LANGUAGES)[number];
