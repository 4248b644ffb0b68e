import type { Language } from "../text.ts";
import { escaped } from "./escaped.ts";

// Only the server says it: no browser with the script loads these texts.

const WORDS: Record<Language, string> = {
  en: "Voting, writing and signing in need JavaScript. Please switch it on, or try another browser.",
  de: "Abstimmen, Schreiben und Anmelden brauchen JavaScript. Bitte schalte es ein oder wechsle den Browser.",
  es: "Para votar, escribir e iniciar sesión hace falta JavaScript. Actívalo o prueba con otro navegador.",
  fr: "Il faut JavaScript pour voter, écrire et se connecter. Activez-le ou essayez un autre navigateur.",
  pt: "Para votar, escrever e entrar é preciso JavaScript. Ative-o ou tente outro navegador.",
  ja: "投票、投稿、ログインにはJavaScriptが必要です。有効にするか、別のブラウザーをお試しください。",
};

/**
 * Says in each form that the script sends what it needs, for browsers without the script. It stands last, and style.css
 * shows it first: the script's page has nothing in its place, so what stood behind it would be moved when the script
 * takes over, and a field in which a person types would lose the keyboard.
 */
export function withNeeds(html: string, language: Language): string {
  const words = `<noscript><p class="problem">${escaped(WORDS[language])}</p></noscript>`;
  return html.replace(/(<form[^>]* method="post".*?)(<\/form>)/gs, (_, form, end) => `${form}${words}${end}`);
}
