import { numeral } from "../../text.ts";
import { teamText } from "./team-text.ts";
import { dayText } from "./utc-days.ts";

/** A number for each day (`yyyy-mm-dd`); null where nothing is known. */
export type Series = readonly { day: string; n: number | null }[];

const HEIGHT = 100;

/** The bars of the days, each one unit wide, as the path of an SVG. */
export function barsOf(series: Series, most: number): string {
  return series
    .map(({ n }, at) => {
      const height = n ? Math.max(1, (n / most) * HEIGHT) : 0;
      return height > 0 ? `M${at} ${HEIGHT}v${-height.toFixed(1)}h.8V${HEIGHT}z` : "";
    })
    .join("");
}

/** A bar for each day, with all numbers in a table that unfolds. */
export function Plot({ name, series }: { name: string; series: Series }) {
  const numbers = series.map(({ n }) => n ?? 0);
  const total = numbers.reduce((sum, n) => sum + n, 0);
  const most = Math.max(1, ...numbers);
  const [from, to] = [series[0], series.at(-1)].map((each) => dayText(each?.day ?? ""));
  return (
    <figure class="plot panel">
      <figcaption>
        {name}: <strong>{numeral(total)}</strong>
      </figcaption>
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
        <path d={barsOf(series, most)} />
      </svg>
      <p class="ends hint" aria-hidden="true">
        <span>{from}</span> {total > 0 && <span>{teamText("figuresMost", { n: most })}</span>} <span>{to}</span>
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
