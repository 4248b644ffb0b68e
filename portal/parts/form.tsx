import type { ComponentChildren, JSX } from "preact";
import { createContext } from "preact";
import { useContext, useId, useRef, useState } from "preact/hooks";
import { Failure } from "../api.ts";
import { t } from "../text.ts";

const Problems = createContext<Record<string, string>>({});

type FormProps = {
  /** Does the work with what was typed. Throws a Failure that the form shows. */
  send: (values: Record<string, string>) => Promise<unknown>;
  button: string;
  children: ComponentChildren;
  /** What stands beside the button. */
  beside?: ComponentChildren;
  label?: string;
};

/** A form that sends once at a time, shows what was wrong beside its field, and leads the keyboard there. */
export function Form({ send, button, children, beside, label }: FormProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await send(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      setFailure(error);
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true], .problem")?.focus());
    } finally {
      setBusy(false);
    }
  };
  const fields = failure?.fields ?? {};
  const isNamed = Object.keys(fields).some((name) => form.current?.elements.namedItem(name));
  return (
    <Problems.Provider value={fields}>
      <form ref={form} onSubmit={submit} aria-label={label} aria-busy={busy} noValidate={false}>
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
        </p>
      </form>
    </Problems.Provider>
  );
}

type FieldProps = JSX.IntrinsicElements["input"] & { name: string; label: string; hint?: string; rows?: number };

/** A labelled field; with `rows` it takes several lines. */
export function Field({ label, hint, rows, ...input }: FieldProps) {
  const id = useId();
  const problem = useContext(Problems)[input.name];
  const described = { id, "aria-invalid": problem ? true : undefined, "aria-describedby": `${id}-hint` };
  return (
    <div class="field">
      <label for={id}>
        {label}
        {!input.required && <span class="optional"> {t("optional")}</span>}
      </label>
      {rows ? <textarea {...(input as object)} {...described} rows={rows} /> : <input {...input} {...described} />}
      <p id={`${id}-hint`} class={problem ? "problem" : "hint"}>
        {problem ?? hint}
      </p>
    </div>
  );
}

type Option = { value: string; name: string };

export function Choice({
  label,
  options,
  ...select
}: JSX.IntrinsicElements["select"] & { label: string; options: Option[] }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} {...select}>
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
