import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Schemas } from "../../api.ts";
import { change } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Skeleton } from "../../parts/basics.tsx";
import { Check, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { NEUTRAL, site as siteKind, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { asShown } from "./as-shown.ts";
import { teamText } from "./team-text.ts";

/** What is wrong with the address of a picture: this browser cannot show it, as browsers of visitors cannot. */
function usePictureProblem(url: string | null): string | undefined {
  const [broken, setBroken] = useState<string | null>(null);
  useEffect(() => {
    if (!url) return;
    const picture = new Image();
    picture.onerror = () => setBroken(url);
    picture.src = url;
  }, [url]);
  return url && url === broken ? teamText("notAPicture") : undefined;
}

/** Says that the pictures are saved, in the page that was loaded because of them. */
function useSavedBefore(): void {
  const { query } = useLocation();
  useEffect(() => {
    if (!query.at) return;
    history.replaceState(null, "", "/manage/site");
    announce(t("saved"));
  }, []);
}

export function Site() {
  const site = useSite();
  useSavedBefore();
  return site === NEUTRAL ? <Skeleton /> : <Settings site={site} />;
}

function Settings({ site }: { site: Schemas["SiteSettings"] }) {
  const ownIcon = site.icon === site.logo ? null : site.icon;
  const logoProblem = usePictureProblem(site.logo);
  const iconProblem = usePictureProblem(ownIcon);
  const save = async ({ title = "", description = "", logo = "", icon = "", color = "", ...rules }: Values) => {
    const { domains = "", ...boxes } = rules;
    const look = { title, description, logo, icon, accentColor: color.slice(1) };
    const body = {
      ...look,
      allowSignup: "allowSignup" in boxes,
      signupDomains: domains.split(/[\s,;]+/).filter((each) => each !== ""),
      password: "password" in boxes,
      requireTwoFactor: "requireTwoFactor" in boxes,
      magic: site.sendsMail ? "magic" in boxes : site.magic,
    };
    const header = await asShown(site, body, api.GET("/settings/site"));
    const { settings } = await answer(api.PATCH("/settings/site", { body, params: { header } }));
    // The page's security policy names the hosts of its pictures. No cache has a page of this address.
    const isNew = settings.logo !== site.logo || settings.icon !== site.icon;
    if (isNew) return location.replace(`/manage/site?at=${Date.now()}`);
    change(siteKind, () => settings);
    announce(t("saved"));
  };
  return (
    <Form send={save} button={t("save")} label={t("site")}>
      <Field name="title" label={t("siteTitle")} value={site.title} maxLength={100} required />
      <Field name="description" label={t("description")} value={site.description ?? ""} maxLength={500} rows={3} />
      <Field name="logo" type="url" label={teamText("logo")} value={site.logo ?? ""} problem={logoProblem} />
      <Field name="icon" type="url" label={t("icon")} value={ownIcon ?? ""} problem={iconProblem} />
      <Field name="color" type="color" label={teamText("accentColor")} value={`#${site.accentColor}`} />
      <Check name="allowSignup" label={teamText("allowSignup")} on={site.allowSignup} />
      <Field
        name="domains"
        label={teamText("signupDomains")}
        hint={teamText("signupDomainsHint")}
        value={site.signupDomains.join(", ")}
        autoCapitalize="none"
        pattern="([\s,;]*@?[^\s,;@.]+(\.[^\s,;@.]+)+([\s,;]+|$))*"
      />
      <Check name="password" label={teamText("allowPassword")} on={site.password} />
      {site.sendsMail && <Check name="magic" label={teamText("allowMailSignIn")} on={site.magic} />}
      <Check name="requireTwoFactor" label={teamText("requireTwoFactor")} on={site.requireTwoFactor} />
    </Form>
  );
}
