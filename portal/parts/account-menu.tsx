import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { attempt } from "../notices.ts";
import { t } from "../text.ts";
import { AccountLinks } from "./account-nav.tsx";
import { useElementId } from "./element-id.ts";
import { Icon } from "./icons.tsx";
import { useLeaving } from "./leaving.ts";

/** What a person who is signed in has: a button in the head, and the links that it opens. */
export function AccountMenu() {
  const { path } = useLocation();
  const leave = useLeaving();
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useElementId();
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: Event) => {
      // A question stands above the page, and leads back to it.
      const isInside = target instanceof Element && (menu.current?.contains(target) || target.closest("dialog"));
      if (!isInside) setOpen(false);
    };
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    const events = { pointerdown: closeOutside, focusin: closeOutside, keydown: closeByKey as (event: Event) => void };
    for (const [name, close] of Object.entries(events)) addEventListener(name, close);
    return () => {
      for (const [name, close] of Object.entries(events)) removeEventListener(name, close);
    };
  }, [isOpen]);
  return (
    <div ref={menu} class="account">
      <button
        ref={button}
        type="button"
        class="quiet"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="person" /> {t("account")}
      </button>
      {isOpen && (
        <div id={id} class="card menu">
          <AccountLinks />
          <button type="button" class="quiet" onClick={() => attempt(leave())}>
            {t("signOut")}
          </button>
        </div>
      )}
    </div>
  );
}
