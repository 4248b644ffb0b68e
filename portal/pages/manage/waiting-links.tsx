import { useRead } from "../../data.ts";
import { NavLink } from "../../parts/nav-link.tsx";
import { numeral } from "../../text.ts";
import { queued } from "./queued.ts";
import { teamText } from "./team-text.ts";
import { type Amount, useUnanswered } from "./unanswered.ts";

// The ways to the lists of the team, with how much waits there, as far as that is counted.

type PartName = "waiting" | "queue";
type Words = { shown: string; label: string };

function shownOf(n: number, hasMore: boolean): string {
  return `${numeral(n)}${hasMore ? "+" : ""}`;
}

/** How much waits, as it is shown and as it is read aloud; undefined if nothing does, as far as one knows. */
function wordsOf(part: PartName, amount: Amount | undefined): Words | undefined {
  if (!amount || amount.n === 0) return undefined;
  const { n, hasMore } = amount;
  const label = teamText(hasMore ? "queueWithMore" : "queueWith", { name: teamText(part), n });
  return { shown: shownOf(n, hasMore), label };
}

/** Shows each decision: the page of the queue changes what is read here. */
function useQueued(): Amount | undefined {
  const { data } = useRead(queued(undefined));
  return data && { n: data.held.length, hasMore: data.after !== undefined };
}

/** Beside the name of the folded navigation: how much waits on that page, and a dot where others have something. */
export function FoldedNumber({ here }: { here: string | undefined }) {
  const waiting = wordsOf("waiting", useUnanswered());
  const queue = wordsOf("queue", useQueued());
  if (here === "waiting") return <Mark waiting={waiting} />;
  if (here === "queue") return <Mark waiting={queue} />;
  return <Mark waiting={withoutNumber(waiting, queue)} />;
}

/** Beside the name of another page a number would be read as one of that page. */
function withoutNumber(...parts: (Words | undefined)[]): Words | undefined {
  const labels = parts.flatMap((words) => words?.label ?? []);
  return labels.length > 0 ? { shown: "", label: labels.join(" · ") } : undefined;
}

function Mark({ waiting }: { waiting: Words | undefined }) {
  if (!waiting) return null;
  return (
    <>
      <span class="badge" aria-hidden="true">
        {waiting.shown}
      </span>
      <span class="unseen">{waiting.label}</span>
    </>
  );
}

type LinkProps = { isHere: boolean };

export function QueueLink({ isHere }: LinkProps) {
  return <LinkWith part="queue" isHere={isHere} waiting={wordsOf("queue", useQueued())} />;
}

export function WaitingLink({ isHere }: LinkProps) {
  return <LinkWith part="waiting" isHere={isHere} waiting={wordsOf("waiting", useUnanswered())} />;
}

type WithProps = LinkProps & { part: PartName; waiting: Words | undefined };

function LinkWith({ part, isHere, waiting }: WithProps) {
  return (
    <NavLink href={`/manage/${part}`} isHere={isHere} {...(waiting && { label: waiting.label })}>
      {teamText(part)} {waiting && <span class="badge">{waiting.shown}</span>}
    </NavLink>
  );
}
