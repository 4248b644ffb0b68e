import { dayOf } from "../../../lib/values/ids.ts";
import { type Findings, finding, idIn, isBeingSwept, isLiveList, type StoredTable } from "./stored.ts";

/** The list whose items count the posts of a list, and the suffix of a day there. All posts count statuses too. */
function placeOf(list: string): { counts: string; suffix: string } {
  return list.startsWith("STATUS#") ? { counts: "ALL", suffix: idIn(list) } : { counts: list, suffix: "" };
}

/** Every count of a day is the number of its rows, and every row is counted. */
export function* dayCounts(table: StoredTable): Findings {
  const rows = Map.groupBy(table.all("row"), ({ key }) => {
    const { counts, suffix } = placeOf(idIn(key.pk));
    const day = dayOf(key.sk);
    return `${counts} ${day.slice(0, 7)} ${day.slice(8)}${suffix}`;
  });
  const counted = new Set<string>();
  for (const { key: item, value } of table.all("counts")) {
    const list = idIn(item.pk);
    if (isBeingSwept(table, list)) continue;
    if (!isLiveList(table, list)) yield finding(item, "counts a list that does not exist");
    for (const [day, count] of Object.entries(value)) {
      if (day === "pk" || day === "sk") continue;
      const name = `${list} ${item.sk} ${day}`;
      counted.add(name);
      const number = rows.get(name)?.length ?? 0;
      if (count !== number) yield finding(item, `counts ${count} rows in ${day} and has ${number}`);
    }
  }
  for (const [name, [first]] of rows) {
    if (first && !counted.has(name) && !isBeingSwept(table, idIn(first.key.pk))) {
      yield finding(first.key, "is not counted");
    }
  }
}
