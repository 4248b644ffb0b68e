import type { ComponentChildren, JSX } from "preact";
import { createContext } from "preact";
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";
import { Failure } from "../api.ts";
import { t } from "../text.ts";

const PAUSE_MS = 300;

/** Does something when the last change is a moment ago. */
export function useLater(what: () => void, changes: unknown[]): void {
  useEffect(() => {
    const timer = setTimeout(what, PAUSE_MS);
    return () => clearTimeout(timer);
  }, changes);
}

const Problems = createContext<Record<string, string>>({});

/** What was typed, by the names of the fields; empty fields and boxes that are not checked are absent. */
export type Values = Record<string, string>;

type FormProps = {
  /** Does the work with what was typed. Throws a Failure that the form shows. */
  send: (values: Values) => Promise<unknown>;
  button: string;
  children: ComponentChildren;
  /** What stands beside the button. */
  beside?: ComponentChildren;
  /** Closes the form without sending. */
  close?: (() => void) | undefined;
  label?: string;
  /** A name under which the tab keeps what was typed until it is sent. */
  draft?: string;
};

function valuesOf(form: HTMLFormElement): Values {
  return Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "")) as Values;
}

/** A form that sends once at a time and leads the keyboard to a field that was wrong. */
export function Form({ send, button, children, beside, close, label, draft }: FormProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [sent, setSent] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const focus = (selector: string) =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(selector)?.focus());
  useEffect(() => {
    if (close) focus("input, textarea");
    const kept: Values = JSON.parse((draft && sessionStorage.getItem(draft)) || "{}");
    for (const [name, value] of Object.entries(kept)) {
      const field = form.current?.elements.namedItem(name);
      if (!(field instanceof HTMLElement && "value" in field)) continue;
      if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = true;
      else field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }, [draft]);
  const keep = () => {
    if (draft && form.current) sessionStorage.setItem(draft, JSON.stringify(valuesOf(form.current)));
  };
  const submit = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await send(valuesOf(event.currentTarget));
      if (draft) sessionStorage.removeItem(draft);
      setSent(sent + 1);
      focus("input, textarea");
    } catch (error) {
      setFailure(error instanceof Failure ? error : new Failure(0, "", t("failed")));
      focus("[aria-invalid=true], .problem");
    } finally {
      setBusy(false);
    }
  };
  const fields = failure?.fields ?? {};
  const isNamed = Object.keys(fields).some((name) => form.current?.elements.namedItem(name));
  return (
    <Problems.Provider value={fields}>
      <form key={sent} ref={form} onSubmit={submit} onInput={keep} aria-label={label} aria-busy={busy}>
        {children}
        {failure && !isNamed && (
          <p class="problem" role="alert" tabIndex={-1}>
            {Object.values(fields)[0] ?? failure.message}
          </p>
        )}
        <p class="actions">
          <button type="submit" class="primary" disabled={busy}>
            {button}
          </button>
          {beside}
          {close && (
            <button type="button" class="quiet" onClick={close}>
              {t("cancel")}
            </button>
          )}
        </p>
      </form>
    </Problems.Provider>
  );
}

type FieldProps = JSX.IntrinsicElements["input"] & { name: string; label: string; hint?: string; rows?: number };

/** A labelled field; with `rows` it takes several lines. `value`: what it begins with. */
export function Field({ label, hint, rows, value, ...input }: FieldProps) {
  const id = useId();
  const problem = useContext(Problems)[input.name];
  const all = {
    ...input,
    ...{ id, defaultValue: value, "aria-invalid": problem ? true : undefined, "aria-describedby": `${id}-hint` },
  };
  return (
    <div class="field">
      <label for={id}>
        {label}
        {!input.required && input.type !== "color" && <span class="optional"> {t("optional")}</span>}
      </label>
      {rows ? <textarea {...(all as object)} rows={rows} /> : <input {...all} />}
      <p id={`${id}-hint`} class={problem ? "problem" : "hint"}>
        {problem ?? hint}
      </p>
    </div>
  );
}

export function Check({ name, label, on = false }: { name: string; label: string; on?: boolean }) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={on} /> {label}
    </label>
  );
}

type SelectProps = Omit<JSX.IntrinsicElements["select"], "value" | "label"> & {
  label: string;
  /** The values with their names. */
  options: (readonly [string, string])[];
  /** What is chosen at first. */
  value?: string | undefined;
};

/** A choice that is named for screen readers only. */
export function Select({ label, options, value: chosen, ...select }: SelectProps) {
  return (
    <select aria-label={label} {...select}>
      {options.map(([value, name]) => (
        <option key={value} value={value} selected={value === chosen}>
          {name}
        </option>
      ))}
    </select>
  );
}

export function Choice(props: SelectProps) {
  return (
    <div class="field">
      <span aria-hidden="true">{props.label}</span>
      <Select {...props} />
    </div>
  );
}
