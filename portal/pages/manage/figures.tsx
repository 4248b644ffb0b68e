import { useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Schemas } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { offerFile, patiently } from "../../downloads.ts";
import { announce } from "../../notices.ts";
import { Action, Pending, When } from "../../parts/basics.tsx";
import { ActingSelect } from "../../parts/fields.tsx";
import { numeral } from "../../text.ts";
import { withQuery } from "../../with-query.ts";
import { Day } from "./day.tsx";
import { Plot } from "./plot.tsx";
import { teamText } from "./team-text.ts";
import { dayAfter, isDay, lengthOf, today } from "./utc-days.ts";

const KINDS = ["posts", "votes", "comments", "accounts"] as const;

/** Periods up to today, in days; the service answers with the usual one by itself, and with 366 days at most. */
const PERIODS = [7, 30, 90, 365];
const USUAL = 30;
const MOST = 366;

/** From which day to which; without them the last thirty days. */
type Span = { from?: string; to?: string };

const figures = define("figures", (client, span: Span) => answer(client.GET("/stats", { params: { query: span } })));

/** The last days, up to today. */
function upToToday(days: number): Span {
  return days === USUAL ? {} : { from: dayAfter(today(), 1 - days), to: today() };
}

/** The span that begins or ends with another day. Its other end follows if it would be too far away, or before it. */
export function spanFrom(from: string, to: string): Span {
  const furthest = dayAfter(from, MOST - 1);
  if (to < from) return { from, to: from };
  return { from, to: to > furthest ? furthest : to };
}

export function spanUpTo(from: string, to: string): Span {
  const furthest = dayAfter(to, 1 - MOST);
  if (from > to) return { from: to, to };
  return { from: from < furthest ? furthest : from, to };
}

async function download(span: Span): Promise<void> {
  const query = { ...span, format: "csv" } as const;
  const tell = (n: number) => announce(teamText("auditWaits", { n }));
  const { text = "" } = await patiently(() => api.GET("/stats", { params: { query } }), tell);
  offerFile([text], "text/csv", "figures.csv");
}

/** The span of an address. A day that the service does not take is left out, and an end before its beginning moves. */
export function spanIn({ from = "", to = "" }: Record<string, string>): Span {
  if (isDay(from)) return spanFrom(from, isDay(to) ? to : today());
  return isDay(to) ? { to } : {};
}

/** How much is made on the site, day by day, and who and what leads. */
export function Figures() {
  const { query, route } = useLocation();
  const span = spanIn(query);
  const { data, ...reading } = useRead(figures(span));
  // Other days come in place of what is shown, so that open tables stay open.
  const last = useRef<Shown>();
  if (data) last.current = data;
  const shown = last.current;
  const show = (chosen: Span) => route(withQuery("/manage/figures", chosen));
  return (
    <>
      {shown && <Period of={shown} show={show} />}
      <p class="actions">
        <Action act={() => download(span)} label={teamText("auditCsv")} kind="" />
      </p>
      {shown && !reading.failure ? <All of={shown} /> : <Pending {...reading} />}
    </>
  );
}

function Period({ of: { from, to }, show }: { of: { from: string; to: string }; show: (span: Span) => void }) {
  const days = to === today() ? lengthOf(from, to) : 0;
  return (
    <search class="bar">
      <ActingSelect
        label={teamText("figuresPeriod")}
        value={PERIODS.includes(days) ? String(days) : ""}
        none={teamText("figuresOther")}
        options={PERIODS.map((n) => ({ id: String(n), name: teamText("figuresLast", { n }) }))}
        act={(chosen) => chosen && show(upToToday(Number(chosen)))}
      />
      <Day label={teamText("auditFrom")} day={from} put={(day) => show(day ? spanFrom(day, to) : {})} />
      <Day label={teamText("auditTo")} day={to} put={(day) => show(day ? spanUpTo(from, day) : {})} />
    </search>
  );
}

type Shown = Schemas["Stats"];

function All({ of: { days, countedAt, boards, top, unanswered, askers } }: { of: Shown }) {
  return (
    <>
      <p class="hint">
        {teamText("figuresHint")}{" "}
        {countedAt ? (
          <>
            {teamText("figuresCounted")} <When at={countedAt} />
          </>
        ) : (
          teamText("figuresNone")
        )}
      </p>
      <div class="plots">
        {KINDS.map((kind) => (
          <Plot
            key={kind}
            name={teamText(`figures_${kind}`)}
            series={days.map((each) => ({ day: each.day, n: each[kind] }))}
          />
        ))}
        <Ranking
          title={teamText("figuresBoards")}
          rows={boards.map(({ boardId, name, url, posts }) => ({
            id: boardId,
            name,
            href: `/boards/${url}`,
            n: posts,
          }))}
        />
        <Ranking
          title={teamText("figuresTop")}
          rows={top.map(({ postId, title, slug, votes }) => ({
            id: postId,
            name: title,
            href: `/posts/${slug}`,
            n: votes,
          }))}
        />
        <Ranking
          title={teamText("figuresUnanswered")}
          rows={unanswered.map(({ postId, title, slug, createdAt }) => ({
            id: postId,
            name: title,
            href: `/posts/${slug}`,
            n: <When at={createdAt} />,
          }))}
        />
        <Ranking
          title={teamText("figuresAskers")}
          rows={askers.map(({ userId, name, posts }) => ({ id: userId, name, n: posts }))}
        />
      </div>
    </>
  );
}

type RankingRow = { id: string; name: string; href?: string; n: number | preact.JSX.Element };

/** Names with a number each; nothing if there are none. */
function Ranking({ title, rows }: { title: string; rows: RankingRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section class="panel">
      <table>
        <caption>{title}</caption>
        <tbody>
          {rows.map(({ id, name, href, n }) => (
            <tr key={id}>
              <th scope="row">
                <bdi>{href ? <a href={href}>{name}</a> : name}</bdi>
              </th>
              <td>{typeof n === "number" ? numeral(n) : n}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
