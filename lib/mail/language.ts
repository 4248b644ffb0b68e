import httpContentNegotiation from "@middy/http-content-negotiation";
import { environment } from "../runtime/environment.ts";
import { LANGUAGES, type Language } from "../values/languages.ts";

/** Who likes any language as well gets the first one that the header does not name: the one of the site. */
function negotiation() {
  return httpContentNegotiation({
    parseCharsets: false,
    parseEncodings: false,
    parseMediaTypes: false,
    availableLanguages: [...new Set([environment().MAIL_LANGUAGE, ...LANGUAGES])],
    failOnMismatch: false,
  });
}

/** The language of ours that a reader likes best, by the header Accept-Language; undefined if it names none. */
export function likedLanguage(accepted = "*"): Language | undefined {
  const request = {
    event: { headers: { "accept-language": accepted } },
    context: {} as { preferredLanguage?: Language },
  };
  if (accepted !== "*") negotiation().before?.(request as never);
  return request.context.preferredLanguage;
}

/** The language of ours that a reader likes best, by the header Accept-Language; else the one of the site. */
export function languageOf(accepted?: string): Language {
  return likedLanguage(accepted) ?? environment().MAIL_LANGUAGE;
}
