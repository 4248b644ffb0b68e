import * as z from "zod/mini";
import { Uuid } from "./id-inputs.ts";

/** What a visitor wanted to do on a post who asks for a mail. */
export const Wanted = z.object({ does: z.enum(["vote", "follow", "comment"]), postId: Uuid });

/** What the link of the mail says of it behind its token: one of three words and an id, and no text of who asks. */
export function queryOf(wants: z.output<typeof Wanted> | undefined): string | undefined {
  return wants && `&wants=${wants.does}&post=${wants.postId}`;
}
