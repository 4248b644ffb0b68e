import { setTimeout as sleep } from "node:timers/promises";
import type { UserRecord } from "../accounts/users.ts";
import type { Letter } from "../mail/layout.ts";
import { transport } from "../mail/transport.ts";
import { fromEnvironment } from "../runtime/environment.ts";
import * as log from "../runtime/log.ts";
import { turnsEach } from "../runtime/pace.ts";
import { setAlone } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { key } from "../table/keys.ts";
import type { News } from "./news.ts";
import { PAGE, readAfter } from "./readers.ts";

// What the jobs of all news share: a letter to each reader after the other, at a bounded pace.

// A page takes some 30 R, and few readers want mails about comments, so letters do not set the pace: without turns, ten
// comments on a popular post would use up the table's reads. Of ten jobs in parallel, each waits two seconds at most.
const pageTurns = fromEnvironment(() => turnsEach(200));
const letterTurns = fromEnvironment(({ NOTICES_PER_SECOND }) => turnsEach(1000 / NOTICES_PER_SECOND));

function turnOfPage(): Promise<void> {
  return until(pageTurns()());
}

function turnOfLetter(): Promise<void> {
  return until(letterTurns()());
}

/** Tells a reader; returns when to continue (ms since 1970) if no mail can leave now. */
export type Tell = (user: UserRecord, place: string) => Promise<number | undefined>;

/** Tells the readers after a place, one after the other, and notes the place: a crash repeats one letter at most. */
export async function tellAll(
  jobId: string,
  start: string,
  news: News,
  tell: Tell,
  isOver: () => boolean,
): Promise<Outcome> {
  let reached = start;
  for await (const page of readAfter(start, news)) {
    for (const { reader, place } of page) {
      if (reader) {
        const notBefore = await tell(reader, place);
        if (notBefore !== undefined) return { notBefore };
        await setAlone(key.notice(jobId), { place });
        if (isOver()) return "more";
      }
      reached = place;
    }
    // For the next page, read here or in the next attempt.
    if (page.length === PAGE) await turnOfPage();
    // Without readers since then, the place is not stored yet.
    if (reached !== start && isOver()) {
      await setAlone(key.notice(jobId), { place: reached });
      return "more";
    }
  }
  return "done";
}

/** Sends a reader the letter. An address that SES refuses keeps nobody else waiting. */
export async function send({ userId }: UserRecord, letter: Letter): Promise<void> {
  await turnOfLetter();
  try {
    await transport()(letter);
  } catch (error) {
    if (!/: (MessageRejected|BadRequestException)$/.test(String(error))) throw error;
    log.warn("a notice was refused", { account: userId, error });
  }
}

async function until(time: number): Promise<void> {
  if (time > Date.now()) await sleep(time - Date.now());
}
