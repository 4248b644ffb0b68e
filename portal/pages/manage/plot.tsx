import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { numeral, shortNumeral } from "../../text.ts";
import { teamText } from "./team-text.ts";
import { dayText } from "./utc-days.ts";

/** A number for each day (`yyyy-mm-dd`); null where nothing is known. */
export type Series = readonly { day: string; n: number | null }[];

const HEIGHT = 100;

/** The least number that fills the height: a day with one post is not a peak. */
const LEAST = 4;

/** The highest round number (1, 2 or 5 with zeros) up to another one. */
function highestRound(top: number): number {
  const zeros = 10 ** Math.floor(Math.log10(top));
  return ([5, 2].find((n) => n * zeros <= top) ?? 1) * zeros;
}

/** A line at a round number, from which all bars can be read. `top`: the number that fills the height. */
function Scale({ top }: { top: number }) {
  const n = highestRound(top);
  return (
    <span class="scale" aria-hidden="true" style={{ top: `${100 - (n / top) * 100}%` }}>
      <span>{shortNumeral(n)}</span>
    </span>
  );
}

/** The bar of a number at a place, one unit wide, as the path of an SVG. `top`: the number that fills the height. */
function barOf(n: number, at: number, top: number): string {
  const height = Math.max(1, (n / top) * HEIGHT);
  return n > 0 ? `M${at} ${HEIGHT}v${-height.toFixed(1)}h.8V${HEIGHT}z` : "";
}

/** What is read of a day. */
function readingOf({ day, n }: Series[number]): string {
  return `${dayText(day)}: ${n === null ? teamText("figuresUnknown") : numeral(n)}`;
}

type ReaderProps = { name: string; series: Series; at: number | undefined; read: (at: number | undefined) => void };

/** Lies above the bars, unseen: the pointer or the arrow keys choose the day that is read. */
function Reader({ name, series, at = series.length - 1, read }: ReaderProps) {
  const day = series[at];
  const point = ({ offsetX, currentTarget }: JSX.TargetedPointerEvent<HTMLInputElement>) => {
    const place = Math.floor((offsetX / currentTarget.clientWidth) * series.length);
    read(Math.min(Math.max(place, 0), series.length - 1));
  };
  return (
    <input
      type="range"
      min={0}
      max={series.length - 1}
      value={at}
      aria-label={teamText("figuresRead", { name })}
      aria-valuetext={day && readingOf(day)}
      onInput={({ currentTarget }) => read(currentTarget.valueAsNumber)}
      onFocus={() => read(at)}
      onBlur={() => read(undefined)}
      onPointerMove={point}
      onPointerLeave={() => read(undefined)}
    />
  );
}

/** A bar for each day, of which one can be read, with all numbers in a table that unfolds. */
export function Plot({ name, series }: { name: string; series: Series }) {
  const numbers = series.map(({ n }) => n ?? 0);
  const total = numbers.reduce((sum, n) => sum + n, 0);
  const most = Math.max(1, ...numbers);
  const top = Math.max(most, LEAST);
  const isKnown = series.some(({ n }) => n !== null);
  const [at, read] = useState<number>();
  const chosen = at === undefined ? undefined : series[at];
  const [from, to] = [series[0], series.at(-1)].map((each) => dayText(each?.day ?? ""));
  return (
    <figure class="plot panel">
      <figcaption>
        <span>
          {name}: <strong>{numeral(total)}</strong>
        </span>
        {isKnown && (
          <span class="hint" aria-hidden="true">
            {total > 0 ? teamText("figuresMost", { n: most }) : teamText("figuresNothing")}
          </span>
        )}
      </figcaption>
      <div class="bars">
        {total > 0 && <Scale top={top} />}
        {series.length > 0 && <Reader name={name} series={series} at={at} read={read} />}
        <svg
          viewBox={`0 0 ${series.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={teamText("figuresPlot", {
            name,
            from: from ?? "",
            to: to ?? "",
            total,
            most: Math.max(...numbers),
          })}
        >
          <path d={numbers.map((n, place) => barOf(n, place, top)).join("")} />
          {at !== undefined && <path class="read" d={barOf(numbers[at] ?? 0, at, top)} />}
        </svg>
      </div>
      <p class="ends hint" aria-hidden="true">
        {chosen ? (
          <span class="read">{readingOf(chosen)}</span>
        ) : (
          <>
            <span>{from}</span> <span>{to}</span>
          </>
        )}
      </p>
      <details>
        <summary>{teamText("figuresTable")}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{teamText("figuresDay")}</th>
              <th scope="col">{name}</th>
            </tr>
          </thead>
          <tbody>
            {series.map(({ day, n }) => (
              <tr key={day}>
                <th scope="row">{dayText(day)}</th>
                <td>{n === null ? teamText("figuresUnknown") : numeral(n)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
