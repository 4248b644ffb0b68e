import type { ComponentChildren, JSX } from "preact";
import { createContext } from "preact";
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";
import { Failure, newKey } from "../api.ts";
import { reloadShown } from "../data.ts";
import { t } from "../text.ts";
import { Action } from "./basics.tsx";

const PAUSE_MS = 300;

/** Does something when the last change is a moment ago. */
export function useLater(what: () => void, changes: unknown[]): void {
  const latest = useRef(what);
  latest.current = what;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, changes);
}

const Problems = createContext<Record<string, string>>({});

/** What was typed, by the names of the fields; empty fields and boxes that are not checked are absent. */
export type Values = Record<string, string>;

type FormProps = {
  /** Does the work with what was typed, once under the key. Throws a Failure that the form shows. */
  send: (values: Values, key: string) => Promise<unknown>;
  button: string;
  children: ComponentChildren;
  /** What stands beside the button. */
  beside?: ComponentChildren;
  /** Closes the form without sending. */
  close?: (() => void) | undefined;
  label?: string;
  /** A name under which the tab keeps what was typed, and the key, until it is sent. */
  draft?: string;
};

type Draft = { key?: string; values?: Values };

function valuesOf(form: HTMLFormElement): Values {
  return Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "")) as Values;
}

/** A form that sends once at a time and leads the keyboard to a field that was wrong. */
export function Form({ send, button, children, beside, close, label, draft }: FormProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [sent, setSent] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const work = useRef(newKey());
  const focus = (selector: string, isWanted: (active: Element | null) => unknown = () => true) =>
    requestAnimationFrame(() => {
      if (isWanted(document.activeElement)) form.current?.querySelector<HTMLElement>(selector)?.focus();
    });
  // The keyboard may have moved to another part of the page while the form was sent: it stays there.
  const isHere = (active: Element | null) => !active || active.contains(form.current) || form.current?.contains(active);
  useEffect(() => {
    if (close) focus("input, textarea");
    const { key, values }: Draft = JSON.parse((draft && sessionStorage.getItem(draft)) || "{}");
    work.current = key ?? newKey();
    for (const [name, value] of Object.entries(values ?? {})) {
      const field = form.current?.elements.namedItem(name);
      if (!(field instanceof HTMLElement && "value" in field)) continue;
      if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = true;
      else field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }, [draft]);
  const keep = () => {
    if (!draft || !form.current) return;
    const kept: Draft = { key: work.current, values: valuesOf(form.current) };
    sessionStorage.setItem(draft, JSON.stringify(kept));
  };
  const drop = () => draft && sessionStorage.removeItem(draft);
  const submit = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await send(valuesOf(event.currentTarget), work.current);
      drop();
      work.current = newKey();
      setSent(sent + 1);
      focus("input, textarea", isHere);
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure(0, "", t("failed"));
      setFailure(failure);
      if (failure.code === "CHANGED_MEANWHILE") reloadShown();
      // What was sent first has arrived after all: the next is another one.
      if (failure.code === "IDEMPOTENCY_KEY_REUSED") work.current = newKey();
      keep();
      focus("[aria-invalid=true], [role=alert]", isHere);
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
          {close && <Action act={() => [drop(), close()]} label={t("cancel")} />}
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
      <p id={`${id}-hint`} class={problem ? "problem" : "hint"}>
        {problem ?? hint}
      </p>
      {rows ? <textarea {...(all as object)} rows={rows} /> : <input {...all} />}
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

/** Which boxes are checked; at least one. */
export function checkedOf<T extends string>(boxes: readonly T[], values: Values): T[] {
  const checked = boxes.filter((each) => each in values);
  if (checked.length === 0) throw new Failure(400, "", t("checkOne"));
  return checked;
}

type SelectProps = Omit<JSX.IntrinsicElements["select"], "value" | "label"> & {
  label: string;
  /** What there is to choose from. */
  options: readonly { id: string; name: string }[];
  /** The name of no choice, where that is one. */
  none?: string;
  /** What is chosen at first. */
  value?: string | undefined;
};

/** A choice that is named for screen readers only. */
export function Select({ label, options, none, value: chosen = "", ...select }: SelectProps) {
  return (
    <select aria-label={label} {...select}>
      {none && <option value="">{none}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id} selected={id === chosen}>
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
