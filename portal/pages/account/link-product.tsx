import { useLocation } from "preact-iso/router";
import { answer, api } from "../../api.ts";
import { announce } from "../../notices.ts";
import type { Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { usePasswordProof } from "../../parts/proof.tsx";
import { pathOf } from "./entering.tsx";
import { firstText } from "./first-text.ts";

/** Links the person of the token to the account that is signed in. */
export function LinkForm({ ssoToken, done }: { ssoToken: string; done: () => void }) {
  const { query, route } = useLocation();
  const { proofFields, withProof } = usePasswordProof();
  const link = async (values: Values) => {
    await withProof(values, () => answer(api.POST("/auth/sso/link", { body: { token: ssoToken } })));
    done();
    route(pathOf(query.next ?? "/"), true);
    announce(firstText("signInLinked"));
  };
  return (
    <Form send={link} button={firstText("linkProduct")} label={firstText("linkProduct")}>
      <p>{firstText("productAsksToLink")}</p>
      {proofFields}
    </Form>
  );
}
