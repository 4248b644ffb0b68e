import { useId, useState } from "preact/hooks";

let made = 0;

/**
 * The id of an element, which stays. Preact's own is the same for the same page, as the server needs it. In a browser
 * it begins again within elements that a list keeps, and two fields would share a label.
 */
export function useElementId(): string {
  const ofServer = useId();
  const [id] = useState(() => (typeof document === "undefined" ? ofServer : `e${made++}`));
  return id;
}
