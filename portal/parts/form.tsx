import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Failure, mayWorkLater, newKey } from "../api.ts";
import { reloadAfter } from "../deeds.ts";
import { type Intent, sendsNow, useDoor } from "../doors.ts";
import { keptDraft } from "../drafts.ts";
import { clearNotice } from "../notices.ts";
import { accountIdOf, token } from "../session.ts";
import { inThisLanguage, t } from "../text.ts";
import { Action } from "./basics.tsx";
import { Decoy, untilShownFor, wasDecoyed } from "./decoy.tsx";
import { Problems, type Values } from "./fields.tsx";
import { useFormDraft } from "./form-draft.ts";
import { focusIn } from "./form-focus.ts";
import { leftOf, problemsIn } from "./form-problems.ts";
import { valuesOf } from "./form-values.ts";
import { useEditsKept } from "./unsaved.ts";

/** Whether the script has taken over the page. Before, no form can be sent: a browser would send it by itself. */
export const isReady = signal(false);

type FormProps = {
  /**
   * Does the work with what was typed, once under the key. `isReturn`: the form sends itself, for a visitor who has
   * signed in and comes back. Throws a Failure that the form shows.
   */
  send: (values: Values, key: string, isReturn: boolean) => Promise<unknown>;
  button: string;
  /** It ends something: the button is none that invites to press it. */
  isEnd?: boolean;
  children: ComponentChildren;
  /** What stands beside the button. */
  beside?: ComponentChildren;
  /** Closes the form without sending. A draft stays: what was typed is there when the form is opened again. */
  close?: (() => void) | undefined;
  label?: string;
  /** Names the thing that its fields are of, where another form may have the same label: for edits that are kept. */
  keptAs?: string;
  /** A name under which the tab keeps what was typed, and the key, until it is sent. */
  draft?: string;
  /** What a visitor wants to do: the form is sent once they have signed in. */
  door?: ((values: Values) => Intent) | undefined;
  /** It publishes, or opens an account: scripts that fill it in are stopped. */
  isGuarded?: boolean;
};

/** A form that sends once at a time and leads the keyboard to a field that was wrong. */
export function Form({
  send,
  button,
  isEnd,
  children,
  beside,
  close,
  label,
  draft,
  keptAs = draft ?? label ?? button,
  door,
  isGuarded = false,
}: FormProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [sent, setSent] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const isReturn = useRef(false);
  const shownAt = useRef(performance.now());
  const askToSignIn = useDoor();
  useEffect(() => {
    if (close) focusIn(form).begin();
  }, []);
  useLayoutEffect(() => {
    if (sent > 0) focusIn(form).goOn();
  }, [sent]);
  // A draft of before can also be discarded: else an edit would never show the saved text again.
  const [hadDraft] = useState(() => close && draft && keptDraft(draft).key);
  const { key, keep, drop } = useFormDraft(form, draft);
  useEditsKept(form, keptAs);
  useEffect(() => {
    // What is kept no more was sent meanwhile.
    if (!draft || sendsNow.value !== draft || !keptDraft(draft).key) return;
    sendsNow.value = undefined;
    isReturn.current = true;
    form.current?.requestSubmit();
    isReturn.current = false;
  }, [draft, sendsNow.value]);
  const noteInput = ({ target }: JSX.TargetedInputEvent<HTMLFormElement>) => {
    keep();
    if (failure) setFailure(leftOf(failure, target as EventTarget as HTMLInputElement));
  };
  const refuse = (refusal: Failure) => {
    setFailure(refusal);
    focusIn(form).showProblem(Object.keys(refusal.fields));
  };
  const sendNow = async (values: Values) => {
    setBusy(true);
    setFailure(undefined);
    const { pathname } = location;
    const person = accountIdOf(token.peek());
    // A form that has led to another page stays as it is until that page is there.
    let isLeft = false;
    const isOfReturn = isReturn.current;
    try {
      if (isGuarded && !isOfReturn) await untilShownFor(shownAt.current);
      await send(values, key.current, isOfReturn);
      drop();
      key.current = newKey();
      isLeft = location.pathname !== pathname;
      if (!isLeft) setSent(sent + 1);
    } catch (error) {
      const refusal = error instanceof Failure ? error : new Failure(0, "", t("failed"));
      reloadAfter(refusal);
      // What was sent first has arrived after all: the next is another one.
      if (refusal.code === "IDEMPOTENCY_KEY_REUSED") key.current = newKey();
      // Not what a person has typed whose session has ended: the next one may be another. It was kept before.
      if (accountIdOf(token.peek()) === person) keep();
      // That the session has ended is said already: the next press leads to the sign-in, and back to this form.
      if (door && !token.peek()) return;
      refuse(refusal);
    } finally {
      setBusy(isLeft);
    }
  };
  const submit = (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    clearNotice();
    const values = valuesOf(event.currentTarget);
    keep();
    const wrong = problemsIn(event.currentTarget);
    if (Object.keys(wrong).length > 0)
      return refuse(new Failure(400, "VALIDATION_ERROR", t("VALIDATION_ERROR"), wrong));
    if (isGuarded && wasDecoyed(event.currentTarget))
      return refuse(new Failure(400, "VALIDATION_ERROR", t("pressAgain")));
    if (door && !token.peek()) askToSignIn(door(values));
    else void sendNow(values);
  };
  const press = (event: JSX.TargetedKeyboardEvent<HTMLFormElement>) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
    if (event.key === "Escape" && close && !event.isComposing) close();
  };
  const fields = failure?.fields ?? {};
  const isNamed = Object.keys(fields).some((name) => form.current?.elements.namedItem(name));
  return (
    <Problems.Provider value={fields}>
      <form
        key={sent}
        ref={form}
        // Never in the address: a password must not be in the history.
        method="post"
        // A browser names one mistake at a time, in its own language.
        noValidate
        onSubmit={submit}
        onInput={noteInput}
        onKeyDown={press}
        aria-label={label}
        aria-busy={busy}
        data-draft={draft}
      >
        {children}
        {isGuarded && <Decoy />}
        {failure && !isNamed && (
          <p class="problem" role="alert" tabIndex={-1}>
            {inThisLanguage(Object.values(fields)[0] ?? failure.message)}
            {mayWorkLater(failure) && ` ${t("notTwice")}`}
          </p>
        )}
        <p class="actions">
          <button
            type="submit"
            id={door && draft}
            class={isEnd ? "end" : "primary"}
            disabled={!isReady.value}
            aria-disabled={busy}
          >
            {button}
            {busy && "…"}
          </button>
          {beside}
          {close && <Action act={close} label={t("cancel")} />}
          {close && hadDraft && (
            <Action
              act={() => {
                drop();
                close();
              }}
              label={t("dropDraft")}
            />
          )}
        </p>
      </form>
    </Problems.Provider>
  );
}
