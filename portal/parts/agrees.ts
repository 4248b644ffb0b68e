import { loadFile } from "../load-file.ts";

/** Whether a person agrees to what ends something; `yes` names it. */
export async function agrees(question: string, yes: string): Promise<boolean> {
  return (await loadFile(() => import("./question.tsx"))).ask(question, yes);
}
