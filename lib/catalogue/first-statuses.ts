import type { Language } from "../values/languages.ts";
import type { StatusKind } from "../values/statuses.ts";

/** The names of the statuses that a site begins with, one of each kind, in the language in which it is set up. */
const names: Record<Language, Record<StatusKind, string>> = {
  en: { open: "Open", planned: "Planned", started: "Started", completed: "Completed", declined: "Declined" },
  de: { open: "Offen", planned: "Geplant", started: "Begonnen", completed: "Erledigt", declined: "Abgelehnt" },
  es: { open: "Abierto", planned: "Planeado", started: "En curso", completed: "Completado", declined: "Descartado" },
  fr: { open: "Ouvert", planned: "Prévu", started: "En cours", completed: "Terminé", declined: "Refusé" },
  pt: { open: "Aberto", planned: "Planejado", started: "Em andamento", completed: "Concluído", declined: "Recusado" },
  ja: { open: "受付中", planned: "予定", started: "進行中", completed: "完了", declined: "見送り" },
};

type FirstStatus = { statusId: string; letter?: string; name: string; color: string; kind: StatusKind };

/** The statuses that a site begins with; their ids are the same in each language. */
export function firstStatuses(language: Language): FirstStatus[] {
  const { open, planned, started, completed, declined } = names[language];
  return [
    { statusId: "open", name: open, color: "64748b", kind: "open" },
    { statusId: "planned", letter: "a", name: planned, color: "3b82f6", kind: "planned" },
    { statusId: "started", letter: "b", name: started, color: "f59e0b", kind: "started" },
    { statusId: "completed", letter: "c", name: completed, color: "22c55e", kind: "completed" },
    { statusId: "declined", letter: "d", name: declined, color: "ef4444", kind: "declined" },
  ];
}
