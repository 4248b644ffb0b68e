import { key } from "../../../lib/table/keys.ts";
import { timeOf } from "../../../lib/values/ids.ts";
import { type Findings, finding, type StoredTable } from "./stored.ts";

/** Each event before the moment at which the search for news begins is announced or has a due entry. */
export function* news({ all, at, has }: StoredTable): Findings {
  const place = at("newsPlace", key.newsPlace())?.at ?? 0;
  for (const { key: event, value } of all("event")) {
    const isFound = timeOf(event.sk) >= place || has("due", key.due("NEWS", event.sk));
    if (value.isNews && !isFound) yield finding(event, "is not announced, and no search finds it");
  }
}
