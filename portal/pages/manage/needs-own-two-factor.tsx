import { useProfile } from "../../site.ts";
import { teamText } from "./team-text.ts";

/** The way to one's own second factor: an owner without one cannot require it of the team. */
export function NeedsOwnTwoFactor() {
  const { data: user } = useProfile();
  if (!user || user.twoFactor) return null;
  return (
    <p class="hint">
      <a href="/profile/two-factor">{teamText("ownTwoFactorFirst")}</a>
    </p>
  );
}
