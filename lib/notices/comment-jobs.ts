import * as z from "zod/mini";

/**
 * A job that mails a comment to its readers, or one that mails a single reader, `only`, at the end of an hour or a day
 * with too many mails. `eventId` is the event of the comment, or of the last one in that time; `at` is when the mails
 * leave (ms since 1970), and `place` the last reader who got one.
 */
export const CommentJobItem = z.pipe(
  z.object({ sk: z.string(), place: z._default(z.string(), ""), rest: z.optional(z.string()) }),
  z.transform(({ sk, place, rest }) => {
    if (rest === undefined) return { eventId: sk, only: undefined, at: 0, place };
    // The id of a job for one reader: the post, the reader, the time.
    const [, only, at] = sk.split("#");
    return { eventId: rest, only, at: Number(at), place };
  }),
);
