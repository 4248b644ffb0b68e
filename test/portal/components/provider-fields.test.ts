import { expect, it } from "vitest";
import { changeOf, fieldsOf, type Provider } from "../../../portal/pages/manage/provider-fields.ts";

const typed = { name: "Acme", issuer: "https://id.acme.example", clientId: "board", emailVerified: "email_verified" };
const claims = { email: "mail", emailVerified: "email_verified", name: "display_name" };
const provider = { ...typed, claims, staff: false } as unknown as Provider;

it("A saved provider keeps what the form does not show", () => {
  expect(changeOf(provider, typed)).toEqual({});
  expect(changeOf(provider, { ...typed, name: "Acme Inc." })).toEqual({ name: "Acme Inc." });
  expect(changeOf(provider, { ...typed, emailVerified: "xms_edov" })).toEqual({
    claims: { ...claims, emailVerified: "xms_edov" },
  });
});

it("A new provider has the usual claims", () => {
  expect(fieldsOf(typed).claims).toEqual({ email: "email", emailVerified: "email_verified", name: "name" });
});
