import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../text.ts";
import { useElementId } from "./element-id.ts";

type QuestionProps = { question: string; yes: string; answered: (isYes: boolean) => void };

const YES = "yes";

/** The keyboard begins at the way out, and is where it was before once the question is answered. */
function Question({ question, yes, answered }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useElementId();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const answer = (given: string) => () => dialog.current?.close(given);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={id}
      onClose={() => answered(dialog.current?.returnValue === YES)}
    >
      <p id={id}>{question}</p>
      <p class="actions">
        <button type="button" class="end" onClick={answer(YES)}>
          {yes}
        </button>
        <button type="button" autofocus onClick={answer("")}>
          {t("cancel")}
        </button>
      </p>
    </dialog>
  );
}

/** Ends the question that is open with a no. */
let endOpen = () => {};

/**
 * Asks a question above the page; `yes` says what then happens. It ends with a no if the person goes back, or
 * if another one is asked.
 */
export function ask(question: string, yes: string): Promise<boolean> {
  endOpen();
  const place = document.body.appendChild(document.createElement("div"));
  const end = () => place.querySelector("dialog")?.close("");
  addEventListener("popstate", end);
  endOpen = end;
  return new Promise((done) => {
    const answered = (isYes: boolean) => {
      removeEventListener("popstate", end);
      render(null, place);
      place.remove();
      done(isYes);
    };
    render(<Question question={question} yes={yes} answered={answered} />, place);
  });
}
