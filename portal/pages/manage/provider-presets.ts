import { USUAL_CLAIMS } from "./provider-fields.ts";

/** What the form of a new provider begins with. What stands in <> the owner replaces. */
export type Preset = { name: string; issuer: string; emailVerified: string };

const { emailVerified } = USUAL_CLAIMS;

/** Providers that many use; docs/sign-in.md says where their fields are found. */
export const presets = {
  google: { name: "Google", issuer: "https://accounts.google.com", emailVerified },
  entra: {
    name: "Microsoft",
    issuer: "https://login.microsoftonline.com/<tenant ID>/v2.0",
    // Microsoft Entra sends no email_verified.
    emailVerified: "xms_edov",
  },
  okta: { name: "Okta", issuer: "https://<domain>", emailVerified },
  keycloak: { name: "Keycloak", issuer: "https://<host>/realms/<realm>", emailVerified },
  auth0: { name: "Auth0", issuer: "https://<tenant>/", emailVerified },
} satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;

/** What the lists of providers call them. */
export const presetNames: Record<PresetName, string> = {
  google: "Google",
  entra: "Microsoft Entra ID",
  okta: "Okta",
  keycloak: "Keycloak",
  auth0: "Auth0",
};
