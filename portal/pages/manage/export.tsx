import { useEffect } from "preact/hooks";
import { answer, api, type Schemas } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { Pending, When } from "../../parts/basics.tsx";
import { Choice, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { usePasswordProof } from "../../parts/proof.tsx";
import { language } from "../../text.ts";
import { Imports, useImports } from "./imports.tsx";
import { State } from "./state.tsx";
import { teamText } from "./team-text.ts";

type SiteExport = Schemas["SiteExport"];

const lastExport = define("lastExport", async (client) => (await answer(client.GET("/exports/latest"))).export);

const LOOKS_AGAIN_MS = 3000;

const KINDS = { running: "idle", ready: "good", expired: "idle", failed: "bad" } as const;

/** The last export of all of the site, and how to ask for one. */
export function Export() {
  const { data: last, ...read } = useRead(lastExport());
  // Side by side: what stands below waits for no other answer.
  useImports();
  const isRunning = last?.state === "running";
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => void read.again(), LOOKS_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (last === undefined) return <Pending {...read} />;
  return (
    <>
      {last && <Last of={last} />}
      {!isRunning && <Ask again={read.again} />}
      <Imports />
    </>
  );
}

function Last({ of: last }: { of: SiteExport }) {
  const { state, format, createdAt } = last;
  return (
    <section class="panel" aria-labelledby="last-export">
      <h2 id="last-export">{teamText("lastExport")}</h2>
      <p role="status">
        <State kind={KINDS[state]}>{teamText(`export_${state}`)}</State>{" "}
        <span class="quiet-text">
          {teamText(`export_${format}`)}, <When at={createdAt} />
        </span>
      </p>
      {state === "running" && <p class="hint">{teamText("exportRunningHint")}</p>}
      {state === "ready" && (
        <>
          <p class="hint">{teamText("exportReadyHint")}</p>
          <Download of={last} />
        </>
      )}
    </section>
  );
}

function sizeText(bytes: number): string {
  const unit = bytes < 1e6 ? "kilobyte" : "megabyte";
  const size = bytes / (unit === "kilobyte" ? 1e3 : 1e6);
  return size.toLocaleString(language.value, { style: "unit", unit, maximumFractionDigits: 1 });
}

/** Leads the browser to the file, which it keeps: the page stays. */
function Download({ of: { exportId, bytes } }: { of: SiteExport }) {
  const { proofFields, withProof } = usePasswordProof();
  const download = async (values: Values) => {
    const path = { exportId };
    const link = () => answer(api.GET("/exports/{exportId}/file", { params: { path } }));
    location.assign((await withProof(values, link)).url);
  };
  const label = teamText("downloadExport", { size: sizeText(bytes ?? 0) });
  return (
    <Form send={download} button={label} label={label}>
      {proofFields}
    </Form>
  );
}

function Ask({ again }: { again: () => Promise<void> }) {
  const formats = [
    { id: "csv", name: teamText("export_csv") },
    { id: "jsonl", name: teamText("export_jsonl") },
  ];
  const { proofFields, withProof } = usePasswordProof();
  const ask = async (values: Values) => {
    const body = { format: values.format === "jsonl" ? "jsonl" : "csv" } as const;
    await withProof(values, () => answer(api.POST("/exports", { body })));
    await again();
  };
  return (
    <Form send={ask} button={teamText("exportAll")} label={teamText("exportAll")}>
      <p class="hint">{teamText("exportHint")}</p>
      <Choice name="format" label={teamText("exportFormat")} options={formats} value="csv" />
      {proofFields}
    </Form>
  );
}
