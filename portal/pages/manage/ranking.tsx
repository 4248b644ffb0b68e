import type { JSX } from "preact";
import { numeral } from "../../text.ts";

/** By its id a link has the keyboard again when the reader comes back. */
type Row = { id: string; name: string; href?: string; n: number | JSX.Element };

/** Names with a number each; nothing if there are none. */
export function Ranking({ title, rows }: { title: string; rows: Row[] }) {
  if (rows.length === 0) return null;
  return (
    <section class="panel">
      <table>
        <caption>{title}</caption>
        <tbody>
          {rows.map(({ id, name, href, n }) => (
            <tr key={id}>
              <th scope="row">
                <bdi>
                  {href ? (
                    <a id={id} href={href}>
                      {name}
                    </a>
                  ) : (
                    name
                  )}
                </bdi>
              </th>
              <td>{typeof n === "number" ? numeral(n) : n}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
