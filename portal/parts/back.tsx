import type { ComponentChildren, JSX } from "preact";
import { useLocation } from "preact-iso/router";
import { beginAt, type Place } from "../places.ts";
import { Icon } from "./icons.tsx";
import { isPlain } from "./pages.tsx";

type BackProps = { url: string; place?: Place | undefined; leave?: () => void; children: ComponentChildren };

/** The way back to a page, to the place on it where the reader was. `leave`: what the way back ends. */
export function Back({ url, place, leave, children }: BackProps) {
  const { route } = useLocation();
  const press = (event: JSX.TargetedMouseEvent<HTMLAnchorElement>) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    // Not to the router.
    event.stopPropagation();
    leave?.();
    route(url);
    if (place) beginAt(place);
  };
  return (
    <p class="back">
      <a href={url} onClick={press}>
        <Icon name="back" /> {children}
      </a>
    </p>
  );
}
