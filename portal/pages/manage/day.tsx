import { useState } from "preact/hooks";
import { useLater } from "../../parts/use-later.ts";

type DayProps = { label: string; day: string | undefined; put: (day: string) => void; max?: string };

/** A day. While one is typed, each digit of the year makes another: only the last one counts. */
export function Day({ label, day = "", put, max }: DayProps) {
  const [typed, setTyped] = useState<string>();
  const putSoon = useLater((value: string, insteadOf: string) => {
    setTyped(undefined);
    // Another choice, or the way back, may have changed the day meanwhile.
    if (day === insteadOf && day !== value) put(value);
  });
  const type = (value: string) => {
    setTyped(value);
    putSoon(value, day);
  };
  return (
    <label>
      {label}{" "}
      <input type="date" value={typed ?? day} max={max} onChange={({ currentTarget: { value } }) => type(value)} />
    </label>
  );
}
