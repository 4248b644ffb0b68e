import { type Language, language, written } from "../../text.ts";

// What only the page of the owner's product says, in all languages: others do not load it. Rules as in portal/texts/.

const en = {
  continueAs: "Continue as {name}",
  productHasAccount: "Your address has an account here. Sign in as before, then link it.",
  productAsksToLink: "Your address has this account. Link it, and the link in our product signs you in from now on.",
  linkProduct: "Link this account",
};

type Key = keyof typeof en;

export const productTexts: Record<Language, Record<Key, string>> = {
  en,
  de: {
    continueAs: "Weiter als {name}",
    productHasAccount: "Deine Adresse hat hier schon ein Konto. Melde dich wie bisher an und verknüpfe es dann.",
    productAsksToLink:
      "Deine Adresse hat dieses Konto. Verknüpfe es, dann meldet dich der Link in unserem Produkt künftig an.",
    linkProduct: "Dieses Konto verknüpfen",
  },
  es: {
    continueAs: "Continuar como {name}",
    productHasAccount: "Tu dirección ya tiene una cuenta aquí. Entra como antes y luego vincúlala.",
    productAsksToLink: "Tu dirección tiene esta cuenta. Vincúlala y el enlace de nuestro producto te abrirá la sesión.",
    linkProduct: "Vincular esta cuenta",
  },
  fr: {
    continueAs: "Continuer en tant que {name}",
    productHasAccount: "Votre adresse a déjà un compte ici. Connectez-vous comme avant, puis liez-le.",
    productAsksToLink: "Votre adresse a ce compte. Liez-le, et le lien de notre produit vous connectera désormais.",
    linkProduct: "Lier ce compte",
  },
  pt: {
    continueAs: "Continuar como {name}",
    productHasAccount: "Seu endereço já tem uma conta aqui. Entre como antes e depois a vincule.",
    productAsksToLink:
      "Seu endereço tem esta conta. Vincule-a, e o link do nosso produto fará sua entrada daqui em diante.",
    linkProduct: "Vincular esta conta",
  },
  ja: {
    continueAs: "{name}として続ける",
    productHasAccount: "このアドレスのアカウントはすでにあります。これまでどおりサインインしてから連携してください。",
    productAsksToLink:
      "このアドレスはこのアカウントのものです。連携すると、今後は製品内のリンクからサインインできます。",
    linkProduct: "このアカウントを連携",
  },
};

export function productText(key: Key, values: Record<string, string | number> = {}): string {
  return written(productTexts[language.value][key], values);
}
