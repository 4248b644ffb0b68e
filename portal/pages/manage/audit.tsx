import { useState } from "preact/hooks";
import { answer, api } from "../../api.ts";
import { define } from "../../data.ts";
import { offerFile, patiently } from "../../downloads.ts";
import { announce } from "../../notices.ts";
import { nextOf } from "../../paging.ts";
import { Action, Avatar, Empty, When } from "../../parts/basics.tsx";
import { ActingSelect } from "../../parts/fields.tsx";
import { Pages } from "../../parts/pages.tsx";
import { type AuditEntry, addressOf, kindsOfThings, nameOfActor, sentenceOf } from "./audit-words.ts";
import { teamText } from "./team-text.ts";

/** Which changes are shown. Days are as the reader's clock has them. */
type Filter = { by?: string; item?: string; action?: string; from?: string; to?: string };

const DAY_MS = 86_400_000;

/** The filter as the service takes it: days become moments. */
function queryOf({ from, to, action, ...rest }: Filter) {
  return {
    ...rest,
    ...(action && { action: action as AuditEntry["action"] }),
    ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to && { to: new Date(Date.parse(`${to}T00:00:00`) + DAY_MS - 1).toISOString() }),
  };
}

/** Changes, the newest first. Of many that do not fit the filter, it looks at several pages before it shows one. */
const changes = define("audit", async (client, filter: Filter, after?: string) => {
  const query = { ...queryOf(filter), ...(after && { after }) };
  for (let calls = 1; ; calls++) {
    const { records, page_info } = await answer(client.GET("/audit", { params: { query } }));
    const next = nextOf(page_info);
    if (records.length > 0 || !next.after || calls === MOST_CALLS) return { records, ...next };
    query.after = next.after;
  }
});

const MOST_CALLS = 10;

/** Offers a file with all changes that fit the filter. */
async function download(filter: Filter, format: "csv" | "jsonl"): Promise<void> {
  const texts: string[] = [];
  const tell = (n: number) => announce(teamText("auditWaits", { n }));
  for (let after: string | null | undefined; after !== null; ) {
    const query = { ...queryOf(filter), format, first: 50, ...(after && { after }) };
    const { text = "", page_info } = await patiently(() => api.GET("/audit", { params: { query } }), tell);
    texts.push(text);
    after = page_info.end_cursor;
  }
  offerFile(texts, format === "csv" ? "text/csv" : "application/jsonl", `audit.${format}`);
}

/** Who of the team changed what. */
export function Audit() {
  const [filter, setFilter] = useState<Filter>({});
  // What the buttons of a row have chosen, in words.
  const [only, setOnly] = useState<{ name: string; about: Filter }>();
  const wanted = { ...filter, ...only?.about };
  const put = (name: keyof Filter) => (value: string) => setFilter({ ...filter, [name]: value || undefined });
  return (
    <>
      <search class="bar">
        <ActingSelect
          label={teamText("auditKind")}
          none={teamText("auditAll")}
          options={kindsOfThings()}
          act={put("action")}
        />
        <Day label={teamText("auditFrom")} put={put("from")} />
        <Day label={teamText("auditTo")} put={put("to")} />
      </search>
      <p class="actions">
        <Action act={() => download(wanted, "csv")} label={teamText("auditCsv")} />
        <Action act={() => download(wanted, "jsonl")} label={teamText("auditJsonl")} />
      </p>
      {only && (
        <p class="actions">
          <bdi>{only.name}</bdi> <Action act={() => setOnly(undefined)} label={teamText("auditAll")} kind="" />
        </p>
      )}
      <Pages
        key={JSON.stringify(wanted)}
        query={(after) => changes(wanted, after)}
        show={({ records, after }) =>
          records.length === 0 ? (
            <Empty title={teamText("auditNone")} hint={teamText(after ? "auditOlder" : "auditNoneHint")} />
          ) : (
            <ul class="rows">
              {records.map((entry) => (
                <Row key={entry.recordId} entry={entry} show={setOnly} />
              ))}
            </ul>
          )
        }
      />
    </>
  );
}

function Day({ label, put }: { label: string; put: (value: string) => void }) {
  return (
    <label>
      {label} <input type="date" onChange={({ currentTarget: { value } }) => put(value)} />
    </label>
  );
}

type RowProps = { entry: AuditEntry; show: (only: { name: string; about: Filter }) => void };

function Row({ entry, show }: RowProps) {
  const { by, item, createdAt, changed, key } = entry;
  const name = nameOfActor(entry);
  const sentence = sentenceOf(entry);
  const href = addressOf(entry);
  return (
    <li class="item">
      <Avatar author={{ userId: by, name }} />
      <span class="wide">
        <bdi>{href ? <a href={href}>{sentence}</a> : sentence}</bdi>{" "}
        <span class="hint">
          <When at={createdAt} />
          {changed && ` · ${teamText("auditFields", { fields: changed.join(", ") })}`}
          {key && ` · ${teamText("auditByKey")}`}
        </span>
      </span>
      <Action act={() => show({ name, about: { by } })} label={teamText("auditByThem")} of={name} />
      {item && (
        <Action act={() => show({ name: sentence, about: { item } })} label={teamText("auditOfIt")} of={sentence} />
      )}
    </li>
  );
}
