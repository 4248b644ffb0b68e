import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Schemas } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { offerFile, patiently } from "../../downloads.ts";
import { announce } from "../../notices.ts";
import { Action, Empty, Pending, When } from "../../parts/basics.tsx";
import { CopyLink } from "../../parts/copy-link.tsx";
import { ActingSelect } from "../../parts/fields.tsx";
import { useAsLastList } from "../../parts/last-list.ts";
import { scrollToKept } from "../../places.ts";
import { withQuery } from "../../with-query.ts";
import { Day } from "./day.tsx";
import { daysOf, PERIODS, type Span, spanFrom, spanIn, spanUpTo, upToToday } from "./figures-span.ts";
import { Plot } from "./plot.tsx";
import { Ranking } from "./ranking.tsx";
import { teamText } from "./team-text.ts";
import { dayText, lengthOf, today } from "./utc-days.ts";

const KINDS = ["posts", "votes", "comments", "accounts"] as const;

const figures = define("figures", (client, span: Span) => answer(client.GET("/stats", { params: { query: span } })));

async function download(span: Span): Promise<void> {
  const query = { ...span, format: "csv" } as const;
  const tell = (n: number) => announce(teamText("downloadWaits", { n }));
  const { text = "" } = await patiently(() => api.GET("/stats", { params: { query } }), tell);
  offerFile([text], "text/csv", "figures.csv");
}

/** How much is made on the site, day by day, and who and what leads. */
export function Figures() {
  useAsLastList("figures");
  const { query, route } = useLocation();
  const span = spanIn(query);
  const { data, ...reading } = useRead(figures(span));
  // Other days come in place of what is shown, which is dimmed until then: open tables stay open.
  const last = useRef<Shown>();
  if (data) last.current = data;
  const shown = last.current;
  const isLate = data === undefined;
  useEffect(() => {
    if (shown) scrollToKept(true);
  }, [!shown]);
  // Other days are shown as they are, whatever there is.
  const isChosen = Boolean(span.from || span.to);
  const show = (chosen: Span) => route(withQuery("/manage/figures", chosen));
  return (
    <>
      <Period {...daysOf(span)} show={show}>
        <Action act={() => download(span)} label={teamText("csv")} kind="" />
      </Period>
      {shown && !reading.failure ? (
        <div class={isLate ? "waiting" : undefined} aria-busy={isLate}>
          {!isChosen && isEmpty(shown) ? <NothingYet /> : <All of={shown} />}
        </div>
      ) : (
        <div class="plots-later">
          <Pending {...reading} lines={1 + KINDS.length} />
        </div>
      )}
    </>
  );
}

type PeriodProps = { from: string; to: string; show: (span: Span) => void; children: ComponentChildren };

/** Chooses the days. A change builds on the one before it, also while the figures of that one are still read. */
function Period({ from, to, show, children }: PeriodProps) {
  const now = today();
  const days = to === now ? lengthOf(from, to) : 0;
  /** What is shown may be other days: typed ones can be still to come, and the other end may have to move too. */
  const choose = (day: string, spanWith: (day: string) => Span) => {
    if (!day) return show({});
    const span = spanWith(day < now ? day : now);
    show(span);
    const shown = daysOf(span);
    const dates = { from: dayText(shown.from), to: dayText(shown.to) };
    if (day > now) announce(teamText("figuresToCome", dates));
    else if (shown.from !== from && shown.to !== to) announce(teamText("figuresMoved", dates));
  };
  const begin = (day: string) => choose(day, (first) => spanFrom(first, to));
  const end = (day: string) => choose(day, (last) => spanUpTo(from, last));
  return (
    <search class="bar">
      <ActingSelect
        label={teamText("figuresPeriod")}
        value={PERIODS.includes(days) ? String(days) : ""}
        none={teamText("figuresOther")}
        options={PERIODS.map((n) => ({ id: String(n), name: teamText("figuresLast", { n }) }))}
        act={(chosen) => chosen && show(upToToday(Number(chosen)))}
      />
      <Day label={teamText("from")} day={from} max={now} put={begin} />
      <Day label={teamText("to")} day={to} max={now} put={end} />
      {children}
    </search>
  );
}

type Shown = Schemas["Stats"];

/** Whether nothing is counted that people have made. */
function isEmpty({ days, top, askers }: Shown): boolean {
  const isQuiet = days.every(({ posts, votes, comments }) => !posts && !votes && !comments);
  return isQuiet && top.length === 0 && askers.length === 0;
}

function NothingYet() {
  return (
    <Empty title={teamText("figuresEmpty")} hint={teamText("figuresEmptyHint")}>
      <CopyLink path="/" />
    </Empty>
  );
}

function All({ of }: { of: Shown }) {
  const { days, countedAt } = of;
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
      </div>
      <Rankings of={of} />
    </>
  );
}

/** The short lists count everything, whichever days are chosen above. */
function Rankings({ of: { boards, top, unanswered, askers } }: { of: Shown }) {
  if ([boards, top, unanswered, askers].every(({ length }) => length === 0)) return null;
  return (
    <>
      <h2>{teamText("figuresSince")}</h2>
      <div class="plots">
        <Ranking
          title={teamText("figuresBoards")}
          rows={boards.map(({ boardId, name, url, posts }) => ({
            id: `board-${boardId}`,
            name,
            href: `/boards/${url}`,
            n: posts,
          }))}
        />
        <Ranking
          title={teamText("figuresTop")}
          rows={top.map(({ postId, title, slug, votes }) => ({
            id: `top-${postId}`,
            name: title,
            href: `/posts/${slug}`,
            n: votes,
          }))}
        />
        <Ranking
          title={teamText("figuresUnanswered")}
          rows={unanswered.map(({ postId, title, slug, createdAt }) => ({
            id: `unanswered-${postId}`,
            name: title,
            href: `/posts/${slug}`,
            n: <When at={createdAt} inDays />,
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
