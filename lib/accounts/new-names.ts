import type { Language } from "../values/languages.ts";

/**
 * How others see an account to which nobody has given a name, by the language of its holder. Its address says nothing
 * of it: the part before the @ is often the name of the person, who was not asked.
 */
export const newNames: Record<Language, string> = {
  en: "New member",
  de: "Neues Mitglied",
  es: "Nuevo miembro",
  fr: "Nouveau membre",
  pt: "Novo membro",
  ja: "新しいメンバー",
};
