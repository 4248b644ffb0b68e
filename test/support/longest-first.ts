import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Where files are that last long, the longest first. One that began late would run alone at the end. */
const LONG = [
  "security/grants",
  "documented-commands",
  "simulation/clients",
  "simulation/neighbours",
  "portal/",
  "lib/migrations/status-lists",
  "simulation/",
  "infra/",
  "tour",
  "security/",
];

function place({ moduleId }: TestSpecification): number {
  const found = LONG.findIndex((path) => moduleId.includes(`/test/${path}`));
  return found === -1 ? LONG.length : found;
}

/** Begins with the files that last long, also where no earlier run has measured them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Sorted by project, of which each runs as a whole.
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...byProject.values()].flatMap((each) => each.sort((a, b) => place(a) - place(b)));
  }
}
