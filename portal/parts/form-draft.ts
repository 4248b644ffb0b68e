import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { newKey } from "../api.ts";
import { dropDraft, keepDraft, keptDraft } from "../drafts.ts";
import { accountIdOf, token } from "../session.ts";
import { fill, valuesOf } from "./form-values.ts";

/** The key of a form's work. With a name, the tab keeps it and what was typed until the form is sent. */
export function useFormDraft(form: RefObject<HTMLFormElement>, name: string | undefined) {
  const key = useRef(newKey());
  const person = accountIdOf(token.value);
  const typist = useRef(person);
  useLayoutEffect(() => {
    // Another tab has signed in another person.
    if (typist.current && person && typist.current !== person) {
      form.current?.reset();
      key.current = newKey();
    }
    typist.current = person ?? typist.current;
    if (!name || !form.current) return;
    const kept = keptDraft(name);
    // What the form shows keeps its key: another tab may have sent it.
    if (!kept.key) return;
    key.current = kept.key;
    fill(form.current, kept.values ?? {});
  }, [name, person]);
  return {
    key,
    keep: (): void => {
      if (name && form.current) keepDraft(name, { key: key.current, values: valuesOf(form.current) });
    },
    drop: (): void => {
      if (name) dropDraft(name);
    },
  };
}
