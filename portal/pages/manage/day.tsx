import { useEffect, useState } from "preact/hooks";
import { useLater } from "../../parts/use-later.ts";

type DayProps = { label: string; day: string | undefined; put: (day: string) => void; max?: string };

/** A day. While one is typed, each digit of the year makes another: only the last one counts. */
export function Day({ label, day = "", put, max }: DayProps) {
  const [typed, setTyped] = useState(day);
  // The way back through the history changes it too.
  useEffect(() => setTyped(day), [day]);
  useLater(() => typed !== day && put(typed), [typed]);
  return (
    <label>
      {label} <input type="date" value={typed} max={max} onChange={({ currentTarget: { value } }) => setTyped(value)} />
    </label>
  );
}
