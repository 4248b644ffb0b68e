import type { UserRecord } from "../../../lib/accounts/users.ts";
import { familyOf } from "../../../lib/table/families.ts";
import { idIn, key } from "../../../lib/table/keys.ts";
import type { Change } from "../../simulator/model/database.ts";
import { plainItem } from "../../simulator/model/values.ts";
import { ATTEMPT_MS, between, type Since } from "./spans.ts";

// The digests of the queue, compared with all changes of the table: only the team gets them, once an hour at most, and
// those who chose them are told of all that waits.

type Letter = { at: number; to: string; userId: string; subject: string; listed: string[] };

/** A held post or comment: since when it waits, and its text as a letter shows it. */
type Waiting = { since: number; text: string };

const LETTER = /^mail to (?<to>[^:]+): (?<subject>.* your decision on .*)$/m;
const LINK = /unsubscribe\?token=(?<userId>[\da-f-]{36})\.digest\./;
const ITEM = /^ *- (?:New|Reported) (?:post|comment): (.*)$/gm;

const HOUR_MS = 3_600_000;

/** The clocks of two containers differ by less. */
const CLOCKS_MS = 10_000;

/** What an account was before the first change of it: not there. */
const NEVER: readonly Since<undefined>[] = [{ at: Number.NEGATIVE_INFINITY, value: undefined }];

/** As many as a letter lists. */
const MOST_LISTED = 20;

export class DigestLetters {
  readonly #letters: Letter[] = [];
  readonly #waiting = new Map<string, Waiting>();
  readonly #users = new Map<string, Since<UserRecord | undefined>[]>();

  get count(): number {
    return this.#letters.length;
  }

  note({ key: { partition, sort }, before, after }: Change, at: number): void {
    if (familyOf(partition) === "USER" && sort === key.user("").sk) {
      const userId = idIn(partition);
      const value = after && (plainItem(after) as unknown as UserRecord);
      this.#users.set(userId, [...(this.#users.get(userId) ?? NEVER), { at, value }]);
    }
    if (familyOf(partition) !== "HELD") return;
    if (!after) this.#waiting.delete(sort);
    else if (!before) {
      const { title, body } = plainItem(after) as { title?: string; body?: string };
      const text = title ?? body;
      if (text !== undefined) this.#waiting.set(sort, { since: at, text });
    }
  }

  hear(line: string, at: number): void {
    const { to, subject } = LETTER.exec(line)?.groups ?? {};
    const { userId } = LINK.exec(line)?.groups ?? {};
    if (!to || !subject || !userId) return;
    this.#letters.push({
      at,
      to,
      userId,
      subject,
      listed: [...line.matchAll(ITEM)].map(([, text = ""]) => text),
    });
  }

  /** Letters to an account that did not choose them, or was not of the team, at any moment of the attempt. */
  get untrue(): Letter[] {
    return this.#letters.filter(({ userId, at }) => !this.#between(userId, at - ATTEMPT_MS, at).some(getsThem));
  }

  /** Letters within an hour after another one to the same reader. */
  get tooSoon(): Letter[] {
    const last = new Map<string, number>();
    return this.#letters.filter(({ userId, at }) => {
      const isSoon = at - (last.get(userId) ?? Number.NEGATIVE_INFINITY) < HOUR_MS - CLOCKS_MS;
      last.set(userId, at);
      return isSoon;
    });
  }

  /** Readers who surely chose the digest before something came that still waits, and are not told of it. */
  get missed(): string[] {
    return [...this.#waiting.values()].flatMap((waiting) =>
      [...this.#users.keys()]
        .filter((userId) => this.#between(userId, waiting.since - ATTEMPT_MS, Infinity).every(getsThem))
        .filter((userId) => !this.#wasTold(userId, waiting))
        .map((userId) => `${userId} is not told of ${waiting.text}`),
    );
  }

  #wasTold(userId: string, { since, text }: Waiting): boolean {
    const letters = this.#letters.filter((letter) => letter.userId === userId && letter.at >= since);
    // A longer queue is only counted.
    return letters.some(({ listed }) => listed.includes(text) || listed.length >= MOST_LISTED);
  }

  /** The account as it was at each moment of a span. */
  #between(userId: string, from: number, to: number): (UserRecord | undefined)[] {
    return between(this.#users.get(userId) ?? NEVER, from, to);
  }
}

function getsThem(user: UserRecord | undefined): boolean {
  const isOfTeam = user?.role === "owner" || user?.role === "moderator";
  return isOfTeam && user.digest === true && user.isVerified === true;
}
