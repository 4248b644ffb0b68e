import { teamTextOr } from "./team-text.ts";

/** Why a call of the service brought no answer: a code, and words after which a detail may stand. */
type Why = { reason: string | null; reasonCode: string | null };

/** A sentence that was to end in a detail, where there is none. */
const WITHOUT_DETAIL = /\s?[(（][)）]|\s?[:：]\s*$/u;

/** The reason in the language of the page, or in the service's words if the page does not know its code. */
export function reasonText({ reason, reasonCode }: Why): string | undefined {
  if (reason === null) return undefined;
  const [, detail = ""] = /: (.+)/s.exec(reason) ?? [];
  const said = teamTextOr(`reason_${reasonCode}`, reason, { detail });
  return detail ? said : said.replace(WITHOUT_DETAIL, "");
}
