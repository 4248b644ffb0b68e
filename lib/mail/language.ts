import httpContentNegotiation from "@middy/http-content-negotiation";
import { environment } from "../runtime/environment.ts";
import { LANGUAGES, type Language } from "../values/languages.ts";

const negotiation = httpContentNegotiation({
  parseCharsets: false,
  parseEncodings: false,
  parseMediaTypes: false,
  availableLanguages: [...LANGUAGES],
  failOnMismatch: false,
});

/** The language that a reader likes best, by the header Accept-Language; the one of the mails if none of ours. */
export function languageOf(accepted = "*"): Language {
  const request = {
    event: { headers: { "accept-language": accepted } },
    context: {} as { preferredLanguage?: Language },
  };
  if (accepted !== "*") negotiation.before?.(request as never);
  return request.context.preferredLanguage ?? environment().MAIL_LANGUAGE;
}
