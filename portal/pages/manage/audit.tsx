import { useLocation } from "preact-iso/router";
import { answer, api } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { allPages, offerFile } from "../../downloads.ts";
import { announce } from "../../notices.ts";
import { nextOf } from "../../paging.ts";
import { Action, Avatar, Empty, When } from "../../parts/basics.tsx";
import { ActingSelect } from "../../parts/fields.tsx";
import { useAsLastList } from "../../parts/last-list.ts";
import { Pages } from "../../parts/pages.tsx";
import { type AuditFilter, addressWith, filterIn, queryOf, withDay } from "./audit-filter.ts";
import {
  type AuditEntry,
  fieldsIn,
  kindsOfThings,
  nameOfActor,
  partsOf,
  sentenceOf,
  shortOf,
  valuesIn,
} from "./audit-words.ts";
import { Day } from "./day.tsx";
import { RowActions } from "./row-actions.tsx";
import { teamText } from "./team-text.ts";
import { dayText } from "./utc-days.ts";

const MOST_CALLS = 10;

/** Changes, the newest first. Of many that do not fit the filter, it looks at several pages before it shows one. */
const changes = define("audit", async (client, filter: AuditFilter, after?: string) => {
  const query = { ...queryOf(filter), ...(after && { after }) };
  for (let calls = 1; ; calls++) {
    const { records, page_info } = await answer(client.GET("/audit", { params: { query } }));
    const next = nextOf(page_info);
    if (records.length > 0 || !next.after || calls === MOST_CALLS) return { records, ...next };
    query.after = next.after;
  }
});

/** Offers a file with all changes that fit the filter. */
async function download(filter: AuditFilter, format: "csv" | "jsonl"): Promise<void> {
  const query = { ...queryOf(filter), format, first: 50 };
  const pageAfter = (after: { after?: string }) => api.GET("/audit", { params: { query: { ...query, ...after } } });
  const pages = await allPages(pageAfter, (n) => announce(teamText("downloadWaits", { n })));
  const texts = pages.map(({ text = "" }) => text);
  offerFile(texts, format === "csv" ? "text/csv" : "application/jsonl", `audit.${format}`);
}

/** Who of the team changed what. */
export function Audit() {
  useAsLastList("audit");
  const { query, route } = useLocation();
  const filter = filterIn(query);
  const show = (more: AuditFilter) => route(addressWith({ ...filter, ...more }));
  const showDay = (day: { from: string } | { to: string }) => {
    const moved = withDay(filter, day);
    show(moved);
    const { from = "", to = "" } = moved;
    if (from !== filter.from && to !== filter.to && from && to)
      announce(teamText("auditMoved", { from: dayText(from), to: dayText(to) }));
  };
  const isFiltered = Object.keys(filter).length > 0;
  const { data: first } = useRead(changes(filter));
  // Nothing to filter or to download.
  if (!isFiltered && first?.records.length === 0 && !first.after)
    return <Empty title={teamText("auditNone")} hint={teamText("auditNoneHint")} />;
  return (
    <>
      <search class="bar">
        <ActingSelect
          label={teamText("auditKind")}
          none={teamText("auditAll")}
          options={kindsOfThings()}
          value={filter.action}
          act={(action) => show({ action })}
        />
        <Day label={teamText("from")} day={filter.from} put={(from) => showDay({ from })} />
        <Day label={teamText("to")} day={filter.to} put={(to) => showDay({ to })} />
        <Action act={() => download(filter, "csv")} label={teamText("csv")} kind="" />
        <Action act={() => download(filter, "jsonl")} label={teamText("jsonl")} kind="" />
      </search>
      <Only filter={filter} />
      <Pages
        key={JSON.stringify(filter)}
        query={(after) => changes(filter, after)}
        show={({ records, after }, isFirst) =>
          records.length === 0 ? (
            (isFirst || after) && (
              <Empty title={teamText("auditNone")} hint={teamText(after ? "auditOlder" : "auditNoneFitsHint")} />
            )
          ) : (
            <ul class="rows">
              {records.map((entry) => (
                <Row key={entry.recordId} entry={entry} show={show} />
              ))}
            </ul>
          )
        }
      />
    </>
  );
}

/** Says that only changes by a person, once their name is known, or of a thing are shown, and leads back to all. */
function Only({ filter }: { filter: AuditFilter }) {
  const { by, item, ...rest } = filter;
  const { data } = useRead(changes(filter));
  const [newest] = data?.records ?? [];
  const name = newest ? nameOfActor(newest) : shortOf(by);
  return (
    <p class="actions" role="status">
      {by && data && <bdi>{teamText("auditOnlyBy", { name })}</bdi>}
      {item && <bdi>{teamText("auditOnlyOf")}</bdi>}
      {(by || item) && (
        <a class="button" href={addressWith(rest)}>
          {teamText("auditAll")}
        </a>
      )}
    </p>
  );
}

type RowProps = { entry: AuditEntry; show: (more: AuditFilter) => void };

function Row({ entry, show }: RowProps) {
  const { by, item, createdAt, key } = entry;
  const fields = fieldsIn(entry);
  const name = nameOfActor(entry);
  const sentence = sentenceOf(entry);
  return (
    <li class="item folded">
      <Avatar author={{ userId: by, name }} />
      <span class="wide">
        <Sentence of={entry} />{" "}
        <span class="hint">
          <When at={createdAt} />
          {valuesIn(entry).map((value) => (
            <span key={value}>
              {" · "}
              <span dir="auto">{value}</span>
            </span>
          ))}
          {fields && ` · ${teamText("auditFields", { fields })}`}
          {key && ` · ${teamText("auditByKey")}`}
        </span>
      </span>
      <RowActions of={sentence}>
        <Action act={() => show({ by, item: "" })} label={teamText("auditByThem")} of={name} />
        {item && <Action act={() => show({ item, by: "" })} label={teamText("auditOfIt")} of={sentence} />}
      </RowActions>
    </li>
  );
}

/** What was done. The name of a thing with a page leads there. */
function Sentence({ of }: { of: AuditEntry }) {
  return (
    <bdi>
      {partsOf(of).map(({ text, href }) =>
        href ? (
          <a key={href} id={`of-${of.recordId}-${href}`} href={href}>
            {text}
          </a>
        ) : (
          text
        ),
      )}
    </bdi>
  );
}
