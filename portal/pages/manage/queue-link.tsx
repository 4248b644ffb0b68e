import { useRead } from "../../data.ts";
import { NavLink } from "../../parts/nav-link.tsx";
import { numeral } from "../../text.ts";
import { queued } from "./queued.ts";
import { teamText } from "./team-text.ts";

/** How much waits in the queue, as far as its first page shows; undefined if nothing does. */
function useWaiting(): { shown: string; label: string } | undefined {
  const { data: { held = [], after } = {} } = useRead(queued(undefined));
  const n = held.length;
  if (n === 0) return undefined;
  const label = teamText(after ? "queueWithMore" : "queueWith", { name: teamText("queue"), n });
  return { shown: `${numeral(n)}${after ? "+" : ""}`, label };
}

/** The number beside the name of the folded navigation. */
export function QueueNumber() {
  const waiting = useWaiting();
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

/**
 * The way to the queue, with how much waits there. It reads the first page of the queue, which shows each decision; of
 * a longer queue nobody counts the rest.
 */
export function QueueLink({ isHere }: { isHere: boolean }) {
  const waiting = useWaiting();
  return (
    <NavLink href="/manage/queue" isHere={isHere} {...(waiting && { label: waiting.label })}>
      {teamText("queue")} {waiting && <span class="badge">{waiting.shown}</span>}
    </NavLink>
  );
}
