import { useEffect } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso/router";
import { keepPressed, type Place, placeNow } from "../places.ts";

/** The list that the reader has seen last, where they left it, and the key of the text that leads back to it. */
type LastList = { url: string; place?: Place; words: string };

let last: LastList = { url: "/", words: "back" };

export function lastList(): LastList {
  return last;
}

/** Lets posts lead back to this page, to where the reader has left it, with the keyboard on what they opened. */
export function useAsLastList(words = "back"): void {
  const { url, path } = useLocation();
  const { path: shown } = useRoute();
  useEffect(() => {
    // The location is ahead while the script of the next page is loading.
    if (path !== shown) return;
    const keep = () => {
      last = { url, place: placeNow(), words };
    };
    const press = ({ target }: Event) => {
      keepPressed((target as Element).closest("a")?.id || undefined);
      keep();
    };
    keep();
    // Before the router follows a link.
    addEventListener("click", press, true);
    return () => removeEventListener("click", press, true);
  }, [url]);
}
