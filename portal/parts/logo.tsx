import { useEffect, useRef, useState } from "preact/hooks";
import { Mark } from "../mark.tsx";
import { useSite } from "../site.ts";

/** The site's logo. Without one, or if its picture cannot be read, the first letter of the site's name. */
export function Logo() {
  const { title, logo, accentColor } = useSite();
  const picture = useRef<HTMLImageElement>(null);
  const [lost, setLost] = useState<string>();
  // It may have failed before the page's script was there.
  useEffect(() => {
    if (logo && picture.current?.complete && picture.current.naturalWidth === 0) setLost(logo);
  }, [logo]);
  if (!logo || logo === lost) return <Mark name={title} color={accentColor} />;
  return <img ref={picture} src={logo} alt="" width="28" height="28" onError={() => setLost(logo)} />;
}
