import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { type Place, placeNow } from "../places.ts";
import type { Texts } from "../texts/en.ts";

/** The list that the reader has seen last, where they left it, and the words that lead back to it. */
type LastList = { url: string; place?: Place; words: keyof Texts };

let last: LastList = { url: "/", words: "back" };

export function lastList(): LastList {
  return last;
}

/** Lets posts lead back to this page, to the place where the reader has left it. */
export function useAsLastList(words: keyof Texts = "back"): void {
  const { url } = useLocation();
  useEffect(() => {
    const keep = () => {
      last = { url, place: placeNow(), words };
    };
    keep();
    // Before the router follows a link.
    addEventListener("click", keep, true);
    return () => removeEventListener("click", keep, true);
  }, [url]);
}
