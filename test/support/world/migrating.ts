import { expect } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import type { Item } from "../../../infra/operator/check-table/stored.ts";
import { accessOf, migrationFrom } from "../../../lib/migrations/index.ts";
import { goBackBefore, migrate, type Progress } from "../../../lib/migrations/migrate.ts";
import { remove } from "../../../lib/table/parts.ts";
import { expectSound } from "../setup.ts";
import { recordCalls } from "../store/calls.ts";
import { cutAt } from "../store/faults.ts";
import { transactRaw } from "../store/raw-calls.ts";
import { rightsIn, usesOf } from "./exercises.ts";

// What every migration has to keep that writes items which a table of the version before lacks.

/** Takes away what the migration from a version writes, as a table of that version lacks it. */
export async function goBackWithout(isWritten: (item: Item) => boolean, version: number): Promise<void> {
  await transactRaw((await scan()).filter(isWritten).map(({ pk, sk }) => remove({ pk, sk })));
  await goBackBefore(version);
}

/** Migrates, and expects that the migration from a version uses exactly its rights. */
export async function expectOwnRights(version: number): Promise<void> {
  let isDone = false;
  const onProgress = (progress: Progress) => {
    isDone = progress.isDone;
  };
  // Later migrations have rights of their own.
  const { calls } = await recordCalls(() => migrate({ onProgress, isTimeUp: () => isDone }));
  await migrate();
  const migration = migrationFrom(version);
  const rights = [...rightsIn(accessOf(migration ? [migration] : []))];
  // Each migration notes its progress.
  expect([...usesOf(calls)].filter((use) => !use.startsWith("MODEL")).sort()).toEqual(
    rights.filter((right) => !right.startsWith("MODEL") && !right.startsWith("FENCE")).sort(),
  );
}

/** Kills the migration of an old table at each of its calls, and expects that a further run ends it. */
export async function expectToContinue(makeOld: () => Promise<void>): Promise<void> {
  for (let call = 1, isKilled = true; isKilled; call++) {
    await makeOld();
    isKilled = await cutAt(call, migrate, () => "lose the answer");
    expect(isKilled || call > 5).toBe(true);
    await migrate();
    await expectSound();
  }
}
