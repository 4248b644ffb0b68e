import { addCodes, type Language, language, written } from "../../text.ts";

// What only the page of the owner's product says, in all languages: others do not load it. Rules as in portal/texts/.

const en = {
  // Codes of the service.
  SSO_NOT_ALLOWED: "Signing in from our product is switched off on this site.",
  SSO_REFUSED: "This link was used or has expired. Go back to our product and open it again.",
  SIGN_IN_TO_LINK: "Your address has an account here. Sign in as before, then link this sign-in in your profile.",
  STAFF_NOT_ALLOWED: "The team cannot sign in this way.",

  continueAs: "Continue as {name}",
  productHasAccount: "Your address has an account here. Sign in as before, then link it.",
  productAsksToLink: "Your address has this account. Link it, and the link in our product signs you in from now on.",
  linkProduct: "Link this account",
};

type Key = keyof typeof en;

export const productTexts: Record<Language, Record<Key, string>> = {
  en,
  de: {
    SSO_NOT_ALLOWED: "Das Anmelden über unser Produkt ist auf dieser Website abgeschaltet.",
    SSO_REFUSED: "Dieser Link wurde benutzt oder ist abgelaufen. Geh zurück in unser Produkt und öffne ihn neu.",
    SIGN_IN_TO_LINK:
      "Deine Adresse hat hier schon ein Konto. Melde dich wie bisher an, und verknüpfe diese Anmeldung im Profil.",
    STAFF_NOT_ALLOWED: "Das Team kann sich so nicht anmelden.",
    continueAs: "Weiter als {name}",
    productHasAccount: "Deine Adresse hat hier schon ein Konto. Melde dich wie bisher an und verknüpfe es dann.",
    productAsksToLink:
      "Deine Adresse hat dieses Konto. Verknüpfe es, dann meldet dich der Link in unserem Produkt künftig an.",
    linkProduct: "Dieses Konto verknüpfen",
  },
  es: {
    SSO_NOT_ALLOWED: "En este sitio no se puede entrar desde nuestro producto.",
    SSO_REFUSED: "Este enlace ya se usó o ha caducado. Vuelve a nuestro producto y ábrelo otra vez.",
    SIGN_IN_TO_LINK:
      "Tu dirección ya tiene una cuenta aquí. Inicia sesión como antes y vincula esta forma en tu perfil.",
    STAFF_NOT_ALLOWED: "El equipo no puede iniciar sesión de esta forma.",
    continueAs: "Continuar como {name}",
    productHasAccount: "Tu dirección ya tiene una cuenta aquí. Entra como antes y luego vincúlala.",
    productAsksToLink: "Tu dirección tiene esta cuenta. Vincúlala y el enlace de nuestro producto te abrirá la sesión.",
    linkProduct: "Vincular esta cuenta",
  },
  fr: {
    SSO_NOT_ALLOWED: "La connexion depuis notre produit est désactivée sur ce site.",
    SSO_REFUSED: "Ce lien a déjà servi ou a expiré. Retournez dans notre produit et ouvrez-le de nouveau.",
    SIGN_IN_TO_LINK:
      "Votre adresse a déjà un compte ici. Connectez-vous comme avant, puis liez cette connexion dans votre profil.",
    STAFF_NOT_ALLOWED: "L’équipe ne peut pas se connecter ainsi.",
    continueAs: "Continuer en tant que {name}",
    productHasAccount: "Votre adresse a déjà un compte ici. Connectez-vous comme avant, puis liez-le.",
    productAsksToLink: "Votre adresse a ce compte. Liez-le, et le lien de notre produit vous connectera désormais.",
    linkProduct: "Lier ce compte",
  },
  pt: {
    SSO_NOT_ALLOWED: "Neste site não se pode entrar pelo nosso produto.",
    SSO_REFUSED: "Este link já foi usado ou expirou. Volte ao nosso produto e abra-o de novo.",
    SIGN_IN_TO_LINK: "Seu endereço já tem uma conta aqui. Entre como antes e vincule esta forma no seu perfil.",
    STAFF_NOT_ALLOWED: "A equipe não pode entrar desta forma.",
    continueAs: "Continuar como {name}",
    productHasAccount: "Seu endereço já tem uma conta aqui. Entre como antes e depois a vincule.",
    productAsksToLink:
      "Seu endereço tem esta conta. Vincule-a, e o link do nosso produto fará sua entrada daqui em diante.",
    linkProduct: "Vincular esta conta",
  },
  ja: {
    SSO_NOT_ALLOWED: "このサイトでは製品からのログインは無効です。",
    SSO_REFUSED: "このリンクは使用済みか期限切れです。製品に戻って開き直してください。",
    SIGN_IN_TO_LINK:
      "このアドレスのアカウントがすでにあります。これまでの方法でログインし、プロフィールで連携してください。",
    STAFF_NOT_ALLOWED: "チームはこの方法ではログインできません。",
    continueAs: "{name}として続ける",
    productHasAccount: "このアドレスのアカウントはすでにあります。これまでどおりログインしてから連携してください。",
    productAsksToLink: "このアドレスはこのアカウントのものです。連携すると、今後は製品内のリンクからログインできます。",
    linkProduct: "このアカウントを連携",
  },
};

addCodes(productTexts);

export function productText(key: Key, values: Record<string, string | number> = {}): string {
  return written(productTexts[language.value][key], values);
}
