/** The cursor that asks for the next page; absent on the last one. */
export type Page = { after?: string };

export function nextOf(info: { has_next_page: boolean; end_cursor: string | null } | undefined): Page {
  return info?.has_next_page && info.end_cursor ? { after: info.end_cursor } : {};
}
