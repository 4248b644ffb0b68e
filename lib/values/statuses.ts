/** What a status means, whatever its name: clients can choose icons and sentences by it. */
export const statusKinds = ["open", "planned", "started", "completed", "declined"] as const;
export type StatusKind = (typeof statusKinds)[number];

/**
 * What posts, rows and day counts store of a status: one letter, so that they stay small; the status `open` is stored as nothing, so
 * that new posts cost no more and posts from before there were statuses have it.
 */
export type StatusLetter = string | undefined;
