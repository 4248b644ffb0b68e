import { useRead } from "../../data.ts";
import { NavLink } from "../../parts/nav-link.tsx";
import { numeral, t } from "../../text.ts";
import { queued } from "./queued.ts";
import { teamText } from "./team-text.ts";

/**
 * The way to the queue, with how much waits there. It reads the first page of the queue, which shows each decision; of
 * a longer queue nobody counts the rest.
 */
export function QueueLink({ isHere }: { isHere: boolean }) {
  const { data: { held = [], after } = {} } = useRead(queued(undefined));
  const n = held.length;
  const more = after ? "+" : "";
  const label = teamText(after ? "queueWithMore" : "queueWith", { name: t("queue"), n });
  return (
    <NavLink href="/manage/queue" isHere={isHere} {...(n > 0 && { label })}>
      {t("queue")} {n > 0 && <span class="badge">{`${numeral(n)}${more}`}</span>}
    </NavLink>
  );
}
