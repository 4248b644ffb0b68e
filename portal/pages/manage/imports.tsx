import { answer, type Schemas } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { Pending, When } from "../../parts/basics.tsx";
import { numeral } from "../../text.ts";
import { State } from "./state.tsx";
import { teamText } from "./team-text.ts";

type SiteImport = Schemas["SiteImport"];

const allImports = define("imports", async (client) => (await answer(client.GET("/imports"))).imports);
export const useImports = () => useRead(allImports());

/** What operators brought in from other portals, with the report of each import. */
export function Imports() {
  const { data: imports, ...read } = useImports();
  if (imports === undefined) return <Pending {...read} />;
  return (
    <section class="panel" aria-labelledby="imports">
      <h2 id="imports">{teamText("imports")}</h2>
      {imports.length === 0 && <p class="hint">{teamText("importsHint")}</p>}
      {imports.map((each) => (
        <Report key={each.name} of={each} />
      ))}
    </section>
  );
}

function Report({
  of: { name, source, state, createdAt, finishedAt, found, problemCount, problems },
}: {
  of: SiteImport;
}) {
  return (
    <article>
      <h3>{name === source ? name : `${name} (${source})`}</h3>
      <p>
        <State kind={state === "done" ? "good" : "busy"}>{teamText(`import_${state}`)}</State>{" "}
        <span class="quiet-text">
          <When at={finishedAt ?? createdAt} />
        </span>
      </p>
      {state === "unfinished" && <p class="hint">{teamText("importUnfinishedHint")}</p>}
      {found && <p>{teamText("importFound", found)}</p>}
      {problemCount !== null && <p>{teamText("importProblems", { n: problemCount })}</p>}
      {problems.length > 0 && (
        <>
          <ul>
            {problems.map(({ problem, count }) => (
              <li key={problem}>
                {numeral(count)} × <span lang="en">{problem}</span>
              </li>
            ))}
          </ul>
          <p class="hint">{teamText("importProblemsHint")}</p>
        </>
      )}
    </article>
  );
}
