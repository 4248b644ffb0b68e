import * as z from "zod/mini";
import { type Shown, ShownRole } from "../accounts/users.ts";

// The voters item of a post holds some of the votes itself: a map from users to seats. Lists read many of these items,
// so a seat is one text: lines with the vote's id, and with the name, username and role of its voter, none of which has
// a line break.

/** The most seats of a post: what a list shows of its votes. */
export const SEATS = 6;

type SeatedVote = Shown & { voteId: string };

/** A vote as the voters item stores it in a seat. */
export function seat({ voteId, name, username, role }: Omit<SeatedVote, "userId">): string {
  return [voteId, name, username, ...(role ? [role] : [])].join("\n");
}

const SeatText = z.pipe(
  z.string().check(z.regex(/^[^\n]+(\n[^\n]+){2}(\n(owner|moderator))?$/)),
  z.transform((text) => {
    const [voteId = "", name = "", username = "", role] = text.split("\n");
    return { voteId, name, username, role: role as SeatedVote["role"] };
  }),
);

// In tables before version 5 a seat is a map.
const FormerSeat = z.pipe(
  z.object({ v: z.string(), n: z.string(), u: z.string(), r: z.optional(ShownRole) }),
  z.transform(({ v, n, u, r }) => ({ voteId: v, name: n, username: u, role: r })),
);

/** Parses the seats of a post: the votes in them, in the order they were cast. */
export const Seats = z.pipe(
  z.record(z.string(), z.union([SeatText, FormerSeat])),
  z.transform((seats): SeatedVote[] =>
    Object.entries(seats)
      .map(([userId, { role, ...seated }]) => ({ userId, ...seated, ...(role && { role }) }))
      .sort((a, b) => (a.voteId < b.voteId ? -1 : 1)),
  ),
);
