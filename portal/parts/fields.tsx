import type { ComponentChildren, JSX, RefObject } from "preact";
import { createContext } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { inThisLanguage, t } from "../text.ts";
import { useElementId } from "./element-id.ts";
import { Icon } from "./icons.tsx";
import { useHere } from "./use-here.ts";

/** What was typed, by the names of the fields; empty fields and boxes that are not checked are absent. */
export type Values = Record<string, string>;

/** What was wrong in a form, by the names of its fields. */
export const Problems = createContext<Record<string, string>>({});

/**
 * What a field begins with, and what it then says of a value that another person has saved. A field that nobody has
 * changed shows that value; one with a value of a person's own keeps it, so that to save again saves what was chosen.
 */
function useSaved(
  element: RefObject<{ value: string }>,
  saved = "",
  named = saved,
): [begun: string, theirs: string | false] {
  const begun = useRef(saved);
  const now = element.current?.value;
  const isUnchanged = now === begun.current;
  if (isUnchanged || now === saved) begun.current = saved;
  useLayoutEffect(() => {
    // By itself a field that was typed into, or filled from a draft, stays as it is.
    if (isUnchanged && element.current) element.current.value = saved;
  }, [saved]);
  return [begun.current, begun.current !== saved && t("savedMeanwhile", { value: named })];
}

type FieldProps = JSX.IntrinsicElements["input"] & {
  name: string;
  label: string;
  hint?: string;
  rows?: number;
  /** Its text is Markdown: a help that unfolds says how to write it. */
  isMarkdown?: boolean;
  /** What is wrong before the form is sent. */
  problem?: string | undefined;
  /** What is wrong with a value, in a sentence. */
  check?: (value: string) => string | undefined;
  /** What the button says that shows a secret that is not a password. */
  showLabel?: string;
  onType?: (value: string) => void;
};

/** A labelled field; with `rows` it takes several lines. `value`: what it begins with. */
export function Field(props: FieldProps) {
  const { label, hint, rows, value, isMarkdown, problem: known, check, showLabel, onType, ...input } = props;
  const id = useElementId();
  const problem = useContext(Problems)[input.name] ?? known;
  const [isShown, setShown] = useState(false);
  const isSecret = input.type === "password";
  const element = useRef(null);
  const [, theirs] = useSaved(element, value as string);
  const type = ({ currentTarget: field }: JSX.TargetedInputEvent<HTMLInputElement>) => {
    // For the form, which looks at each field's validity.
    field.setCustomValidity(check?.(field.value) ?? "");
    onType?.(field.value);
  };
  const all = {
    // Hebrew and Arabic are written from the right.
    dir: "auto",
    ...input,
    ...((check || onType) && { onInput: type }),
    id,
    ref: element,
    ...(isSecret && isShown && { type: "text" }),
    defaultValue: value,
    "aria-invalid": problem ? true : undefined,
    "aria-describedby": `${id}-hint ${id}-problem`,
  };
  const control = rows ? <textarea {...(all as object)} rows={rows} /> : <input {...(all as object)} />;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {!input.required && input.type !== "color" && <span class="optional"> {t("optional")}</span>}
      </label>
      <p id={`${id}-hint`} class="hint">
        {hint}
        {theirs && ` ${theirs}`}
      </p>
      {isSecret ? (
        <span class="secret">
          {control}
          <button type="button" class="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            <Icon name="eye" /> <span class="unseen">{showLabel ?? t("showPassword")}</span>
          </button>
        </span>
      ) : (
        control
      )}
      {isMarkdown && (
        <details class="hint">
          <summary>{t("formatting")}</summary>
          <code>{t("formattingHelp")}</code>
        </details>
      )}
      <p id={`${id}-problem`} class="problem">
        {problem && inThisLanguage(problem)}
      </p>
    </div>
  );
}

type CheckProps = { name: string; label: ComponentChildren; on?: boolean; turn?: (isOn: boolean) => void };

export function Check({ name, label, on = false, turn }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        defaultChecked={on}
        onInput={({ currentTarget }) => turn?.(currentTarget.checked)}
      />{" "}
      <span>{label}</span>
    </label>
  );
}

type SelectProps = Omit<JSX.IntrinsicElements["select"], "value" | "label"> & {
  label: string;
  element?: RefObject<HTMLSelectElement> | null;
  /** What there is to choose from. */
  options: readonly { id: string; name: string }[];
  /** The name of no choice, where that is one. */
  none?: string;
  /** What is chosen at first. */
  value?: string | undefined;
};

/** A choice that is named for screen readers only. */
export function Select({ label, element = null, options, none, value: chosen = "", ...select }: SelectProps) {
  return (
    <select ref={element} aria-label={label} {...select}>
      {none && <option value="">{none}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id} selected={id === chosen}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** How long the keyboard rests on a value before it counts: each arrow key of a closed list is a change. */
const PASSING_MS = 600;

/** A choice that acts without a button: for what to show, never for what to save. */
export function ActingSelect({ act, ...select }: SelectProps & { act: (value: string) => unknown }) {
  const wait = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  // Who has left the page is not led back to it.
  const isHere = useHere();
  const actHere = (value: string) => isHere() && act(value);
  // What else was chosen meanwhile counts too.
  const latest = useRef(actHere);
  latest.current = actHere;
  const change = ({ currentTarget: { value } }: JSX.TargetedEvent<HTMLSelectElement>) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(value), wait.current);
  };
  const waitFor = (ms: number) => () => {
    wait.current = ms;
  };
  return <Select {...select} onChange={change} onKeyDown={waitFor(PASSING_MS)} onPointerDown={waitFor(0)} />;
}

export function Choice({ value, ...props }: SelectProps) {
  const { label, options, none } = props;
  const element = useRef(null);
  const [begun, theirs] = useSaved(element, value, options.find(({ id }) => id === value)?.name ?? none);
  const id = useElementId();
  return (
    <div class="field">
      <span aria-hidden="true">{label}</span>
      <Select {...props} element={element} value={begun} aria-describedby={id} />
      <p id={id} class="hint">
        {theirs}
      </p>
    </div>
  );
}
