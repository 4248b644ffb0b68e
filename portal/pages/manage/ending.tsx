import { useState } from "preact/hooks";
import type { Schemas } from "../../api.ts";
import { Action } from "../../parts/basics.tsx";
import { useElementId } from "../../parts/element-id.ts";
import { focusSoon } from "../../parts/focus.ts";
import { Form } from "../../parts/form.tsx";
import { usePasswordProof } from "../../parts/proof.tsx";

type EndingProps = {
  label: string;
  of: Pick<Schemas["ManagedUser"], "userId" | "name">;
  hint?: string | undefined;
  /** How the button looks that asks. */
  kind?: "end" | "";
  question: string;
  end: () => Promise<unknown>;
};

/** Ends something of a person. A button unfolds the question, which has what proves who answers it beside it. */
export function Ending({ label, of: { userId, name }, hint, kind = "end", question, end }: EndingProps) {
  const [isAsked, setAsked] = useState(false);
  const { proofFields, withProof } = usePasswordProof();
  const id = useElementId();
  const close = () => {
    setAsked(false);
    focusSoon(() => document.getElementById(id));
  };
  if (!isAsked)
    return (
      <p class="actions">
        <Action act={() => setAsked(true)} id={id} label={label} of={name} kind={kind} />
        {hint && <span class="hint">{hint}</span>}
      </p>
    );
  return (
    <Form
      isEnd
      send={(proof) => withProof(proof, end)}
      button={label}
      label={`${label}: ${name}`}
      keptAs={`${label} ${userId}`}
      close={close}
    >
      <p role="alert">{question}</p>
      {proofFields}
    </Form>
  );
}
