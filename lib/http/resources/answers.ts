import * as z from "zod/mini";

/** The place of a page in its list: docs/contract.md#page-info */
export const PageInfo = z.object({
  count: z.number(),
  current_page: z.number(),
  has_next_page: z.boolean(),
  end_cursor: z.nullable(z.string()),
  start_cursor: z.nullable(z.string()),
});
export type PageInfo = z.infer<typeof PageInfo>;

/** The additional fields of a list that is paged by cursor. */
export const CursorPaging = z.object({ page_info: PageInfo, total_pages: z.number(), total_count: z.number() });

/** A success without further content. */
export const Success = z.object({ success: z.boolean() });
