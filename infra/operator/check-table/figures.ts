import { figureKinds } from "../../../lib/figures/figures.ts";
import { boundsOf, DAY_MS } from "../../../lib/values/days.ts";
import { type Findings, finding, isErased, type StoredTable } from "./stored.ts";

/** The figures of a month have the same days of it for each kind; the short lists name no erased account. */
export function* figures(table: StoredTable): Findings {
  const { all } = table;
  for (const { key: month, value } of all("figures")) {
    const { start, end } = boundsOf(value.month);
    const lengths = figureKinds.map((kind) => value[kind].length);
    const days = Math.max(...lengths);
    if (days > (end - start) / DAY_MS) yield finding(month, `has ${days} days`);
    if (lengths.some((length) => length !== days)) yield finding(month, "has different days for different kinds");
  }
  for (const { key: lists, value } of all("figureLists")) {
    const erased = value.askers.filter(({ userId }) => isErased(table, userId));
    if (erased.length > 0) yield finding(lists, `names ${erased.length} erased accounts`);
  }
}
