import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Schemas } from "../../api.ts";
import { brandOf } from "../../brand.ts";
import { change } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Skeleton } from "../../parts/basics.tsx";
import { Check, Field, type Values } from "../../parts/fields.tsx";
import { focusHeading } from "../../parts/focus.ts";
import { Form } from "../../parts/form.tsx";
import { NEUTRAL, site as siteKind, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { sendChangedAsShown } from "./as-shown.ts";
import { BrandField, hexOf } from "./brand-field.tsx";
import { NeedsOwnTwoFactor } from "./needs-own-two-factor.tsx";
import { teamText } from "./team-text.ts";
import { domainsIn, problemOfDomains, problemOfPicture } from "./typed-addresses.ts";

function originOf(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    return "";
  }
}

/** `isNew`: it has just been saved. */
type PictureProps = { name: string; label: string; saved: string | null; hint: string; isNew: boolean };

/** The address of a picture, with the picture, or what is wrong with it: visitors would not see it either. */
function PictureField({ name, label, saved, hint, isNew }: PictureProps) {
  const { logo, icon } = useSite();
  const [url, setUrl] = useState(saved ?? "");
  const [isBroken, setBroken] = useState(false);
  // The page's security policy names the hosts of the pictures that are saved, and lets no other one be loaded.
  const isLoadable = [location.origin, logo, icon].some((each) => each && originOf(each) === originOf(url));
  const place = useRef<HTMLDivElement>(null);
  const fail = () => {
    setBroken(true);
    if (!isNew || url !== saved) return;
    announce(teamText("savedNotShown"), "problem");
    place.current?.querySelector("input")?.focus();
  };
  return (
    <div ref={place}>
      <Field
        name={name}
        type="url"
        label={label}
        hint={hint}
        value={saved ?? ""}
        check={problemOfPicture}
        problem={isBroken ? teamText("notAPicture") : undefined}
        onType={(typed) => {
          setUrl(typed.trim());
          setBroken(false);
        }}
      />
      {/* Below the field, which stays where it is while one types. */}
      {url !== "" && !isLoadable && <p class="hint">{teamText("pictureLater")}</p>}
      {isLoadable && !isBroken && <img class="preview" src={url} alt={teamText("preview")} onError={fail} />}
    </div>
  );
}

/** Says that the pictures are saved, in the page that was loaded because of them. */
function useSavedBefore(): boolean {
  const { query } = useLocation();
  const [isSaved] = useState(query.at !== undefined);
  // Before a picture that cannot be shown says more.
  useLayoutEffect(() => {
    if (!query.at) return;
    history.replaceState(null, "", "/manage/site");
    announce(t("saved"));
    focusHeading();
  }, []);
  return isSaved;
}

export function Site() {
  const site = useSite();
  const isSaved = useSavedBefore();
  if (site === NEUTRAL) return <Skeleton />;
  return (
    <>
      <Look site={site} isSaved={isSaved} />
      <Accounts site={site} />
    </>
  );
}

type Settings = Schemas["SiteSettings"];

/** Shows the site's colour as the next page has it. The security policy allows this, but no style in the markup. */
function showColor(accentColor: string): void {
  for (const [name, value] of Object.entries(brandOf(accentColor)))
    document.documentElement.style.setProperty(name, value);
}

/** Saves a card of settings, on condition that the others see what this page shows. */
async function save(site: Settings, edited: Partial<Settings>): Promise<void> {
  const saved = await sendChangedAsShown(
    site,
    edited,
    () => api.GET("/settings/site"),
    (body, header) => answer(api.PATCH("/settings/site", { body, params: { header } })),
  );
  const settings = saved?.settings ?? site;
  // The page's security policy names the hosts of its pictures. No cache has a page of this address.
  const isNew = settings.logo !== site.logo || settings.icon !== site.icon;
  if (isNew) {
    location.replace(`/manage/site?at=${Date.now()}`);
    // Until this page is gone: it may not show them.
    return new Promise(() => {});
  }
  change(siteKind, () => settings);
  showColor(settings.accentColor);
  announce(t("saved"));
}

/** What visitors see of the site. */
function Look({ site, isSaved }: { site: Settings; isSaved: boolean }) {
  const ownIcon = site.icon === site.logo ? null : site.icon;
  const send = ({ title = "", description = "", logo = "", icon = "", color = "" }: Values) => {
    const isOldIcon = icon === (ownIcon ?? "");
    const accentColor = hexOf(color) ?? site.accentColor;
    return save(site, { title, description, logo, icon: isOldIcon ? site.icon : icon, accentColor });
  };
  return (
    <Form send={send} button={t("save")} label={teamText("siteLook")}>
      <h2>{teamText("siteLook")}</h2>
      <Field name="title" label={t("siteTitle")} value={site.title} maxLength={100} required />
      <Field
        name="description"
        label={teamText("description")}
        value={site.description ?? ""}
        maxLength={500}
        rows={3}
      />
      <div class="pair">
        <p class="hint">{teamText("pictureHint")}</p>
        <PictureField
          name="logo"
          label={teamText("logo")}
          hint={teamText("logoHint")}
          saved={site.logo}
          isNew={isSaved}
        />
        <PictureField
          name="icon"
          label={teamText("icon")}
          hint={teamText("iconHint")}
          saved={ownIcon}
          isNew={isSaved}
        />
      </div>
      <BrandField saved={site.accentColor} />
    </Form>
  );
}

/** Who may have an account, and how people sign in. */
function Accounts({ site }: { site: Settings }) {
  const send = ({ domains = "", ...boxes }: Values) =>
    save(site, {
      allowSignup: "allowSignup" in boxes,
      signupDomains: domainsIn(domains),
      password: "password" in boxes,
      requireTwoFactor: "requireTwoFactor" in boxes,
      magic: site.sendsMail ? "magic" in boxes : site.magic,
    });
  return (
    <Form send={send} button={t("save")} label={teamText("siteAccounts")}>
      <h2>{teamText("siteAccounts")}</h2>
      <Check name="allowSignup" label={teamText("allowSignup")} on={site.allowSignup} />
      <Field
        name="domains"
        label={teamText("signupDomains")}
        hint={teamText("signupDomainsHint")}
        value={site.signupDomains.join(", ")}
        autoCapitalize="none"
        check={problemOfDomains}
      />
      <Check name="password" label={teamText("allowPassword")} on={site.password} />
      {site.sendsMail && <Check name="magic" label={teamText("allowMailSignIn")} on={site.magic} />}
      <Check name="requireTwoFactor" label={teamText("requireTwoFactor")} on={site.requireTwoFactor} />
      <NeedsOwnTwoFactor />
    </Form>
  );
}
