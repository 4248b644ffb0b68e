import { answer, api, asShown } from "../../api.ts";
import { change } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Skeleton } from "../../parts/basics.tsx";
import { Check, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { NEUTRAL, site as siteKind, useSite } from "../../site.ts";
import { t } from "../../text.ts";

export function Site() {
  const site = useSite();
  if (site === NEUTRAL) return <Skeleton />;
  const save = async ({ title = "", description = "", logo = "", icon = "", color = "", allowSignup }: Values) => {
    const look = { title, description, logo, icon, accentColor: color.slice(1) };
    const body = { ...look, allowSignup: allowSignup !== undefined };
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
      <Field name="logo" type="url" label={t("logo")} value={site.logo ?? ""} />
      <Field name="icon" type="url" label={t("icon")} value={site.icon === site.logo ? "" : (site.icon ?? "")} />
      <Field name="color" type="color" label={t("accentColor")} value={`#${site.accentColor}`} />
      <Check name="allowSignup" label={t("allowSignup")} on={site.allowSignup} />
    </Form>
  );
}
