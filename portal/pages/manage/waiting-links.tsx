import { useRead } from "../../data.ts";
import { NavLink } from "../../parts/nav-link.tsx";
import { numeral } from "../../text.ts";
import { queued } from "./queued.ts";
import { teamText } from "./team-text.ts";
import { type Amount, useUnanswered } from "./unanswered.ts";

// The ways to the lists of the team, with how much waits there, as far as that is counted.

type Words = { shown: string; label: string };

/** How much waits, as it is shown and as it is read aloud; undefined if nothing does. */
function wordsOf(part: "waiting" | "queue", { n, hasMore }: Amount): Words | undefined {
  if (n === 0) return undefined;
  const label = teamText(hasMore ? "queueWithMore" : "queueWith", { name: teamText(part), n });
  return { shown: `${numeral(n)}${hasMore ? "+" : ""}`, label };
}

/** Shows each decision: the page of the queue changes what is read here. */
function useQueued(): Words | undefined {
  const { data: { held = [], after } = {} } = useRead(queued(undefined));
  return wordsOf("queue", { n: held.length, hasMore: after !== undefined });
}

/** The number of the queue beside the name of the folded navigation. */
export function QueueNumber() {
  const waiting = useQueued();
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
  return <LinkWith part="queue" isHere={isHere} waiting={useQueued()} />;
}

export function WaitingLink({ isHere }: LinkProps) {
  return <LinkWith part="waiting" isHere={isHere} waiting={wordsOf("waiting", useUnanswered())} />;
}

type WithProps = LinkProps & { part: "waiting" | "queue"; waiting: Words | undefined };

function LinkWith({ part, isHere, waiting }: WithProps) {
  return (
    <NavLink href={`/manage/${part}`} isHere={isHere} {...(waiting && { label: waiting.label })}>
      {teamText(part)} {waiting && <span class="badge">{waiting.shown}</span>}
    </NavLink>
  );
}
